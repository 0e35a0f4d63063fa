#include <gradwright/gradwright.h>

// One array, which two functions take for different things.
__device__ int *places() {
    extern __shared__ int memory[];
    return memory;
}
__device__ float *numbers() {
    extern __shared__ int memory[];
    return (float *)memory;
}
GW_GRADIENT("y wrt x")
__global__ void twice(float *y, const float *x) {
    int *k = places();
    float *s = numbers() + blockDim.x;
    k[threadIdx.x] = 31 - threadIdx.x;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[k[threadIdx.x]];
}

// Named for more than one cast.
GW_GRADIENT("y wrt x")
__global__ void also_bytes(float *y, const float *x) {
    extern __shared__ char bytes[];
    float *a = (float *)bytes, *b = (float *)(bytes + 128);
    a[threadIdx.x] = x[threadIdx.x];
    b[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = a[31 - threadIdx.x] * b[2];
}
// says: shared_memory_of_two_types.cu:9:27: error: shared memory of two types cannot be differentiated yet [unsupported]
// says:     extern __shared__ int memory[];
// says:                           ^
// says:   way out: use it as one type
// says: shared_memory_of_two_types.cu:26:16: error: a pointer cast to another type cannot be differentiated yet [unsupported]
// says:     float *a = (float *)bytes, *b = (float *)(bytes + 128);
// says:                ^
// says:   way out: access memory by its own type; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
