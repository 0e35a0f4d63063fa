#include <gradwright/gradwright.h>

__device__ float shifted(float v) { return __shfl_down_sync(0xffffffffu, v, 1); }

#ifdef OBEYED
__device__ float neighbour(float v) { return v * shifted(v); }
GW_GRADIENT("y wrt x")
__global__ void neighbours(float *y, const float *x) { y[threadIdx.x] = neighbour(x[threadIdx.x]); }
#else
GW_GRADIENT("wrt v")
__device__ float neighbour(float v) { return v * shifted(v); }
#endif
// obeys: unsupported
// says: shuffle.cu:3:44: error: an operation of a warp outside of a kernel cannot be differentiated yet [unsupported]
// says: __device__ float shifted(float v) { return __shfl_down_sync(0xffffffffu, v, 1); }
// says:                                            ^
// says:   way out: request the derivative of the kernel that calls it
