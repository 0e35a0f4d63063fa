// What no rounding error is bounded of: kernels, functions without a row of rounding.def, recursive calls.
#include <gradwright/gradwright.h>
#include <cmath>

GW_ERROR("y wrt x")
__global__ void kernel(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: rounding.cu:5:1: error: the rounding error of a kernel, device function, template or function that launches kernels cannot be differentiated yet [unsupported]
// says: GW_ERROR("y wrt x")
// says: ^
// says:   way out: ask for that of a function of the host which does what one thread does
