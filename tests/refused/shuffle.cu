#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void neighbour(float *y, const float *x) {
    float v = x[threadIdx.x];
    y[threadIdx.x] = v * __shfl_down_sync(0xffffffffu, v, 1);
}
// says: shuffle.cu:6:26: error: a warp shuffle cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = v * __shfl_down_sync(0xffffffffu, v, 1);
// says:                          ^
// says:   way out: exchange values through global memory and a second kernel
