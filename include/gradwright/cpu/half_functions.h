/* What half and bfloat16 have in common on the CPU device: classes of 16 bits, pairs of them, and their
 * functions, all by way of float. */
#ifndef GW_CPU_HALF_FUNCTIONS_H
#define GW_CPU_HALF_FUNCTIONS_H
#include "device_atomic_functions.h"
#include "vector_functions.h"

#define GW_CPU_HALF static __host__ __device__ __forceinline__

#define GW_CPU_HALF_CLASS(H, H2, to_bits, to_float)                                                           \
    struct __align__(2) H {                                                                                  \
        unsigned short __x;                                                                                  \
        H() = default;                                                                                       \
        __host__ __device__ H(float v) : __x(to_bits(v)) {}                                                  \
        __host__ __device__ H(double v) : __x(to_bits((float)v)) {}                                          \
        __host__ __device__ H(int v) : __x(to_bits((float)v)) {}                                             \
        __host__ __device__ operator float() const { return to_float(__x); }                                 \
        __host__ __device__ H &operator=(float v) {                                                          \
            __x = to_bits(v);                                                                                \
            return *this;                                                                                    \
        }                                                                                                    \
    };                                                                                                       \
    struct __align__(4) H2 {                                                                                 \
        H x, y;                                                                                              \
        H2() = default;                                                                                      \
        __host__ __device__ H2(const H &a, const H &b) : x(a), y(b) {}                                       \
    };

#define GW_CPU_HALF_CONVERSIONS(H, H2, name, name2, of, of2)                                                  \
    GW_CPU_HALF float of(H a) { return (float)a; }                                                           \
    GW_CPU_HALF H __float2##name(float v) { return H(v); }                                                   \
    GW_CPU_HALF H __float2##name##_rn(float v) { return H(v); }                                              \
    GW_CPU_HALF H __int2##name##_rn(int v) { return H((float)v); }                                           \
    GW_CPU_HALF int __##name##2int_rz(H a) { return (int)(float)a; }                                         \
    GW_CPU_HALF int __##name##2int_rn(H a) { return (int)rintf((float)a); }                                  \
    GW_CPU_HALF H2 __float2##name2##_rn(float v) { return H2(H(v), H(v)); }                                  \
    GW_CPU_HALF H2 __floats2##name2##_rn(float a, float b) { return H2(H(a), H(b)); }                        \
    GW_CPU_HALF H2 __float22##name2##_rn(float2 v) { return H2(H(v.x), H(v.y)); }                            \
    GW_CPU_HALF float2 of2(H2 a) { return make_float2((float)a.x, (float)a.y); }                             \
    GW_CPU_HALF float __low2float(H2 a) { return (float)a.x; }                                               \
    GW_CPU_HALF float __high2float(H2 a) { return (float)a.y; }

