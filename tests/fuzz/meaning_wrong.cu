// A wrong pullback of its author's: what meaning.py must find, in any spelling.
#include "../support/check.cuh"

typedef double real;
__device__ real cube(real x) { return x * x * x; }
GW_DERIVATIVE_OF("pullback of cube")
__device__ void cube_back(real x, real d_return, real *d_x) { *d_x += 2 * d_return * x * x; }
GW_DERIVATIVE_OF("jvp of cube")
__device__ real cube_forward(real x, real t_x, real *t_return) {
    *t_return = 3 * t_x * x * x;
    return x * x * x;
}

BOTH("y wrt x")
__global__ void cubes(real *y, const real *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = cube(x[i]);
}

#include "meaning_wrong.grad.cuh"

CHECK_KERNEL(cubes, 2, 8, out(12), in(12), 12)
TEST_MAIN
