// A warp, or another group of threads, a row: blocks of which the length is no multiple of the group's are
// refused. First what must stay atomic. The table of decisions with --prefer=owned is checked by
// tests/ownership/decisions.py.
#include "../support/check.cuh"

typedef double real;
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

// Two warps a row, with the lanes of one.
BOTH("y wrt x")
__global__ void half_rows(real *y, const real *x, int rows, int n) {
    int row = HERE / 64, lane = threadIdx.x % 32;
    if (row < rows && lane < n) y[HERE] = x[row * n + lane] * x[row * n + lane];
}
//= d_x[row * n + lane] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// Steps of half a warp: two lanes come to one cell.
BOTH("y wrt x")
__global__ void short_steps(real *y, const real *x, int rows, int n) {
    int row = HERE / 32, lane = threadIdx.x % 32;
    real sum = 0;
    if (row >= rows) return;
    for (int k = lane; k < n; k += 16) sum += x[row * n + k] * x[row * n + k];
    y[HERE] = sum;
}
//= d_x[row * n + k] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// Right in blocks of 64 threads only: a constant is no length of a block.
BOTH("y wrt x")
__global__ void two_warps(real *y, const real *x, int rows, int n) {
    int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row < rows && lane < n) y[HERE] = x[row * n + lane] * x[row * n + lane];
}
//= d_x[row * n + lane] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// The row's length is not the loop's.
BOTH("y wrt x")
__global__ void longer_than_rows(real *y, const real *x, int rows, int n, int stride) {
    int row = HERE / 32, lane = threadIdx.x % 32;
    real sum = 0;
    if (row >= rows) return;
    for (int k = lane; k < n; k += 32) sum += x[row * stride + k] * x[row * stride + k];
    y[HERE] = sum;
}
//= d_x[row * stride + k] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// The gains belong to all rows.
BOTH("y wrt x, gain")
__global__ void norm(real *y, const real *x, const real *gain, int rows, int n) {
    int row = HERE / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    real sum = 0;
    for (int k = lane; k < n; k += 32) sum += x[row * n + k] * x[row * n + k];
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    for (int k = lane; k < n; k += 32) y[row * n + k] = x[row * n + k] * gain[k] / sqrt(1 + sum);
}
//= d_x[row * n + k] +=: plain
//= d_x[row * n + k] +=: plain
//= d_gain[k] +=: atomic
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain
//> blockDim.x % 32 == 0 (the kernel takes threadIdx.x apart by that): checked at the launch

// The same by the block's warps, with bits instead of quotients.
BOTH("y wrt x")
__global__ void by_warps(real *y, const real *x, int rows, int n) {
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    real sum = 0;
    if (row >= rows) return;
    for (int k = lane; k < n; k += 32) sum += x[row * n + k] * x[row * n + k];
    y[row * 32 + lane] = sum;
}
//= d_x[row * n + k] +=: plain
//= d_y[row * 32 + lane] =: plain
//= read d_y[row * 32 + lane]: plain

// Groups of eight in steps of the grid.
BOTH("y wrt x")
__global__ void eights(real *y, const real *x, int rows, int n) {
    int lane = threadIdx.x % 8;
    for (int row = HERE / 8; row < rows; row += gridDim.x * (blockDim.x / 8))
        for (int k = lane; k < n; k += 8) y[row * n + k] = x[row * n + k] * x[row * n + k];
}
//= d_x[row * n + k] +=: plain
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain

#include "warp_rows.grad.cuh"

CHECK_KERNEL(half_rows, 3, 64, out(192), in(3 * 20), 3, 20)
CHECK_KERNEL(short_steps, 2, 64, out(128), in(4 * 43), 4, 43)
CHECK_KERNEL(two_warps, 2, 64, out(128), in(4 * 20), 4, 20)
CHECK_KERNEL(longer_than_rows, 2, 64, out(128), in(3 * 20 + 43), 4, 43, 20)
CHECK_KERNEL(norm, 3, 64, out(5 * 43), in(5 * 43), in(43), 5, 43)
CHECK_KERNEL(by_warps, 3, 64, out(5 * 32), in(5 * 43), 5, 43)
CHECK_KERNEL(eights, 2, 24, out(10 * 13), in(10 * 13), 10, 13)
TEST_MAIN
