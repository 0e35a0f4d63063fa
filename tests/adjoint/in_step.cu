// Volatile shared memory by which lanes of a warp meet as if they ran in step: derivatives have the __syncwarp
// that is missing. The primals run on the CPU device as before Volta (clang_plugin/in_step.cpp).
#include "../support/check.cuh"

typedef double real;
#define THREAD (int)threadIdx.x
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- branches that end one after another ----
// The reduction of a time step: each branch reads what more lanes have stored in the one before.
template <int size> __device__ void leave_least(volatile real *s, int t) {
    if (size >= 128) {
        if (t < 64) s[t] = min(s[t], s[t + 64]);
        __syncthreads();
    }
    if (t < 32) s[t] = min(s[t], s[t + 32]);
    if (t < 16) s[t] = min(s[t], s[t + 16]);
    if (t < 8) s[t] = min(s[t], s[t + 8]);
    if (t < 4) s[t] = min(s[t], s[t + 4]);
    if (t < 2) s[t] = min(s[t], s[t + 2]);
    if (t < 1) s[t] = min(s[t], s[t + 1]);
}
BOTH("y wrt x")
__global__ void minimum(real *y, const real *x, int n) {
    __shared__ volatile real s[128];
    const int t = THREAD;
    if (t < n)
        s[t] = x[blockIdx.x * n + t] * x[blockIdx.x * n + t];
    else
        s[t] = 1e20;
    __syncthreads();
    leave_least<128>(s, t);
    if (t == 0) y[blockIdx.x] = s[0];
}

// Products: what is stored over is needed.
BOTH("y wrt x")
__global__ void product(real *y, const real *x) {
    volatile __shared__ real s[64];
    const int t = THREAD;
    s[t] = x[HERE];
    __syncthreads();
    if (t < 32) s[t] = s[t] * s[t + 32];
    if (t < 16) s[t] = s[t] * s[t + 16];
    if (t < 8) s[t] = s[t] * s[t + 8] + s[t];
    if (t < 8) y[blockIdx.x * 8 + t] = s[t ^ 1];
}

// ---- statements in a branch, with the mask of its lanes ----
template <unsigned size> __device__ void last_warp(volatile real *s, unsigned t) {
    if (size >= 64) s[t] += s[t + 32] * s[t];
    if (size >= 32) s[t] += s[t + 16] * s[t];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}
BOTH("y wrt x")
__global__ void sum(real *y, const real *x) {
    extern __shared__ real s[];
    s[threadIdx.x] = x[HERE] * 0.25;
    __syncthreads();
    if (threadIdx.x < 32) last_warp<64>(s, threadIdx.x);
    if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}

// What is stored through the pointer is read through the array.
BOTH("y wrt x")
__global__ void through_a_pointer(real *y, const real *x) {
    __shared__ real s[64];
    volatile real *p = s;
    const int t = THREAD;
    p[t] = x[HERE];
    __syncthreads();
    real all = s[t];
    if (t < 32) {
        p[t] = all = all * p[t + 32];
        p[t] = all = all + p[t + 16];
    }
    y[HERE] = s[t] * all;
}

// Both sides of a branch, each among its own lanes, and a branch in one of them.
BOTH("y wrt x")
__global__ void sides(real *y, const real *x) {
    __shared__ volatile real even[32], odd[32];
    const int t = THREAD;
    real v = x[HERE];
    if (t % 2) {
        odd[t] = v * v;
        v = odd[t ^ 2] * v;
        if (t % 4 == 1) {
            odd[t] = v;
            v += odd[(t + 4) % 32] * v;
        }
    } else {
        even[t] = v;
        v += even[(t + 2) % 32] * v;
    }
    y[HERE] = v + (t % 2 ? even[t - 1] : odd[t + 1]);
}

// ---- loops ----
BOTH("y wrt x")
__global__ void rounds(real *y, const real *x) {
    volatile __shared__ real s[32];
    const int t = THREAD;
    s[t] = x[HERE];
    for (int o = 16; o > 0; o /= 2)
        if (t < o) s[t] += s[t + o] * s[t];
    if (t == 0) y[blockIdx.x] = s[0];
}

