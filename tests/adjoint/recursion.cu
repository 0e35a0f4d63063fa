// Device functions that call themselves or each other, and large ones, which are called and not inlined.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

__device__ double power(double v, int n) { return n == 0 ? 1.0 : v * power(v, n - 1); }

BOTH("y wrt x")
__global__ void powers(real *y, const real *x, int n) {
    if (HERE < n) y[HERE] = power(x[HERE], HERE % 5 + 1) * x[HERE];
}

__device__ double odd(double v, int n);
__device__ double even(double v, int n) { return n == 0 ? v : sin(odd(v, n - 1)) + v; }
__device__ double odd(double v, int n) { return n == 0 ? v * v : v * even(v * 0.5, n - 1); }

BOTH("y wrt x")
__global__ void alternating(real *y, const real *x, int n) {
    if (HERE < n) y[HERE] = even(x[HERE], HERE % 4) + odd(x[HERE], 3);
}

#define FEW(v) v = v * 0.9 + sin(v) * 0.1 - 0.01 * v * v;
#define MORE(v) FEW(v) FEW(v) FEW(v) FEW(v) FEW(v)
#define MANY(v) MORE(v) MORE(v) MORE(v) MORE(v) MORE(v)
__device__ double large(double v) {
    MANY(v)
    return v;
}
__device__ double large_with_loop(double v, int m) {
    for (int i = 0; i < m; i++) {
        MANY(v)
    }
    return v;
}

BOTH("y wrt x")
__global__ void helpers(real *y, const real *x, int m, int n) {
    if (HERE < n) y[HERE] = large(x[HERE]) * large_with_loop(x[HERE], m) + large(y[HERE]);
}

#include "recursion.grad.cuh"

CHECK_KERNEL(powers, 2, 8, out(12), in(12), 12)
CHECK_KERNEL(alternating, 2, 8, out(12), in(12), 12)
CHECK_KERNEL(helpers, 2, 8, out(12), in(12), 3, 12)
TEST_MAIN
