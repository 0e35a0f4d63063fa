#include <gradwright/gradwright.h>

#include <cub/block/block_reduce.cuh>

GW_GRADIENT("y wrt x")
__global__ void share(float *y, const float *x) {
    __shared__ cub::BlockReduce<float, 64>::TempStorage temp;
#ifdef OBEYED
    __shared__ float all;
    const float of_first = cub::BlockReduce<float, 64>(temp).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0) all = of_first;
    __syncthreads();
    const float sum = all;
#else
    const float sum = cub::BlockReduce<float, 64>(temp).Sum(x[threadIdx.x]);
#endif
    y[threadIdx.x] = x[threadIdx.x] / sum;
#ifndef OBEYED
    y[0] *= x[0];
#endif
}
// obeys: partial-result stale-value
// says: partial_result.cu:17:5: warning: only thread 0 of a block has what the collective of line 15 gives, and other threads may go by it here: then the primal is undefined, and so is its derivative [partial-result]
// says:     y[threadIdx.x] = x[threadIdx.x] / sum;
// says:     ^
// says:   way out: use it where that thread alone runs, or hand it on by a shared variable and __syncthreads()
// says: partial_result.cu:19:5: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     y[0] *= x[0];
// says:     ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
