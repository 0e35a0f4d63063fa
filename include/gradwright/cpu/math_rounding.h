/* Arithmetic and conversions with a stated rounding: __fmul_rn, __float2int_rd and their kin. */
#ifndef GW_CPU_MATH_ROUNDING_H
#define GW_CPU_MATH_ROUNDING_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#define GW_CPU_HD static __inline__ __host__ __device__

/* To nearest: never contracted with a neighbour, as in CUDA. */
#define GW_CPU_NEAREST(name, type, parameters, expression)                                                     \
    GW_CPU_HD type name parameters { _Pragma("clang fp contract(off)") return expression; }
GW_CPU_NEAREST(__fadd_rn, float, (float a, float b), a + b)
GW_CPU_NEAREST(__fsub_rn, float, (float a, float b), a - b)
GW_CPU_NEAREST(__fmul_rn, float, (float a, float b), a *b)
GW_CPU_NEAREST(__fdiv_rn, float, (float a, float b), a / b)
GW_CPU_NEAREST(__frcp_rn, float, (float a), 1.0f / a)
GW_CPU_NEAREST(__fsqrt_rn, float, (float a), __builtin_sqrtf(a))
GW_CPU_NEAREST(__fmaf_rn, float, (float a, float b, float c), __builtin_fmaf(a, b, c))
GW_CPU_NEAREST(__dadd_rn, double, (double a, double b), a + b)
GW_CPU_NEAREST(__dsub_rn, double, (double a, double b), a - b)
GW_CPU_NEAREST(__dmul_rn, double, (double a, double b), a *b)
GW_CPU_NEAREST(__ddiv_rn, double, (double a, double b), a / b)
GW_CPU_NEAREST(__drcp_rn, double, (double a), 1.0 / a)
GW_CPU_NEAREST(__dsqrt_rn, double, (double a), __builtin_sqrt(a))
GW_CPU_NEAREST(__fma_rn, double, (double a, double b, double c), __builtin_fma(a, b, c))
#undef GW_CPU_NEAREST

/* Directed: the runtime switches the rounding mode. Operation: + - * / r(eciprocal) s(qrt) f(ma);
   mode: z, u or d. */
extern "C" __host__ __device__ float gw_cpu_rounded_float(char operation, char mode, float a, float b,
                                                          float c) noexcept;
extern "C" __host__ __device__ double gw_cpu_rounded_double(char operation, char mode, double a, double b,
                                                            double c) noexcept;
#define GW_CPU_DIRECTED(mode, letter)                                                                          \
    GW_CPU_HD float __fadd_##mode(float a, float b) { return gw_cpu_rounded_float('+', letter, a, b, 0); }     \
    GW_CPU_HD float __fsub_##mode(float a, float b) { return gw_cpu_rounded_float('-', letter, a, b, 0); }     \
    GW_CPU_HD float __fmul_##mode(float a, float b) { return gw_cpu_rounded_float('*', letter, a, b, 0); }     \
    GW_CPU_HD float __fdiv_##mode(float a, float b) { return gw_cpu_rounded_float('/', letter, a, b, 0); }     \
    GW_CPU_HD float __frcp_##mode(float a) { return gw_cpu_rounded_float('r', letter, a, 0, 0); }              \
    GW_CPU_HD float __fsqrt_##mode(float a) { return gw_cpu_rounded_float('s', letter, a, 0, 0); }             \
    GW_CPU_HD float __fmaf_##mode(float a, float b, float c) {                                                 \
        return gw_cpu_rounded_float('f', letter, a, b, c);                                                     \
    }                                                                                                          \
    GW_CPU_HD double __dadd_##mode(double a, double b) { return gw_cpu_rounded_double('+', letter, a, b, 0); } \
    GW_CPU_HD double __dsub_##mode(double a, double b) { return gw_cpu_rounded_double('-', letter, a, b, 0); } \
    GW_CPU_HD double __dmul_##mode(double a, double b) { return gw_cpu_rounded_double('*', letter, a, b, 0); } \
    GW_CPU_HD double __ddiv_##mode(double a, double b) { return gw_cpu_rounded_double('/', letter, a, b, 0); } \
    GW_CPU_HD double __drcp_##mode(double a) { return gw_cpu_rounded_double('r', letter, a, 0, 0); }           \
    GW_CPU_HD double __dsqrt_##mode(double a) { return gw_cpu_rounded_double('s', letter, a, 0, 0); }          \
    GW_CPU_HD double __fma_##mode(double a, double b, double c) {                                              \
        return gw_cpu_rounded_double('f', letter, a, b, c);                                                    \
    }                                                                                                          \
    GW_CPU_HD float __double2float_##mode(double a) { return gw_cpu_double_to_float(letter, a); }              \
    GW_CPU_HD float __int2float_##mode(int a) { return gw_cpu_double_to_float(letter, a); }                    \
    GW_CPU_HD float __uint2float_##mode(unsigned int a) { return gw_cpu_double_to_float(letter, a); }
