#include <gradwright/gradwright.h>

GW_GRADIENT("y, x wrt x")
__global__ void handed_on(float *y, float *x) {
    x[threadIdx.x] = 2 * x[threadIdx.x];
    __syncthreads();
    float other = x[(threadIdx.x + 1) % blockDim.x];
    y[threadIdx.x] = other * other;
}
// says: value_of_another_thread.cu:7:19: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:     float other = x[(threadIdx.x + 1) % blockDim.x];
// says:                   ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
