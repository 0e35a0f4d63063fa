#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void neighbour(float *y, const float *x) {
    float v = x[threadIdx.x];
    y[threadIdx.x] = v * __shfl_down_sync(0xffffffffu, v, 1);
}
