#include <gradwright/gradwright.h>

// The kernel itself has more than a kernel may have.
GW_GRADIENT("y wrt x")
__global__ void reversed(float *y, const float *x) {
#ifdef OBEYED
    extern __shared__ float s[];
#else
    __shared__ float s[16 * 1024];
#endif
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[1023 - threadIdx.x] * s[threadIdx.x];
}
// obeys: shared-too-large
// says: shared_memory_too_large.cu:5:17: error: the gradient of 'reversed' needs 65536 bytes of static shared memory, and a kernel may have 49152 [shared-too-large]
// says: __global__ void reversed(float *y, const float *x) {
// says:                 ^
// says:   way out: make all arrays extern __shared__: their size is the launch's then
