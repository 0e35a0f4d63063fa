#include <gradwright/gradwright.h>

GW_GRADIENT("first = y wrt x")
GW_GRADIENT("first = y wrt k")
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// says: request_name_taken.cu:4:1: error: two requests on 'scale' have the name 'first' [request-name-taken]
// says: GW_GRADIENT("first = y wrt k")
// says: ^
// says:   way out: give each a name of its own
