#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x")
GW_SPLIT_GRADIENT("y wrt k")
__global__ void scaled(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// says: split_twice.cu:4:1: error: 'scaled' already has another request for a split gradient [conflicting-request]
// says: GW_SPLIT_GRADIENT("y wrt k")
// says: ^
// says:   way out: name one of them: 'NAME = outputs wrt inputs'
