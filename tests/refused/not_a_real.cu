#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt n")
__global__ void scale(float *y, const float *x, int n) { y[threadIdx.x] = n * x[threadIdx.x]; }
// says: not_a_real.cu:3:1: error: 'n' of 'scale' cannot carry a derivative: its type is 'int' [not-active]
// says: GW_GRADIENT("y wrt n")
// says: ^
// says:   way out: name a floating-point scalar, or a pointer to or struct of such
