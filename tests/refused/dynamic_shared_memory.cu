#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void staged(float *y, const float *x) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = tile[threadIdx.x];
}
// says: dynamic_shared_memory.cu:5:29: error: shared memory cannot be differentiated yet [unsupported]
// says:     extern __shared__ float tile[];
// says:                             ^
// says:   way out: keep the values in registers or in global memory
