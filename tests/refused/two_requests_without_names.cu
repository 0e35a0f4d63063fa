#include <gradwright/gradwright.h>

GW_DERIVATIVE("y wrt x")
GW_GRADIENT("y wrt x")
#ifdef OBEYED
GW_GRADIENT("both = y wrt x, k")
#else
GW_GRADIENT("y wrt x, k")
#endif
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// obeys: conflicting-request
// says: two_requests_without_names.cu:8:1: error: 'scale' already has another request for a gradient [conflicting-request]
// says: GW_GRADIENT("y wrt x, k")
// says: ^
// says:   way out: name one of them: 'NAME = outputs wrt inputs'
