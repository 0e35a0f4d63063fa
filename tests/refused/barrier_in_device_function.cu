#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
__device__ float waits(float x) {
    __syncthreads();
    return x * x;
}
// says: barrier_in_device_function.cu:5:5: error: a barrier outside of a kernel cannot be differentiated yet [unsupported]
// says:     __syncthreads();
// says:     ^
// says:   way out: request the derivative of the kernel that calls it
