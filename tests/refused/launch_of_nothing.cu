#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// args: --launch 'scael: blockDim.x == 128' --launch 'scale: blockDim.x == 128'
// obeys: unused-launch
// obeyed-args: --launch 'scale: blockDim.x == 128'
// says: gradwright: error: 'blockDim.x == 128' is stated of launches of 'scael', of which no derivative is asked [unused-launch]
// says:   way out: check the spelling, or qualify the name with its namespace
