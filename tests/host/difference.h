/*
 * difference.h - gradients of host functions against central differences; C and C++.
 *
 * A test writes its function's inputs into an array of doubles, a loss that reads them there, and says what the
 * gradient of that loss came out as. The five-point formula has an error of about 1e-11 for losses and inputs
 * near 1.
 */
#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int difference_failures;

#define EXPECT(condition)                                                             \
    do {                                                                              \
        if (!(condition)) {                                                           \
            printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);          \
            difference_failures++;                                                    \
        }                                                                             \
    } while (0)

static inline double difference_at(double (*loss)(const double *), double *x, int i, double h) {
    const double keep = x[i];
    static const double weight[4] = {1, -8, 8, -1};
    static const int step[4] = {-2, -1, 1, 2};
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        x[i] = keep + step[k] * h;
        sum += weight[k] * loss(x);
    }
    x[i] = keep;
    return sum / (12 * h);
}

/* Compares gradient[0..n) with the differences of loss at x[0..n); tells by `tolerance`, relative to 1 +
 * |slope|. */
static inline void check_within(const char *name, double (*loss)(const double *), const double *at, int n,
                                const double *gradient, double tolerance, double h) {
    double *x = (double *)malloc((size_t)n * sizeof *x);
    double largest = 0;
    memcpy(x, at, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) {
        const double slope = difference_at(loss, x, i, h);
        if (fabs(slope) > largest) largest = fabs(slope);
        if (fabs(slope - gradient[i]) <= tolerance * (1 + fabs(slope))) continue;
        printf("%s: input %d: gradient %.15g, difference %.15g\n", name, i, gradient[i], slope);
        difference_failures++;
    }
    if (largest == 0) {
        printf("%s: no input has a slope\n", name);
        difference_failures++;
    }
    free(x);
}

static inline void check(const char *name, double (*loss)(const double *), const double *at, int n,
                         const double *gradient) {
    check_within(name, loss, at, n, gradient, 1e-8, 1e-3);
}

static inline int difference_report(void) {
    if (!difference_failures) puts("all gradients match");
    return difference_failures != 0;
}

#endif
