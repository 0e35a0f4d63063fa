#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x") GW_LAUNCH("n >= 0")
__device__ float power(float x, int n) { return n ? x * x : x; }
// says: launch_of_no_kernel.cu:3:22: error: GW_LAUNCH("n >= 0"): 'power' is no kernel [launch-of-no-kernel]
// says: GW_GRADIENT("wrt x") GW_LAUNCH("n >= 0")
// says:                      ^
// says:   way out: write it before the kernel that is launched
