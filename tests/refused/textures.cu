// Fetches from textures that have no derivative, or no shadow to go to.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt s.ground")
__global__ void named_member(float *y, scene s) { y[threadIdx.x] = tex1D<float>(s.ground, s.size); }

GW_GRADIENT("y wrt image")
__global__ void integers(float *y, cudaTextureObject_t image) {
    y[threadIdx.x] = tex2D<int>(image, threadIdx.x, 0);
}

GW_GRADIENT("y wrt image")
__global__ void bytes(float *y, cudaTextureObject_t image) {
    y[threadIdx.x] = tex2D<uchar4>(image, threadIdx.x, 0).x;
}

GW_GRADIENT("y wrt image")
__global__ void at_level(float *y, cudaTextureObject_t image) {
    y[threadIdx.x] = tex2DLod<float>(image, threadIdx.x, 0, 1);
}

GW_GRADIENT("y wrt image")
__global__ void of_cube(float *y, cudaTextureObject_t image) {
    y[threadIdx.x] = texCubemap<float>(image, threadIdx.x, 0, 1);
}

GW_GRADIENT("y wrt image")
__global__ void gathered(float *y, cudaTextureObject_t image) {
    y[threadIdx.x] = tex2Dgather<float4>(image, threadIdx.x, 0).x;
}

GW_GRADIENT("y wrt image")
__global__ void by_pointer(float *y, cudaTextureObject_t image) {
    float texel;
    tex2D<float>(&texel, image, threadIdx.x, 0);
    y[threadIdx.x] = texel;
}
// says: textures.cu:5:40: error: unknown type name 'scene' [syntax]
// says: __global__ void named_member(float *y, scene s) { y[threadIdx.x] = tex1D<float>(s.ground, s.size); }
// says:                                        ^
