// args: --gradient 'scale: y wrt k'
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// says: conflicting_requests.cu:4:1: error: 'scale' already has another request for a gradient [conflicting-request]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: name one of them: 'NAME = outputs wrt inputs'
