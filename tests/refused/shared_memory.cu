#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void reversed(float *y, const float *x, int n) {
    __shared__ float tile[32];
    tile[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
// says: shared_memory.cu:5:22: error: shared memory cannot be differentiated yet [unsupported]
// says:     __shared__ float tile[32];
// says:                      ^
// says:   way out: keep the values in registers or in global memory
