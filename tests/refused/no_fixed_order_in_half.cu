// args: --deterministic
#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x")
__global__ void halves(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i / 2] * x[i / 2];
}
// says: no_fixed_order_in_half.cu:7:23: error: threads add to 'd_x' in an order that changes from run to run (not proved that two threads never meet at x[i / 2] at line 7) [no-fixed-order]
// says:     if (i < n) y[i] = x[i / 2] * x[i / 2];
// says:                       ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
