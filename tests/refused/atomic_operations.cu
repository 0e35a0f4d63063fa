#ifdef OBEYED
#include <gradwright/atomic.cuh>
#include <gradwright/gradwright.h>
#else
#include <gradwright/gradwright.h>
#endif
#include <cuda/atomic>

GW_SPLIT_GRADIENT("y wrt x")
__global__ void chosen(float *y, const float *x, int *a, int *b) {
#ifdef OBEYED
    if (x[threadIdx.x] > 1) y[atomicAdd(a, 1)] = x[threadIdx.x];
    else y[atomicAdd(b, 1)] = x[threadIdx.x];
#else
    int *count = x[threadIdx.x] > 1 ? a : b;
    y[atomicAdd(count, 1)] = x[threadIdx.x];
#endif
}

// A number in an object of libcu++.
#ifdef OBEYED
GW_GRADIENT("y wrt x")
__global__ void in_object(float *y, const float *x) {
    cuda::atomic_ref<float, cuda::thread_scope_device>(*y).fetch_add(x[threadIdx.x]);
}
#else
GW_GRADIENT("y wrt x")
__global__ void in_object(cuda::atomic<float, cuda::thread_scope_device> *y, const float *x) {
    y->fetch_add(x[threadIdx.x]);
}
#endif

// A loop of atomicCAS is told by what it stores: this is none of a sum, a maximum or a minimum.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void product_by_hand(float *y, const float *x) {
#ifdef OBEYED
    gw_atomic_max(y, x[threadIdx.x]);
#else
    int *cell = (int *)y, seen = *cell, before;
    do {
        before = seen;
        seen = atomicCAS(cell, before, __float_as_int(x[threadIdx.x] * __int_as_float(before)));
    } while (seen != before);
#endif
}

// What is added is not what the cell held: it has the loop's own variable in it.
GW_GRADIENT("y wrt x")
__global__ void twice_by_hand(float *y, const float *x) {
#ifdef OBEYED
    atomicAdd(y, x[threadIdx.x]);
#else
    int *cell = (int *)y, seen = *cell, before;
    do {
        before = seen;
        seen = atomicCAS(cell, before, __float_as_int(x[before] + __int_as_float(before)));
    } while (seen != before);
#endif
}

// The value is another each time that it is computed.
GW_GRADIENT("y wrt x")
__global__ void counted_by_hand(float *y, const float *x, int *count) {
#ifdef OBEYED
    atomicAdd(y, x[threadIdx.x]);
#else
    int *cell = (int *)y, seen = *cell, before, tries = 0;
    do {
        before = seen;
        seen = atomicCAS(cell, before, __float_as_int(x[tries++] + __int_as_float(before)));
    } while (seen != before);
    count[threadIdx.x] = tries;
#endif
}

// The cell is another one, or the number has another name, or there is one variable for two.
GW_GRADIENT("y wrt x")
__global__ void moved_by_hand(float *y, const float *x, int *count) {
#ifdef OBEYED
    atomicAdd(y, x[threadIdx.x]);
#else
    int seen = 0, before, tries = 0;
    do {
        before = seen;
        seen = atomicCAS((int *)&y[tries++ / 2], before, __float_as_int(x[0] + __int_as_float(before)));
    } while (seen != before);
    count[threadIdx.x] = tries;
#endif
}
GW_GRADIENT("y wrt x")
__global__ void renamed_by_hand(float *y, const float *x) {
#ifdef OBEYED
    atomicAdd(y, x[threadIdx.x]);
#else
    int *cell = (int *)y, seen = 0, before = 5;
    int &other = before;
    do {
        before = seen;
        seen = atomicCAS(cell, before, __float_as_int((other == 5 ? 1.f : 2.f) * x[0] + __int_as_float(before)));
    } while (seen != before);
#endif
}
GW_GRADIENT("y wrt x")
__global__ void once_by_hand(float *y, const float *x) {
#ifdef OBEYED
    atomicAdd(y, x[threadIdx.x]);
#else
    int *cell = (int *)y, seen = 0;
    do {
        seen = seen;
        seen = atomicCAS(cell, seen, __float_as_int(x[0] + __int_as_float(seen)));
    } while (seen != seen);
#endif
}

GW_GRADIENT("y wrt x")
__global__ void alone(float *y, const float *x) {
    float sum = 0;
#ifdef OBEYED
    sum += x[threadIdx.x];
#else
    atomicAdd(&sum, x[threadIdx.x]);
#endif
    y[threadIdx.x] = sum;
}

GW_SPLIT_GRADIENT("y wrt x")
__global__ void in_pairs(float2 *y, const float2 *x) {
#ifdef OBEYED
    atomicAdd(&y->x, x[threadIdx.x].x);
    atomicAdd(&y->y, x[threadIdx.x].y);
#else
    y[threadIdx.x] = atomicAdd(y, x[threadIdx.x]);
#endif
}
// obeys: unsupported
// says: atomic_operations.cu:16:7: error: the result of an atomic operation on one of several objects cannot be differentiated yet [unsupported]
// says:     y[atomicAdd(count, 1)] = x[threadIdx.x];
// says:       ^
// says:   way out: use an if, with one object in each branch
// says: atomic_operations.cu:27:1: error: an object of cuda::atomic cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: hold the number itself, and add to it by cuda::atomic_ref or atomicAdd
// says: atomic_operations.cu:42:16: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says:         seen = atomicCAS(cell, before, __float_as_int(x[threadIdx.x] * __int_as_float(before)));
// says:                ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: atomic_operations.cu:56:16: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says:         seen = atomicCAS(cell, before, __float_as_int(x[before] + __int_as_float(before)));
// says:                ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: atomic_operations.cu:70:16: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says:         seen = atomicCAS(cell, before, __float_as_int(x[tries++] + __int_as_float(before)));
// says:                ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: atomic_operations.cu:85:16: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says:         seen = atomicCAS((int *)&y[tries++ / 2], before, __float_as_int(x[0] + __int_as_float(before)));
// says:                ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: atomic_operations.cu:99:16: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says:         seen = atomicCAS(cell, before, __float_as_int((other == 5 ? 1.f : 2.f) * x[0] + __int_as_float(before)));
// says:                ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: atomic_operations.cu:111:16: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says:         seen = atomicCAS(cell, seen, __float_as_int(x[0] + __int_as_float(seen)));
// says:                ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: atomic_operations.cu:122:5: error: an atomic operation on a variable of one thread cannot be differentiated yet [unsupported]
// says:     atomicAdd(&sum, x[threadIdx.x]);
// says:     ^
// says:   way out: use a plain one
// says: atomic_operations.cu:133:22: error: an atomic operation on a vector cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = atomicAdd(y, x[threadIdx.x]);
// says:                      ^
// says:   way out: add its members one by one
