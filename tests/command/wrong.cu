#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt z")
__global__ void f(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
