#include <gradwright/gradwright.h>

__device__ float waits(float v) {
    __syncwarp();
    return v * v;
}

GW_GRADIENT("wrt v")
__device__ float ordered(float v) { return waits(v); }
// says: barrier_in_function.cu:4:5: error: an operation of a warp outside of a kernel cannot be differentiated yet [unsupported]
// says:     __syncwarp();
// says:     ^
// says:   way out: request the derivative of the kernel that calls it
