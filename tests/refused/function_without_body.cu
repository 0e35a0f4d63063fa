#include <gradwright/gradwright.h>

#ifdef OBEYED
__device__ float elsewhere(float v);
GW_DERIVATIVE_OF("pullback of elsewhere") __device__ void back(float v, float d_return, float *d_v);
#else
__device__ float elsewhere(float v);
#endif

GW_GRADIENT("y wrt x")
__global__ void calls(float *y, const float *x) { y[threadIdx.x] = elsewhere(x[threadIdx.x]); }
// obeys: no-rule
// says: function_without_body.cu:11:68: error: function 'elsewhere' has neither a body nor a derivative rule [no-rule]
// says: __global__ void calls(float *y, const float *x) { y[threadIdx.x] = elsewhere(x[threadIdx.x]); }
// says:                                                                    ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of elsewhere")
