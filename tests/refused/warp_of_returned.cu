#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void partly(float *y, const float *x, int n) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if ((int)threadIdx.x >= n) return;
    float v = s[63 - threadIdx.x];
    y[threadIdx.x] = v * __shfl_xor_sync(0xffffffffu, v, 1);
}
// says: warp_of_returned.cu:10:26: error: an operation of a warp that threads have returned from, in a kernel with barriers, cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = v * __shfl_xor_sync(0xffffffffu, v, 1);
// says:                          ^
// says:   way out: let all threads come to it, those that have nothing to do with neutral values
