#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]
}
// says: syntax_error.cu:5:53: error: expected ';' after expression [syntax]
// says:     y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]
// says:                                                     ^
