// What has no second derivative has no third one.
#include <gradwright/gradwright.h>

static double recursive(double x, int n) { return n ? recursive(x * x, n - 1) * x : x; }
GW_THIRD("wrt x")
double of_recursion(double x, int n) { return recursive(x, n); }

GW_THIRD("y wrt x")
__global__ void fetched(float *y, const float *x, cudaTextureObject_t t) { y[0] = tex1D<float>(t, x[0]); }
// says: third.cu:5:1: warning: 'the returned value' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_THIRD("wrt x")
// says: ^
// says: third.cu:6:47: error: second derivatives through the call of 'recursive', which calls itself, cannot be differentiated yet [unsupported]
// says: double of_recursion(double x, int n) { return recursive(x, n); }
// says:                                               ^
// says:   way out: write a loop in its place
// says: third.cu:9:83: error: this fetch from 't' is by coordinates that carry a derivative, but the texture is no input of the request [texture-not-named]
// says: __global__ void fetched(float *y, const float *x, cudaTextureObject_t t) { y[0] = tex1D<float>(t, x[0]); }
// says:                                                                                   ^
// says:   way out: add 't' to the inputs; for the derivatives of coordinates alone, let the cells of its shadow be null
// says: third.cu:9:83: error: a texture fetch, in second derivatives, cannot be differentiated yet [unsupported]
// says: __global__ void fetched(float *y, const float *x, cudaTextureObject_t t) { y[0] = tex1D<float>(t, x[0]); }
// says:                                                                                   ^
// says:   way out: read the array itself
