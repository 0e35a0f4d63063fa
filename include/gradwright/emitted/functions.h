/*
 * functions.h - small functions that emitted text uses on the host and on the device alike: mathematical
 * functions that no C library has, and the bits of a value as an integer.
 *
 * What Gradwright writes belongs to whoever owns the source that it was made from; so does what a compiler
 * makes of it, with what it takes from this folder (LICENSE, "LLVM Exceptions").
 *
 * C17, C++14 and CUDA. gw_NAMEf, gw_NAME, gw_NAMEl are for float, double, long double, as in <math.h>.
 */
#ifndef GRADWRIGHT_EMITTED_H
#define GRADWRIGHT_EMITTED_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
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
template <class _GwP> struct gw_cell_of {
    typedef _GwP gw_type;
};
template <class _GwP> struct gw_cell_of<_GwP &> : gw_cell_of<_GwP> {};
template <class _GwP> struct gw_cell_of<_GwP *> : gw_cell_of<_GwP> {};
template <class _GwP> struct gw_cell_of<_GwP *__restrict__> : gw_cell_of<_GwP> {};
template <class _GwP> struct gw_cell_of<const _GwP> : gw_cell_of<_GwP> {};
template <class _GwP> using gw_cell = typename gw_cell_of<_GwP>::gw_type;
/* An argument for a call inside decltype. */
template <class _GwP> _GwP gw_of();
#endif

/* ---- integers: of 32 or 64 bits ---- */
#define gw_popc(gw_x) \
    (sizeof(gw_x) == 8 ? __builtin_popcountll(gw_x) : __builtin_popcount((unsigned int)(gw_x)))
#define gw_ffs(gw_x) (sizeof(gw_x) == 8 ? __builtin_ffsll((long long)(gw_x)) : __builtin_ffs((int)(gw_x)))
#define gw_clz_of(gw_x) \
    (sizeof(gw_x) == 8 ? __builtin_clzll((unsigned long long)(gw_x)) : __builtin_clz((unsigned int)(gw_x)))
/* of 0 their number of bits, as on a device */
#define gw_clz(gw_x) ((gw_x) ? gw_clz_of(gw_x) : (int)(8 * sizeof(gw_x)))

/* A number that tells what came before, and what has come now (gradwright/sparse.h): the last steps of
 * splitmix64 (Steele, Lea and Flood 2014), each of which can be undone, so of two that differ in one of both
 * never the same comes. */
GW_EVERYWHERE unsigned long long gw_mix(unsigned long long gw_before, unsigned long long gw_now) {
    unsigned long long gw_x = (gw_before ^ gw_now) * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
    gw_x = (gw_x ^ (gw_x >> 30)) * 0xbf58476d1ce4e5b9ull;
    gw_x = (gw_x ^ (gw_x >> 27)) * 0x94d049bb133111ebull;
    return gw_x ^ (gw_x >> 31);
}

/* ---- mathematics: one row for each function and type ---- */
#define GW_RSQRT(T, f) \
    GW_EVERYWHERE T gw_rsqrt##f(T gw_x) { return 1 / sqrt##f(gw_x); }
#define GW_EXP10(T, f) \
    GW_EVERYWHERE T gw_exp10##f(T gw_x) { return pow##f((T)10, gw_x); }
#define GW_NORMCDF(T, f)                                                                                       \
    GW_EVERYWHERE T gw_normcdf##f(T gw_x) {                                                                    \
        return erfc##f(-gw_x * (T)0.70710678118654752440084436210484904L) / 2;                                 \
    }
#define GW_FDIVIDE(T, f) \
    GW_EVERYWHERE T gw_fdivide##f(T gw_x, T gw_y) { return gw_x / gw_y; }
/* x / y, where y's magnitude is known to lie between 2^-126 and 2^126: no subnormal number comes up but as the
 * result. */
GW_EVERYWHERE double gw_over(double gw_x, double gw_y) { return gw_x / gw_y; }
GW_EVERYWHERE float gw_overf(float gw_x, float gw_y) {
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    float gw_reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(gw_reciprocal) : "f"(gw_y));
    return gw_x * gw_reciprocal;
#else
    return gw_x / gw_y;
#endif
}
/* What an adjoint gives, but 0 where it is 0 and that is NaN: nothing has used the value. */
#define GW_USED(T, f) \
    GW_EVERYWHERE T gw_used##f(T gw_adjoint, T gw_given) { \
        return gw_adjoint == 0 && gw_given != gw_given ? (T)0 : gw_given; \
    }
/* A NaN becomes 0, as with __saturatef. */
#define GW_SATURATE(T, f) \
    GW_EVERYWHERE T gw_saturate##f(T gw_x) {    \
        if (!(gw_x > 0)) return (T)0;           \
        return gw_x < 1 ? gw_x : (T)1;          \
    }
