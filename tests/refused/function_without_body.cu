#include <gradwright/gradwright.h>

__device__ float elsewhere(float v);

GW_GRADIENT("y wrt x")
__global__ void calls(float *y, const float *x) { y[threadIdx.x] = elsewhere(x[threadIdx.x]); }
