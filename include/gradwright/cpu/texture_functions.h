/* Fetches from textures and accesses of surfaces. The runtime finds and reads the texel (texture.c); here it
 * becomes the type that was asked for. */
#ifndef GW_CPU_TEXTURE_FUNCTIONS_H
#define GW_CPU_TEXTURE_FUNCTIONS_H

#include "texture_types.h"
#include "vector_functions.h"

extern "C" {
__device__ void gw_cpu_texture_get(cudaTextureObject_t object, int shape, float x, float y, float z, int layer,
                                   float level, void *result) noexcept;
__device__ void gw_cpu_texture_fetch(cudaTextureObject_t object, int index, void *result) noexcept;
__device__ void gw_cpu_texture_gather(cudaTextureObject_t object, float x, float y, int component,
                                      void *result) noexcept;
__device__ void *gw_cpu_surface_at(cudaSurfaceObject_t object, int x_bytes, int y, int z, int size,
                                   int mode) noexcept;
}

#define GW_CPU_TEXTURE template <class T> __device__ __forceinline__

/* A texel as it is asked for: its channels are floats, or integers of at most 32 bits. */
struct gw_cpu_texel {
    unsigned int bits[4];
};
template <class E> __device__ __forceinline__ E gw_cpu_channel(unsigned int bits) { return (E)(int)bits; }
template <> __device__ __forceinline__ float gw_cpu_channel<float>(unsigned int bits) {
    return __builtin_bit_cast(float, bits);
}
template <class T> struct gw_cpu_of_texel {
    static __device__ __forceinline__ T get(const gw_cpu_texel &t) { return gw_cpu_channel<T>(t.bits[0]); }
};
#define GW_CPU_OF_TEXEL(stem, type)                                                                            \
    template <> struct gw_cpu_of_texel<stem##1> {                                                              \
        static __device__ __forceinline__ stem##1 get(const gw_cpu_texel &t) {                                 \
            return make_##stem##1(gw_cpu_channel<type>(t.bits[0]));                                            \
        }                                                                                                      \
    };                                                                                                         \
    template <> struct gw_cpu_of_texel<stem##2> {                                                              \
        static __device__ __forceinline__ stem##2 get(const gw_cpu_texel &t) {                                 \
            return make_##stem##2(gw_cpu_channel<type>(t.bits[0]), gw_cpu_channel<type>(t.bits[1]));           \
        }                                                                                                      \
    };                                                                                                         \
    template <> struct gw_cpu_of_texel<stem##4> {                                                              \
        static __device__ __forceinline__ stem##4 get(const gw_cpu_texel &t) {                                 \
            return make_##stem##4(gw_cpu_channel<type>(t.bits[0]), gw_cpu_channel<type>(t.bits[1]),            \
                                  gw_cpu_channel<type>(t.bits[2]), gw_cpu_channel<type>(t.bits[3]));           \
        }                                                                                                      \
    };
GW_CPU_OF_TEXEL(char, signed char)
GW_CPU_OF_TEXEL(uchar, unsigned char)
GW_CPU_OF_TEXEL(short, short)
GW_CPU_OF_TEXEL(ushort, unsigned short)
GW_CPU_OF_TEXEL(int, int)
GW_CPU_OF_TEXEL(uint, unsigned int)
GW_CPU_OF_TEXEL(float, float)
#undef GW_CPU_OF_TEXEL

template <class T>
__device__ __forceinline__ T gw_cpu_sample(cudaTextureObject_t object, int shape, float x, float y, float z,
                                           int layer, float level) {
    gw_cpu_texel t;
    gw_cpu_texture_get(object, shape, x, y, z, layer, level, &t);
    return gw_cpu_of_texel<T>::get(t);
}

/* GW_CPU_FETCH(name, the coordinates' parameters, shape, x, y, z, layer): the plain form, the form of a level,
 * the form with gradients (read at level 0 as hardware does without mipmaps), and each with its result behind
 * a pointer. */
#define GW_CPU_PARAMETERS(...) __VA_ARGS__
#define GW_CPU_FETCH(name, parameters, shape, x, y, z, layer)                                                  \
    GW_CPU_TEXTURE T name(cudaTextureObject_t object, parameters) {                                            \
        return gw_cpu_sample<T>(object, shape, x, y, z, layer, 0);                                             \
    }                                                                                                          \
    GW_CPU_TEXTURE void name(T *result, cudaTextureObject_t object, parameters) {                              \
        *result = gw_cpu_sample<T>(object, shape, x, y, z, layer, 0);                                          \
    }                                                                                                          \
    GW_CPU_TEXTURE T name##Lod(cudaTextureObject_t object, parameters, float level) {                          \
        return gw_cpu_sample<T>(object, shape, x, y, z, layer, level);                                         \
    }                                                                                                          \
    GW_CPU_TEXTURE void name##Lod(T *result, cudaTextureObject_t object, parameters, float level) {            \
        *result = gw_cpu_sample<T>(object, shape, x, y, z, layer, level);                                      \
    }
