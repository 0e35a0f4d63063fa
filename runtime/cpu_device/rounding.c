/* Arithmetic in a directed rounding mode. Built with -frounding-math; the operands are volatile, so
 * that nothing is computed before the mode is set. */
#include "device.h"
#include <fenv.h>
#include <math.h>

GW_CPU_API float gw_cpu_rounded_float(char operation, char mode, float a, float b, float c);
GW_CPU_API double gw_cpu_rounded_double(char operation, char mode, double a, double b, double c);
GW_CPU_API float gw_cpu_double_to_float(char mode, double a);

static int begin(char mode) {
    const int before = fegetround();
    fesetround(mode == 'z' ? FE_TOWARDZERO : mode == 'u' ? FE_UPWARD : FE_DOWNWARD);
    return before;
}

#define ROUNDED(name, type, square_root, multiply_add)                                                         \
    type name(char operation, char mode, type first, type second, type third) {                                \
        volatile type a = first, b = second, c = third, result = 0;                                            \
        const int before = begin(mode);                                                                        \
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
        case 's':                                                                                              \
            result = square_root(a);                                                                           \
            break;                                                                                             \
        default:                                                                                               \
            result = multiply_add(a, b, c);                                                                    \
        }                                                                                                      \
        fesetround(before);                                                                                    \
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
