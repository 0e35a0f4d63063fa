// Fetches that take part, and whose shadow the derivative would not find.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt p")
__global__ void unnamed(float *y, const float2 *p, cudaTextureObject_t image) {
    y[threadIdx.x] = tex2D<float>(image, p[threadIdx.x].x, p[threadIdx.x].y);
}

GW_DERIVATIVE("y wrt p")
__global__ void unnamed_forward(float *y, const float *p, cudaTextureObject_t image) {
    y[threadIdx.x] = tex1D<float>(image, p[threadIdx.x]);
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
// says: textures_not_named.cu:11:22: error: this fetch from 'image' is by coordinates that carry a derivative, but the texture is no input of the request [texture-not-named]
// says:     y[threadIdx.x] = tex1D<float>(image, p[threadIdx.x]);
// says:                      ^
// says:   way out: add 'image' to the inputs; for the derivatives of coordinates alone, let the cells of its shadow be null
