// A rung that is preferred, and that no addition takes; beside one that is asked for, so that nothing is written.
#include <gradwright/gradwright.h>

// args: --prefer=bulk
// obeyed-args: --prefer=slots
// obeys: rung-unused
GW_GRADIENT("y wrt x")
__global__ void f(float *y, const float *x, const int *list) { y[threadIdx.x] = x[list[threadIdx.x]]; }

#ifndef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
__global__ void g(float *y, const float *x, const int *list) { y[threadIdx.x] = x[list[threadIdx.x]]; }
#endif
// says: rung_unused.cu:8:81: warning: --prefer=bulk: no addition takes this rung; the first one that could not: it adds to no 16 bytes side by side in the caller's memory, or to an adjoint that the kernel reads [rung-unused]
// says: __global__ void f(float *y, const float *x, const int *list) { y[threadIdx.x] = x[list[threadIdx.x]]; }
// says:                                                                                 ^
// says:   way out: prefer another rung: --explain says of each addition what it takes, and why
// says: rung_unused.cu:11:24: error: GW_ACCUMULATE(x, warp): the addition at line 12 cannot take this rung: lanes of a warp have different cells [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
