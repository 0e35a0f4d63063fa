/*
 * frame.h - the frame of these tests: functions of an array by an algorithm, for each policy, in float and
 * double.
 *
 * f(x, n) is a function of x[0..n), a template of the policy P and the number T. CHECK(f) compares the
 * gradients in double with central differences, and those in float with these, for several n. A function whose
 * slope is nowhere different from 0 fails.
 */
#ifndef FRAME_H
#define FRAME_H

#include <gradwright/gradwright.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

using seq = std::execution::sequenced_policy;
using unseq = std::execution::unsequenced_policy;
using par = std::execution::parallel_policy;
using par_unseq = std::execution::parallel_unsequenced_policy;

#define CHECK(name)                                                                                            \
    do {                                                                                                       \
        CHECK_POLICY(name, seq);                                                                               \
        CHECK_POLICY(name, unseq);                                                                             \
        CHECK_POLICY(name, par);                                                                               \
        CHECK_POLICY(name, par_unseq);                                                                         \
    } while (0)
#define CHECK_POLICY(name, P)                                                                                  \
    frame_check(                                                                                               \
        #name, #P, name<P, double>, name<P, float>,                                                            \
        [](const double *x, int n, double *d) { return name##_grad<P, double>(x, n, d); },                     \
        [](const float *x, int n, float *d) { return name##_grad<P, float>(x, n, d); })

/* The library wants an object that has a name. */
template <class P> struct of { static constexpr P policy{}; };

static int frame_failures;

static void frame_expect(const char *name, const char *policy, int n, int i, double is, double wanted,
                         double tolerance) {
    if (std::fabs(is - wanted) <= tolerance * (1 + std::fabs(wanted))) return;
    std::printf("%s(%s, n = %d): d_x[%d] is %.9g, not %.9g\n", name, policy, n, i, is, wanted);
    frame_failures++;
}

template <class F, class E, class G, class H>
void frame_check(const char *name, const char *policy, F f, E, G gradient, H single) {
    double largest = 0;
    for (int n : {0, 1, 2, 7, 41}) {
        std::vector<double> x(n), d(n, 3.0);
        std::vector<float> y(n), e(n, 3.0f);
        for (int i = 0; i < n; i++)
            x[i] = y[i] = (float)(0.5 + 0.03125 * ((i * 29 + n) % 43));
        gradient(x.data(), n, d.data());
        single(y.data(), n, e.data());
        for (int i = 0; i < n; i++) {
            const double keep = x[i], h = 0x1p-16;
            x[i] = keep + h;
            const double above = f(x.data(), n);
            x[i] = keep - h;
            const double slope = (above - f(x.data(), n)) / (2 * h);
            x[i] = keep;
            largest = std::fmax(largest, std::fabs(slope));
            frame_expect(name, policy, n, i, d[i] - 3, slope, 1e-7);
            frame_expect(name, policy, n, i, e[i] - 3, d[i] - 3, 1e-4);
        }
    }
    if (largest > 0) return;
    std::printf("%s(%s): no slope\n", name, policy);
    frame_failures++;
}

static inline int frame_report() {
    if (!frame_failures) std::puts("all gradients match");
    return frame_failures != 0;
}

#endif
