/* GW_ERROR of each function of mathematics alone: what rounding.def says that it is off by at most is no less
 * than what it is off by at random arguments, and no more than it was at the worst of them a few times. */
#include <gradwright/gradwright.h>
#include <math.h>

/* of c, so that the argument itself is taken to be exact */
#define ONE(of, low, high)                                                                                     \
    GW_ERROR("wrt c") double of_##of(double c, double x) { return (void)c, of(x); }                            \
    GW_ERROR("wrt c") float of_float_##of(float c, float x) { return (void)c, of##f(x); }
#define FUNCTIONS                                                                                              \
    ONE(sqrt, 0, 100)                                                                                          \
    ONE(cbrt, -100, 100)                                                                                       \
    ONE(exp, -20, 20)                                                                                          \
    ONE(exp2, -20, 20)                                                                                         \
    ONE(expm1, -2, 2)                                                                                          \
    ONE(log, 0, 10)                                                                                            \
    ONE(log2, 0, 10)                                                                                           \
    ONE(log10, 0, 10)                                                                                          \
    ONE(log1p, -0.9, 4)                                                                                        \
    ONE(sin, -20, 20)                                                                                          \
    ONE(cos, -20, 20)                                                                                          \
    ONE(tan, -20, 20)                                                                                          \
    ONE(asin, -1, 1)                                                                                           \
    ONE(acos, -1, 1)                                                                                           \
    ONE(atan, -20, 20)                                                                                         \
    ONE(sinh, -10, 10)                                                                                         \
    ONE(cosh, -10, 10)                                                                                         \
    ONE(tanh, -3, 3)                                                                                           \
    ONE(asinh, -10, 10)                                                                                        \
    ONE(acosh, 1, 10)                                                                                          \
    ONE(atanh, -1, 1)                                                                                          \
    ONE(erf, -3, 3)                                                                                            \
    ONE(erfc, -3, 8)                                                                                           \
    ONE(tgamma, 0.1, 20)                                                                                       \
    ONE(lgamma, -4, 20)
FUNCTIONS
GW_ERROR("wrt c") double of_pow(double c, double x) { return (void)c, pow(x, 2.7); }
GW_ERROR("wrt c") double of_hypot(double c, double x) { return (void)c, hypot(x, 0.7); }
GW_ERROR("wrt c") double of_atan2(double c, double x) { return (void)c, atan2(x, 0.7); }
GW_ERROR("wrt c") double of_fma(double c, double x) { return (void)c, fma(x, 0.7, x); }

#include "rounding_functions.grad.h"

#include "difference.h"

static double number(void) {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 0x1p53;
}

static double largest; /* part of the bound that an error was */
static void compare(const char *name, double x, double bound, long double error) {
    const double part = (double)fabsl(error) / bound;
    if (error == 0) return;
    if (part > largest) largest = part;
    if (part <= 1) return;
    printf("%s(%.17g): bound %g, error %g\n", name, x, bound, (double)fabsl(error));
    difference_failures++;
}

enum { POINTS = 4000 };
#define CHECK(name, low, high, call, error_of, exact, type)                                                    \
    largest = 0;                                                                                               \
    for (int i = 0; i < POINTS; i++) {                                                                         \
        double bound = 0;                                                                                      \
        const type x = (type)((low) + ((high) - (low)) * number());                                            \
        error_of(1, x, &bound);                                                                                \
        compare(name, (double)x, bound, (exact) - (long double)call(1, x));                                    \
    }                                                                                                          \
    EXPECT(largest > 0.05);

int main(void) {
#undef ONE
#define ONE(of, low, high)                                                                                     \
    CHECK(#of, low, high, of_##of, of_##of##_error, of##l((long double)x), double)                             \
    CHECK(#of "f", low, high, of_float_##of, of_float_##of##_error, of##l((long double)x), float)
    FUNCTIONS
    CHECK("pow", 0, 10, of_pow, of_pow_error, powl(x, 2.7), double)
    CHECK("hypot", -2, 2, of_hypot, of_hypot_error, hypotl(x, 0.7), double)
    CHECK("atan2", -2, 2, of_atan2, of_atan2_error, atan2l(x, 0.7), double)
    CHECK("fma", -2, 2, of_fma, of_fma_error, (long double)x * 0.7 + x, double)
    return difference_report();
}
