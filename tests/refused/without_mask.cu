#include "without_mask.h"
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void neighbour(float *y, const float *x) {
#ifdef OBEYED
    y[threadIdx.x] = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 1);
#else
    y[threadIdx.x] = __shfl_down(x[threadIdx.x], 1);
#endif
}
// obeys: unsupported
// says: without_mask.cu:9:22: error: a shuffle without a mask cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = __shfl_down(x[threadIdx.x], 1);
// says:                      ^
// says:   way out: use __shfl_sync and its kin
