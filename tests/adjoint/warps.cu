// Cells that the threads of a warp have in common because of their number: threadIdx.x / 32 and the like. First
// the kernels in which that is no warp's number, and whose additions must be made one by one or by lanes that
// ask each other; then those in which the lanes may sum. Blocks whose last warp is not full. The table of
// decisions is checked by tests/ownership/decisions.py.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- no warp's number ----
#define PARAMETERS real *y, const real *x, const real *w, int n
#define BODY(CELL)                                                                                             \
    {                                                                                                          \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;                                                  \
        if (i < n) y[i] = x[i] * w[CELL] * w[CELL];                                                            \
    }

JOINED("y wrt x, w")
__global__ void half_warps(PARAMETERS) BODY(t / 16)
//= d_w[t / 16] +=: copies
JOINED("y wrt x, w")
__global__ void warps_and_a_half(PARAMETERS) BODY(threadIdx.x / 48)
//= d_w[threadIdx.x / 48] +=: copies
JOINED("y wrt x, w")
__global__ void lanes(PARAMETERS) BODY(t % 32)
//= d_w[t % 32] +=: copies
JOINED("y wrt x, w")
__global__ void next_thread(PARAMETERS) BODY((t + 1) / 32)
//= d_w[(t + 1) / 32] +=: copies
JOINED("y wrt x, w")
__global__ void behind_some(PARAMETERS) BODY((threadIdx.x + n) / 32 - n / 32)
//= d_w[(threadIdx.x + n) / 32 - n / 32] +=: copies
JOINED("y wrt x, w")
__global__ void rounded_to_zero(PARAMETERS) BODY((t - 64) / 32 + 2)
//= d_w[(t - 64) / 32 + 2] +=: copies
JOINED("y wrt x, w")
__global__ void masked_too_little(PARAMETERS) BODY((t & ~15) / 16)
//= d_w[(t & -16) / 16] +=: atomic
JOINED("y wrt x, w")
__global__ void of_grid(PARAMETERS) BODY((blockIdx.x * blockDim.x + threadIdx.x) / 32)
//= d_w[(blockIdx.x * blockDim.x + threadIdx.x) / 32] +=: atomic

// A warp has the end of one row and the begin of the next.
JOINED("y wrt x, w")
__global__ void short_rows(real *y, const real *x, const real *w, int n) {
    int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * w[threadIdx.x / 32] * w[threadIdx.x / 32];
}
//= d_w[threadIdx.x / 32] +=: copies

// One thread of the gradient for two of the kernel: lanes stand for several warps.
GW_GRADIENT("y wrt x, w") GW_COARSEN(2)
__global__ void coarse(real *y, const real *x, const real *w, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * w[threadIdx.x / 32] * w[threadIdx.x / 32];
}
//= d_w[(threadIdx.x + blockDim.x) / 32] +=: copies
//= d_w[threadIdx.x / 32] +=: copies

// ---- a warp's number ----
JOINED("y wrt x, w")
__global__ void divided(PARAMETERS) BODY(t / 32)
//= d_w[...] +=: warp
JOINED("y wrt x, w")
__global__ void shifted(PARAMETERS) BODY(threadIdx.x >> 5)
//= d_w[threadIdx.x >> 5] +=: warp
JOINED("y wrt x, w")
__global__ void masked(PARAMETERS) BODY((t & ~31) / 16)
//= d_w[...] +=: warp
JOINED("y wrt x, w")
__global__ void two_warps(PARAMETERS) BODY(threadIdx.x / 64)
//= d_w[...] +=: warp
JOINED("y wrt x, w")
__global__ void of_block(PARAMETERS) BODY((blockIdx.x * 96 + threadIdx.x) / 32)
//= d_w[...] +=: warp
JOINED("y wrt x, w")
__global__ void shifted_below_zero(PARAMETERS) BODY(((t - 64) >> 5) + 2)
//= d_w[(t - 64 >> 5) + 2] +=: warp

// The linear number of the thread, in blocks of two dimensions.
JOINED("y wrt x, w")
__global__ void linear(real *y, const real *x, const real *w, int n) {
    int t = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * blockDim.x * blockDim.y + t;
    if (i < n) y[i] = x[i] * w[t / 32] * w[t / 32];
}
//= d_w[...] +=: warp

// A row for each warp, as matrices are multiplied with vectors.
JOINED("y wrt a, x")
__global__ void row_of_warp(real *y, const real *a, const real *x, int rows, int n) {
    int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
    real sum = 0;
    if (row < rows)
        for (int k = lane; k < n; k += 32) sum += a[row * n + k] * x[k];
    for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
    if (lane == 0 && row < rows) y[row] = sum * sum;
}
//= d_a[row * n + k] +=: atomic
//= d_x[k] +=: copies

// The last warp of a sum: what lanes read and what they store is kept apart by __syncwarp, as volatile shared
// memory used to be taken to do.
__device__ void add_of(real *s, int t, int by) {
    const real v = s[t] + s[t + by] * s[t];
    __syncwarp();
    s[t] = v;
    __syncwarp();
}
BOTH("y wrt x")
__global__ void last_warp(real *y, const real *x) {
    __shared__ real s[64];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t] * x[blockIdx.x * 64 + t] * 0.25;
    __syncthreads();
    if (t < 32) {
        add_of(s, t, 32);
        add_of(s, t, 16);
        add_of(s, t, 8);
        add_of(s, t, 4);
        add_of(s, t, 2);
        add_of(s, t, 1);
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
//= d_s[t] +=: atomic
//= d_s[t + 16] +=: atomic
//= d_s[t + 1] +=: atomic
//= d_s[t + 2] +=: atomic
//= d_s[t + 4] +=: atomic
//= d_s[t + 8] +=: atomic

#include "warps.grad.cuh"

#define CHECK_BLOCK(NAME, THREADS)                                                                             \
    CHECK_JOINED(NAME##_##THREADS, NAME, NAME, 1e-8, 2, THREADS, 0, out(2 * THREADS - 3), in(2 * THREADS - 3), \
                 in(33), 2 * THREADS - 3)
#define CHECK_BLOCKS(NAME) CHECK_BLOCK(NAME, 33) CHECK_BLOCK(NAME, 96)
CHECK_BLOCKS(half_warps)
CHECK_BLOCKS(warps_and_a_half)
CHECK_BLOCKS(lanes)
CHECK_BLOCKS(next_thread)
CHECK_BLOCKS(behind_some)
CHECK_BLOCKS(rounded_to_zero)
CHECK_BLOCKS(masked_too_little)
CHECK_BLOCKS(of_grid)
CHECK_BLOCKS(divided)
CHECK_BLOCKS(shifted)
CHECK_BLOCKS(masked)
CHECK_BLOCKS(two_warps)
CHECK_BLOCKS(of_block)
CHECK_BLOCKS(shifted_below_zero)
CHECK_KERNEL(short_rows, 2, dim3(48, 3), out(150), in(150), in(4), 150)
CHECK_KERNEL(linear, 2, dim3(24, 3), out(140), in(140), in(5), 140)
CHECK_KERNEL(row_of_warp, 3, 64, out(5), in(5 * 37), in(37), 5, 37)
CHECK_KERNEL(last_warp, 2, 64, out(2), in(128))
TEST_MAIN
