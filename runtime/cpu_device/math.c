/* CUDA's math functions that the C library lacks, in double precision. */
#include "device.h"
#include <math.h>

#define PI        3.14159265358979323846
#define SQRT_HALF 0.70710678118654752440
#define SQRT_PI   1.77245385090551602730

#define DECLARE(name) GW_CPU_API double gw_cpu_##name(double x)
DECLARE(rsqrt);
DECLARE(rcbrt);
DECLARE(sinpi);
DECLARE(cospi);
DECLARE(erfinv);
DECLARE(erfcinv);
DECLARE(erfcx);
DECLARE(normcdf);
DECLARE(normcdfinv);
DECLARE(cyl_bessel_i0);
DECLARE(cyl_bessel_i1);
#undef DECLARE
GW_CPU_API double gw_cpu_norm(int n, const double *x);
GW_CPU_API double gw_cpu_normf(int n, const float *x);

double gw_cpu_rsqrt(double x) { return 1.0 / sqrt(x); }

double gw_cpu_rcbrt(double x) { return 1.0 / cbrt(x); }

/* sin(pi (quarter/2 + rest)), |rest| <= 1/4: exact reduction first. */
static double turn(double rest, int quarter) {
    const double angle = PI * rest;
    switch (quarter & 3) {
    case 0:
        return sin(angle);
    case 1:
        return cos(angle);
    case 2:
        return -sin(angle);
    default:
        return -cos(angle);
    }
}

double gw_cpu_sinpi(double x) {
    if (!isfinite(x)) return x - x;
    const double reduced = fmod(x, 2.0), halves = rint(2.0 * reduced);
    const double rest = reduced - 0.5 * halves;
    if (rest == 0.0 && fmod(halves, 2.0) == 0.0) return copysign(0.0, x);
    return turn(rest, (int)halves);
}

double gw_cpu_cospi(double x) {
    if (!isfinite(x)) return x - x;
    const double reduced = fmod(fabs(x), 2.0), halves = rint(2.0 * reduced);
    const double rest = reduced - 0.5 * halves;
    if (rest == 0.0 && fmod(halves, 2.0) != 0.0) return 0.0;
    return turn(rest, (int)halves + 1);
}

/* exp(x*x), with the rounding error of the square put back. */
static double exp_square(double x) {
    const double square = x * x, error = fma(x, x, -square);
    const double value = exp(square);
    return isfinite(value) ? value + value * error : value;
}

double gw_cpu_erfcx(double x) {
    if (x < 10.0) return exp_square(x) * erfc(x);
    if (x > 1e8) return 1.0 / (x * SQRT_PI);
    /* Continued fraction: x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...))). */
    double tail = x;
    for (int k = 40; k >= 1; --k)
        tail = x + 0.5 * k / tail;
    return 1.0 / (SQRT_PI * tail);
}

double gw_cpu_normcdf(double x) { return 0.5 * erfc(-x * SQRT_HALF); }

/* Inverse of erfc for p in (0, 1]: a start from the tail's expansion, then Halley steps on
   log(erfc(x)) - log(p), which converge from any start because log(erfc) is concave. */
static double erfc_inverse_upper(double p) {
    const double log_p = log(p);
    double x = p > 0.25 ? (1.0 - p) * 0.5 * SQRT_PI : sqrt(-log_p - 0.5 * log(-log_p * PI));
    for (int step = 0; step < 60; ++step) {
        const double scaled = gw_cpu_erfcx(x);
        const double residual = log(scaled) - x * x - log_p;
        const double slope = -2.0 / (SQRT_PI * scaled);
        const double next = x - residual / slope;
        if (fabs(next - x) <= 2e-16 * fabs(next)) return next;
        x = next > 0.0 ? next : 0.5 * x;
    }
    return x;
}

/* Inverse of erf near 0: Newton steps on erf itself, whose relative error is small there. */
static double erf_inverse_center(double y) {
    double x = 0.5 * SQRT_PI * y;
    for (int step = 0; step < 60; ++step) {
        const double next = x - (erf(x) - y) * 0.5 * SQRT_PI * exp_square(x);
        if (fabs(next - x) <= 1e-16 * fabs(next)) return next;
        x = next;
    }
    return x;
}

double gw_cpu_erfinv(double y) {
    if (!(fabs(y) < 1.0)) return fabs(y) == 1.0 ? copysign(INFINITY, y) : NAN;
    if (fabs(y) <= 0.5) return y == 0.0 ? y : erf_inverse_center(y);
    return copysign(erfc_inverse_upper(1.0 - fabs(y)), y);
}

double gw_cpu_erfcinv(double p) {
    if (p == 0.0) return INFINITY;
    if (p == 2.0) return -INFINITY;
    if (!(p > 0.0 && p < 2.0)) return NAN;
    if (p >= 0.5 && p <= 1.5) return p == 1.0 ? 0.0 : erf_inverse_center(1.0 - p);
    return p < 1.0 ? erfc_inverse_upper(p) : -erfc_inverse_upper(2.0 - p);
}

double gw_cpu_normcdfinv(double p) { return -2.0 * SQRT_HALF * gw_cpu_erfcinv(2.0 * p); }

/* Modified Bessel functions: the power series has positive terms only, so it is accurate as far as
   it is short; beyond, the asymptotic expansion. */
static double bessel_series(double x, int order) {
    const double quarter = 0.25 * x * x;
    double term = order == 0 ? 1.0 : 0.5 * x, sum = term;
    for (int k = 1; k < 200 && fabs(term) > 1e-17 * fabs(sum); ++k) {
        term *= quarter / ((double)k * (k + order));
        sum += term;
    }
    return sum;
}

static double bessel_asymptotic(double x, int order) {
    const double square = 4.0 * order * order;
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 30; ++k) {
        const double odd = 2.0 * k - 1.0, next = -term * (square - odd * odd) / (8.0 * k * x);
        if (fabs(next) > fabs(term) || fabs(next) < 1e-17) break;
        term = next;
        sum += term;
    }
    const double half = exp(0.5 * x);
    return half / sqrt(2.0 * PI * x) * half * sum;
}

double gw_cpu_cyl_bessel_i0(double x) {
    const double a = fabs(x);
    return a < 40.0 ? bessel_series(a, 0) : bessel_asymptotic(a, 0);
}

double gw_cpu_cyl_bessel_i1(double x) {
    const double a = fabs(x);
    return copysign(a < 40.0 ? bessel_series(a, 1) : bessel_asymptotic(a, 1), x);
}

double gw_cpu_norm(int n, const double *x) {
    double length = 0.0;
    for (int i = 0; i < n; ++i)
        length = hypot(length, x[i]);
    return length;
}

double gw_cpu_normf(int n, const float *x) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += (double)x[i] * x[i];
    return sqrt(sum);
}
