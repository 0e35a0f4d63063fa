// Threads that take turns at a cell by what atomic operations return: the reverse sweep has no such order.
#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x")
__global__ void locked(float *y, const float *x, int *lock, int tries) {
    for (int k = 0; k < tries; k++) {
        if (atomicCAS(lock, 0, 1) != 0) continue;
        y[0] = y[0] * x[threadIdx.x];
        atomicExch(lock, 0);
        break;
    }
}

GW_SPLIT_GRADIENT("sum wrt x via part")
__global__ void last_block(float *sum, float *part, const float *x, unsigned *done) {
    part[blockIdx.x] = x[blockIdx.x] * x[blockIdx.x];
    if (atomicInc(done, gridDim.x) == gridDim.x - 1) {
        float all = 0;
        for (int k = 0; k < gridDim.x; k++) all += part[k] * part[k];
        sum[0] = all;
    }
}

// Numbers of several cells are not apart.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void by_kind(float *y, const float *x, const int *kind, int *count, int room) {
    int slot = atomicAdd(&count[kind[threadIdx.x]], 1);
    if (slot < room) y[slot] = x[threadIdx.x] * x[threadIdx.x];
}

// Nor are those of several blocks.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void by_block(float *y, const float *x, int room) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int slot = atomicAdd(&count, 1);
    if (slot < room) y[slot] = x[threadIdx.x] * x[threadIdx.x];
}

// Or of a counter that is set back.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void set_back(float *y, const float *x, int room) {
    __shared__ int count;
    __shared__ float list[64];
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x == 0) count = 0;
        __syncthreads();
        int slot = atomicAdd(&count, 1);
        if (slot < room) list[slot] = x[threadIdx.x] * k;
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = list[threadIdx.x];
}
// says: atomic_turns.cu:8:9: error: threads may read and zero the adjoint of 'y' at the same cell [adjoint-conflict]
// says:         y[0] = y[0] * x[threadIdx.x];
// says:         ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
// says: atomic_turns.cu:16:5: error: threads may read and zero the adjoint of 'part' at the same cell [adjoint-conflict]
// says:     part[blockIdx.x] = x[blockIdx.x] * x[blockIdx.x];
// says:     ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
// says: atomic_turns.cu:20:9: error: threads may read and zero the adjoint of 'sum' at the same cell [adjoint-conflict]
// says:         sum[0] = all;
// says:         ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
// says: atomic_turns.cu:28:22: error: threads may read and zero the adjoint of 'y' at the same cell [adjoint-conflict]
// says:     if (slot < room) y[slot] = x[threadIdx.x] * x[threadIdx.x];
// says:                      ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
// says: atomic_turns.cu:38:22: error: threads may read and zero the adjoint of 'y' at the same cell [adjoint-conflict]
// says:     if (slot < room) y[slot] = x[threadIdx.x] * x[threadIdx.x];
// says:                      ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
// says: atomic_turns.cu:50:26: error: threads may read and zero the adjoint of 'list' at the same cell [adjoint-conflict]
// says:         if (slot < room) list[slot] = x[threadIdx.x] * k;
// says:                          ^
// says:   way out: let one thread write each cell, at an index that depends on all of its coordinates
