#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void through_others(float *y, float *between, const float *x) {
    between[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    y[threadIdx.x] = between[threadIdx.x ^ 1];
}
