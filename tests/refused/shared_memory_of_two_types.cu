#include <gradwright/gradwright.h>

// Bits of floats, read through memory.
GW_GRADIENT("y wrt x")
__global__ void signs(float *y, const float *x) {
    extern __shared__ float numbers[];
    numbers[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
#ifdef OBEYED
    y[threadIdx.x] = __float_as_int(numbers[31 - threadIdx.x]) < 0 ? -numbers[threadIdx.x] : numbers[threadIdx.x];
#else
    y[threadIdx.x] = ((int *)numbers)[31 - threadIdx.x] < 0 ? -numbers[threadIdx.x] : numbers[threadIdx.x];
#endif
}

// Cleared as another type than it is used as.
GW_GRADIENT("y wrt x")
__global__ void cleared(float *y, const float *x) {
    extern __shared__ char bytes[];
    int *words = (int *)bytes;
    float *sums = (float *)bytes;
#ifdef OBEYED
    sums[threadIdx.x] = 0;
#else
    words[threadIdx.x] = 0;
#endif
    __syncthreads();
    atomicAdd(&sums[threadIdx.x % 4], x[threadIdx.x]);
    __syncthreads();
    y[threadIdx.x] = sums[threadIdx.x % 4];
}

// A member's address leads on by the struct's size.
struct node {
    float x;
    int next;
};
GW_GRADIENT("y wrt x")
__global__ void members(float *y, const float *x) {
    extern __shared__ node nodes[];
    nodes[threadIdx.x].next = 31 - threadIdx.x;
#ifdef OBEYED
    nodes[threadIdx.x].x = x[threadIdx.x];
#else
    float *first = (float *)&nodes[0].next;
    first[2 * threadIdx.x + 1] = x[threadIdx.x];
#endif
    __syncthreads();
    y[threadIdx.x] = nodes[nodes[threadIdx.x].next].x;
}
// obeys: unsupported
// says: shared_memory_of_two_types.cu:12:22: error: shared memory that is read as a type that nothing is stored as cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = ((int *)numbers)[31 - threadIdx.x] < 0 ? -numbers[threadIdx.x] : numbers[threadIdx.x];
// says:                      ^
// says:   way out: read what was stored by the type that it was stored as; bits are __float_as_int(x)
// says: shared_memory_of_two_types.cu:25:5: error: shared memory that is stored to as a type that nothing is read as cannot be differentiated yet [unsupported]
// says:     words[threadIdx.x] = 0;
// says:     ^
// says:   way out: read what was stored by the type that it was stored as; bits are __float_as_int(x)
// says: shared_memory_of_two_types.cu:45:20: error: a pointer cast to another type cannot be differentiated yet [unsupported]
// says:     float *first = (float *)&nodes[0].next;
// says:                    ^
// says:   way out: access memory by its own type; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
