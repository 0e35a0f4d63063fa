// Derivatives that the user wrote for device functions, in a namespace; a function without derivative.
#include "../support/check.cuh"

typedef double real;

namespace lib {
__device__ real softplus(real x) { return log1p(exp(x)); }

GW_DERIVATIVE_OF("pullback of lib::softplus")
__device__ void softplus_back(real x, real d_return, real *d_x) { *d_x += d_return / (1 + exp(-x)); }

GW_DERIVATIVE_OF("jvp of lib::softplus")
__device__ real softplus_forward(real x, real t_x, real *t_return) {
    *t_return = t_x / (1 + exp(-x));
    return log1p(exp(x));
}
} // namespace lib

// Only a pullback: the forward derivative is made from the body.
__host__ __device__ real blend(real a, real b, int k) { return k & 1 ? a * b : a + b; }
GW_DERIVATIVE_OF("pullback of blend(real, real, int)")
__host__ __device__ void blend_back(real a, real b, int k, real d_return, real *d_a, real *d_b) {
    *d_a += k & 1 ? d_return * b : d_return;
    *d_b += k & 1 ? d_return * a : d_return;
}

GW_NONDIFFERENTIABLE __device__ real steps(real x) { return floor(3 * x); }

BOTH("y wrt x, w")
__global__ void mixed(real *y, const real *x, real w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    real s = 0;
    for (int k = 0; k < 4; k++) s = blend(s, lib::softplus(x[i] * w + s), k) + steps(x[0]);
    y[i] = s * lib::softplus(w);
}

namespace lib {
BOTH("y wrt x")
__global__ void inside(real *y, const real *x, int n) {
    int i = threadIdx.x;
    if (i < n) y[i] = softplus(x[i]) * x[i];
}
} // namespace lib

#include "custom.grad.cuh"

using namespace lib;
CHECK_KERNEL(mixed, 2, 8, out(13), in(13, 0.5, 0.6), active(0.7), 13)
CHECK_KERNEL(inside, 1, 8, out(7), in(7), 7)
TEST_MAIN
