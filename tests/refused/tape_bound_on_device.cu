#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void ragged(float *y, const float *x, const int *steps) {
    float v = x[threadIdx.x];
    for (int k = 0; k < steps[threadIdx.x]; k++) v = v * v;
    y[threadIdx.x] = v;
}
