#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128 or atomic")
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// says: launch_or_atomic.cu:3:24: error: cannot read GW_LAUNCH("blockDim.x == 128 or atomic") of 'scale': there is no second form for launches that break it: 'or atomic' [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128 or atomic")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
