// Exact sums: each for its own reason impossible.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Several threads may read a sum, each in an iteration of its own.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void in_loops(float *y, const float *x, const int *times) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < times[t]; j++) {
        atomicAdd(&s[2 * (j % 8)], x[HERE]);
        sum += s[2 * (t % 8) + 1];
    }
    y[HERE] = sum;
}

// And of any block.
GW_GRADIENT("y, h wrt x, h") GW_ACCUMULATE(h, exact)
__global__ void of_all_blocks(float *y, float *h, const float *x, int n) {
    float sum = 0;
    for (int j = 0; j < n; j++) {
        sum += h[2 * (threadIdx.x % 8) + 1];
        atomicAdd(&h[2 * (j % 8)], x[HERE]);
    }
    y[HERE] = sum;
}
// says: no_exact.cu:7:24: error: GW_ACCUMULATE(s, exact): the addition at line 16 cannot take this rung: no exact (line 15 needs the sum, which several threads may read there, and not all of the block come to) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, exact)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_exact.cu:22:30: error: GW_ACCUMULATE(h, exact): the addition at line 26 cannot take this rung: no exact (line 27 needs the sum, which several threads may read there, and not all of the block come to) [rung-unsound]
// says: GW_GRADIENT("y, h wrt x, h") GW_ACCUMULATE(h, exact)
// says:                              ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
