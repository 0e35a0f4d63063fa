/* Arrays of arrays that are walked as one: a pointer into the first row goes on into the next ones, where the
 * same cells are reached by their own names too. */
#include <gradwright/gradwright.h>
#include <stddef.h>
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

/* What the old value of c[i][k] is in each iteration: that of the beginning; of another iteration; of a row
 * that an inner loop wrote before. */
GW_GRADIENT("c wrt c, a, beta")
void rows_apart(double (*c)[2], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) c[i][k] *= beta;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 2; k++) c[i][k] += beta * a[j] * a[k + i];
    }
}

GW_GRADIENT("c wrt c, a, beta")
void rows_again(double (*c)[2], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) c[i / 2][k] *= beta * c[i][1 - k];
        for (int k = 0; k < 2; k++) c[i / 2][k] += beta * a[k + i] * a[k];
    }
}

GW_GRADIENT("c wrt c, a, beta")
void rows_below(double (*c)[2], const double *a, double beta, int n) {
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < n - 1; i++) {
            for (int k = 0; k < 2; k++) c[i][k] *= beta * c[i][k];
            for (int k = 0; k < 2; k++) c[i + 1][1 - k] += c[i][k] * a[i + r];
        }
}

/* Rows in the order of loops: written before, behind, or both, of the row that is read. */
GW_GRADIENT("c wrt c, a, beta")
void order_below(double (*c)[2], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            double t = 0;
            for (int k = 0; k < i; k++) {
                c[k][j] += beta * a[k] * c[i][j];
                t += a[i] * a[k + j];
            }
            c[i][j] = beta * c[i][j] * c[i][j] + t;
        }
}

GW_GRADIENT("c wrt c, a, beta")
void order_to(double (*c)[2], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k <= i; k++) c[k][j] += beta * a[k] * c[k][j];
            c[i][j] *= beta * c[i][j];
        }
}

GW_GRADIENT("c wrt c, a, beta")
void order_down(double (*c)[2], const double *a, double beta, int n) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < i; k++) c[k][j] *= beta * a[k];
            c[i][j] = beta * c[i][j] * c[i][j];
        }
}

GW_GRADIENT("c wrt c, a, beta")
void order_above(double (*c)[2], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            for (int k = i + 1; k < n; k++) c[i][j] += beta * a[k] * c[k][j] * c[k][j];
            c[i][j] = beta * c[i][j];
        }
}

GW_GRADIENT("c wrt c, a, beta")
void order_from(double (*c)[2], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = i; k < n; k++) c[i][j] += beta * a[k] * c[k][j] * c[k][j];
}

GW_GRADIENT("c wrt c, a, beta")
void order_up(double (*c)[2], const double *a, double beta, int n) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < 2; j++)
            for (int k = n - 1; k > i; k--) c[i][j] += beta * a[k] * c[k][j] * c[k][j];
}

GW_GRADIENT("c wrt c, a, beta")
void order_again(double (*c)[2], const double *a, double beta, int n) {
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < n; i++)
            for (int k = i + 1; k < n; k += 2) c[i][r] += beta * a[k] * c[k][1 - r] * c[k][r];
}

GW_GRADIENT("c wrt c, a, beta")
void order_one_behind(double (*c)[2], const double *a, double beta, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = i - 1; k >= 0; k--) c[k + 1][j] += beta * a[k] * c[k][j] * c[i][j];
}

/* Cells that a loop adds to while it reads others of the array: which are never that one, and which may be. */
GW_GRADIENT("c wrt c, a, beta")
void triangle(double *c, const double *a, double beta, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) c[i * n + j] -= c[i * n + k] * c[k * n + j] * a[k];
            c[i * n + j] /= 1 + beta * c[j * n + j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++) c[i * n + j] -= c[i * n + k] * c[k * n + j];
    }
}

GW_GRADIENT("c wrt c, a, beta")
void triangle_to(double *c, const double *a, double beta, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k <= j; k++) c[i * n + j] -= c[i * n + k] * c[k * n + j] * a[k];
            c[i * n + j] *= beta;
        }
}

GW_GRADIENT("c wrt c, a, beta")
void below(double *c, const double *a, double beta, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            for (size_t k = i + 1; k < n; k++) c[i * n + j] += a[i] * c[k * n + j] * c[k * n + j];
            c[i * n + j] *= beta * c[i * n + j];
        }
}

