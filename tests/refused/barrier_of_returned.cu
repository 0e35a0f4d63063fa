#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void counted(float *y, const float *x, const int *rounds, int n) {
    __shared__ float s[32];
    if (threadIdx.x >= n) return;
    int most = rounds[blockIdx.x];
    for (int k = 0; k < most; k++) {
        s[threadIdx.x] = x[k * 32 + threadIdx.x];
        __syncthreads();
        y[k * 32 + threadIdx.x] = s[n - 1 - threadIdx.x];
        __syncthreads();
    }
}
// says: barrier_of_returned.cu:10:9: error: not all threads of a block may come to this barrier: the value of line 7 decides it, which threads that have returned do not compute [divergent-barrier]
// says:         __syncthreads();
// says:         ^
// says:   way out: move the barrier out of the branch or loop, or let all threads of a block decide alike
