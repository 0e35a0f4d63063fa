#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("z wrt x")
#endif
__global__ void square(float *y, float *z, const float *x) { y[threadIdx.x] = x[threadIdx.x] * z[threadIdx.x]; }
// obeys: output-not-written
// says: output_never_written.cu:6:1: error: 'z' is never written by 'square', so nothing can be differentiated [output-not-written]
// says: GW_GRADIENT("z wrt x")
// says: ^
// says:   way out: name an output that the function writes
