/*
 * emitted.h - small functions that emitted text uses on the host and on the device alike: mathematical functions
 * that no C library has, and the bits of a value as an integer.
 *
 * C17, C++14 and CUDA. gw_NAMEf, gw_NAME, gw_NAMEl are for float, double, long double, as in <math.h>.
 */
#ifndef GRADWRIGHT_EMITTED_H
#define GRADWRIGHT_EMITTED_H

#include <limits.h>
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
/* An argument for a call inside decltype. */
template <class P> P gw_of();
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
/* x / y, where y's magnitude is known to lie between 2^-126 and 2^126: no subnormal number comes up but as the result. */
GW_EVERYWHERE double gw_over(double x, double y) { return x / y; }
GW_EVERYWHERE float gw_overf(float x, float y) {
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    float reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(y));
    return x * reciprocal;
#else
    return x / y;
#endif
}
/* A NaN becomes 0, as with __saturatef. */
#define GW_SATURATE(T, f) \
    GW_EVERYWHERE T gw_saturate##f(T x) { return x > 0 ? x < 1 ? x : (T)1 : (T)0; }
#define GW_RCP(T, f) \
    GW_EVERYWHERE T gw_rcp##f(T x) { return 1 / x; }
/* modf's, frexp's and remquo's results, one at a time. */
#define GW_PARTS(T, f)                        \
    GW_EVERYWHERE T gw_fraction##f(T x) {     \
        T whole;                              \
        return modf##f(x, &whole);            \
    }                                         \
    GW_EVERYWHERE T gw_mantissa##f(T x) {     \
        int exponent;                         \
        return frexp##f(x, &exponent);        \
    }                                         \
    GW_EVERYWHERE int gw_exponent##f(T x) {   \
        int exponent;                         \
        frexp##f(x, &exponent);               \
        return exponent;                      \
    }                                         \
    GW_EVERYWHERE int gw_quotient##f(T x, T y) { \
        int quotient;                         \
        remquo##f(x, y, &quotient);           \
        return quotient;                      \
    }
/* The n-th derivative of the digamma function (n = 0: that itself), which is lgamma's derivative. Above 0: upwards
 * by psi_n(x) = psi_n(x + 1) - (-1)^n n! / x^(n+1) until the asymptotic series in Bernoulli numbers is exact;
 * below: reflection, for n up to 2. NaN at the poles 0, -1, -2, ... */
#define GW_POLYGAMMA(T, f)                                                                                 \
    GW_EVERYWHERE T gw_polygamma_upper##f(T x, int n) {                                                    \
        const T bernoulli[12] = {(T)1 / 6,       (T)-1 / 30,     (T)1 / 42,         (T)-1 / 30,            \
                                 (T)5 / 66,      (T)-691 / 2730, (T)7 / 6,          (T)-3617 / 510,        \
                                 (T)43867 / 798, (T)-174611 / 330, (T)854513 / 138, (T)-236364091 / 2730}; \
        T factorial = 1, sum = 0, power = 1, ratio, tail;                                                  \
        int k;                                                                                             \
        for (k = 2; k <= n; ++k) factorial *= (T)k;                                                        \
        for (; x < (T)(16 + n); x += 1) {                                                                  \
            T term = factorial / x;                                                                        \
            for (k = 0; k < n; ++k) term /= x;                                                             \
            sum += term;                                                                                   \
        }                                                                                                  \
        for (k = 0; k < n; ++k) power /= x;                                                                \
        tail = (n ? factorial / (T)n * power : -log##f(x)) + factorial * power / (2 * x);                  \
        ratio = factorial * (T)(n + 1) / 2;                                                                \
        for (k = 1; k <= 12; ++k) {                                                                        \
            power /= x * x;                                                                                \
            tail += bernoulli[k - 1] * ratio * power;                                                      \
            ratio *= (T)(2 * k + n) * (T)(2 * k + n + 1) / ((T)(2 * k + 1) * (T)(2 * k + 2));              \
        }                                                                                                  \
        return n % 2 ? sum + tail : -(sum + tail);                                                         \
    }                                                                                                      \
    GW_EVERYWHERE T gw_polygamma##f(T x, int n) {                                                          \
        const T pi = (T)3.14159265358979323846264338327950288L;                                            \
        T turn, sine, cosine;                                                                              \
        if (x > 0 || n > 2) return x > 0 ? gw_polygamma_upper##f(x, n) : (x - x) / (x - x);                \
        turn = x - floor##f(x);                                                                            \
        if (!(turn > 0)) return (x - x) / (x - x);                                                         \
        sine = sin##f(pi * turn), cosine = cos##f(pi * turn);                                              \
        if (n == 0) return gw_polygamma_upper##f(1 - x, 0) - pi * cosine / sine;                           \
        if (n == 1) return pi * pi / (sine * sine) - gw_polygamma_upper##f(1 - x, 1);                      \
        return gw_polygamma_upper##f(1 - x, 2) - 2 * pi * pi * pi * cosine / (sine * sine * sine);         \
    }
#define GW_EACH_TYPE(row) row(float, f) row(double, )
GW_EACH_TYPE(GW_RSQRT)
GW_EACH_TYPE(GW_EXP10)
GW_EACH_TYPE(GW_NORMCDF)
GW_EACH_TYPE(GW_FDIVIDE)
GW_EACH_TYPE(GW_SATURATE)
GW_EACH_TYPE(GW_RCP)
GW_EACH_TYPE(GW_PARTS)
GW_POLYGAMMA(double, )
/* In double: near a root of lgamma's derivative a float has no digits left. */
GW_EVERYWHERE float gw_polygammaf(float x, int n) { return (float)gw_polygamma((double)x, n); }
#if !defined(__CUDACC__)
GW_RSQRT(long double, l)
GW_EXP10(long double, l)
GW_NORMCDF(long double, l)
GW_FDIVIDE(long double, l)
GW_SATURATE(long double, l)
GW_RCP(long double, l)
GW_PARTS(long double, l)
GW_POLYGAMMA(long double, l)
#endif
#undef GW_RSQRT
#undef GW_EXP10
#undef GW_NORMCDF
#undef GW_FDIVIDE
#undef GW_SATURATE
#undef GW_RCP
#undef GW_PARTS
#undef GW_POLYGAMMA
#undef GW_EACH_TYPE

/* ---- checkpoints ---- */
/* Steps `from` to `end` are to be reversed with this many states, one of them at `from`: the next step whose start is to be
 * stored, `end` if none is. With c states, where no step runs more than r times before its turn, b(c, r) = (c + r)! / (c! r!) steps
 * can be reversed; for l steps take the least such r. To store the start of step m costs m runs, and leaves l - m steps to c - 1
 * states and then m steps to c. The sum is least if both parts fit: m <= b(c, r - 1), and l - m >= b(c - 1, r - 1), and
 * the greatest m that satisfies both does. (Griewank & Walther, Algorithm 799, 2000.) */
GW_EVERYWHERE long long gw_binomial(long long from, long long end, long long states) {
    const long long length = end - from;
    long long former = 0, reach = 1; /* b(states, r - 2), b(states, r - 1) */
    if (states < 2 || length < 2) return end;
    for (long long r = 1;; r++) {
        const long long next = reach > LLONG_MAX / (states + r) ? LLONG_MAX : reach * (states + r) / r; /* divides exactly */
        if (next >= length) break;
        former = reach;
        reach = next;
    }
    {
        const long long rest = length - (reach - former); /* b(states - 1, r - 1) = b(states, r - 1) - b(states, r - 2) */
        return from + (reach < rest ? reach : rest);
    }
}

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
