// args: --deterministic
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x, k")
__global__ void scale(float *y, const float *x, float k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = k * x[i] + x[i / 2];
}
// says: no_fixed_order.cu:7:34: error: threads add to 'd_x' in an order that changes from run to run (not proved that two threads never meet at x[i / 2] at line 7) [no-fixed-order]
// says:     if (i < n) y[i] = k * x[i] + x[i / 2];
// says:                                  ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_fixed_order.cu:7:27: error: threads add to 'd_x' in an order that changes from run to run (two threads can meet here: x[i] at line 7 and x[i / 2] at line 7) [no-fixed-order]
// says:     if (i < n) y[i] = k * x[i] + x[i / 2];
// says:                           ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_fixed_order.cu:5:55: error: threads add to 'd_k' in an order that changes from run to run (all threads add into one cell) [no-fixed-order]
// says: __global__ void scale(float *y, const float *x, float k, int n) {
// says:                                                       ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
