#include <gradwright/gradwright.h>

__device__ float waits(float v) {
    __syncwarp();
    return v * v;
}

GW_GRADIENT("y wrt x")
__global__ void ordered(float *y, const float *x) {
    y[threadIdx.x] = waits(x[threadIdx.x]);
}
// says: barrier_in_function.cu:4:5: error: a barrier cannot be differentiated yet [unsupported]
// says:     __syncwarp();
// says:     ^
// says:   way out: split the kernel where its threads meet
