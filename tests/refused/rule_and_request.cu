// obeys: rule-signature unknown-name
// A derivative that is written wrongly does not keep the requests from being looked at, nor the calls from it.
#include <gradwright/gradwright.h>

__device__ float half_of(float x);
#ifdef OBEYED
GW_DERIVATIVE_OF("pullback of half_of")
__device__ void back(float x, float d_return, float *d_x) { *d_x += 0.5f * d_return; }
GW_GRADIENT("y wrt x")
#else
GW_DERIVATIVE_OF("pullback of half_of")
__device__ void back(float x, float d_return, double *d_x) { *d_x += 0.5 * d_return; }
GW_GRADIENT("y wrt z")
#endif
__global__ void a(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x")
__global__ void b(float *y, const float *x) { y[threadIdx.x] = half_of(x[threadIdx.x]); }
// says: rule_and_request.cu:11:1: error: 'back' is no pullback of 'half_of': parameter 3 is 'double *' instead of 'float *' [rule-signature]
// says: GW_DERIVATIVE_OF("pullback of half_of")
// says: ^
// says:   way out: declare it as 'void back(float x, float d_return, float *d_x)'
// says: rule_and_request.cu:13:1: error: 'z' names no parameter of 'a' [unknown-name]
// says: GW_GRADIENT("y wrt z")
// says: ^
// says:   way out: name one of 'y', 'x'