#define GW_RCP(T, f) \
    GW_EVERYWHERE T gw_rcp##f(T gw_x) { return 1 / gw_x; }
/* modf's, frexp's and remquo's results, one at a time. */
#define GW_PARTS(T, f)                        \
    GW_EVERYWHERE T gw_fraction##f(T gw_x) {     \
        T gw_whole;                              \
        return modf##f(gw_x, &gw_whole);            \
    }                                         \
    GW_EVERYWHERE T gw_mantissa##f(T gw_x) {     \
        int gw_exponent;                         \
        return frexp##f(gw_x, &gw_exponent);        \
    }                                         \
    GW_EVERYWHERE int gw_exponent##f(T gw_x) {   \
        int gw_exponent;                         \
        frexp##f(gw_x, &gw_exponent);               \
        return gw_exponent;                      \
    }                                         \
    GW_EVERYWHERE int gw_quotient##f(T gw_x, T gw_y) { \
        int gw_quotient;                         \
        remquo##f(gw_x, gw_y, &gw_quotient);           \
        return gw_quotient;                      \
    }
/* The n-th derivative of the digamma function (n = 0: that itself), which is lgamma's derivative. Above 0:
 * upwards by psi_n(x) = psi_n(x + 1) - (-1)^n n! / x^(n+1) until the asymptotic series in Bernoulli numbers is
 * exact; below: reflection, for n up to 2. NaN at the poles 0, -1, -2, ... */
#define GW_POLYGAMMA(T, f)                                                                                     \
    GW_EVERYWHERE T gw_polygamma_upper##f(T gw_x, int gw_n) {                                                  \
        const T gw_bernoulli[12] = {(T)1 / 6,       (T)-1 / 30,       (T)1 / 42,       (T)-1 / 30,             \
                                    (T)5 / 66,      (T)-691 / 2730,   (T)7 / 6,        (T)-3617 / 510,         \
                                    (T)43867 / 798, (T)-174611 / 330, (T)854513 / 138, (T)-236364091 / 2730};  \
        T gw_factorial = 1, gw_sum = 0, gw_power = 1, gw_ratio, gw_tail;                                       \
        int gw_k;                                                                                              \
        for (gw_k = 2; gw_k <= gw_n; ++gw_k)                                                                   \
            gw_factorial *= (T)gw_k;                                                                           \
        for (; gw_x < (T)(16 + gw_n); gw_x += 1) {                                                             \
            T gw_term = gw_factorial / gw_x;                                                                   \
            for (gw_k = 0; gw_k < gw_n; ++gw_k)                                                                \
                gw_term /= gw_x;                                                                               \
            gw_sum += gw_term;                                                                                 \
        }                                                                                                      \
        for (gw_k = 0; gw_k < gw_n; ++gw_k)                                                                    \
            gw_power /= gw_x;                                                                                  \
        gw_tail =                                                                                              \
            (gw_n ? gw_factorial / (T)gw_n * gw_power : -log##f(gw_x)) + gw_factorial * gw_power / (2 * gw_x); \
        gw_ratio = gw_factorial * (T)(gw_n + 1) / 2;                                                           \
        for (gw_k = 1; gw_k <= 12; ++gw_k) {                                                                   \
            gw_power /= gw_x * gw_x;                                                                           \
            gw_tail += gw_bernoulli[gw_k - 1] * gw_ratio * gw_power;                                           \
            gw_ratio *=                                                                                        \
                (T)(2 * gw_k + gw_n) * (T)(2 * gw_k + gw_n + 1) / ((T)(2 * gw_k + 1) * (T)(2 * gw_k + 2));     \
        }                                                                                                      \
        return gw_n % 2 ? gw_sum + gw_tail : -(gw_sum + gw_tail);                                              \
    }                                                                                                          \
    GW_EVERYWHERE T gw_polygamma##f(T gw_x, int gw_n) {                                                        \
        const T gw_pi = (T)3.14159265358979323846264338327950288L;                                             \
        T gw_turn, gw_sine, gw_cosine;                                                                         \
        if (gw_x > 0 || gw_n > 2)                                                                              \
            return gw_x > 0 ? gw_polygamma_upper##f(gw_x, gw_n) : (gw_x - gw_x) / (gw_x - gw_x);               \
        gw_turn = gw_x - floor##f(gw_x);                                                                       \
        if (!(gw_turn > 0)) return (gw_x - gw_x) / (gw_x - gw_x);                                              \
        gw_sine = sin##f(gw_pi * gw_turn), gw_cosine = cos##f(gw_pi * gw_turn);                                \
        if (gw_n == 0) return gw_polygamma_upper##f(1 - gw_x, 0) - gw_pi * gw_cosine / gw_sine;                \
        if (gw_n == 1) return gw_pi * gw_pi / (gw_sine * gw_sine) - gw_polygamma_upper##f(1 - gw_x, 1);        \
        return gw_polygamma_upper##f(1 - gw_x, 2) -                                                            \
               2 * gw_pi * gw_pi * gw_pi * gw_cosine / (gw_sine * gw_sine * gw_sine);                          \
    }
