#include <gradwright/gradwright.h>

GW_LAUNCH("n >= 0")
__global__ void nothing(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// says: launch_misplaced.cu:3:1: error: GW_LAUNCH means nothing before a function of which no derivative is asked [misplaced-mark]
// says: GW_LAUNCH("n >= 0")
// says: ^
// says:   way out: write it before a function of which a derivative is asked
