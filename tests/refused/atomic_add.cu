#include <gradwright/gradwright.h>

GW_GRADIENT("sum wrt x")
__global__ void total(float *sum, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i] * x[i]);
}
// says: atomic_add.cu:6:16: error: an atomic operation cannot be differentiated yet [unsupported]
// says:     if (i < n) atomicAdd(sum, x[i] * x[i]);
// says:                ^
// says:   way out: let each thread write a cell of its own and reduce in a second kernel
