// args: --deterministic
#include <gradwright/gradwright.h>

template <int N> GW_SPLIT_GRADIENT("y wrt x")
__global__ void halves(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i / N] * x[i / N];
}
template __global__ void halves<2>(float *, const float *, int);
// says: no_fixed_order_in_half.cu:7:23: error: threads add to 'd_x' in an order that changes from run to run (not proved that two threads never meet at x[i / 2] at line 7; no exact (halves of a template have no accumulators)) [no-fixed-order]
// says:     if (i < n) y[i] = x[i / N] * x[i / N];
// says:                       ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
