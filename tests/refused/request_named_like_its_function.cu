#include <gradwright/gradwright.h>

GW_GRADIENT("scale = y wrt x")
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// says: request_named_like_its_function.cu:3:1: error: cannot read the request 'scale = y wrt x': it has its function's own name [bad-request]
// says: GW_GRADIENT("scale = y wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
