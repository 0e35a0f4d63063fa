// Along the axes of a screen: texels, and a derivative of one's own.
#include <gradwright/gradwright.h>

GW_SCREEN_DERIVATIVES("wrt t, u")
__device__ float fetched(cudaTextureObject_t t, float u, float v) { return tex2D<float>(t, u, v); }

__device__ float bump(float x) { return x; }
GW_DERIVATIVE_OF("jvp of bump") __device__ float bump_forward(float x, float t_x, float *t_return);
GW_SCREEN_DERIVATIVES("wrt x")
__device__ float bumped(float x) { return bump(x) * x; }
// says: screen_inputs.cu:5:46: error: the texels of a texture, in several directions at once, cannot be differentiated yet [unsupported]
// says: __device__ float fetched(cudaTextureObject_t t, float u, float v) { return tex2D<float>(t, u, v); }
// says:                                              ^
// says:   way out: ask for GW_DERIVATIVE, and run it for each direction
// says: screen_inputs.cu:10:43: error: several directions at once through the call of 'bump', which has a derivative of its own or no body, cannot be differentiated yet [unsupported]
// says: __device__ float bumped(float x) { return bump(x) * x; }
// says:                                           ^
// says:   way out: ask for GW_DERIVATIVE, and run it for each direction
