#include <gradwright/atomic.cuh>
#include <gradwright/gradwright.h>

GW_DERIVATIVE("y wrt x")
__global__ void largest(float *y, const float *x) {
    gw_atomic_max(y, x[threadIdx.x]);
}

GW_DERIVATIVE("y, sum wrt x")
__global__ void running_sum(float *y, float *sum, const float *x) {
    y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]) * x[threadIdx.x];
}
// says: atomic_forward.cu:6:5: error: forward, a maximum, minimum or exchange by atomics cannot be differentiated yet [unsupported]
// says:     gw_atomic_max(y, x[threadIdx.x]);
// says:     ^
// says:   way out: ask for GW_SPLIT_GRADIENT, or find the value in a kernel of its own
// says: atomic_forward.cu:11:22: error: the result of an atomic operation on floats cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]) * x[threadIdx.x];
// says:                      ^
// says:   way out: let each thread write a cell of its own and reduce in a second kernel
