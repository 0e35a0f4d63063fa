// Storage of sums of two types in one place.
#include <gradwright/gradwright.h>

#include <cub/block/block_reduce.cuh>

GW_GRADIENT("out wrt x")
__global__ void mean(float *out, const float *x) {
    typedef cub::BlockReduce<float, 64> sum;
    typedef cub::BlockReduce<int, 64> count;
    __shared__ union {
        sum::TempStorage sum;
        count::TempStorage count;
    } temp;
    const float v = x[threadIdx.x], all = sum(temp.sum).Sum(v);
    __syncthreads();
    const int positive = count(temp.count).Sum(v > 0);
    if (threadIdx.x == 0) *out = all / positive;
}
// says: collective_storage.cu:13:7: error: a union whose members are not the same numbers cannot be differentiated yet [unsupported]
// says:     } temp;
// says:       ^
// says:   way out: declare a shared variable for each of its members