GW_GRADIENT("c wrt c, a, beta")
void narrow_rows(double *c, const double *a, double beta, int n) {
    const int m = n - 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int k = i + 1; k < n; k++) c[i * m + j] += beta * a[k] * c[k * m + j] * c[k * m];
}

GW_GRADIENT("c wrt c, a, beta")
void beside_rows(double *c, const double *a, double beta, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < i; k++) c[i * n + j] += beta * a[k] * c[k * n + j + 2] * c[k * n + j + 1];
}

GW_GRADIENT("c wrt c, a, beta")
void stored_beside(double *c, const double *a, double beta, int n) {
    for (int i = 0; i < n - 1; i++) {
        for (int k = i; k < n; k++) {
            c[k * n] = beta * a[k];
            c[(i + 1) * n + 1] += a[i] * c[k * n] * c[i * n + 2];
        }
        c[i * n + i] *= c[i * n + i] * beta;
    }
}

#include "rows.grad.h"

#include "overwriting.h"

typedef void of_rows(double (*c)[2], const double *a, double beta, int n);
static of_rows *of;
static double loss_of_rows(const double *x) { /* 3 rows of c, 5 of a, beta */
    double c[3][2], sum = 0;
    memcpy(c, x, sizeof c);
    of(c, x + 6, x[11], 3);
    for (int i = 0; i < 6; i++) sum += seed_of(i) * c[i / 2][i % 2];
    return sum;
}
#define CHECK_ROWS(f)                                                                                          \
    do {                                                                                                       \
        double x[12], d[12] = {0}, d_c[3][2], c[3][2];                                                         \
        for (int i = 0; i < 12; i++) x[i] = 0.9 + 0.4 * sin(5.0 * i);                                          \
        for (int i = 0; i < 6; i++) d_c[i / 2][i % 2] = seed_of(i);                                            \
        memcpy(c, x, sizeof c);                                                                                \
        of = f;                                                                                                \
        (void)f##_grad(c, x + 6, x[11], 3, d_c, d + 6, d + 11);                                                \
        memcpy(d, d_c, sizeof d_c);                                                                            \
        check(#f, loss_of_rows, x, 12, d);                                                       \
        EXPECT(memcmp(c, x, sizeof c) == 0);                                                                   \
    } while (0)

typedef void of_cells(double *c, const double *a, double beta, int n);
static of_cells *of_them;
static void below_by_int(double *c, const double *a, double beta, int n) { below(c, a, beta, (size_t)n); }
static double loss_of_cells(const double *x) { /* 9 of c, 3 of a, beta */
    double c[9], sum = 0;
    memcpy(c, x, sizeof c);
    of_them(c, x + 9, x[12], 3);
    for (int i = 0; i < 9; i++) sum += seed_of(i) * c[i];
    return sum;
}
#define CHECK_CELLS(f, primal)                                                                                 \
    do {                                                                                                       \
        double x[13], d[13] = {0}, c[9];                                                                       \
        for (int i = 0; i < 13; i++) x[i] = 0.9 + 0.4 * sin(5.0 * i);                                          \
        for (int i = 0; i < 9; i++) d[i] = seed_of(i);                                                         \
        memcpy(c, x, sizeof c);                                                                                \
        of_them = primal;                                                                                      \
        (void)f##_grad(c, x + 9, x[12], 3, d, d + 9, d + 12);                                                  \
        check(#f, loss_of_cells, x, 13, d);                                                                    \
        EXPECT(memcmp(c, x, sizeof c) == 0);                                                                   \
    } while (0)

int main(void) {
    CHECK_CELLS(triangle, triangle);
    CHECK_CELLS(triangle_to, triangle_to);
    CHECK_CELLS(below, below_by_int);
    CHECK_CELLS(narrow_rows, narrow_rows);
    CHECK_CELLS(beside_rows, beside_rows);
    CHECK_CELLS(stored_beside, stored_beside);
    CHECK_ROWS(rows_apart);
    CHECK_ROWS(rows_again);
    CHECK_ROWS(rows_below);
    CHECK_ROWS(order_below);
    CHECK_ROWS(order_to);
    CHECK_ROWS(order_down);
    CHECK_ROWS(order_above);
    CHECK_ROWS(order_from);
    CHECK_ROWS(order_up);
    CHECK_ROWS(order_again);
    CHECK_ROWS(order_one_behind);
    CHECK(flat, 1);
    CHECK(walk, 1);
    CHECK(by_row, 1);
    return difference_report();
}
