#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void ordered(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
}
// says: barrier.cu:6:5: error: a barrier cannot be differentiated yet [unsupported]
// says:     __syncthreads();
// says:     ^
// says:   way out: split the kernel where its threads meet
