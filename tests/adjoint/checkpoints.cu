// GW_CHECKPOINT(n): what a loop carries is stored every n iterations only; headers of every kind, exits, nests, local arrays.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x, p")
__global__ void upward(real *y, const real *x, const real *p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(4) for (int k = 0; k < steps; k++) v += 0.1 * p[k] * sin(v + 0.01 * k);
    y[i] = v;
}

// A segment of one, and one that is longer than the loop.
BOTH("y wrt x")
__global__ void extremes(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(1) for (int k = 0; k < steps; k++) v = v * v * 0.6 + 0.1;
    GW_CHECKPOINT(1000) for (int k = 0; k < steps; k++) v = v - 0.1 * v * v;
    y[i] = v;
}

BOTH("y wrt x")
__global__ void other_headers(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = steps; k >= 1; k -= 2) v += 0.1 * k * sin(v);
    GW_CHECKPOINT(2) for (unsigned k = 3; k <= (unsigned)steps; k += 2) v += 0.01 * k * v * v;
    GW_CHECKPOINT(5) for (long k = 1; k < steps; k += 3) v += 0.02 * k * sin(v);
    GW_CHECKPOINT(2) for (size_t k = 0; k < (size_t)steps; k++) v *= 1 - 0.1 * v / (k + 1);
    y[i] = v;
}

// The thread's own data end it; what follows the stop in the segment must not run.
BOTH("y wrt x")
__global__ void leaves_early(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(4)
    for (int k = 0; k < steps; k++) {
        v = v + 0.3 * v * v;
        if (v > 1.5) break;
        v += 0.01 * k;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void conditions(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    int k = 0;
    GW_CHECKPOINT(3) while (k < steps && v < 3) {
        v += 0.2 * v * v;
        k++;
    }
    int m = steps;
    GW_CHECKPOINT(2) while (m > 0) {
        if (v < 0.3) break;
        v -= 0.1 * v * v;
        m -= 2;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void nested(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        GW_CHECKPOINT(2) for (int m = 0; m <= k; m++) v += 0.05 * v * sin(v + m);
    }
    y[i] = v;
}

// A local array that the loop changes is part of what it carries.
BOTH("y wrt x")
__global__ void array_state(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real a[3] = {x[i], x[i] * x[i], 1};
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) a[k % 3] = a[k % 3] * a[(k + 1) % 3] * 0.7 + 0.1;
    y[i] = a[0] + a[1] * a[2];
}

// The loop stores to memory as it goes.
BOTH("y wrt x")
__global__ void stores(real *y, const real *x, int rows, int columns) {
    int r = HERE;
    if (r >= rows) return;
    real sum = 0;
    GW_CHECKPOINT(2) for (int c = 0; c < columns; c++) {
        sum = sum * sum * 0.9 + x[r * columns + c];
        y[r * columns + c] = sum;
    }
}

// Barriers inside of it: all threads of a block have the same segments.
BOTH("y wrt x")
__global__ void with_barriers(real *y, const real *x, int steps) {
    __shared__ real s[16];
    int t = threadIdx.x, i = HERE;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        s[t] = v;
        __syncthreads();
        v += 0.1 * sin(s[(t + 1) % 16]) * v;
        __syncthreads();
    }
    y[i] = v;
}

#include "checkpoints.grad.cuh"

CHECK_KERNEL(upward, 2, 16, out(20), in(20), in(11), 20, 11)
CHECK_CASE(upward_whole, upward, upward, 1e-8, 2, 16, out(20), in(20), in(12), 20, 12)
CHECK_KERNEL(extremes, 2, 16, out(20), in(20), 20, 5)
CHECK_KERNEL(other_headers, 2, 16, out(20), in(20), 20, 11)
CHECK_CASE(other_headers_never, other_headers, other_headers, 1e-8, 2, 16, out(20), in(20), 20, 0)
CHECK_KERNEL(leaves_early, 2, 16, out(20), in(20), 20, 11)
CHECK_KERNEL(conditions, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(nested, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(array_state, 2, 16, out(20), in(20), 20, 8)
CHECK_KERNEL(stores, 1, 8, out(35), in(35), 5, 7)
CHECK_KERNEL(with_barriers, 2, 16, out(32), in(32), 7)
TEST_MAIN
