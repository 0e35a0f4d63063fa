// Comparisons of pointers: with the end of a row or of an array of rows, and with one of several variables.
#include "language.h"

CASE(rows) {
    double m[3][4], s = 0;
    for (int i = 0; i < 12; i++) m[i / 4][i % 4] = x[i];
    for (double *p = m[1], *end = m[1] + 4; p != end; p++) s += *p * *p;
    for (double(*r)[4] = m; r != m + 3; r++) s += (*r)[n % 4] * (*r)[0];
    for (double *p = &m[n % 3][0], *end = &m[n % 3][3]; p < end; ++p) s += *p * p[1];
    double *last = &m[2][n % 4], *first = m[0];
    return s * (double)(last - first) + (last == &m[2][3] ? m[0][1] * m[0][2] : 0);
}

CASE(planes) {
    double t[2][3][2], s = 0;
    for (int i = 0; i < 12; i++) t[i / 6][i / 2 % 3][i % 2] = x[i] * x[(i + n) % 12];
    for (double(*p)[2] = t[1], (*end)[2] = t[1] + 3; p != end; ++p) s += (*p)[0] * (*p)[1];
    double *a = t[n % 2][1], *b = t[1][n % 3];
    return a == b ? s * a[0] : s + b[1] * a[1] * (double)(b - a);
}

CASE(one_of_two) {
    double a = x[0], b = x[1];
    double *p = n > 1 ? &a : &b;
    if (p == &a) a *= x[2];
    else b *= x[3];
    return p != &b ? a * *p : b * a;
}

struct part {
    double v, w;
};
CASE(members_and_elements) {
    part s = {x[0], x[1]}, t = {x[2], x[3]};
    double list[4] = {x[4], x[5], x[6], x[7]};
    double *q = n == 0 ? &s.v : n == 1 ? &t.w : n == 2 ? list + 1 : &list[n % 4];
    double sum = *q * s.w;
    if (q == &s.v) sum *= x[8];
    if (&t.w == q) sum += t.w * x[9];
    if (q == list + n % 4 && n > 2) sum += list[0] * list[3];
    if (q != &list[1]) sum *= t.v;
    return sum;
}

static double left[3] = {1, 2, 3}, right[3] = {4, 5, 6};
CASE(variables_and_locals) {
    double own[3] = {x[0], x[1], x[2]};
    const double *t = n > 2 ? left : n > 1 ? right : own;
    const double s = t == own ? x[0] * x[4] : x[1] * x[3];
    return s * t[1] + (t == right ? x[5] * x[6] : 0) + (x != own ? x[7] : 0);
}

#include "comparisons.grad.hpp"

int main() {
    CHECK(rows);
    CHECK(planes);
    CHECK(one_of_two);
    CHECK(members_and_elements);
    CHECK(variables_and_locals);
    return language_report();
}
