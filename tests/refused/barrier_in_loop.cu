#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void divergent(float *y, const float *x, int n) {
    __shared__ float s[32];
    for (int k = threadIdx.x; k < n; k += 32) {
        s[threadIdx.x] = x[k];
        __syncthreads();
        y[k] = s[31 - threadIdx.x];
        __syncthreads();
    }
}
// says: barrier_in_loop.cu:8:9: error: not all threads of a block may come to this barrier: the loop at line 6 may run differently often in them [divergent-barrier]
// says:         __syncthreads();
// says:         ^
// says:   way out: move the barrier out of the branch or loop, or let all threads of a block decide alike
