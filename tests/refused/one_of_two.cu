#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void good(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }

GW_GRADIENT("y wrt x")
__global__ void bad(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x];
#ifndef OBEYED
    __threadfence();
#endif
}
// obeys: unsupported
// says: one_of_two.cu:10:5: error: a memory fence cannot be differentiated yet [unsupported]
// says:     __threadfence();
// says:     ^
// says:   way out: split the kernel where its threads meet
