// What --explain must say of kernels of which only the solver finds that they need no atomic, and of some that
// look like them.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void folded_too_far(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n / 2) y[i] = x[i] * x[n - 1 - i];
}
//= d_x[i] +=: atomic
//= d_x[n - 1 - i] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void folded_row(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) y[i] = x[i] * x[n - 1 - i];
}
//= d_x[i] +=: plain
//= d_x[n - 1 - i] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain
