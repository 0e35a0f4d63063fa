#include "no_such_header.h"
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
