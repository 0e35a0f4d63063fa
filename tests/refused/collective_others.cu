// Collectives that have no adjoint.
#include <gradwright/gradwright.h>

#include <cub/cub.cuh>

GW_GRADIENT("y wrt x")
__global__ void sorted(float *y, const float *x) {
    typedef cub::BlockRadixSort<float, 64, 1> sort;
    __shared__ sort::TempStorage temp;
    float v[1] = {x[threadIdx.x]};
    sort(temp).Sort(v);
    y[threadIdx.x] = v[0];
}

GW_GRADIENT("y wrt x")
__global__ void counted(float *y, const float *x, int *bins) {
    typedef cub::BlockHistogram<int, 64, 1, 8> histogram;
    __shared__ histogram::TempStorage temp;
    __shared__ int count[8];
    int bin[1] = {(int)threadIdx.x % 8};
    histogram of_block(temp);
    of_block.Histogram(bin, count);
    y[threadIdx.x] = x[threadIdx.x] * count[bin[0]];
}
// says: collective_others.cu:11:5: error: cub::BlockRadixSort cannot be differentiated yet [unsupported]
// says:     sort(temp).Sort(v);
// says:     ^
// says:   way out: sort in the program around the kernel, by thrust::sort or cub::DeviceRadixSort
// says: collective_others.cu:21:15: error: cub::BlockHistogram cannot be differentiated yet [unsupported]
// says:     histogram of_block(temp);
// says:               ^
// says:   way out: count by atomicAdd in a shared array of integers
