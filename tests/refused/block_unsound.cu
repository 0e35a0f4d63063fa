// GW_ACCUMULATE(x, block) where the block does not have the cells for itself, or does not come together.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// The next block adds to one of them, too.
#ifdef OBEYED
GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, auto)
#else
GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, block)
#endif
__global__ void neighbours(float *y, const float *k) {
    y[HERE] = k[blockIdx.x] * k[blockIdx.x + 1];
}

// Threads of the block come to its cells one by one elsewhere.
#ifdef OBEYED
GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, auto)
#else
GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, block)
#endif
__global__ void elsewhere(float *y, const float *k) {
    int first = 2 * (int)blockIdx.x;
    float own = k[first];
    y[HERE] = own * k[first + (int)(threadIdx.x & 1)];
}

// Warps leave the loop at different times.
#ifdef OBEYED
GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, auto)
#else
GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, block)
#endif
__global__ void by_length(float *y, const float *k) {
    float sum = 0;
    for (int j = 0; j < (int)threadIdx.x % 4; j++) sum += k[8 * (int)blockIdx.x + j] * (float)(j + 1);
    y[HERE] = sum;
}

// No other block has cells of a shared array, but threads of this one add to theirs between the same barriers.
#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, auto)
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, block)
#endif
__global__ void own_cells(float *y, const float *x) {
    __shared__ float s[64];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    y[HERE] = s[0] * s[63 - threadIdx.x];
}

// Warps leave the loop at different times.
#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, auto)
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, block)
#endif
__global__ void shared_by_length(float *y, const float *x) {
    __shared__ float s[64];
    float sum = 0;
    s[threadIdx.x] = x[HERE] * x[HERE];
    __syncthreads();
    for (int j = 0; j < (int)threadIdx.x % 4; j++) sum += s[j] * (float)(j + 1);
    y[HERE] = sum;
}
// obeys: rung-unsound
// says: block_unsound.cu:10:24: error: GW_ACCUMULATE(k, block): the addition at line 13 cannot take this rung: no sum over the warp (threads of other blocks may come to the cell) [rung-unsound]
// says: GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, block)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: block_unsound.cu:20:24: error: GW_ACCUMULATE(k, block): the addition at line 25 cannot take this rung: lanes of a warp have different cells [rung-unsound]
// says: GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, block)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: block_unsound.cu:32:24: error: GW_ACCUMULATE(k, block): the addition at line 36 cannot take this rung: no sum over the warp (not all threads of the block come to it) [rung-unsound]
// says: GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, block)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: block_unsound.cu:44:24: error: GW_ACCUMULATE(s, block): the addition at line 50 cannot take this rung: lanes of a warp have different cells [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, block)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: block_unsound.cu:57:24: error: GW_ACCUMULATE(s, block): the addition at line 64 cannot take this rung: no sum over the warp (not all threads of the block come to it) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, block)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
