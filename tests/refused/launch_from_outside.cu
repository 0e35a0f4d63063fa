#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// args: --launch 'scale: blockDim.x == 128, blockDim.x == 64'
// obeys: launch-contradiction
// obeyed-args: --launch 'scale: blockDim.x <= 128, blockDim.x >= 64'
// says: gradwright: error: GW_LAUNCH: 'blockDim.x == 64' contradicts 'blockDim.x == 128' [launch-contradiction]
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have
