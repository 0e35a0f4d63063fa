#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x, k")
__global__ void square(float *y, const float *x, float k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && k > 0) y[i] = x[i] * x[i];
}
