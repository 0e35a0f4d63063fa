#include <gradwright/atomic.cuh>
#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
__global__ void largest(float *y, const float *x) {
#else
GW_DERIVATIVE("y wrt x")
__global__ void largest(float *y, const float *x) {
#endif
    gw_atomic_max(y, x[threadIdx.x]);
}

GW_DERIVATIVE("y, sum wrt x")
__global__ void running_sum(float *y, float *sum, const float *x) {
#ifdef OBEYED
    sum[threadIdx.x] += x[threadIdx.x];
    y[threadIdx.x] = x[threadIdx.x];
#else
    y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]) * x[threadIdx.x];
#endif
}
// obeys: unsupported
// says: atomic_forward.cu:11:5: error: forward, a maximum, minimum or exchange by atomics cannot be differentiated yet [unsupported]
// says:     gw_atomic_max(y, x[threadIdx.x]);
// says:     ^
// says:   way out: ask for GW_SPLIT_GRADIENT, or find the value in a kernel of its own
// says: atomic_forward.cu:20:22: error: the result of an atomic operation on floats cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]) * x[threadIdx.x];
// says:                      ^
// says:   way out: let each thread write a cell of its own and reduce in a second kernel
