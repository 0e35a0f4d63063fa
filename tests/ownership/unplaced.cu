// args: --deterministic
// Rows at positions of a list: what would have two writers, or two keys.
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

// All blocks of one y have the range of their x.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void one_range(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
    y[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = sum;
}

// A position is come to several times.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void twice(float *y, const float *x, const int *ids, const int *times, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++)
        for (int n = 0; n < times[k]; n++) sum += x[ids[k]] * (threadIdx.x + n);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The next position is the next iteration's too.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void windows(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++)
        for (int m = 0; m < 3 && k + m < range[blockIdx.x].y; m++) sum += x[ids[k + m]] * (threadIdx.x + 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Behind the end of its range, a position is another block's.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void behind(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    for (int k = range[blockIdx.x].x; k <= range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

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

// Nobody knows how often.
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void until(float *y, const float *x, const int *ids, const span *range) {
    float sum = 0;
    int k = range[blockIdx.x].x;
    while (k < range[blockIdx.x].y && ids[k] >= 0) sum += x[ids[k++]] * (threadIdx.x + 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// says: no_list.cu:13:76: error: threads add to 'd_x' in an order that changes from run to run (threads that differ only in threadIdx.x may meet, the index does not depend on it; no slots (no bound of a loop around it is known at the launch, nor a place in a list)) [no-fixed-order]
// says:     for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
// says:                                                                            ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_list.cu:21:76: error: threads add to 'd_x' in an order that changes from run to run (threads that differ only in threadIdx.x, blockIdx.y may meet, the index does not depend on them; no slots (no bound of a loop around it is known at the launch, nor a place in a list)) [no-fixed-order]
// says:     for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
// says:                                                                            ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_list.cu:30:51: error: threads add to 'd_x' in an order that changes from run to run (threads that differ only in threadIdx.x may meet, the index does not depend on it; no slots (no bound of a loop around it is known at the launch, nor a place in a list)) [no-fixed-order]
// says:         for (int n = 0; n < times[k]; n++) sum += x[ids[k]] * (threadIdx.x + n);
// says:                                                   ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_list.cu:39:75: error: threads add to 'd_x' in an order that changes from run to run (the index ids[k + m] is read from memory and may repeat; no slots (no bound of a loop around it is known at the launch, nor a place in a list)) [no-fixed-order]
// says:         for (int m = 0; m < 3 && k + m < range[blockIdx.x].y; m++) sum += x[ids[k + m]] * (threadIdx.x + 1);
// says:                                                                           ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_list.cu:47:77: error: threads add to 'd_x' in an order that changes from run to run (threads that differ only in threadIdx.x may meet, the index does not depend on it; no slots (no bound of a loop around it is known at the launch, nor a place in a list)) [no-fixed-order]
// says:     for (int k = range[blockIdx.x].x; k <= range[blockIdx.x].y; k++) sum += x[ids[k]] * (threadIdx.x + 1);
// says:                                                                             ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_list.cu:60:16: error: threads add to 'd_x' in an order that changes from run to run (not proved that two threads never meet at x[id] at line 60; no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list)) [no-fixed-order]
// says:         sum += x[id] * (threadIdx.x + 1);
// says:                ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_list.cu:70:59: error: threads add to 'd_x' in an order that changes from run to run (the index ids[k] is read from memory and may repeat; no slots (no bound of a loop around it is known at the launch, nor a place in a list)) [no-fixed-order]
// says:     while (k < range[blockIdx.x].y && ids[k] >= 0) sum += x[ids[k++]] * (threadIdx.x + 1);
// says:                                                           ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
