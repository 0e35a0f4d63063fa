#include <gradwright/gradwright.h>

__device__ float f(float x);
GW_DERIVATIVE_OF("pullback of f")
#ifdef OBEYED
__device__ void f_back(float x, float d_return, float *d_x);
GW_GRADIENT("wrt x") __device__ float uses(float x) { return f(x) * x; }
#else
void f_back(float x, float d_return, float *d_x);
#endif
// obeys: rule-signature
// says: custom_device.cu:4:1: error: 'f_back' is no pullback of 'f': it does not run where that function does [rule-signature]
// says: GW_DERIVATIVE_OF("pullback of f")
// says: ^
// says:   way out: declare it as 'void f_back(float x, float d_return, float *d_x)'
