/* CUDA's vector types, with CUDA's sizes and alignments. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "host_defines.h"

/* GW_CPU_VECTORS(name stem, element type, alignment of the 2-vector, of the 4-vector) */
#define GW_CPU_VECTORS(stem, type, align2, align4)                                                             \
    struct stem##1 { type x; };                                                                                \
    struct __align__(align2) stem##2 { type x, y; };                                                           \
    struct stem##3 { type x, y, z; };                                                                          \
    struct __align__(align4) stem##4 { type x, y, z, w; };                                                     \
    typedef struct stem##1 stem##1;                                                                            \
    typedef struct stem##2 stem##2;                                                                            \
    typedef struct stem##3 stem##3;                                                                            \
    typedef struct stem##4 stem##4;

GW_CPU_VECTORS(char, signed char, 2, 4)
GW_CPU_VECTORS(uchar, unsigned char, 2, 4)
GW_CPU_VECTORS(short, short, 4, 8)
GW_CPU_VECTORS(ushort, unsigned short, 4, 8)
GW_CPU_VECTORS(int, int, 8, 16)
GW_CPU_VECTORS(uint, unsigned int, 8, 16)
GW_CPU_VECTORS(long, long, 16, 16)
GW_CPU_VECTORS(ulong, unsigned long, 16, 16)
GW_CPU_VECTORS(longlong, long long, 16, 16)
GW_CPU_VECTORS(ulonglong, unsigned long long, 16, 16)
GW_CPU_VECTORS(float, float, 8, 16)
GW_CPU_VECTORS(double, double, 16, 16)
#undef GW_CPU_VECTORS

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
        : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
