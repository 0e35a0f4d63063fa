// A rung whose order of additions is not fixed does not go with --deterministic.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, atomic)
__global__ void f(float *y, const float *x) {
    y[threadIdx.x + blockIdx.x * blockDim.x] = 2 * x[threadIdx.x + blockIdx.x * blockDim.x];
}
// args: --deterministic
// obeys: no-fixed-order
// obeyed-args:
// says: rung_without_order.cu:6:52: error: threads add to 'd_x' in an order that changes from run to run (forced by GW_ACCUMULATE) [no-fixed-order]
// says:     y[threadIdx.x + blockIdx.x * blockDim.x] = 2 * x[threadIdx.x + blockIdx.x * blockDim.x];
// says:                                                    ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
