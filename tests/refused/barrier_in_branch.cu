#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void divergent(float *y, const float *x) {
    if (x[threadIdx.x] > 0) {
#ifdef OBEYED
        y[threadIdx.x] = x[threadIdx.x];
    }
    __syncthreads();
#else
        y[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
    }
#endif
}
// obeys: divergent-barrier
// says: barrier_in_branch.cu:12:9: error: not all threads of a block may come to this barrier: the branch at line 5 may go both ways in them [divergent-barrier]
// says:         __syncthreads();
// says:         ^
// says:   way out: move the barrier out of the branch or loop, or let all threads of a block decide alike
