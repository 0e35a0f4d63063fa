/*
 * emitted.h - small functions that emitted text uses on the host and on the device alike: mathematical functions
 * that no C library has, and the bits of a value as an integer.
 *
 * C17, C++14 and CUDA. gw_NAMEf, gw_NAME, gw_NAMEl are for float, double, long double, as in <math.h>.
 */
#ifndef GRADWRIGHT_EMITTED_H
#define GRADWRIGHT_EMITTED_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gradwright/runtime.h"

#if defined(__CUDACC__)
#define GW_EVERYWHERE __host__ __device__ inline
#elif defined(__cplusplus)
#define GW_EVERYWHERE inline
#else
#define GW_EVERYWHERE static inline
#endif

/* ---- types ---- */
#ifdef __cplusplus
/* What the adjoint of a parameter of type P points to: "const T *", "T &" and "T" have T. */
template <class P> struct gw_cell_of {
    typedef P type;
};
template <class P> struct gw_cell_of<P &> : gw_cell_of<P> {};
template <class P> struct gw_cell_of<P *> : gw_cell_of<P> {};
template <class P> struct gw_cell_of<P *__restrict__> : gw_cell_of<P> {};
template <class P> struct gw_cell_of<const P> : gw_cell_of<P> {};
template <class P> using gw_cell = typename gw_cell_of<P>::type;
#endif

/* ---- mathematics: one row for each function and type ---- */
#define GW_RSQRT(T, f) \
    GW_EVERYWHERE T gw_rsqrt##f(T x) { return 1 / sqrt##f(x); }
#define GW_EXP10(T, f) \
    GW_EVERYWHERE T gw_exp10##f(T x) { return pow##f((T)10, x); }
#define GW_NORMCDF(T, f) \
    GW_EVERYWHERE T gw_normcdf##f(T x) { return erfc##f(-x * (T)0.70710678118654752440084436210484904L) / 2; }
#define GW_FDIVIDE(T, f) \
    GW_EVERYWHERE T gw_fdivide##f(T x, T y) { return x / y; }
/* A NaN becomes 0, as with __saturatef. */
#define GW_SATURATE(T, f) \
    GW_EVERYWHERE T gw_saturate##f(T x) { return x > 0 ? x < 1 ? x : (T)1 : (T)0; }
#define GW_EACH_TYPE(row) row(float, f) row(double, )
GW_EACH_TYPE(GW_RSQRT)
GW_EACH_TYPE(GW_EXP10)
GW_EACH_TYPE(GW_NORMCDF)
GW_EACH_TYPE(GW_FDIVIDE)
GW_EACH_TYPE(GW_SATURATE)
#if !defined(__CUDACC__)
GW_RSQRT(long double, l)
GW_EXP10(long double, l)
GW_NORMCDF(long double, l)
GW_FDIVIDE(long double, l)
GW_SATURATE(long double, l)
#endif
#undef GW_RSQRT
#undef GW_EXP10
#undef GW_NORMCDF
#undef GW_FDIVIDE
#undef GW_SATURATE
#undef GW_EACH_TYPE

/* ---- bits ---- */
#define GW_BITS(T, bits, suffix)                 \
    GW_EVERYWHERE bits gw_bits_of_##suffix(T x) { \
        bits b;                                  \
        memcpy(&b, &x, sizeof b);                \
        return b;                                \
    }                                            \
    GW_EVERYWHERE T gw_##suffix##_of_bits(bits b) { \
        T x;                                     \
        memcpy(&x, &b, sizeof x);                \
        return x;                                \
    }
GW_BITS(float, unsigned int, f32)
GW_BITS(int, unsigned int, i32)
GW_BITS(unsigned int, unsigned int, u32)
GW_BITS(double, unsigned long long, f64)
GW_BITS(long long, unsigned long long, i64)
GW_BITS(unsigned long long, unsigned long long, u64)
#undef GW_BITS

#endif
