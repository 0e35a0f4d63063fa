#include <gradwright/gradwright.h>

GW_GRADIENT("y, sum wrt x")
__global__ void read_back(float *y, float *sum, const float *x) {
    atomicAdd(&sum[threadIdx.x], x[threadIdx.x]);
    __syncthreads();
    y[threadIdx.x] = sum[threadIdx.x ^ 1] * sum[threadIdx.x];
}
// says: atomic_stale.cu:7:22: error: the gradient needs the value of 'sum' read here, but the function may have overwritten it before [stale-value]
// says:     y[threadIdx.x] = sum[threadIdx.x ^ 1] * sum[threadIdx.x];
// says:                      ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: atomic_stale.cu:7:45: error: the gradient needs the value of 'sum' read here, but the function may have overwritten it before [stale-value]
// says:     y[threadIdx.x] = sum[threadIdx.x ^ 1] * sum[threadIdx.x];
// says:                                             ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
