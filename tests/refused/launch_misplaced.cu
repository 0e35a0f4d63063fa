#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("n >= 0")
__global__ void nothing(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }
#else
GW_LAUNCH("n >= 0")
__global__ void nothing(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }
#endif

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// obeys: misplaced-mark
// says: launch_misplaced.cu:7:1: error: GW_LAUNCH means nothing before a function of which no derivative is asked [misplaced-mark]
// says: GW_LAUNCH("n >= 0")
// says: ^
// says:   way out: write it before a function of which a derivative is asked
