// What is refused of textures that a program makes.
#include <gradwright/gradwright.h>

__global__ void look(float *y, cudaTextureObject_t t) { y[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0.5f); }
static void make(cudaTextureObject_t *t, cudaResourceType kind, cudaArray_t array, const float *x, int w) {
    cudaResourceDesc what = {};
    what.resType = kind;
    what.res.array.array = array;
    what.res.pitch2D.devPtr = (void *)x;
    what.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    what.res.pitch2D.width = w;
    what.res.pitch2D.height = 1;
    what.res.pitch2D.pitchInBytes = w * sizeof(float);
    cudaTextureDesc how = {};
    cudaCreateTextureObject(t, &what, &how, nullptr);
}

GW_GRADIENT("y wrt x") void of_a_line(float *y, const float *x, int w) {
    cudaTextureObject_t t;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
#ifdef OBEYED
    cudaMallocArray(&array, &format, w, 1);
#else
    cudaMallocArray(&array, &format, w);
#endif
    cudaMemcpy2DToArray(array, 0, 0, x, w * 4, w * 4, 1, cudaMemcpyDeviceToDevice);
    make(&t, cudaResourceTypeArray, array, x, w);
    look<<<1, 4>>>(y, t);
}
GW_GRADIENT("y wrt x") void with_flags(float *y, const float *x, int w) {
    cudaTextureObject_t t;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
#ifdef OBEYED
    cudaMallocArray(&array, &format, w, 1);
#else
    cudaMallocArray(&array, &format, w, 1, cudaArraySurfaceLoadStore);
#endif
    cudaMemcpy2DToArray(array, 0, 0, x, w * 4, w * 4, 1, cudaMemcpyDeviceToDevice);
    make(&t, cudaResourceTypeArray, array, x, w);
    look<<<1, 4>>>(y, t);
}
GW_GRADIENT("y wrt x") void of_levels(float *y, const float *x, int w) {
    cudaTextureObject_t t;
#ifdef OBEYED
    make(&t, cudaResourceTypePitch2D, nullptr, x, w);
#else
    make(&t, cudaResourceTypeMipmappedArray, nullptr, x, w);
#endif
    look<<<1, 4>>>(y, t);
}
GW_GRADIENT("y wrt x") void with_a_view(float *y, const float *x, int w) {
    cudaTextureObject_t t;
#ifdef OBEYED
    make(&t, cudaResourceTypePitch2D, nullptr, x, w);
#else
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeLinear;
    cudaTextureDesc how = {};
    cudaResourceViewDesc view = {};
    cudaCreateTextureObject(&t, &what, &how, &view);
#endif
    look<<<1, 4>>>(y, t);
}
// obeys: unsupported
// says: program_textures.cu:15:5: error: a texture over something else than an array of a plane or memory cannot be differentiated yet [unsupported]
// says:     cudaCreateTextureObject(t, &what, &how, nullptr);
// says:     ^
// says:   way out: set resType to cudaResourceTypeArray, cudaResourceTypeLinear or cudaResourceTypePitch2D in this function
// says: program_textures.cu:25:5: error: an array of textures that is a line cannot be differentiated yet [unsupported]
// says:     cudaMallocArray(&array, &format, w);
// says:     ^
// says:   way out: give it a height of 1, and fetch by tex2D; or use tex1Dfetch over an array
// says: program_textures.cu:38:5: error: an array of textures with flags cannot be differentiated yet [unsupported]
// says:     cudaMallocArray(&array, &format, w, 1, cudaArraySurfaceLoadStore);
// says:     ^
// says:   way out: make it outside of the function, or without surfaces and gathers
// says: program_textures.cu:62:5: error: a texture with a view, or by descriptions that are not known cannot be differentiated yet [unsupported]
// says:     cudaCreateTextureObject(&t, &what, &how, &view);
// says:     ^
// says:   way out: describe it in this function, and give no cudaResourceViewDesc
