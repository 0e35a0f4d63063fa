#include <gradwright/gradwright.h>

GW_GRADIENT("out wrt x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
