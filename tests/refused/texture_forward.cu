// In forward mode, too, the slope needs the texture's shadow.
#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_DERIVATIVE("y wrt p, image")
#else
GW_DERIVATIVE("y wrt p")
#endif
__global__ void unnamed_forward(float *y, const float *p, cudaTextureObject_t image) {
    y[threadIdx.x] = tex1D<float>(image, p[threadIdx.x]);
}
// obeys: texture-not-named
// says: texture_forward.cu:10:22: error: this fetch from 'image' is by coordinates that carry a derivative, but the texture is no input of the request [texture-not-named]
// says:     y[threadIdx.x] = tex1D<float>(image, p[threadIdx.x]);
// says:                      ^
// says:   way out: add 'image' to the inputs; for the derivatives of coordinates alone, let the cells of its shadow be null
