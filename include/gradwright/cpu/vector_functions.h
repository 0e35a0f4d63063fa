/* make_float2 and its kin. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "vector_types.h"

#define GW_CPU_MAKE(stem, type)                                                                                \
    static __inline__ __host__ __device__ stem##1 make_##stem##1(type x) {                                     \
        stem##1 v = {x};                                                                                       \
        return v;                                                                                              \
    }                                                                                                          \
    static __inline__ __host__ __device__ stem##2 make_##stem##2(type x, type y) {                             \
        stem##2 v = {x, y};                                                                                    \
        return v;                                                                                              \
    }                                                                                                          \
    static __inline__ __host__ __device__ stem##3 make_##stem##3(type x, type y, type z) {                     \
        stem##3 v = {x, y, z};                                                                                 \
        return v;                                                                                              \
    }                                                                                                          \
    static __inline__ __host__ __device__ stem##4 make_##stem##4(type x, type y, type z, type w) {             \
        stem##4 v = {x, y, z, w};                                                                              \
        return v;                                                                                              \
    }

GW_CPU_MAKE(char, signed char)
GW_CPU_MAKE(uchar, unsigned char)
GW_CPU_MAKE(short, short)
GW_CPU_MAKE(ushort, unsigned short)
GW_CPU_MAKE(int, int)
GW_CPU_MAKE(uint, unsigned int)
GW_CPU_MAKE(long, long)
GW_CPU_MAKE(ulong, unsigned long)
GW_CPU_MAKE(longlong, long long)
GW_CPU_MAKE(ulonglong, unsigned long long)
GW_CPU_MAKE(float, float)
GW_CPU_MAKE(double, double)
#undef GW_CPU_MAKE

#endif
