// args: --gradient 'scale: y wrt k'
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
