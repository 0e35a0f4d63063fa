/*
 * language.h - the frame of these tests: functions of numbers, each gradient against differences.
 *
 * CASE(f) { ... } is a function of x[0..12), y[0..4) in float, and n; CHECK(f) compares its gradient with
 * respect to x with five-point differences for n from 0 to 4. MIXED(f) and CHECK_MIXED(f) are the same with
 * respect to x and y. A function whose slope is nowhere different from 0 fails. The forward derivative along
 * one direction must be the gradient's product with it, to rounding.
 */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <gradwright/gradwright.h>

#include <cmath>
#include <cstdio>

enum { DOUBLES = 12, FLOATS = 4 };

#define CASE(name) GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") LANGUAGE_FUNCTION(name)
#define MIXED(name) GW_GRADIENT("wrt x, y") GW_DERIVATIVE("wrt x, y") LANGUAGE_FUNCTION(name)
#define LANGUAGE_FUNCTION(name)                                                                              \
    double name([[maybe_unused]] const double *x, [[maybe_unused]] const float *y, [[maybe_unused]] int n)
#define CHECK(name)                                                                                            \
    language_check(                                                                                            \
        #name, name, [](auto x, auto y, int n, double *d_x, float *) { name##_grad(x, y, n, d_x); },           \
        [](auto x, auto y, int n, double *t_x, float *, double *t) { return name##_jvp(x, y, n, t_x, t); },    \
        false)
#define CHECK_MIXED(name)                                                                                    \
    language_check(#name, name, [](auto... a) { name##_grad(a...); },                                        \
                   [](auto... a) { return name##_jvp(a...); }, true)

static int language_failures;
typedef double language_case(const double *, const float *, int);

template <class T>
static double language_slope(language_case *f, const double *x, const float *y, int n, T *cell, double h) {
    static const double weight[4] = {1, -8, 8, -1};
    static const int step[4] = {-2, -1, 1, 2};
    const T keep = *cell;
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        *cell = (T)(keep + step[k] * h);
        sum += weight[k] * f(x, y, n);
    }
    *cell = keep;
    return sum / (12 * h);
}

static inline void language_compare(const char *name, int n, const char *array, int i, double gradient,
                                    double slope, double tolerance) {
    if (std::fabs(slope - gradient) <= tolerance * (1 + std::fabs(slope))) return;
    std::printf("%s(n = %d): d_%s[%d] is %.15g, not %.15g\n", name, n, array, i, gradient, slope);
    language_failures++;
}

/* d_x and d_y are the gradient, less what they were before. */
template <class F>
static void language_check_forward(const char *name, language_case *f, F forward, const double *x,
                                   const float *y, int n, const double *d_x, const float *d_y, bool mixed) {
    double t_x[DOUBLES], tangent = 0, sum = 0, size = 0;
    float t_y[FLOATS];
    for (int i = 0; i < DOUBLES; i++) {
        t_x[i] = 0.5 - 0.125 * ((i * 5 + n) % 9);
        sum += t_x[i] * d_x[i], size += std::fabs(t_x[i] * d_x[i]);
    }
    for (int i = 0; i < FLOATS; i++) {
        t_y[i] = 0.75f - 0.5f * (float)((i * 3 + n) % 4);
        if (mixed) sum += (double)t_y[i] * d_y[i], size += std::fabs((double)t_y[i] * d_y[i]);
    }
    const double value = forward(x, y, n, t_x, t_y, &tangent), wanted = f(x, y, n);
    language_compare(name, n, "value", 0, value, wanted, 1e-12);
    if (std::fabs(tangent - sum) <= (mixed ? 2e-5 : 1e-11) * size) return;
    std::printf("%s(n = %d): forward mode says %.15g, reverse mode %.15g\n", name, n, tangent, sum);
    language_failures++;
}

template <class G, class F>
static void language_check(const char *name, language_case *f, G gradient, F forward, bool mixed) {
    double largest = 0;
    for (int n = 0; n < 5; n++) {
        double x[DOUBLES], d_x[DOUBLES];
        float y[FLOATS], d_y[FLOATS];
        for (int i = 0; i < DOUBLES; i++) x[i] = 0.75 + 0.0625 * ((i * 7 + n * 3) % 13), d_x[i] = i;
        for (int i = 0; i < FLOATS; i++) y[i] = 0.5f + 0.25f * (float)((i * 3 + n) % 5), d_y[i] = 1;
        gradient(x, y, n, d_x, d_y);
        for (int i = 0; i < DOUBLES; i++) {
            const double slope = language_slope(f, x, y, n, &x[i], 0x1p-10);
            largest = std::fmax(largest, std::fabs(slope));
            language_compare(name, n, "x", i, d_x[i] - i, slope, 1e-7);
        }
        for (int i = 0; mixed && i < FLOATS; i++) {
            const double slope = language_slope(f, x, y, n, &y[i], 0x1p-6);
            language_compare(name, n, "y", i, d_y[i] - 1, slope, 3e-4);
        }
        for (int i = 0; i < DOUBLES; i++) d_x[i] -= i;
        for (int i = 0; i < FLOATS; i++) d_y[i] -= 1;
        language_check_forward(name, f, forward, x, y, n, d_x, d_y, mixed);
    }
    if (largest > 0) return;
    std::printf("%s: no slope\n", name);
    language_failures++;
}

static inline int language_report() {
    if (!language_failures) std::puts("all gradients match");
    return language_failures != 0;
}

#endif
