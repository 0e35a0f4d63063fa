#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void good(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }

GW_GRADIENT("y wrt x")
__global__ void bad(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x];
    __threadfence();
}
