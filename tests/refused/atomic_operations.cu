#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x")
__global__ void chosen(float *y, const float *x, int *a, int *b) {
    int *count = x[threadIdx.x] > 1 ? a : b;
    y[atomicAdd(count, 1)] = x[threadIdx.x];
}

// As many write it: what it computes cannot be told.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void largest_by_hand(float *y, const float *x) {
    int *cell = (int *)y, seen = *cell, before;
    do {
        before = seen;
        seen = atomicCAS(cell, before, __float_as_int(fmaxf(x[threadIdx.x], __int_as_float(before))));
    } while (seen != before);
}

GW_GRADIENT("y wrt x")
__global__ void alone(float *y, const float *x) {
    float sum = 0;
    atomicAdd(&sum, x[threadIdx.x]);
    y[threadIdx.x] = sum;
}

GW_GRADIENT("y wrt x")
__global__ void in_pairs(float2 *y, const float2 *x) {
    atomicAdd(y, x[threadIdx.x]);
}
// says: atomic_operations.cu:6:7: error: the result of an atomic operation on one of several objects cannot be differentiated yet [unsupported]
// says:     y[atomicAdd(count, 1)] = x[threadIdx.x];
// says:       ^
// says:   way out: use an if, with one object in each branch
// says: atomic_operations.cu:15:16: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says:         seen = atomicCAS(cell, before, __float_as_int(fmaxf(x[threadIdx.x], __int_as_float(before))));
// says:                ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: atomic_operations.cu:22:5: error: an atomic operation on a variable of one thread cannot be differentiated yet [unsupported]
// says:     atomicAdd(&sum, x[threadIdx.x]);
// says:     ^
// says:   way out: use a plain one
// says: atomic_operations.cu:28:5: error: an atomic operation on a vector cannot be differentiated yet [unsupported]
// says:     atomicAdd(y, x[threadIdx.x]);
// says:     ^
// says:   way out: add its members one by one
