// Fetches that take part, and whose shadow the derivative would not find.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt p")
__global__ void unnamed(float *y, const float2 *p, cudaTextureObject_t image) {
    y[threadIdx.x] = tex2D<float>(image, p[threadIdx.x].x, p[threadIdx.x].y);
}

struct scene {
    cudaTextureObject_t ground;
    float size;
};
GW_GRADIENT("y wrt p")
__global__ void member(float *y, const float *p, scene s) {
    y[threadIdx.x] = tex1D<float>(s.ground, p[threadIdx.x] * s.size);
}

GW_GRADIENT("y wrt a")
__global__ void one_of_two(float *y, cudaTextureObject_t a, cudaTextureObject_t b, int which) {
    y[threadIdx.x] = tex1D<float>(which ? a : b, threadIdx.x);
}

GW_GRADIENT("y wrt image")
__global__ void kept(float *y, cudaTextureObject_t image, cudaTextureObject_t *list) {
    list[threadIdx.x] = image;
    y[threadIdx.x] = tex1D<float>(image, threadIdx.x);
}
// says: textures_not_named.cu:6:22: error: this fetch from 'image' is by coordinates that carry a derivative, but the texture is no input of the request [texture-not-named]
// says:     y[threadIdx.x] = tex2D<float>(image, p[threadIdx.x].x, p[threadIdx.x].y);
// says:                      ^
// says:   way out: add 'image' to the inputs; for the derivatives of coordinates alone, let the cells of its shadow be null
// says: textures_not_named.cu:15:22: error: a fetch by active coordinates from a texture that is no parameter (a member, an element, a choice) cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = tex1D<float>(s.ground, p[threadIdx.x] * s.size);
// says:                      ^
// says:   way out: pass the texture as a parameter of its own, and name it in the request
// says: textures_not_named.cu:18:1: warning: 'y' does not depend on 'a': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt a")
// says: ^
// says: textures_not_named.cu:20:35: error: this use of the texture 'a', an input, cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = tex1D<float>(which ? a : b, threadIdx.x);
// says:                                   ^
// says:   way out: fetch from the parameter itself, in each branch where there is a choice
// says: textures_not_named.cu:25:5: error: this use of the texture 'image', an input, cannot be differentiated yet [unsupported]
// says:     list[threadIdx.x] = image;
// says:     ^
// says:   way out: fetch from the parameter itself, in each branch where there is a choice
