#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wrt x, z")
#endif
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// obeys: unknown-name
// says: unknown_name.cu:6:1: error: 'z' names no parameter of 'square' [unknown-name]
// says: GW_GRADIENT("y wrt x, z")
// says: ^
// says:   way out: name one of 'y', 'x'
