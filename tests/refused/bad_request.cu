#include <gradwright/gradwright.h>

GW_GRADIENT("y with respect to x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: bad_request.cu:3:1: error: cannot read the request 'y with respect to x': it has no 'wrt' [bad-request]
// says: GW_GRADIENT("y with respect to x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
