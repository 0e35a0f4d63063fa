#include <gradwright/gradwright.h>

#ifdef OBEYED
__device__ float power(float x, int n) { return n ? x * x : x; }
GW_GRADIENT("y wrt x") GW_LAUNCH("n >= 0")
__global__ void powers(float *y, const float *x, int n) { y[threadIdx.x] = power(x[threadIdx.x], n); }
#else
GW_GRADIENT("wrt x") GW_LAUNCH("n >= 0")
__device__ float power(float x, int n) { return n ? x * x : x; }
#endif
// obeys: launch-of-no-kernel
// says: launch_of_no_kernel.cu:8:22: error: GW_LAUNCH("n >= 0"): 'power' is no kernel [launch-of-no-kernel]
// says: GW_GRADIENT("wrt x") GW_LAUNCH("n >= 0")
// says:                      ^
// says:   way out: write it before the kernel that is launched
