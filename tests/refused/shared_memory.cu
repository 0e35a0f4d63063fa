#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void reversed(float *y, const float *x, int n) {
    __shared__ float tile[32];
    tile[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
