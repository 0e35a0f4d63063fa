#include <gradwright/gradwright.h>

GW_DERIVATIVE("y wrt x")
__global__ void f(float *y, float *tmp, const float *x, int n) {
    int i = threadIdx.x;
    tmp[i] = x[i] * x[i];
    y[i] = tmp[n - 1 - i];
}
// says: forward_active_global.cu:7:12: error: 'tmp' carries a derivative from one access to another but is neither an output nor an input of the request [active-global]
// says:     y[i] = tmp[n - 1 - i];
// says:            ^
// says:   way out: add it to the request
