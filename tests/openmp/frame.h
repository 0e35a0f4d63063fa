/* frame.h - a gradient against central differences, and a forward derivative against the gradient, for one and
 * for several threads. */
#ifndef TESTS_OPENMP_FRAME_H
#define TESTS_OPENMP_FRAME_H
#include <gradwright/gradwright.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 37, M = 3 };
static const int at[N] = {0, 3, 3, 5, 1, 9, 30, 30, 30, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                          22, 24, 26, 28, 32, 34, 36, 7, 7, 11, 13, 15, 17, 19, 21, 23, 25, 27};

typedef void primal(double *y, const double *x, double k, int n);
typedef void gradient(double *y, const double *x, double k, double *d_y, double *d_x, double *d_k);
typedef void forward(double *y, const double *x, double k, double *t_y, const double *t_x, double t_k);

static double weighed(primal *f, const double *x, double k) {
    double y[N] = {0}, sum = 0;
    f(y, x, k, N);
    for (int i = 0; i < N; i++) sum += (1 + 0.1 * i) * y[i];
    return sum;
}

static int far_from(double a, double b) { return !(fabs(a - b) <= 1e-7 * (1 + fabs(b))); }

/* Adds to what the adjoints of inputs hold, several times: threads would come in other orders. */
static int check(const char *name, primal *f, gradient *grad) {
    double x[N], k = 0.7, h = 1e-5;
    for (int i = 0; i < N; i++) x[i] = 0.3 + 0.04 * i * (i % 2 ? 1 : -1);
    for (int turn = 0; turn < 8; turn++) {
        double y[N] = {0}, d_y[N], d_x[N], d_k = 2;
        for (int i = 0; i < N; i++) d_y[i] = 1 + 0.1 * i, d_x[i] = 1;
        grad(y, x, k, d_y, d_x, &d_k);
        const double by_k = (weighed(f, x, k + h) - weighed(f, x, k - h)) / (2 * h);
        if (far_from(d_k - 2, by_k)) return printf("%s: d_k %g, differences %g\n", name, d_k - 2, by_k);
        for (int i = 0; i < N; i++) {
            const double was = x[i];
            x[i] = was + h;
            const double above = weighed(f, x, k);
            x[i] = was - h;
            const double by = (above - weighed(f, x, k)) / (2 * h);
            x[i] = was;
            if (far_from(d_x[i] - 1, by))
                return printf("%s: d_x[%d] %g, differences %g\n", name, i, d_x[i] - 1, by);
        }
    }
    return 0;
}
/* The products of directions with adjoints and of tangents with seeds are one number. */
static int check_forward(const char *name, gradient *grad, forward *along) {
    double x[N], y[N] = {0}, d_y[N], d_x[N] = {0}, d_k = 0, t_x[N], t_k = 0.4, t_y[N] = {0};
    for (int i = 0; i < N; i++) x[i] = 0.3 + 0.04 * i * (i % 2 ? 1 : -1), t_x[i] = sin(2.0 * i + 1);
    for (int i = 0; i < N; i++) d_y[i] = 1 + 0.1 * i;
    grad(y, x, 0.7, d_y, d_x, &d_k);
    double back = d_k * t_k, there = 0;
    for (int i = 0; i < N; i++) back += d_x[i] * t_x[i], y[i] = 0;
    along(y, x, 0.7, t_y, t_x, t_k);
    for (int i = 0; i < N; i++) there += (1 + 0.1 * i) * t_y[i];
    if (far_from(back, there)) return printf("%s: forward %.12g, back %.12g\n", name, there, back);
    return 0;
}
/* Some return a status. */
#define GRADIENT(f)                                                                                            \
    static void run_##f(double *y, const double *x, double k, double *d_y, double *d_x, double *d_k) {         \
        (void)f##_grad(y, x, k, N, d_y, d_x, d_k);                                                             \
    }                                                                                                          \
    static void along_##f(double *y, const double *x, double k, double *t_y, const double *t_x, double t_k) {  \
        f##_jvp(y, x, k, N, t_y, t_x, t_k);                                                                    \
    }
#define CHECK(f)                                                                                               \
    bad |= check(#f, f, run_##f) != 0;                                                                         \
    bad |= check_forward(#f, run_##f, along_##f) != 0;
#endif