// A cell is stored over that another lane has read in the iteration before.
BOTH("y wrt x, c")
__global__ void round_and_round(real *y, const real *x, real c, int n) {
    volatile __shared__ real s[64];
    const int t = THREAD, next = t / 32 * 32 + (t + 1) % 32;
    real v = x[HERE];
    for (int k = 0; k < n; k++) {
        s[t] = v;
        v = 0.5 * v + c * s[next] * v;
    }
    y[HERE] = v;
}

// ---- shapes ----
// Rows of 16 threads: a warp has two of them.
BOTH("y wrt x")
__global__ void two_rows(real *y, const real *x) {
    volatile __shared__ real s[4][16];
    const int t = threadIdx.x, row = threadIdx.y, at = (blockIdx.x * 4 + row) * 16 + t;
    s[row][t] = x[at];
    real v = s[row ^ 1][15 - t] * x[at];
    if (t < 8) s[row][t] = v * v;
    if (t < 4) v = v * s[row][t + 4];
    y[at] = v;
}

// Blocks of two rows that the kernel does not look at.
BOTH("y wrt x")
__global__ void unseen_rows(real *y, const real *x) {
    volatile __shared__ real s[32];
    const int t = THREAD;
    if (threadIdx.x < blockDim.x) s[t] = x[HERE];
    if (t < 8) y[blockIdx.x * 8 + t] = s[t] * s[t + 8];
}

// Both sides of a branch store at places that are seen to be apart in blocks of that length alone: two stores
// of lanes in step to one cell would be a race.
BOTH("y wrt x")
__global__ void frame(real *y, const real *x) {
    volatile __shared__ real s[12];
    const int t = threadIdx.x, r = threadIdx.y, from = (int)blockIdx.x * 12;
    s[(t + 1) + (r + 1) * 4] = x[from + (t + 1) + (r + 1) * 4];
    if (r == 0) {
        s[t + 1] = x[from + t + 1];
        s[t + 9] = x[from + t + 9];
    } else if (t < 2) {
        s[t * 4] = x[from + t * 4];
        s[t * 4 + 3] = x[from + t * 4 + 3];
    }
    __syncthreads();
    if (r == 0) y[(int)blockIdx.x * 2 + t] = s[t + 5] * s[t + 1] + s[t + 4] * s[t + 6] * s[t + 9];
}

// The last warp is not full, and threads leave.
BOTH("y wrt x")
__global__ void leaving(real *y, const real *x, int n) {
    volatile __shared__ real s[64];
    const int t = THREAD;
    if (HERE >= n) return;
    s[t] = x[HERE] * x[HERE];
    if (t % 2 == 0) s[t] += s[t + 1] * x[HERE];
    y[HERE] = s[t] * s[t & ~1];
}

// ---- what needs nothing ----
BOTH("y wrt x")
__global__ void own_cells(real *y, const real *x) {
    volatile __shared__ real s[64];
    const int t = THREAD;
    s[t] = x[HERE];
    for (int k = 0; k < 3; k++) s[t] = s[t] * x[HERE];
    __syncthreads();
    y[HERE] = s[63 - t] * s[t];
}

#include "in_step.grad.cuh"

CHECK_KERNEL(minimum, 3, 128, out(3), in(3 * 100), 100)
CHECK_KERNEL(product, 2, 64, out(16), in(128))
CHECK_SHARED(sum, 2, 64, 64 * sizeof(real), out(2), in(128))
CHECK_KERNEL(through_a_pointer, 2, 64, out(128), in(128))
CHECK_KERNEL(sides, 2, 32, out(64), in(64))
CHECK_KERNEL(rounds, 2, 32, out(2), in(64))
CHECK_KERNEL(round_and_round, 2, 64, out(128), in(128), active(0.7), 5)
CHECK_KERNEL(two_rows, 2, dim3(16, 4), out(128), in(128))
CHECK_KERNEL(unseen_rows, 2, 32, out(16), in(64))
CHECK_KERNEL(frame, 2, dim3(2, 2), out(4), in(24))
CHECK_KERNEL(leaving, 2, 40, out(80), in(80), 70)
CHECK_KERNEL(own_cells, 2, 64, out(128), in(128))
TEST_MAIN
