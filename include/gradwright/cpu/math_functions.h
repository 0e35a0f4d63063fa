/* CUDA's math functions that the C library lacks, and its fast intrinsics.
 *
 * sinf, exp, fma and the rest of C99's come from <math.h>, which cuda_runtime.h makes callable from
 * device code. The float form of a function here is its double form rounded. The fast intrinsics
 * are as accurate as the ordinary functions: a CPU test must not pass on their error. */
#ifndef __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "vector_types.h"

#define GW_CPU_HD static __inline__ __host__ __device__

/* name(double), namef(float) and the overload name(float), from the runtime's gw_cpu_name. */
#define GW_CPU_UNARY(name)                                                                                     \
    extern "C" __host__ __device__ double gw_cpu_##name(double x) noexcept;                                    \
    GW_CPU_HD double name(double x) { return gw_cpu_##name(x); }                                               \
    GW_CPU_HD float name##f(float x) { return (float)gw_cpu_##name((double)x); }                               \
    GW_CPU_HD float name(float x) { return name##f(x); }

GW_CPU_UNARY(rsqrt)
GW_CPU_UNARY(rcbrt)
GW_CPU_UNARY(sinpi)
GW_CPU_UNARY(cospi)
GW_CPU_UNARY(erfinv)
GW_CPU_UNARY(erfcinv)
GW_CPU_UNARY(erfcx)
GW_CPU_UNARY(normcdf)
GW_CPU_UNARY(normcdfinv)
GW_CPU_UNARY(cyl_bessel_i0)
GW_CPU_UNARY(cyl_bessel_i1)
#undef GW_CPU_UNARY

extern "C" __host__ __device__ double gw_cpu_norm(int n, const double *x) noexcept;
extern "C" __host__ __device__ double gw_cpu_normf(int n, const float *x) noexcept;

GW_CPU_HD double norm(int n, const double *x) { return gw_cpu_norm(n, x); }
GW_CPU_HD float normf(int n, const float *x) { return (float)gw_cpu_normf(n, x); }
GW_CPU_HD double rnorm(int n, const double *x) { return 1.0 / gw_cpu_norm(n, x); }
GW_CPU_HD float rnormf(int n, const float *x) { return (float)(1.0 / gw_cpu_normf(n, x)); }

GW_CPU_HD double norm3d(double a, double b, double c) {
    const double x[3] = {a, b, c};
    return gw_cpu_norm(3, x);
}
GW_CPU_HD double norm4d(double a, double b, double c, double d) {
    const double x[4] = {a, b, c, d};
    return gw_cpu_norm(4, x);
}
GW_CPU_HD double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
GW_CPU_HD double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
GW_CPU_HD double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
GW_CPU_HD float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
GW_CPU_HD float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
GW_CPU_HD float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
GW_CPU_HD float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
GW_CPU_HD float rhypotf(float a, float b) { return (float)rhypot(a, b); }
GW_CPU_HD float rhypot(float a, float b) { return rhypotf(a, b); }

GW_CPU_HD void sincospi(double x, double *s, double *c) {
    *s = sinpi(x);
    *c = cospi(x);
}
GW_CPU_HD void sincospif(float x, float *s, float *c) {
    *s = sinpif(x);
    *c = cospif(x);
}
GW_CPU_HD void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
GW_CPU_HD void sincos(float x, float *s, float *c) { ::sincosf(x, s, c); }
GW_CPU_HD float exp10(float x) { return ::exp10f(x); }
GW_CPU_HD float fdividef(float a, float b) { return a / b; }

/* Fast intrinsics. The C library declares the first group, extern "C" and host+device here. */
extern "C" {
__host__ __device__ inline float __expf(float x) noexcept { return ::expf(x); }
__host__ __device__ inline float __exp10f(float x) noexcept { return ::exp10f(x); }
__host__ __device__ inline float __logf(float x) noexcept { return ::logf(x); }
__host__ __device__ inline float __log2f(float x) noexcept { return ::log2f(x); }
__host__ __device__ inline float __log10f(float x) noexcept { return ::log10f(x); }
__host__ __device__ inline float __sinf(float x) noexcept { return ::sinf(x); }
__host__ __device__ inline float __cosf(float x) noexcept { return ::cosf(x); }
__host__ __device__ inline float __tanf(float x) noexcept { return ::tanf(x); }
__host__ __device__ inline float __tanhf(float x) noexcept { return ::tanhf(x); }
__host__ __device__ inline float __powf(float x, float y) noexcept { return ::powf(x, y); }
__host__ __device__ inline void __sincosf(float x, float *s, float *c) noexcept {
    *s = ::sinf(x);
    *c = ::cosf(x);
}
}
GW_CPU_HD float __fdividef(float a, float b) { return a / b; }
GW_CPU_HD float __saturatef(float x) {
    if (!(x > 0.0f)) return 0.0f;
    return x < 1.0f ? x : 1.0f;
}
GW_CPU_HD float __frsqrt_rn(float x) { return rsqrtf(x); }

/* Minimum and maximum. The floating forms return the other operand if one is NaN. */
#define GW_EXTREMES(type, left, right)                                                                         \
    GW_CPU_HD type min(left a, right b) { return (type)a < (type)b ? (type)a : (type)b; }                      \
    GW_CPU_HD type max(left a, right b) { return (type)a > (type)b ? (type)a : (type)b; }
#include "../read/extremes.h"
GW_CPU_HD float min(float a, float b) { return ::fminf(a, b); }
GW_CPU_HD float max(float a, float b) { return ::fmaxf(a, b); }
GW_CPU_HD double min(double a, double b) { return ::fmin(a, b); }
GW_CPU_HD double max(double a, double b) { return ::fmax(a, b); }
GW_CPU_HD double min(float a, double b) { return ::fmin((double)a, b); }
GW_CPU_HD double max(float a, double b) { return ::fmax((double)a, b); }
GW_CPU_HD double min(double a, float b) { return ::fmin(a, (double)b); }
GW_CPU_HD double max(double a, float b) { return ::fmax(a, (double)b); }
GW_CPU_HD unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
GW_CPU_HD unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
GW_CPU_HD long long llmin(long long a, long long b) { return min(a, b); }
GW_CPU_HD long long llmax(long long a, long long b) { return max(a, b); }
GW_CPU_HD unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
GW_CPU_HD unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

#undef GW_CPU_HD
#endif
