// Bodies that first.cpp needs, beside names that it has too: helper, table, N, number, LEAST, expect.
#include "common.hpp"
#include <gradwright/gradwright.h>

#define N 4
typedef double number;
enum { MOST = 5, LEAST };
struct expect {
    number low, high;
};
static const double table[N] = {1, 2, 3, 4};
static number helper(number x) { return 2 * x + table[LEAST - MOST]; }
static double bounded(double x, const expect &e) { return x < e.low ? e.low : x > e.high ? e.high : x; }

double length(const point &p) {
    const expect e{-5, 5};
    return std::sqrt(square(p.x) + square(bounded(p.y, e)) + helper(p.x));
}
double length(const point &p, double stretch) { return stretch * length(p); }

double sum(const std::vector<double> &x, double k) {
    double s = 0;
    for (double v : x) s += cube(v) * k;
    return s + N;
}

void scale(double *y, const double *x, int n, double k) {
    for (int i = 0; i < n; i++) y[i] = k * x[i] * table[i % N];
}

template <class T> T blend(T a, T b, int n) {
    T t = a;
    for (int i = 0; i < n; i++) t = t * b + helper(a);
    return t;
}
template double blend(double a, double b, int n);

double of_constants(double x) { return pi * parts[1] * std::sin(parts[0] * x); }

double chained(double x, int depth) {
    for (int i = 0; i < depth; i++) x = far::away(x);
    return x;
}

GW_GRADIENT("wrt x") double diagonal(double x) { return length({x, x}); }
#include "second.grad.hpp"
double second_slope(double x) {
    double d_x = 0;
    diagonal_grad(x, &d_x);
    return d_x;
}
