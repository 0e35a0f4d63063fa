#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void until_small(float *y, const float *x) {
    float v = x[threadIdx.x];
    while (v > 1.01f) v = sqrtf(v) * v * 0.5f;
    y[threadIdx.x] = v;
}
