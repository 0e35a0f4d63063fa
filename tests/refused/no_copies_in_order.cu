// args: --deterministic
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void in_order(float *y, const float *x) {
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
// says: no_copies_in_order.cu:6:48: error: threads add to 'd_x' in an order that changes from run to run (threads that differ only in blockIdx.x add into one cell; no copies (blocks add to a copy in no fixed order)) [no-fixed-order]
// says:     y[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
// says:                                                ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
