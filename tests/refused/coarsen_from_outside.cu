// args: --coarsen=4
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void neighbours(float *y, const float *x) {
    y[threadIdx.x] = __shfl_down_sync(0xffffffffu, x[threadIdx.x] * x[threadIdx.x], 1);
}
// says: coarsen_from_outside.cu:4:1: error: the gradient of 'neighbours' cannot be coarsened: lanes of a warp exchange values (line 6) [no-coarsening]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: let threads exchange values through shared memory; or leave out GW_COARSEN
