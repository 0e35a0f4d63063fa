#include <gradwright/gradwright.h>

GW_GRADIENT("2nd = y wrt x")
__global__ void scale(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }
// says: request_name_is_no_name.cu:3:1: error: cannot read the request '2nd = y wrt x': the name before '=' is no identifier [bad-request]
// says: GW_GRADIENT("2nd = y wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
