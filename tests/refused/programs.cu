// What programs, functions of the host that launch kernels, may not do yet.
#include <gradwright/gradwright.h>

#ifdef OBEYED
__global__ void defined_elsewhere(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
#else
__global__ void defined_elsewhere(float *y, const float *x);
#endif
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

GW_GRADIENT("y wrt x") void elsewhere(float *y, const float *x) { defined_elsewhere<<<1, 1>>>(y, x); }
#ifdef OBEYED
GW_GRADIENT("y wrt x") void in_halves(float *y, const float *x) { twice<<<1, 1>>>(y, x); }
#else
GW_SPLIT_GRADIENT("y wrt x") void in_halves(float *y, const float *x) { twice<<<1, 1>>>(y, x); }
#endif
static void down(float *y, const float *x, int depth) {
#ifdef OBEYED
    for (; depth >= 0; depth--) twice<<<1, 1>>>(y, x);
#else
    twice<<<1, 1>>>(y, x);
    if (depth > 0) down(y, x, depth - 1);
#endif
}
GW_GRADIENT("y wrt x") void recursive(float *y, const float *x, int depth) { down(y, x, depth); }
struct two_of { float a, b; };
#ifdef OBEYED
GW_GRADIENT("y wrt x") void returned(float *y, const float *x) { twice<<<1, 1>>>(y, x); }
#else
GW_GRADIENT("wrt x") two_of returned(float *y, const float *x) { twice<<<1, 1>>>(y, x); return {*y, y[1]}; }
#endif
// obeys: unsupported
// says: programs.cu:11:67: error: a launch of a kernel that is defined elsewhere cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x") void elsewhere(float *y, const float *x) { defined_elsewhere<<<1, 1>>>(y, x); }
// says:                                                                   ^
// says:   way out: define it in this translation unit
// says: programs.cu:15:1: error: a function that launches kernels, in this mode, cannot be differentiated yet [unsupported]
// says: GW_SPLIT_GRADIENT("y wrt x") void in_halves(float *y, const float *x) { twice<<<1, 1>>>(y, x); }
// says: ^
// says:   way out: ask for GW_GRADIENT, GW_DERIVATIVE or GW_HVP
// says: programs.cu:17:13: error: a recursive function that launches kernels cannot be differentiated yet [unsupported]
// says: static void down(float *y, const float *x, int depth) {
// says:             ^
// says:   way out: rewrite the recursion as a loop
// says: programs.cu:30:1: error: the struct that a function which launches kernels returns cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") two_of returned(float *y, const float *x) { twice<<<1, 1>>>(y, x); return {*y, y[1]}; }
// says: ^
// says:   way out: return one number, or write through a pointer parameter, and name that: 'loss wrt x'
