// A function that has no derivatives in several directions at once.
#include <gradwright/gradwright.h>

__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

GW_DERIVATIVES(4, "y wrt x")
void program(float *y, const float *x) { scale<<<1, 8>>>(y, x); }
// says: direction_forms.cu:6:1: error: a function that launches kernels, in this mode, cannot be differentiated yet [unsupported]
// says: GW_DERIVATIVES(4, "y wrt x")
// says: ^
// says:   way out: ask for GW_GRADIENT, GW_DERIVATIVE or GW_HVP
