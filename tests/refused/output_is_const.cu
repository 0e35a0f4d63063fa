#include <gradwright/gradwright.h>

GW_GRADIENT("x wrt y")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: output_is_const.cu:3:1: error: 'x' is never written by 'square', so nothing can be differentiated [output-not-written]
// says: GW_GRADIENT("x wrt y")
// says: ^
// says:   way out: name an output that the function writes
