/*
 * overwriting.h - gradients of functions of the form void f(double *y, double *x, int n) that overwrite what
 * they like.
 */
#ifndef OVERWRITING_H
#define OVERWRITING_H

#include "difference.h"

typedef void function(double *y, double *x, int n);
static function *subject;

static double seed_of(int i) { return 0.7 + 0.3 * sin(2.0 * i); }

static double loss(const double *in) {
    double x[N], y[N], sum = 0;
    memcpy(x, in, sizeof x);
    memcpy(y, in + N, sizeof y);
    subject(y, x, N);
    for (int i = 0; i < N; i++) sum += seed_of(i) * x[i] + seed_of(i + N) * y[i];
    return sum;
}

static double direction_of(int i) { return cos(3.0 * i + 1); }

/* The product of tangents on exit with the weights is that of the gradient with the direction. */
static void check_forward(const char *name, const double *tangent, const double *gradient) {
    double product = 0, wanted = 0, size = 0;
    for (int i = 0; i < 2 * N; i++) {
        product += seed_of(i) * tangent[i], wanted += gradient[i] * direction_of(i);
        size += fabs(seed_of(i) * tangent[i]) + fabs(gradient[i] * direction_of(i));
    }
    if (fabs(product - wanted) <= 1e-12 * size) return;
    printf("%s: forward mode says %.15g, reverse mode %.15g\n", name, product, wanted);
    difference_failures++;
}

/* The gradient goes in as the weights of the loss and comes out as its gradient; memory comes back as it
 * was. */
#define CHECK(f, overwrites)                                            \
    do {                                                                \
        double at[2 * N], d[2 * N], x[N], y[N];                         \
        for (int i = 0; i < 2 * N; i++) {                               \
            at[i] = 0.35 + 0.45 * sin(1.3 * i + 0.2);                   \
            d[i] = seed_of(i);                                          \
            if (!(overwrites) && i < N) d[i] = 0;                       \
        }                                                               \
        memcpy(x, at, sizeof x);                                        \
        memcpy(y, at + N, sizeof y);                                    \
        f##_grad(y, x, N, d + N, d);                                    \
        for (int i = 0; i < N && !(overwrites); i++) d[i] += seed_of(i); \
        EXPECT(memcmp(x, at, sizeof x) == 0);                           \
        EXPECT(memcmp(y, at + N, sizeof y) == 0);                       \
        double t[2 * N];                                                \
        for (int i = 0; i < 2 * N; i++) t[i] = direction_of(i);         \
        f##_jvp(y, x, N, t + N, t);                                     \
        check_forward(#f, t, d);                                        \
        subject = f;                                                    \
        check_within(#f, loss, at, 2 * N, d, 1e-7, 1e-4);               \
    } while (0)

#endif
