#include <gradwright/gradwright.h>

GW_GRADIENT("first = y wrt x")
#ifdef OBEYED
GW_GRADIENT("second = y wrt k")
#else
GW_GRADIENT("first = y wrt k")
#endif
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// obeys: request-name-taken
// says: request_name_taken.cu:7:1: error: two requests on 'scale' have the name 'first' [request-name-taken]
// says: GW_GRADIENT("first = y wrt k")
// says: ^
// says:   way out: give each a name of its own
