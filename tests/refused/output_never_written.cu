#include <gradwright/gradwright.h>

GW_GRADIENT("z wrt x")
__global__ void square(float *y, float *z, const float *x) { y[threadIdx.x] = x[threadIdx.x] * z[threadIdx.x]; }
