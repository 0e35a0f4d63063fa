#include <complex.h>
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x") double chosen(double x, double complex z) { return z ? x : 2 * x; }
GW_GRADIENT("wrt x") double stepped(double x, double complex z) { return x * creal(z++); }
GW_GRADIENT("wrt x") double added(double x, double complex z) { return x /= z; }
GW_GRADIENT("wrt x") double projected(double x, double complex z) { return x * creal(cproj(z * x)); }
GW_GRADIENT("wrt x") double converted(double x, double complex z) {
    _Bool all = z * x;
    return all * x;
}
GW_GRADIENT("wrt x") double either(double x, double complex z) { return z * x && x > 0 ? x : 2 * x; }
GW_GRADIENT("wrt x") double negated(double x, double complex z) { return !(z * x) * x; }
GW_GRADIENT("wrt x") double reinterpreted(double x, const double complex *z) { return x * ((const double *)z)[1]; }
GW_GRADIENT("wrt x") double preceding(double x, double complex z) { return x * creal(++z); }
GW_GRADIENT("wrt x") double loop(double x, double complex z) {
    while (z) z = 0;
    return x * x;
}
