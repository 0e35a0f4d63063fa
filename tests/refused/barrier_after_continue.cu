#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void divergent(float *y, const float *x, int n) {
    for (int k = 0; k < n; k++) {
        if (x[k * 32 + threadIdx.x] < 0) continue;
        __syncthreads();
        y[k * 32 + threadIdx.x] = x[k * 32 + threadIdx.x];
    }
}
// says: barrier_after_continue.cu:7:9: error: not all threads of a block may come to this barrier: the branch at line 6 may go both ways in them [divergent-barrier]
// says:         __syncthreads();
// says:         ^
// says:   way out: move the barrier out of the branch or loop, or let all threads of a block decide alike
