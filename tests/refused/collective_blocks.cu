// A block has one size.
#include <gradwright/gradwright.h>

#include <cub/block/block_reduce.cuh>

GW_GRADIENT("out wrt x")
__global__ void twice(float *out, const float *x) {
    const float a = cub::BlockReduce<float, 64>().Sum(x[threadIdx.x]);
    __syncthreads();
    const float b = cub::BlockReduce<float, 128>().Sum(x[threadIdx.x]);
    if (threadIdx.x == 0) *out = a * b;
}
// says: collective_blocks.cu:10:21: error: a collective for a block of another size than the one before it cannot be differentiated yet [unsupported]
// says:     const float b = cub::BlockReduce<float, 128>().Sum(x[threadIdx.x]);
// says:                     ^
// says:   way out: give both the size of the block, or let a branch choose one of them