/* An operation with an operator; the same on pairs. */
#define GW_CPU_HALF_OPERATION(H, H2, name, sign)                                                              \
    GW_CPU_HALF H __h##name(H a, H b) { return H((float)a sign (float)b); }                                  \
    GW_CPU_HALF H operator sign(const H &a, const H &b) { return __h##name(a, b); }                          \
    GW_CPU_HALF H &operator sign##=(H &a, const H &b) { return a = __h##name(a, b); }                        \
    GW_CPU_HALF H2 operator sign(const H2 &a, const H2 &b) { return H2(a.x sign b.x, a.y sign b.y); }        \
    GW_CPU_HALF H2 &operator sign##=(H2 &a, const H2 &b) { return a = a sign b; }
#define GW_CPU_HALF_BOTH(H, H2, name, sign)                                                                   \
    GW_CPU_HALF H __h##name##_rn(H a, H b) { return __h##name(a, b); }                                       \
    GW_CPU_HALF H2 __h##name##2(H2 a, H2 b) { return a sign b; }                                             \
    GW_CPU_HALF H2 __h##name##2_rn(H2 a, H2 b) { return a sign b; }
#define GW_CPU_HALF_COMPARISON(H, name, sign)                                                                 \
    GW_CPU_HALF bool __h##name(H a, H b) { return (float)a sign (float)b; }                                  \
    GW_CPU_HALF bool operator sign(const H &a, const H &b) { return (float)a sign (float)b; }
#define GW_CPU_HALF_ONE(H, H2, name, value)                                                                   \
    GW_CPU_HALF H __h##name(H a) { return H(value); }                                                        \
    GW_CPU_HALF H2 __h##name##2(H2 a) { return H2(__h##name(a.x), __h##name(a.y)); }
#define GW_CPU_HALF_TWO(H, H2, name, function)                                                                \
    GW_CPU_HALF H __h##name(H a, H b) { return H(function((float)a, (float)b)); }                            \
    GW_CPU_HALF H2 __h##name##2(H2 a, H2 b) { return H2(__h##name(a.x, b.x), __h##name(a.y, b.y)); }

#define GW_CPU_HALF_FUNCTIONS(H, H2)                                                                          \
    GW_CPU_HALF_OPERATION(H, H2, add, +)                                                                     \
    GW_CPU_HALF_OPERATION(H, H2, sub, -)                                                                     \
    GW_CPU_HALF_OPERATION(H, H2, mul, *)                                                                     \
    GW_CPU_HALF_OPERATION(H, H2, div, /)                                                                     \
    GW_CPU_HALF_BOTH(H, H2, add, +)                                                                          \
    GW_CPU_HALF_BOTH(H, H2, sub, -)                                                                          \
    GW_CPU_HALF_BOTH(H, H2, mul, *)                                                                          \
    GW_CPU_HALF H2 __h2div(H2 a, H2 b) { return a / b; }                                                     \
    GW_CPU_HALF_COMPARISON(H, eq, ==)                                                                        \
    GW_CPU_HALF_COMPARISON(H, ne, !=)                                                                        \
    GW_CPU_HALF_COMPARISON(H, lt, <)                                                                         \
    GW_CPU_HALF_COMPARISON(H, le, <=)                                                                        \
    GW_CPU_HALF_COMPARISON(H, gt, >)                                                                         \
    GW_CPU_HALF_COMPARISON(H, ge, >=)                                                                        \
    GW_CPU_HALF bool __hisnan(H a) { return (float)a != (float)a; }                                          \
    GW_CPU_HALF H __hfma(H a, H b, H c) { return H(fmaf((float)a, (float)b, (float)c)); }                    \
    GW_CPU_HALF H2 __hfma2(H2 a, H2 b, H2 c) { return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }    \
    GW_CPU_HALF_ONE(H, H2, neg, -(float)a)                                                                   \
    GW_CPU_HALF_ONE(H, H2, abs, fabsf((float)a))                                                             \
    GW_CPU_HALF_TWO(H, H2, max, fmaxf)                                                                       \
    GW_CPU_HALF_TWO(H, H2, min, fminf)                                                                       \
    GW_CPU_HALF H operator-(const H &a) { return __hneg(a); }                                                \
    GW_CPU_HALF H operator+(const H &a) { return a; }                                                        \
    GW_CPU_HALF H2 operator-(const H2 &a) { return __hneg2(a); }                                             \
    static __device__ __forceinline__ H atomicAdd(H *p, H v) {                                               \
        return gw_cpu_atomic_change<unsigned short>(p, [=](H old) -> H { return old + v; });                 \
    }                                                                                                        \
    static __device__ __forceinline__ H2 atomicAdd(H2 *p, H2 v) {                                            \
        return H2(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y));                                             \
    }

#define GW_CPU_HALF_FUNCTION(H, H2, name, value)                                                              \
    GW_CPU_HALF H h##name(H a) { return H(value); }                                                          \
    GW_CPU_HALF H2 h2##name(H2 a) { return H2(h##name(a.x), h##name(a.y)); }
#define GW_CPU_HALF_MATHEMATICS(H, H2)                                                                        \
    GW_CPU_HALF_FUNCTION(H, H2, exp, expf((float)a))                                                         \
    GW_CPU_HALF_FUNCTION(H, H2, exp2, exp2f((float)a))                                                       \
    GW_CPU_HALF_FUNCTION(H, H2, exp10, powf(10.0f, (float)a))                                                \
    GW_CPU_HALF_FUNCTION(H, H2, log, logf((float)a))                                                         \
    GW_CPU_HALF_FUNCTION(H, H2, log2, log2f((float)a))                                                       \
    GW_CPU_HALF_FUNCTION(H, H2, log10, log10f((float)a))                                                     \
    GW_CPU_HALF_FUNCTION(H, H2, sqrt, sqrtf((float)a))                                                       \
    GW_CPU_HALF_FUNCTION(H, H2, rsqrt, 1.0f / sqrtf((float)a))                                               \
    GW_CPU_HALF_FUNCTION(H, H2, rcp, 1.0f / (float)a)                                                        \
    GW_CPU_HALF_FUNCTION(H, H2, sin, sinf((float)a))                                                         \
    GW_CPU_HALF_FUNCTION(H, H2, cos, cosf((float)a))                                                         \
    GW_CPU_HALF_FUNCTION(H, H2, tanh, tanhf((float)a))                                                       \
    GW_CPU_HALF_FUNCTION(H, H2, floor, floorf((float)a))                                                     \
    GW_CPU_HALF_FUNCTION(H, H2, ceil, ceilf((float)a))                                                       \
    GW_CPU_HALF_FUNCTION(H, H2, trunc, truncf((float)a))                                                     \
    GW_CPU_HALF_FUNCTION(H, H2, rint, rintf((float)a))

#endif
