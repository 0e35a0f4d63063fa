#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void counted(float *y, const float *x) {
    unsigned positive = __ballot_sync(0xffffffffu, x[threadIdx.x] > 0);
    y[threadIdx.x] = x[threadIdx.x] * positive;
}
// says: vote.cu:5:25: error: a warp vote cannot be differentiated yet [unsupported]
// says:     unsigned positive = __ballot_sync(0xffffffffu, x[threadIdx.x] > 0);
// says:                         ^
// says:   way out: decide in each thread by itself
