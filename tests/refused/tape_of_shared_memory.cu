#include <gradwright/gradwright.h>

// Each round squares what the rounds before left, as often as memory says.
GW_GRADIENT("y wrt x")
__global__ void squares(float *y, const float *x, const int *rounds) {
    __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    int most = rounds[blockIdx.x];
    for (int k = 0; k < most; k++) {
        float a = s[31 - threadIdx.x];
        __syncthreads();
        s[threadIdx.x] = a * a;
        __syncthreads();
    }
    y[threadIdx.x] = s[threadIdx.x];
}
// says: tape_of_shared_memory.cu:10:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     for (int k = 0; k < most; k++) {
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter
