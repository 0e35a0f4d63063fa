// Storage of sums of two types in one place.
#include <gradwright/gradwright.h>

#include <cub/block/block_reduce.cuh>

GW_GRADIENT("out wrt x")
__global__ void mean(float *out, const float *x) {
    typedef cub::BlockReduce<float, 64> sum;
    typedef cub::BlockReduce<int, 64> count;
#ifdef OBEYED
    __shared__ sum::TempStorage for_sum;
    __shared__ count::TempStorage for_count;
    const float v = x[threadIdx.x], all = sum(for_sum).Sum(v);
#else
    __shared__ union {
        sum::TempStorage sum;
        count::TempStorage count;
    } temp;
    const float v = x[threadIdx.x], all = sum(temp.sum).Sum(v);
#endif
    __syncthreads();
#ifdef OBEYED
    const int positive = count(for_count).Sum(v > 0);
#else
    const int positive = count(temp.count).Sum(v > 0);
#endif
    if (threadIdx.x == 0) *out = all / positive;
}
// obeys: unsupported
// says: collective_storage.cu:18:7: error: a union whose members are not the same numbers cannot be differentiated yet [unsupported]
// says:     } temp;
// says:       ^
// says:   way out: declare a shared variable for each of its members
