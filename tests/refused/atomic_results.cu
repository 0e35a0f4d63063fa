#include <gradwright/atomic.cuh>
#include <gradwright/gradwright.h>

#include <cuda/atomic>

// The joined form would have to perform it again.
#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
__global__ void appended(float *y, const float *x, int *count) {
#else
GW_GRADIENT("y wrt x")
__global__ void appended(float *y, const float *x, int *count) {
#endif
    if (x[threadIdx.x] > 0) y[atomicAdd(count, 1)] = x[threadIdx.x] * x[threadIdx.x];
}

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
__global__ void of_block(float *y, const float *x) {
#else
GW_GRADIENT("y wrt x")
__global__ void of_block(float *y, const float *x) {
#endif
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int slot = atomicAdd(&count, 1);
    y[blockIdx.x * blockDim.x + slot] = x[threadIdx.x] * x[threadIdx.x];
}

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
__global__ void last_one(float *y, const float *x) {
#else
GW_GRADIENT("y wrt x")
__global__ void last_one(float *y, const float *x) {
#endif
    atomicExch(y, x[threadIdx.x]);
}

GW_SPLIT_GRADIENT("y wrt x")
__global__ void largest_of_block(float *y, const float *x) {
    __shared__ float most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
#ifdef OBEYED
    atomicAdd(&most, x[threadIdx.x]);
    __syncthreads();
    y[threadIdx.x] = most;
#else
    gw_atomic_max(&most, x[threadIdx.x]);
    __syncthreads();
    y[threadIdx.x] = most;
#endif
}

GW_SPLIT_GRADIENT("y, most wrt x")
__global__ void largest_used(float *y, float *most, const float *x) {
    gw_atomic_max(&most[blockIdx.x], x[threadIdx.x]);
    __syncthreads();
#ifdef OBEYED
    y[threadIdx.x] = x[threadIdx.x];
#else
    y[threadIdx.x] = most[blockIdx.x] * x[threadIdx.x];
#endif
}

GW_SPLIT_GRADIENT("y, sum wrt x")
__global__ void running_sum(float *y, float *sum, const float *x) {
#ifdef OBEYED
    atomicAdd(sum, x[threadIdx.x]);
    y[threadIdx.x] = x[threadIdx.x];
#else
    y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]) * x[threadIdx.x];
#endif
}
// What others may change while it is loaded, or stored.
GW_GRADIENT("y wrt x")
__global__ void loaded(float *y, float *x) {
#ifdef OBEYED
    y[threadIdx.x] = x[0];
#else
    y[threadIdx.x] = cuda::atomic_ref<float, cuda::thread_scope_device>(x[0]).load(cuda::memory_order_relaxed);
#endif
}
#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wrt x")
#endif
__global__ void stored(float *y, const float *x) {
    cuda::atomic_ref<float, cuda::thread_scope_device>(y[0]).store(x[threadIdx.x], cuda::memory_order_relaxed);
}
// obeys: atomic-result atomic-winner unsupported
// says: atomic_results.cu:14:31: error: the gradient needs the result of this atomic operation, which the order of the threads decides: run again, it may be another [atomic-result]
// says:     if (x[threadIdx.x] > 0) y[atomicAdd(count, 1)] = x[threadIdx.x] * x[threadIdx.x];
// says:                               ^
// says:   way out: ask for GW_SPLIT_GRADIENT: its first half performs the operation and records the result
// says: atomic_results.cu:27:16: error: the gradient needs the result of this atomic operation, which the order of the threads decides: run again, it may be another [atomic-result]
// says:     int slot = atomicAdd(&count, 1);
// says:                ^
// says:   way out: ask for GW_SPLIT_GRADIENT: its first half performs the operation and records the result
// says: atomic_results.cu:38:5: error: the gradient needs to know whose value 'y' holds in the end, which is known when the kernel has ended [atomic-winner]
// says:     atomicExch(y, x[threadIdx.x]);
// says:     ^
// says:   way out: ask for GW_SPLIT_GRADIENT, and leave 'y' as it is until its second half has run
// says: atomic_results.cu:51:5: error: a maximum, minimum or exchange of floats by atomics on shared memory cannot be differentiated yet [unsupported]
// says:     gw_atomic_max(&most, x[threadIdx.x]);
// says:     ^
// says:   way out: reduce with shuffles or in a tree
// says: atomic_results.cu:64:22: error: another use of memory on which a maximum, minimum or exchange of floats works by atomics cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = most[blockIdx.x] * x[threadIdx.x];
// says:                      ^
// says:   way out: use it in another kernel
// says: atomic_results.cu:74:22: error: the result of an atomic operation on floats cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]) * x[threadIdx.x];
// says:                      ^
// says:   way out: let each thread write a cell of its own and reduce in a second kernel
// says: atomic_results.cu:83:22: error: the result of an atomic operation on floats cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = cuda::atomic_ref<float, cuda::thread_scope_device>(x[0]).load(cuda::memory_order_relaxed);
// says:                      ^
// says:   way out: let each thread write a cell of its own and reduce in a second kernel
// says: atomic_results.cu:92:5: error: the gradient needs to know whose value 'y' holds in the end, which is known when the kernel has ended [atomic-winner]
// says:     cuda::atomic_ref<float, cuda::thread_scope_device>(y[0]).store(x[threadIdx.x], cuda::memory_order_relaxed);
// says:     ^
// says:   way out: ask for GW_SPLIT_GRADIENT, and leave 'y' as it is until its second half has run