extern "C" __host__ __device__ float gw_cpu_double_to_float(char mode, double a) noexcept;
GW_CPU_DIRECTED(rz, 'z')
GW_CPU_DIRECTED(ru, 'u')
GW_CPU_DIRECTED(rd, 'd')
#undef GW_CPU_DIRECTED

/* Floating point to integer: out of range saturates; NaN gives 0, or the lowest 64-bit value. */
template <class I, class F> __host__ __device__ inline I gw_cpu_to_integer(F x) {
    const bool is_signed = I(-1) < I(0);
    const int bits = int(sizeof(I) * 8) - (is_signed ? 1 : 0);
    const unsigned long long ones = ~0ull >> (64 - bits);
    const F limit = F(ones / 2 + 1) * F(2);
    const I most = I(ones);
    const I least = is_signed ? I(-most - 1) : I(0);
    if (x != x) return sizeof(I) == 8 ? I((unsigned long long)1 << 63) : I(0);
    if (x >= limit) return most;
    if (is_signed ? x < -limit : x <= F(-1)) return least;
    return I(x);
}
#define GW_CPU_TO_INTEGER(from, type, to, itype, suffix)                                                       \
    GW_CPU_HD itype __##from##2##to##_rn(type x) {                                                             \
        return gw_cpu_to_integer<itype>(__builtin_rint##suffix(x));                                            \
    }                                                                                                          \
    GW_CPU_HD itype __##from##2##to##_rz(type x) {                                                             \
        return gw_cpu_to_integer<itype>(__builtin_trunc##suffix(x));                                           \
    }                                                                                                          \
    GW_CPU_HD itype __##from##2##to##_ru(type x) {                                                             \
        return gw_cpu_to_integer<itype>(__builtin_ceil##suffix(x));                                            \
    }                                                                                                          \
    GW_CPU_HD itype __##from##2##to##_rd(type x) {                                                             \
        return gw_cpu_to_integer<itype>(__builtin_floor##suffix(x));                                           \
    }
GW_CPU_TO_INTEGER(float, float, int, int, f)
GW_CPU_TO_INTEGER(float, float, uint, unsigned int, f)
GW_CPU_TO_INTEGER(float, float, ll, long long, f)
GW_CPU_TO_INTEGER(float, float, ull, unsigned long long, f)
GW_CPU_TO_INTEGER(double, double, int, int, )
GW_CPU_TO_INTEGER(double, double, uint, unsigned int, )
GW_CPU_TO_INTEGER(double, double, ll, long long, )
GW_CPU_TO_INTEGER(double, double, ull, unsigned long long, )
#undef GW_CPU_TO_INTEGER

GW_CPU_HD float __double2float_rn(double x) { return (float)x; }
GW_CPU_HD float __int2float_rn(int x) { return (float)x; }
GW_CPU_HD float __uint2float_rn(unsigned int x) { return (float)x; }
GW_CPU_HD float __ll2float_rn(long long x) { return (float)x; }
GW_CPU_HD float __ull2float_rn(unsigned long long x) { return (float)x; }
GW_CPU_HD double __int2double_rn(int x) { return (double)x; }
GW_CPU_HD double __uint2double_rn(unsigned int x) { return (double)x; }
GW_CPU_HD double __ll2double_rn(long long x) { return (double)x; }
GW_CPU_HD double __ull2double_rn(unsigned long long x) { return (double)x; }

/* The same bits as another type. */
#define GW_CPU_BITS(name, to, from)                                                                            \
    GW_CPU_HD to name(from x) { return __builtin_bit_cast(to, x); }
GW_CPU_BITS(__int_as_float, float, int)
GW_CPU_BITS(__uint_as_float, float, unsigned int)
GW_CPU_BITS(__float_as_int, int, float)
GW_CPU_BITS(__float_as_uint, unsigned int, float)
GW_CPU_BITS(__longlong_as_double, double, long long)
GW_CPU_BITS(__double_as_longlong, long long, double)
#undef GW_CPU_BITS
GW_CPU_HD int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
GW_CPU_HD int __double2loint(double x) { return (int)__double_as_longlong(x); }
GW_CPU_HD double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)(((unsigned long long)(unsigned int)high << 32) | (unsigned int)low));
}

#undef GW_CPU_HD
#endif
