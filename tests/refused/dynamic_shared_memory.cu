#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void staged(float *y, const float *x) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = tile[threadIdx.x];
}
