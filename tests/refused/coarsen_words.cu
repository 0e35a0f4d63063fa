#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_COARSEN(4)
#else
GW_GRADIENT("y wrt x") GW_COARSEN(1)
#endif
__global__ void one(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_COARSEN(32)
#else
GW_GRADIENT("y wrt x") GW_COARSEN(64)
#endif
__global__ void many(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_COARSEN(4)
#else
GW_GRADIENT("y wrt x") GW_COARSEN(four)
#endif
__global__ void words(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_COARSEN(4)
#else
GW_GRADIENT("y wrt x") GW_COARSEN(4, other)
#endif
__global__ void no_such(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_DERIVATIVE("y wrt x")
#else
GW_DERIVATIVE("y wrt x") GW_COARSEN(4)
#endif
__global__ void forward(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("wrt x")
#else
GW_GRADIENT("wrt x") GW_COARSEN(4)
#endif
float square(float x) { return x * x; }
// obeys: bad-coarsening
// says: coarsen_words.cu:6:24: error: cannot read GW_COARSEN(1) of 'one': it is no number from 2 to 32, nor one with a name [bad-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(1)
// says:                        ^
// says:   way out: write GW_COARSEN(4), or GW_COARSEN(4, NAME) for the gradient of that name, with a number from 2 to 32, beside the request of a kernel
// says: coarsen_words.cu:13:24: error: cannot read GW_COARSEN(64) of 'many': it is no number from 2 to 32, nor one with a name [bad-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(64)
// says:                        ^
// says:   way out: write GW_COARSEN(4), or GW_COARSEN(4, NAME) for the gradient of that name, with a number from 2 to 32, beside the request of a kernel
// says: coarsen_words.cu:20:24: error: cannot read GW_COARSEN(four) of 'words': it is no number from 2 to 32, nor one with a name [bad-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(four)
// says:                        ^
// says:   way out: write GW_COARSEN(4), or GW_COARSEN(4, NAME) for the gradient of that name, with a number from 2 to 32, beside the request of a kernel
// says: coarsen_words.cu:27:24: error: cannot read GW_COARSEN(4, other) of 'no_such': it has no such gradient [bad-coarsening]
// says: GW_GRADIENT("y wrt x") GW_COARSEN(4, other)
// says:                        ^
// says:   way out: write GW_COARSEN(4), or GW_COARSEN(4, NAME) for the gradient of that name, with a number from 2 to 32, beside the request of a kernel
// says: coarsen_words.cu:34:26: error: cannot read GW_COARSEN(4) of 'forward': it has no such gradient [bad-coarsening]
// says: GW_DERIVATIVE("y wrt x") GW_COARSEN(4)
// says:                          ^
// says:   way out: write GW_COARSEN(4), or GW_COARSEN(4, NAME) for the gradient of that name, with a number from 2 to 32, beside the request of a kernel
// says: coarsen_words.cu:41:22: error: cannot read GW_COARSEN(4) of 'square': it is no kernel [bad-coarsening]
// says: GW_GRADIENT("wrt x") GW_COARSEN(4)
// says:                      ^
// says:   way out: write GW_COARSEN(4), or GW_COARSEN(4, NAME) for the gradient of that name, with a number from 2 to 32, beside the request of a kernel
