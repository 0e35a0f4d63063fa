#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// args: --launch 'blockDim.x == 128'
// obeys: unreadable-launch
// obeyed-args: --launch 'scale: blockDim.x == 128'
// says: gradwright: error: cannot read 'blockDim.x == 128': it names no function [unreadable-launch]
// says:   way out: write 'f: blockDim.x == 128, n >= 0'
