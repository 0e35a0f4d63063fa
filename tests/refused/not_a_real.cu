#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wrt n")
#endif
__global__ void scale(float *y, const float *x, int n) { y[threadIdx.x] = n * x[threadIdx.x]; }
// obeys: not-active
// says: not_a_real.cu:6:1: error: 'n' of 'scale' cannot carry a derivative: its type is 'int' [not-active]
// says: GW_GRADIENT("y wrt n")
// says: ^
// says:   way out: name a floating-point scalar, or a pointer to or struct of such
