#include <gradwright/gradwright.h>

GW_GRADIENT("sum wrt x")
__global__ void total(float *sum, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i] * x[i]);
}
