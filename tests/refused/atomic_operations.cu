#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void appended(float *y, const float *x, int *count) {
    if (x[threadIdx.x] > 0) y[atomicAdd(count, 1)] = x[threadIdx.x] * x[threadIdx.x];
}

GW_GRADIENT("y wrt x")
__global__ void largest(float *y, const float *x, int *bits) {
    int seen = *bits;
    atomicCAS(bits, seen, seen + 1);
    y[threadIdx.x] = x[threadIdx.x];
}

GW_GRADIENT("y wrt x")
__global__ void last_one(float *y, const float *x) {
    atomicExch(y, x[threadIdx.x]);
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
// says: atomic_operations.cu:5:31: error: the result of an atomic operation cannot be differentiated yet [unsupported]
// says:     if (x[threadIdx.x] > 0) y[atomicAdd(count, 1)] = x[threadIdx.x] * x[threadIdx.x];
// says:                               ^
// says:   way out: let each thread write a cell of its own and reduce in a second kernel
// says: atomic_operations.cu:11:5: error: an atomic compare-and-swap cannot be differentiated yet [unsupported]
// says:     atomicCAS(bits, seen, seen + 1);
// says:     ^
// says:   way out: let each thread write a cell of its own and reduce in a second kernel
// says: atomic_operations.cu:17:5: error: an atomic operation on floats that is no addition cannot be differentiated yet [unsupported]
// says:     atomicExch(y, x[threadIdx.x]);
// says:     ^
// says:   way out: find the value in a kernel of its own
// says: atomic_operations.cu:23:5: error: an atomic operation on a variable of one thread cannot be differentiated yet [unsupported]
// says:     atomicAdd(&sum, x[threadIdx.x]);
// says:     ^
// says:   way out: use a plain one
// says: atomic_operations.cu:29:5: error: an atomic operation on a vector cannot be differentiated yet [unsupported]
// says:     atomicAdd(y, x[threadIdx.x]);
// says:     ^
// says:   way out: add its members one by one
