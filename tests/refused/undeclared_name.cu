#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x] * z;
}
// says: undeclared_name.cu:5:39: error: use of undeclared identifier 'z' [syntax]
// says:     y[threadIdx.x] = x[threadIdx.x] * z;
// says:                                       ^
