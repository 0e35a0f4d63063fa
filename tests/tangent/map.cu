#include <gradwright/gradwright.h>

GW_DERIVATIVE("y wrt x, k")
__global__ void map(float *y, const float *x, float k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i];
    y[i] = k * a * a + sinf(a) * fmaxf(a, k);
}
