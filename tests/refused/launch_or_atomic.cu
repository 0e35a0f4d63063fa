#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
#else
GW_SPLIT_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128 or atomic")
#endif
__global__ void halves(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_COARSEN(4) GW_LAUNCH("blockDim.x == 128")
#else
GW_GRADIENT("y wrt x") GW_COARSEN(4) GW_LAUNCH("blockDim.x == 128 or atomic")
#endif
__global__ void coarse(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, slots) GW_LAUNCH("blockDim.x == 128")
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, slots) GW_LAUNCH("blockDim.x == 128 or atomic")
#endif
__global__ void rows(float *y, const float *x, const int *list) { y[threadIdx.x] = x[list[threadIdx.x]]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
#else
GW_GRADIENT("y wrt x") GW_PACK(x) GW_LAUNCH("blockDim.x == 128 or atomic")
#endif
__global__ void records(float *y, const float *x, const int *list) { y[threadIdx.x] = x[list[threadIdx.x]]; }

template <int N>
#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128 or atomic")
#endif
__global__ void of_template(float *y, const float *x) { y[threadIdx.x] = N * x[threadIdx.x]; }

void use(float *y) { of_template<3><<<1, 128>>>(y, y); }
// obeys: one-form
// says: launch_or_atomic.cu:6:30: error: GW_LAUNCH of 'halves' cannot have 'or atomic': the halves of a gradient have one tape [one-form]
// says: GW_SPLIT_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128 or atomic")
// says:                              ^
// says:   way out: leave 'or atomic' out: then a launch that breaks the fact is an error that names it
// says: launch_or_atomic.cu:13:38: error: GW_LAUNCH of 'coarse' cannot have 'or atomic': its gradient is coarsened [one-form]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(4) GW_LAUNCH("blockDim.x == 128 or atomic")
// says:                                      ^
// says:   way out: leave 'or atomic' out: then a launch that breaks the fact is an error that names it
// says: launch_or_atomic.cu:20:48: error: GW_LAUNCH of 'rows' cannot have 'or atomic': it has rows that are summed behind it [one-form]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, slots) GW_LAUNCH("blockDim.x == 128 or atomic")
// says:                                                ^
// says:   way out: leave 'or atomic' out: then a launch that breaks the fact is an error that names it
// says: launch_or_atomic.cu:27:35: error: GW_LAUNCH of 'records' cannot have 'or atomic': it has GW_PACK [one-form]
// says: GW_GRADIENT("y wrt x") GW_PACK(x) GW_LAUNCH("blockDim.x == 128 or atomic")
// says:                                   ^
// says:   way out: leave 'or atomic' out: then a launch that breaks the fact is an error that names it
// says: launch_or_atomic.cu:35:24: error: GW_LAUNCH of 'of_template' cannot have 'or atomic': it is a template [one-form]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128 or atomic")
// says:                        ^
// says:   way out: leave 'or atomic' out: then a launch that breaks the fact is an error that names it
