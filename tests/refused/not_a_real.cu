#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt n")
__global__ void scale(float *y, const float *x, int n) { y[threadIdx.x] = n * x[threadIdx.x]; }
