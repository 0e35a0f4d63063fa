/* The CPU device's stand-in for CUDA's <cuda_bf16.h>: the upper half of a float, rounded to nearest, ties to
 * even. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include "half_functions.h"

static inline __host__ __device__ unsigned short gw_cpu_bfloat16_bits(float v) {
    const unsigned int bits = __builtin_bit_cast(unsigned int, v);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (unsigned short)(bits >> 16 | 0x40u);
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

static inline __host__ __device__ float gw_cpu_float_of_bfloat16(unsigned short b) {
    return __builtin_bit_cast(float, (unsigned int)b << 16);
}

GW_CPU_HALF_CLASS(__nv_bfloat16, __nv_bfloat162, gw_cpu_bfloat16_bits, gw_cpu_float_of_bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

GW_CPU_HALF_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162, __bfloat162float,
                        __bfloat1622float2)
GW_CPU_HALF_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
GW_CPU_HALF_MATHEMATICS(__nv_bfloat16, __nv_bfloat162)
static __host__ __device__ __forceinline__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
    return __nv_bfloat162(a, a);
}
static __host__ __device__ __forceinline__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
static __host__ __device__ __forceinline__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
static __host__ __device__ __forceinline__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
static __host__ __device__ __forceinline__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }

#endif
