#include <gradwright/gradwright.h>

GW_DERIVATIVE("y wrt x")
GW_GRADIENT("y wrt x")
GW_GRADIENT("y wrt x, k")
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// says: two_requests_without_names.cu:5:1: error: 'scale' already has another request for a gradient [conflicting-request]
// says: GW_GRADIENT("y wrt x, k")
// says: ^
// says:   way out: name one of them: 'NAME = outputs wrt inputs'
