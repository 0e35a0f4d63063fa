/* Arrays of arrays that are walked as one: a pointer into the first row goes on into the next ones, where the
 * same cells are reached by their own names too. */
#include <gradwright/gradwright.h>
#define N 6

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void flat(double *y, double *x, int n) {
    double m[2][3], *f = *m;
    for (int k = 0; k < n; k++) f[k] = x[k];
    m[1][0] *= m[0][1];
    y[0] = f[3] * f[1];
    y[1] = f[n - 3] * f[2];
    f[n - 3] = 2 * x[1];
    y[2] = m[1][0] * m[1][1] * f[n - 3];
}

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void walk(double *y, double *x, int n) {
    double m[3][1][2] = {{{0}}};
    double *p = &m[0][0][0];
    for (int k = 0; k < n; k++) *p++ = *x++ * 1.5;
    m[2][0][1] *= m[0][0][0];
    m[1][0][0] += m[2][0][1] * m[0][0][1];
    double s = 0;
    for (int k = 0; k < n; k++) --p, s = s * 0.5 + *p * *p;
    y[0] = s;
    y[1] = p[n - 1] * m[1][0][1];
}

static double length(const double *row) {
    double s = 0;
    for (int k = 0; k < 3; k++) s += row[k] * row[k];
    return s;
}

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void by_row(double *y, double *x, int n) {
    double m[2][3];
    for (int k = 0; k < n; k++) m[k / 3][k % 3] = x[k] * (k + 1);
    m[1][2] *= m[0][2];
    y[0] = length(m[0]) * length(m[1]);
    for (int i = 0; i < 2; i++) y[1 + i] = length(m[i]) * m[i][i];
}

#include "rows.grad.h"

#include "overwriting.h"

int main(void) {
    CHECK(flat, 1);
    CHECK(walk, 1);
    CHECK(by_row, 1);
    return difference_report();
}
