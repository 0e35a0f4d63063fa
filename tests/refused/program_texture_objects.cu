// Texture objects that a program makes, where their texels would lose their derivatives.
#include <gradwright/gradwright.h>

__global__ void look(float *y, cudaTextureObject_t t) { y[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0.5f); }
struct holder {
    cudaTextureObject_t t;
    int n;
};
__global__ void look_in(float *y, holder h) { y[threadIdx.x] = tex2D<float>(h.t, threadIdx.x, 0.5f); }
__global__ void look_up(float *y, const cudaTextureObject_t *t) { y[threadIdx.x] = tex2D<float>(*t, threadIdx.x, 0.5f); }

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

GW_GRADIENT("y wrt x") void in_a_struct(float *y, const float *x, int w) {
    cudaTextureObject_t t;
    make(&t, cudaResourceTypePitch2D, nullptr, x, w);
#ifdef OBEYED
    look<<<1, 4>>>(y, t);
#else
    look_in<<<1, 4>>>(y, holder{t, w});
#endif
}
GW_GRADIENT("y wrt x") void by_memory(float *y, const float *x, int w) {
    cudaTextureObject_t t;
    make(&t, cudaResourceTypePitch2D, nullptr, x, w);
#ifdef OBEYED
    look<<<1, 4>>>(y, t);
#else
    cudaTextureObject_t *all;
    cudaMalloc(&all, sizeof t);
    cudaMemcpy(all, &t, sizeof t, cudaMemcpyHostToDevice);
    look_up<<<1, 4>>>(y, all);
    cudaFree(all);
#endif
}
#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_HVP("y wrt x")
#endif
void two_derivatives(float *y, const float *x, int w) {
    cudaTextureObject_t t;
    make(&t, cudaResourceTypePitch2D, nullptr, x, w);
    look<<<1, 4>>>(y, t);
}
// obeys: unsupported
// says: program_texture_objects.cu:22:5: error: a texture object that is made in a program with second derivatives cannot be differentiated yet [unsupported]
// says:     cudaCreateTextureObject(t, &what, &how, nullptr);
// says:     ^
// says:   way out: read the memory itself, or ask for GW_GRADIENT
// says: program_texture_objects.cu:25:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x") void in_a_struct(float *y, const float *x, int w) {
// says: ^
// says: program_texture_objects.cu:31:5: error: a texture object that is made here, and is no parameter of its own where it goes, cannot be differentiated yet [unsupported]
// says:     look_in<<<1, 4>>>(y, holder{t, w});
// says:     ^
// says:   way out: pass it to kernels as a parameter, and not in a struct or by memory
// says: program_texture_objects.cu:34:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x") void by_memory(float *y, const float *x, int w) {
// says: ^
// says: program_texture_objects.cu:42:5: error: a texture object that is made here, and is no parameter of its own where it goes, cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(all, &t, sizeof t, cudaMemcpyHostToDevice);
// says:     ^
// says:   way out: pass it to kernels as a parameter, and not in a struct or by memory
