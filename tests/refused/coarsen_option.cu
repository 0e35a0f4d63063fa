// args: --coarsen=1
// status: 2
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") __global__ void f(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// says: gradwright: error: --coarsen is a number from 2 to 32, not '1'
// says: 'gradwright --help' lists the options
