// Fetches from textures that have no derivative, or no shadow to go to.
#include <gradwright/gradwright.h>

struct scene {
    cudaTextureObject_t ground;
    float size;
};
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
// says: textures.cu:8:1: error: 's.ground' of 'named_member' cannot carry a derivative: its type is 'scene' [not-active]
// says: GW_GRADIENT("y wrt s.ground")
// says: ^
// says:   way out: name a floating-point scalar, or a pointer to or struct of such
// says: textures.cu:13:22: error: a fetch of other numbers than float, float2 or float4 cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = tex2D<int>(image, threadIdx.x, 0);
// says:                      ^
// says:   way out: fetch floats: of a texture of integers with cudaReadModeNormalizedFloat; or read an array
// says: textures.cu:18:22: error: a fetch of other numbers than float, float2 or float4 cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = tex2D<uchar4>(image, threadIdx.x, 0).x;
// says:                      ^
// says:   way out: fetch floats: of a texture of integers with cudaReadModeNormalizedFloat; or read an array
// says: textures.cu:23:22: error: a fetch from a level of a mip-map cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = tex2DLod<float>(image, threadIdx.x, 0, 1);
// says:                      ^
// says:   way out: fetch from a texture object of the level's array (cudaGetMipmappedArrayLevel)
// says: textures.cu:28:22: error: a fetch from a cube map cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = texCubemap<float>(image, threadIdx.x, 0, 1);
// says:                      ^
// says:   way out: find the face in the kernel, and fetch it by tex2DLayered
// says: textures.cu:33:22: error: tex2Dgather cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = tex2Dgather<float4>(image, threadIdx.x, 0).x;
// says:                      ^
// says:   way out: fetch the four texels by tex2D, with point filtering
// says: textures.cu:39:5: error: this form of a fetch from a texture cannot be differentiated yet [unsupported]
// says:     tex2D<float>(&texel, image, threadIdx.x, 0);
// says:     ^
// says:   way out: write the form that takes a cudaTextureObject_t and coordinates, and returns the texel
