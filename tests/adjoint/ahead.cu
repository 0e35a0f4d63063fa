// Loops that load for several iterations before the first of them stores (device/ahead.c). First what must not;
// tests/ownership/statements.py reads what each text has.
#include "../support/check.cuh"

typedef double real;
#define ROW                                                                                                    \
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;                     \
    if (row >= rows) return
#define EVERY(k) for (int k = lane; k < n; k += 32)
#define X(k) x[row * n + (k)]

// ---- not ----
// What an iteration adds to, the next one loads: that stays, what it adds to besides goes ahead.
BOTH("y wrt x")
__global__ void neighbours(real *y, const real *x, int rows, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int k = 0; k < n - 1; k++) y[row * n + k] = X(k) * X(k + 1);
}
//! d_x_ahead_2[turn]

// The same cell in each.
BOTH("y wrt x")
__global__ void one_cell(real *y, const real *x, int rows, int n, int step) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int k = 0; k < n; k++) y[(row * n + k) * step] = x[row * 2] * exp(x[row * 2 + 1] / (k + 2));
}
//! d_x_ahead

// The grid shares the iterations out.
BOTH("y wrt x")
__global__ void of_grid(real *y, const real *x, int n) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) y[k] = sin(x[k]);
}
//! _ahead

// Lanes meet in the loop.
BOTH("y wrt x")
__global__ void exchanged(real *y, const real *x, int rows, int n) {
    ROW;
    for (int k = lane; k < n / 32 * 32; k += 32) y[row * n + k] = __shfl_xor_sync(~0u, X(k) * X(k), 1);
}
//! _ahead

// ---- ahead ----
BOTH("y wrt x")
__global__ void squares(real *y, const real *x, int rows, int n) {
    ROW;
    EVERY(k) y[row * n + k] = X(k) * X(k) * X(k);
}
//= d_y_ahead[turn]
//= d_x_ahead[turn]

// With sums that the loop carries, and a branch.
BOTH("y wrt x")
__global__ void scaled(real *y, const real *x, int rows, int n) {
    ROW;
    real sum = 0;
    EVERY(k) sum += X(k) * X(k);
    for (int half = 16; half; half /= 2) sum += __shfl_xor_sync(~0u, sum, half);
    EVERY(k) {
        real v = X(k) / sqrt(1 + sum);
        if (v > 0.1) v = sin(v);
        y[row * n + k] = v;
    }
}
//= d_y_ahead[turn]
//= d_x_ahead[turn]

// From behind by a step that is no constant, which nvcc does not unroll.
BOTH("y wrt x")
__global__ void falling(real *y, const real *x, int n) {
    __shared__ real part[64];
    const int b = blockIdx.x;
    real sum = 0;
    for (int k = n + (int)threadIdx.x - (int)blockDim.x; k >= 0; k -= blockDim.x)
        sum += x[b * n + k] * x[b * n + k];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < (int)blockDim.x; k++) sum += part[k];
        y[b] = sum;
    }
}
//= x_ahead[turn]

// One iteration more, but not four, is an int.
BOTH("y wrt x")
__global__ void to_the_end(real *y, const real *x, int rows, int n, int last) {
    ROW;
    const int first = last - n;
    for (int k = first + lane; k < last; k += 32) y[row * n + (k - first)] = exp(X(k - first) / 3);
}
//= d_y_ahead[turn]

#include "ahead.grad.cuh"

CHECK_KERNEL(neighbours, 2, 3, out(5 * 9), in(5 * 9), 5, 9)
CHECK_KERNEL(one_cell, 2, 3, out(5 * 27), in(10), 5, 9, 3)
CHECK_KERNEL(of_grid, 2, 4, out(35), in(35), 35)
CHECK_KERNEL(exchanged, 2, 64, out(3 * 97), in(3 * 97), 3, 97)
CHECK_KERNEL(squares, 2, 64, out(3 * 333), in(3 * 333), 3, 333)
CHECK_KERNEL(scaled, 2, 64, out(3 * 157), in(3 * 157), 3, 157)
CHECK_KERNEL(falling, 3, 64, out(3), in(3 * 343), 343)
CHECK_KERNEL(to_the_end, 2, 64, out(3 * 150), in(3 * 150), 3, 150, 0x7fffffff - 31)
TEST_MAIN
