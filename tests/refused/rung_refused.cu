#include <gradwright/gradwright.h>

// args: --accumulate=warp
GW_GRADIENT("y wrt x")
__global__ void f(float *y, const float *x, const int *list) { y[threadIdx.x] = x[list[threadIdx.x]]; }
// obeys: rung-refused
// obeyed-args: --prefer=warp
// says: rung_refused.cu:5:81: error: --accumulate=warp: the addition to 'd_x[list[threadIdx.x]]' cannot take this rung: lanes of a warp have different cells [rung-refused]
// says: __global__ void f(float *y, const float *x, const int *list) { y[threadIdx.x] = x[list[threadIdx.x]]; }
// says:                                                                                 ^
// says:   way out: write --prefer=warp: then additions that cannot take it take another one; or GW_ACCUMULATE(x, warp) before a kernel whose addition to the adjoint of x can take it
