// With --deterministic, rows at positions of a list: what would have two writers, or two keys, has none. Its
// sum is exact instead.
#include <gradwright/gradwright.h>

struct span {
    int x, y;
};

// Ranges that nobody said do not overlap: two blocks may have one position.
GW_GRADIENT("y wrt x") GW_SORTED(ids)
__global__ void overlapping(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[ids[k]] +=: exact
//> d_x[ids[k]]: no slots (no bound of a loop around it is known at the launch, nor a place in a list)

// All blocks of one y have the range of their x.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void one_range(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
    y[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}
//= d_x[ids[k]] +=: exact
//> d_x[ids[k]]: no slots (no bound of a loop around it is known at the launch, nor a place in a list)

// A position is come to several times.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void twice(float *y, const float *x, const int *ids, const int *times, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++)
        for (int n = 0; n < times[k]; n++) sum += x[ids[k]] * (threadIdx.x + n);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[ids[k]] +=: exact
//> d_x[ids[k]]: no slots (no bound of a loop around it is known at the launch, nor a place in a list)

// The next position is the next iteration's too.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void windows(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++)
        for (int m = 0; m < 3 && k + m < range[blockIdx.x].y; m++) sum += x[ids[k + m]] * (threadIdx.x + 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[ids[k + m]] +=: exact
//> d_x[ids[k + m]]: no slots (no bound of a loop around it is known at the launch, nor a place in a list)

// Behind the end of its range, a position is another block's.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void behind(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k <= range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[ids[k]] +=: exact
//> d_x[ids[k]]: no slots (no bound of a loop around it is known at the launch, nor a place in a list)

// Warps of one block have other keys at one position.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void keys_of_warps(float *y, const float *x, const int *ids, const span *range) {
    __shared__ int s_warp[32];
    float sum = 0;
    if (threadIdx.x < 32) s_warp[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++) {
        int id = __shfl_sync(0xffffffffu, s_warp[threadIdx.x / 32] + ids[k], 0);
        sum += x[id] * (threadIdx.x + 1);
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[id] +=: exact
//> d_x[id]: no slots (no bound of a loop around it is known at the launch, nor is it proved that each

// Nobody knows how often.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void until(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    int k = range[blockIdx.x].x;
    while (k < range[blockIdx.x].y && ids[k] >= 0) sum += x[ids[k++]] * (threadIdx.x + 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[ids[k]] +=: exact
//> d_x[ids[k]]: no slots (no bound of a loop around it is known at the launch, nor a place in a list)
