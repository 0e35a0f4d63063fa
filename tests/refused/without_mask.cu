#include "without_mask.h"
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void neighbour(float *y, const float *x) {
    y[threadIdx.x] = __shfl_down(x[threadIdx.x], 1);
}
// says: without_mask.cu:6:22: error: a shuffle without a mask cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = __shfl_down(x[threadIdx.x], 1);
// says:                      ^
// says:   way out: use __shfl_sync and its kin
