#include "no_such_header.h"
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: missing_include.cu:1:10: error: 'no_such_header.h' file not found [syntax]
// says: #include "no_such_header.h"
// says:          ^
