/* The CPU device's stand-in for CUDA's <cuda_fp16.h>: half precision by conversion from and to float, to
 * nearest, ties to even. What CUDA computes in one rounding is computed in float here and rounded once more. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include "half_functions.h"

static inline __host__ __device__ unsigned short gw_cpu_half_bits(float v) {
    const unsigned int bits = __builtin_bit_cast(unsigned int, v), sign = bits >> 16 & 0x8000u;
    const unsigned int size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return (unsigned short)(sign | 0x7e00u);
    if (size >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u); /* rounds to 2^16 */
    if (size < 0x38800000u) { /* below 2^-14: in steps of 2^-24, by an addition that rounds to them */
        const float rounded = __builtin_bit_cast(float, size) + 0.5f;
        return (unsigned short)(sign | (__builtin_bit_cast(unsigned int, rounded) - 0x3f000000u));
    }
    return (unsigned short)(sign | (size + 0xfffu + (size >> 13 & 1u) - 0x38000000u) >> 13);
}

static inline __host__ __device__ float gw_cpu_float_of_half(unsigned short h) {
    const unsigned int sign = (h & 0x8000u) << 16, exponent = h >> 10 & 0x1fu, digits = h & 0x3ffu;
    float size = (float)digits * 5.9604644775390625e-8f; /* 2^-24 */
    if (exponent == 31) size = __builtin_bit_cast(float, 0x7f800000u | digits << 13);
    else if (exponent) size = __builtin_bit_cast(float, (exponent + 112) << 23 | digits << 13);
    return __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, size) | sign);
}

GW_CPU_HALF_CLASS(__half, __half2, gw_cpu_half_bits, gw_cpu_float_of_half)
typedef __half half;
typedef __half2 half2;

GW_CPU_HALF_CONVERSIONS(__half, __half2, half, half2, __half2float, __half22float2)
GW_CPU_HALF_FUNCTIONS(__half, __half2)
GW_CPU_HALF_MATHEMATICS(__half, __half2)
static __host__ __device__ __forceinline__ __half2 __half2half2(__half a) { return __half2(a, a); }
static __host__ __device__ __forceinline__ __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
static __host__ __device__ __forceinline__ __half2 make_half2(__half a, __half b) { return __half2(a, b); }
static __host__ __device__ __forceinline__ __half __low2half(__half2 a) { return a.x; }
static __host__ __device__ __forceinline__ __half __high2half(__half2 a) { return a.y; }

#endif
