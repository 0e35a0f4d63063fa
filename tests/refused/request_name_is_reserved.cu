#include <gradwright/gradwright.h>

GW_GRADIENT("gw_launch = y wrt x")
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// says: request_name_is_reserved.cu:3:1: error: cannot read the request 'gw_launch = y wrt x': names that begin with 'gw_' are Gradwright's own [bad-request]
// says: GW_GRADIENT("gw_launch = y wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
