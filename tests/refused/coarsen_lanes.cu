#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_COARSEN(4)
__global__ void neighbours(float *y, const float *x) {
    float v = x[threadIdx.x] * x[threadIdx.x];
    y[threadIdx.x] = v * __shfl_xor_sync(0xffffffffu, v, 1);
}

GW_GRADIENT("y wrt x") GW_COARSEN(2)
__global__ void votes(float *y, const float *x, int n) {
    if (__any_sync(0xffffffffu, (int)threadIdx.x < n)) y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}

GW_GRADIENT("y wrt x") GW_COARSEN(2)
__global__ void waits(float *y, const float *x) {
    __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    __syncwarp();
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}
// says: coarsen_lanes.cu:3:24: error: the gradient of 'neighbours' cannot be coarsened: lanes of a warp exchange values (line 6) [no-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(4)
// says:                        ^
// says:   way out: let threads exchange values through shared memory; or leave out GW_COARSEN
// says: coarsen_lanes.cu:9:24: error: the gradient of 'votes' cannot be coarsened: lanes of a warp exchange values (line 11) [no-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(2)
// says:                        ^
// says:   way out: let threads exchange values through shared memory; or leave out GW_COARSEN
// says: coarsen_lanes.cu:14:24: error: the gradient of 'waits' cannot be coarsened: lanes of a warp wait for each other (line 18) [no-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(2)
// says:                        ^
// says:   way out: let threads exchange values through shared memory; or leave out GW_COARSEN
