/* Arithmetic in a directed rounding mode. Built with -frounding-math; the operands are volatile, so
 * that nothing is computed before the mode is set. */
#include "device.h"
#include <fenv.h>
#include <math.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

GW_CPU_API float gw_cpu_rounded_float(char operation, char mode, float a, float b, float c);
GW_CPU_API double gw_cpu_rounded_double(char operation, char mode, double a, double b, double c);
GW_CPU_API float gw_cpu_double_to_float(char mode, double a);

static int begin(char mode) {
    const int before = fegetround();
    const int directed = mode == 'u' ? FE_UPWARD : FE_DOWNWARD;
    fesetround(mode == 'z' ? FE_TOWARDZERO : directed);
    return before;
}

#ifdef __SSE2__
/* For what is computed without a call, by the SSE unit: fesetround sets the x87's mode, too, which takes most
 * of the time. */
static unsigned int begin_plain(char mode) {
    const unsigned int before = _mm_getcsr(), other = mode == 'u' ? _MM_ROUND_UP : _MM_ROUND_DOWN;
    _mm_setcsr((before & ~(unsigned int)_MM_ROUND_MASK) | (mode == 'z' ? _MM_ROUND_TOWARD_ZERO : other));
    return before;
}
static void end_plain(unsigned int before) { _mm_setcsr(before); }
#else
static unsigned int begin_plain(char mode) { return (unsigned int)begin(mode); }
static void end_plain(unsigned int before) { fesetround((int)before); }
#endif

#define ROUNDED(name, type, square_root, multiply_add)                                                         \
    type name(char operation, char mode, type first, type second, type third) {                                \
        volatile type a = first, b = second, c = third, result = 0;                                            \
        if (operation == 'f') {                                                                                \
            const int all = begin(mode);                                                                       \
            result = multiply_add(a, b, c);                                                                    \
            fesetround(all);                                                                                   \
            return result;                                                                                     \
        }                                                                                                      \
        const unsigned int before = begin_plain(mode);                                                         \
        switch (operation) {                                                                                   \
        case '+':                                                                                              \
            result = a + b;                                                                                    \
            break;                                                                                             \
        case '-':                                                                                              \
            result = a - b;                                                                                    \
            break;                                                                                             \
        case '*':                                                                                              \
            result = a * b;                                                                                    \
            break;                                                                                             \
        case '/':                                                                                              \
            result = a / b;                                                                                    \
            break;                                                                                             \
        case 'r':                                                                                              \
            result = (type)1 / a;                                                                              \
            break;                                                                                             \
        default:                                                                                               \
            result = square_root(a);                                                                           \
        }                                                                                                      \
        end_plain(before);                                                                                     \
        return result;                                                                                         \
    }

ROUNDED(gw_cpu_rounded_float, float, sqrtf, fmaf)
ROUNDED(gw_cpu_rounded_double, double, sqrt, fma)

float gw_cpu_double_to_float(char mode, double value) {
    volatile double a = value;
    const int before = begin(mode);
    volatile float result = (float)a;
    fesetround(before);
    return result;
}