GW_CPU_FETCH(tex1D, GW_CPU_PARAMETERS(float x), 1, x, 0, 0, 0)
GW_CPU_FETCH(tex2D, GW_CPU_PARAMETERS(float x, float y), 2, x, y, 0, 0)
GW_CPU_FETCH(tex3D, GW_CPU_PARAMETERS(float x, float y, float z), 3, x, y, z, 0)
GW_CPU_FETCH(tex1DLayered, GW_CPU_PARAMETERS(float x, int layer), 1, x, 0, 0, layer)
GW_CPU_FETCH(tex2DLayered, GW_CPU_PARAMETERS(float x, float y, int layer), 2, x, y, 0, layer)
GW_CPU_FETCH(texCubemap, GW_CPU_PARAMETERS(float x, float y, float z), 4, x, y, z, 0)
GW_CPU_FETCH(texCubemapLayered, GW_CPU_PARAMETERS(float x, float y, float z, int layer), 4, x, y, z, layer)
#undef GW_CPU_FETCH
#undef GW_CPU_PARAMETERS

GW_CPU_TEXTURE T tex1Dfetch(cudaTextureObject_t object, int index) {
    gw_cpu_texel t;
    gw_cpu_texture_fetch(object, index, &t);
    return gw_cpu_of_texel<T>::get(t);
}
GW_CPU_TEXTURE void tex1Dfetch(T *result, cudaTextureObject_t object, int index) {
    *result = tex1Dfetch<T>(object, index);
}
GW_CPU_TEXTURE T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
    gw_cpu_texel t;
    gw_cpu_texture_gather(object, x, y, component, &t);
    return gw_cpu_of_texel<T>::get(t);
}

/* Surfaces: x counts bytes. A layer, a face or a depth is a slice. */
template <class T>
__device__ __forceinline__ T gw_cpu_surface_read(cudaSurfaceObject_t object, int x, int y, int z, int mode) {
    T value = T();
    const void *at = gw_cpu_surface_at(object, x, y, z, (int)sizeof(T), mode);
    if (at) __builtin_memcpy(&value, at, sizeof value);
    return value;
}
template <class T>
__device__ __forceinline__ void gw_cpu_surface_write(const T &value, cudaSurfaceObject_t object, int x, int y,
                                                     int z, int mode) {
    void *at = gw_cpu_surface_at(object, x, y, z, (int)sizeof(T), mode);
    if (at) __builtin_memcpy(at, &value, sizeof value);
}
#define GW_CPU_PARAMETERS(...) __VA_ARGS__
#define GW_CPU_SURFACE(name, parameters, y, z)                                                                 \
    GW_CPU_TEXTURE T name##read(cudaSurfaceObject_t object, parameters,                                        \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                         \
        return gw_cpu_surface_read<T>(object, x, y, z, mode);                                                  \
    }                                                                                                          \
    GW_CPU_TEXTURE void name##read(T *result, cudaSurfaceObject_t object, parameters,                          \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
        *result = gw_cpu_surface_read<T>(object, x, y, z, mode);                                               \
    }                                                                                                          \
    GW_CPU_TEXTURE void name##write(T value, cudaSurfaceObject_t object, parameters,                           \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                     \
        gw_cpu_surface_write(value, object, x, y, z, mode);                                                    \
    }
GW_CPU_SURFACE(surf1D, GW_CPU_PARAMETERS(int x), 0, 0)
GW_CPU_SURFACE(surf2D, GW_CPU_PARAMETERS(int x, int y), y, 0)
GW_CPU_SURFACE(surf3D, GW_CPU_PARAMETERS(int x, int y, int z), y, z)
GW_CPU_SURFACE(surf1DLayered, GW_CPU_PARAMETERS(int x, int layer), 0, layer)
GW_CPU_SURFACE(surf2DLayered, GW_CPU_PARAMETERS(int x, int y, int layer), y, layer)
GW_CPU_SURFACE(surfCubemap, GW_CPU_PARAMETERS(int x, int y, int face), y, face)
GW_CPU_SURFACE(surfCubemapLayered, GW_CPU_PARAMETERS(int x, int y, int face), y, face)
#undef GW_CPU_SURFACE
#undef GW_CPU_PARAMETERS
#undef GW_CPU_TEXTURE

#endif
