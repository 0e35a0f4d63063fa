#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("wrt x")
#else
GW_GRADIENT("wrt x") GW_ACCUMULATE(x, warp)
#endif
__device__ float f(const float *x) { return x[0] * x[0]; }
// obeys: rung-of-no-addition
// says: rung_of_no_kernel.cu:6:22: error: GW_ACCUMULATE(x, warp): only a kernel has threads that it knows of [rung-of-no-addition]
// says: GW_GRADIENT("wrt x") GW_ACCUMULATE(x, warp)
// says:                      ^
// says:   way out: take the mark away
