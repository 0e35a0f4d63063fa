// The forward derivative of a program that calls a function of a library, of which there is
// a pullback alone.
#include <gradwright/gradwright.h>

int sum(float *y, const float *x, cudaStream_t stream);
GW_DERIVATIVE_OF("pullback of sum") void sum_back(float *y, const float *x, cudaStream_t stream, float *d_y, float *d_x);

GW_DERIVATIVE("y wrt x") void forward(float *y, const float *x, cudaStream_t stream) { sum(y, x, stream); }
// says: program_forward.cu:8:88: error: the call of 'sum', which has a pullback alone, in forward mode, cannot be differentiated yet [unsupported]
// says: GW_DERIVATIVE("y wrt x") void forward(float *y, const float *x, cudaStream_t stream) { sum(y, x, stream); }
// says:                                                                                        ^
// says:   way out: ask for GW_GRADIENT, or give the function one along tangents (GW_DERIVATIVE_OF, 'jvp of')
