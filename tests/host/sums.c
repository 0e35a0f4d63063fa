/* Inner loops whose reverse adds up: for each trip count, so that both halves and the rest are seen. */
#include <math.h>

#include <gradwright/gradwright.h>

#define N 11

static int from, to;

/* The adjoints of the factors s[0] and s[1] are sums over the loop. */
GW_GRADIENT("y wrt x")
void scaled(double *y, double *x, int lo, int hi, double *s) {
    const double a = sin(x[0]), b = x[1] * x[2];
    for (int i = lo; i < hi; i++) y[i] += a * x[i] + b * x[i + 1] * s[i];
}

GW_GRADIENT("y wrt x")
void offset(double *y, double *x, long long lo, long long hi, double *s) {
    const double a = exp(x[0]), b = x[1];
    for (long long i = lo; i < hi; i++) y[0] += (a - x[i]) * (b - s[i + 1]) - y[i + 1] * 0.5 * b;
}

GW_GRADIENT("y wrt x")
void triangle(double *y, double *x, int lo, int hi, double *s) {
    int at = 0;
    for (int i = lo; i < hi; i++)
        for (int k = i + 1; k < hi; k++) {
            y[k] = y[k] - s[at % 11] * x[i] * y[i];
            at++;
        }
    for (int i = lo; i < hi; i++) y[i] += x[i] * x[i];
}

/* Neighbours: their adjoints are added in loops of their own, unless one of these reads what another adds. */
GW_GRADIENT("y wrt x")
void stencil(double *y, double *x, int lo, int hi, double *s) {
    for (int i = lo + 1; i < hi; i++) y[i] += s[i] * (x[i - 1] - 2 * x[i] + x[i + 1]) + s[1] * x[i];
}

GW_GRADIENT("y wrt y, x")
void there_and_back(double *y, double *x, int lo, int hi, double *s) {
    for (int i = lo + 1; i < hi; i++) y[i] = s[i] * (x[i - 1] + x[i] * x[i + 1]);
    for (int i = hi - 1; i > lo; i--) x[i] = 0.5 * (y[i - 1] + s[i] * y[i] + y[i + 1]);
}

GW_GRADIENT("y wrt y, x")
void in_place(double *y, double *x, int lo, int hi, double *s) {
    for (int i = lo + 1; i < hi; i++) y[i] = 0.3 * (y[i - 1] + y[i + 1]) + x[i - 1] * s[i] + x[i];
    for (int i = lo + 1; i < hi; i++) y[i - 1] = x[i] + s[i] * (y[i] - y[i + 1]);
}

GW_GRADIENT("y wrt y, x")
void both_ways(double *y, double *x, int lo, int hi, double *s) {
    for (int i = lo + 1; i < hi; i++) {
        y[i] += s[i] * (x[i - 1] + x[i + 1]);
        x[i] += s[i] * (y[i] + y[i + 1]);
    }
    for (int i = lo + 1; i < hi; i++) {
        const double was = y[i];
        y[i] = x[i] + x[i - 1] + s[i] * x[i + 1];
        y[0] += was * s[i];
    }
}

#include "sums.grad.h"

#include "difference.h"

typedef void int_function(double *y, double *x, int lo, int hi, double *s);
static void offset_int(double *y, double *x, int lo, int hi, double *s) { offset(y, x, lo, hi, s); }
static int_function *subject;
static double weights[N + 1];

static double loss(const double *in) {
    double x[N + 1], y[N + 1], sum = 0;
    memcpy(x, in, sizeof x);
    memcpy(y, in + N + 1, sizeof y);
    subject(y, x, from, to, weights);
    for (int i = 0; i <= N; i++) sum += y[i] * (1 + 0.1 * i);
    return sum;
}

#define CHECK_SUM(f, function)                                       \
    do {                                                             \
        double at[2 * (N + 1)], d[2 * (N + 1)] = {0};                \
        for (int i = 0; i < 2 * (N + 1); i++) at[i] = cos(1.0 * i);  \
        for (int i = 0; i <= N; i++) d[N + 1 + i] = 1 + 0.1 * i;     \
        f##_grad(at + N + 1, at, from, to, weights, d + N + 1, d);   \
        subject = function;                                          \
        check_within(#f, loss, at, 2 * (N + 1), d, 1e-8, 1e-3);      \
    } while (0)

int main(void) {
    for (int i = 0; i <= N; i++) weights[i] = sin(2.0 * i + 1);
    for (from = 0; from < 3; from++)
        for (to = 0; to <= N; to++) {
            CHECK_SUM(scaled, scaled);
            CHECK_SUM(offset, offset_int);
            CHECK_SUM(triangle, triangle);
            CHECK_SUM(stencil, stencil);
            CHECK_SUM(there_and_back, there_and_back);
            CHECK_SUM(in_place, in_place);
            CHECK_SUM(both_ways, both_ways);
        }
    return difference_report();
}
