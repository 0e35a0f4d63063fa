#include <gradwright/gradwright.h>

#ifndef OBEYED
GW_GRADIENT("wrt x")
#endif
__device__ float keeps(float x) {
    __shared__ float s[32];
    s[threadIdx.x] = x;
#ifdef OBEYED
    return s[threadIdx.x] * x;
}
GW_GRADIENT("y wrt x")
__global__ void calls(float *y, const float *x) { y[threadIdx.x] = keeps(x[threadIdx.x]); }
#else
    return s[threadIdx.x] * x;
}
#endif
// obeys: unsupported
// says: shared_in_device_function.cu:7:22: error: shared memory outside of a kernel cannot be differentiated yet [unsupported]
// says:     __shared__ float s[32];
// says:                      ^
// says:   way out: request the derivative of the kernel that calls it
