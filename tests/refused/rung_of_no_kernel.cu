#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x") GW_ACCUMULATE(x, warp)
__device__ float f(const float *x) { return x[0] * x[0]; }
// says: rung_of_no_kernel.cu:3:22: error: GW_ACCUMULATE(x, warp): only a kernel has threads that it knows of [rung-of-no-addition]
// says: GW_GRADIENT("wrt x") GW_ACCUMULATE(x, warp)
// says:                      ^
// says:   way out: take the mark away
