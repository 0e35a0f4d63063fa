#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x, z")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: unknown_name.cu:3:1: error: 'z' names no parameter of 'square' [unknown-name]
// says: GW_GRADIENT("y wrt x, z")
// says: ^
// says:   way out: name one of 'y', 'x'
