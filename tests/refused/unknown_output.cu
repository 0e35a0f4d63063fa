#include <gradwright/gradwright.h>

GW_GRADIENT("out wrt x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: unknown_output.cu:3:1: error: 'out' names no parameter of 'square' [unknown-name]
// says: GW_GRADIENT("out wrt x")
// says: ^
// says:   way out: name one of 'y', 'x'
