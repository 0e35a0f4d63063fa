// A long chain of numbers that each stand twice in the next, in a gradient's kernel that is a template: nvcc's
// front end takes hours for it where they are const.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x, k")
__global__ void chain(float *y, const float *x, float k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i] * k;
#define STEP a = a * a + a;
#define FIVE_STEPS STEP STEP STEP STEP STEP
    FIVE_STEPS FIVE_STEPS FIVE_STEPS FIVE_STEPS
    for (int j = 0; j < n; j++) a = a * a * k;
    y[i] = a;
}
#include "chain.grad.cuh"
