#include <gradwright/gradwright.h>

__device__ float place(float x);
GW_DERIVATIVE_OF("pullback of place") __device__ inline void place_back(float, float d_return, float *d_x) { *d_x += d_return * threadIdx.x; }
__device__ inline float place(float x) { return x * threadIdx.x; }

GW_GRADIENT("y wrt x") GW_COARSEN(4)
__global__ void by_place(float *y, const float *x) { y[threadIdx.x] = place(x[threadIdx.x]); }

GW_GRADIENT("y wrt x") GW_COARSEN(4)
__global__ void by_block(float *y, const float *x) { y[blockIdx.x] = x[blockIdx.x] * x[blockIdx.x]; }
// says: coarsen_call.cu:7:24: error: the gradient of 'by_place' cannot be coarsened: a function is called that may ask for its threadIdx (line 8) [no-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(4)
// says:                        ^
// says:   way out: let it be inlined: without recursion and without a derivative of its own; or leave out GW_COARSEN
// says: coarsen_call.cu:10:24: error: the gradient of 'by_block' cannot be coarsened: it does not ask for threadIdx [no-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(4)
// says:                        ^
// says:   way out: use more blocks of fewer threads; or leave out GW_COARSEN