#define GW_EACH_TYPE(row) row(float, f) row(double, )
GW_EACH_TYPE(GW_RSQRT)
GW_EACH_TYPE(GW_EXP10)
GW_EACH_TYPE(GW_NORMCDF)
GW_EACH_TYPE(GW_FDIVIDE)
GW_EACH_TYPE(GW_SATURATE)
GW_EACH_TYPE(GW_USED)
GW_EACH_TYPE(GW_RCP)
GW_EACH_TYPE(GW_PARTS)
GW_POLYGAMMA(double, )
/* In double: near a root of lgamma's derivative a float has no digits left. */
GW_EVERYWHERE float gw_polygammaf(float gw_x, int gw_n) { return (float)gw_polygamma((double)gw_x, gw_n); }
#if !defined(__CUDACC__)
GW_RSQRT(long double, l)
GW_EXP10(long double, l)
GW_NORMCDF(long double, l)
GW_FDIVIDE(long double, l)
GW_SATURATE(long double, l)
GW_USED(long double, l)
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
/* Steps `gw_from` to `gw_end` are to be reversed with this many states, one of them at `gw_from`: the next step
 * whose start is to be stored, `gw_end` if none is. With c states, where no step runs more than r times before
 * its turn, b(c, r) = (c + r)! / (c! r!) steps can be reversed; for l steps take the least such r. To store the
 * start of step m costs m runs, and leaves l - m steps to c - 1 states and then m steps to c. The sum is least
 * if both parts fit: m <= b(c, r - 1), and l - m >= b(c - 1, r - 1), and the greatest m that satisfies both
 * does. (Griewank & Walther, Algorithm 799, 2000.) */
GW_EVERYWHERE long long gw_binomial(long long gw_from, long long gw_end, long long gw_states) {
    const long long gw_length = gw_end - gw_from;
    long long gw_former = 0, gw_reach = 1; /* b(states, r - 2), b(states, r - 1) */
    if (gw_states < 2 || gw_length < 2) return gw_end;
    for (long long gw_r = 1;; gw_r++) {
        /* divides exactly */
        const long long gw_next =
            gw_reach > LLONG_MAX / (gw_states + gw_r) ? LLONG_MAX : gw_reach * (gw_states + gw_r) / gw_r;
        if (gw_next >= gw_length) break;
        gw_former = gw_reach;
        gw_reach = gw_next;
    }
    {
        /* b(states - 1, r - 1) = b(states, r - 1) - b(states, r - 2) */
        const long long gw_rest = gw_length - (gw_reach - gw_former);
        return gw_from + (gw_reach < gw_rest ? gw_reach : gw_rest);
    }
}

/* ---- bits ---- */
#define GW_BITS(T, bits, suffix)                 \
    GW_EVERYWHERE bits gw_bits_of_##suffix(T gw_x) { \
        bits gw_b;                                  \
        memcpy(&gw_b, &gw_x, sizeof gw_b);                \
        return gw_b;                                \
    }                                            \
    GW_EVERYWHERE T gw_##suffix##_of_bits(bits gw_b) { \
        T gw_x;                                     \
        memcpy(&gw_x, &gw_b, sizeof gw_x);                \
        return gw_x;                                \
    }
GW_BITS(float, unsigned int, f32)
GW_BITS(int, unsigned int, i32)
GW_BITS(unsigned int, unsigned int, u32)
GW_BITS(double, unsigned long long, f64)
GW_BITS(long long, unsigned long long, i64)
GW_BITS(unsigned long long, unsigned long long, u64)
#undef GW_BITS

/* An address so many bytes on. */
GW_EVERYWHERE const void *gw_offset(const void *gw_at, long long gw_bytes) {
    return (const char *)gw_at + gw_bytes;
}

/* ---- calls that are found when running ---- */
/* What runs is in another file, or its address is not taken in this one: a derivative of it is not known. */
#ifdef __cplusplus
[[__noreturn__]] inline
#else
_Noreturn static inline
#endif
void gw_end_unknown(const char *gw_what) {
    fprintf(stderr, "%s of which the derivative does not know: it ends here\n", gw_what);
    abort();
}

#endif
