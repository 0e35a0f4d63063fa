// As CUDA's headers declare them.
#ifndef GW_TESTS_DEVICE_CODE_H
#define GW_TESTS_DEVICE_CODE_H
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
struct curandStateXORWOW {
    unsigned int d, v[5];
};
typedef curandStateXORWOW curandState;
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ T surf2Dread(cudaSurfaceObject_t, int, int);
template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int);
__device__ float curand_normal(curandState *);
#endif
