/* Pointers that are cast to rows or structs of the same numbers, and back to numbers; arrays without a name
 * (compound literals); generic selections. */
#include <gradwright/gradwright.h>

#include <math.h>
#include <stdlib.h>
#define N 6

struct point {
    double a, b;
};
struct nested {
    double v[2];
    struct point q;
};

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void to_rows(double *y, double *x, int n) {
    double(*r)[3] = (double(*)[3])x, a[6];
    double(*m)[2] = (double(*)[2])a;
    for (int i = 0; i < n; i++) a[i] = x[i] * x[n - 1 - i];
    y[0] = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) y[0] += r[i][k] * r[1 - i][k] * m[k][i];
    y[1] = r[0][1] * r[1][2];
    m[2][1] *= x[0];
    y[2] = a[5] * m[0][1];
}

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void to_structs(double *y, double *x, int n) {
    double a[6];
    const struct point *p = (const struct point *)x;
    struct point *q = (struct point *)a, copies[3];
    const struct nested *whole = (const struct nested *)(x + 1);
    y[0] = 0;
    for (int i = 0; i < n / 2; i++, p++) y[0] = 0.5 * y[0] + p->a * p->b;
    for (int i = 0; i < 3; i++) {
        copies[i] = ((const struct point *)x)[i];
        q[i].a = copies[i].b, q[i].b = x[i] * x[i + 1];
    }
    y[1] = whole->q.a * copies[2].a;
    for (int i = 0; i < 2; i++) y[1] += whole->v[i] * whole->q.b;
    y[2] = 0;
    for (int k = 0; k < n; k++) y[2] += a[k] * a[k];
}

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void to_numbers(double *y, double *x, int n) {
    double m[2][3], t[2][1][3], *p = (double *)m, *q = (double *)t;
    for (int k = 0; k < n; k++) m[k / 3][k % 3] = x[k], q[k] = x[k] * x[0];
    y[0] = 0;
    for (int k = 0; k < n; k++) y[0] += p[k] * p[k];
    p[4] *= 3;
    y[1] = t[0][0][1] * t[1][0][2] * m[1][1];
    y[2] = ((double *)m[1])[n - 4] * m[0][2];
}

static double rows(const double (*r)[2], int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += r[i][0] * r[i][1];
    return s;
}
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void as_arguments(double *y, double *x, int n) {
    double *w = malloc((size_t)n * sizeof *w);
    double(*m)[3] = (double(*)[3])w, (*v)[n] = (double(*)[n])x;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) m[i][k] = x[3 * i + k] * x[0];
    y[0] = rows((const double(*)[2])x, 3) * rows((const double(*)[2])(x + 2), 1);
    y[1] = rows((const double(*)[2])w, n / 2) * v[0][n - 1];
    const struct point *p = (const struct point *)(n > 4 ? w : w + 2);
    y[2] = p->a * p[1].b;
    free(w);
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double area(const struct point *p) { return p->a * p->b; }
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void without_names(double *y, double *x, int n) {
    double *w = (double[]){1, 2, x[0]}, (*r)[2] = (double[][2]){{x[0], x[1]}, {x[2], x[0]}};
    w[1] = x[1];
    y[0] = dot((double[]){x[0], x[1] * x[1], 1}, (double[3]){x[2], x[3]}) +
           dot(x, (const double[]){0.5, 1.5, 2.5}) * w[1];
    y[1] = area(&(struct point){x[4], x[5]}) + ((struct point){x[2], 3}).a * w[2] + r[0][0] * r[1][1] +
           r[0][1] * r[1][0];
    y[2] = 0;
    for (int i = 0; i < n - 1; i++) {
        const double *k = (double[]){x[i], x[i + 1]};
        y[2] += k[0] * k[1];
    }
}

static float squaref(float v) { return v * v; }
static double square(double v) { return v * v; }
#define SQUARE(v) _Generic((v), float: squaref, double: square, default: square)(v)
#define OF_TYPE(v) _Generic((v), float: 2.0f, double: (v) * x[0], int: 3)
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void selections(double *y, double *x, int n) {
    y[0] = SQUARE(x[0]) * OF_TYPE(x[2]);
    y[1] = OF_TYPE(n) * x[1] + SQUARE(2) * x[3];
    y[2] = x[4] * OF_TYPE(1.0f) + (double)SQUARE(0.5f) * x[5];
}

/* Counts of bits, in types of both widths. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void counts(double *y, double *x, int n) {
    const unsigned long long wide = 0x123456789abcull;
    for (int k = 0; k < 3; k++) y[k] = 0;
    for (int i = 1; i < n; i++) {
        y[0] += __builtin_popcount((unsigned)i) * x[i] * x[i] + __builtin_popcountll(wide >> i) * x[i];
        y[1] += __builtin_clz((unsigned)i) * x[i] * x[0] + __builtin_clzll(wide >> i) * x[i];
        y[2] += __builtin_ctz((unsigned)i) * x[i] * x[i] + __builtin_ffsll((long long)wide << i) * x[0];
    }
}

#include "casts.grad.h"

#include "overwriting.h"

int main(void) {
    CHECK(to_rows, 1);
    CHECK(to_structs, 1);
    CHECK(to_numbers, 1);
    CHECK(as_arguments, 1);
    CHECK(without_names, 1);
    CHECK(selections, 1);
    CHECK(counts, 1);
    return difference_report();
}
