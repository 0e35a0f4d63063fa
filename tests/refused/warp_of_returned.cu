#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void partly(float *y, const float *x, int n) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
#ifdef OBEYED
    float v = (int)threadIdx.x < n ? s[63 - threadIdx.x] : 0;
    const float other = __shfl_xor_sync(0xffffffffu, v, 1);
    if ((int)threadIdx.x < n) y[threadIdx.x] = v * other;
#else
    if ((int)threadIdx.x >= n) return;
    float v = s[63 - threadIdx.x];
    y[threadIdx.x] = v * __shfl_xor_sync(0xffffffffu, v, 1);
#endif
}
// obeys: unsupported
// says: warp_of_returned.cu:15:26: error: an operation of a warp that threads have returned from, in a kernel with barriers, cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = v * __shfl_xor_sync(0xffffffffu, v, 1);
// says:                          ^
// says:   way out: let all threads come to it, those that have nothing to do with neutral values
