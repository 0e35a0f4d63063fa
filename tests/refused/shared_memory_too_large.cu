#include <gradwright/gradwright.h>

// The launch's memory has an array already, and one of static memory has no room for its shadow.
GW_GRADIENT("y wrt x")
__global__ void reversed(float *y, const float *x) {
    extern __shared__ float more[];
#ifdef OBEYED
    float *s = more + blockDim.x;
#else
    __shared__ float s[8 * 1024];
#endif
    s[threadIdx.x] = x[threadIdx.x];
    more[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[1023 - threadIdx.x] * s[threadIdx.x] * more[1023 - threadIdx.x];
}
// obeys: shared-too-large
// says: shared_memory_too_large.cu:5:17: error: the gradient of 'reversed' needs 65536 bytes of static shared memory, and a kernel may have 49152 [shared-too-large]
// says: __global__ void reversed(float *y, const float *x) {
// says:                 ^
// says:   way out: make all arrays extern __shared__: their size is the launch's then
