/* Local arrays whose size is known when the program runs: variable-length arrays of one to three dimensions,
 * also as parameters, malloc and calloc, in loops, branches and helpers. */
#include <math.h>
#include <stdlib.h>

#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x")
double smooth(const double *x, int n, int sweeps) {
    double t[n];
    for (int i = 0; i < n; i++) t[i] = sin(x[i]);
    for (int s = 0; s < sweeps; s++)
        for (int i = 1; i < n; i++) t[i] = 0.5 * t[i] + 0.5 * t[i - 1] * t[i];
    double sum = 0;
    for (int i = 0; i < n; i++) sum += t[i] * t[i];
    return sum;
}

/* Counts, which cannot say that memory was out. */
GW_DERIVATIVE("x wrt x")
int settled(double *x, int n) {
    double t[n];
    int count = 0;
    for (int i = 0; i < n; i++) t[i] = x[i] * x[n - 1 - i];
    for (int i = 0; i < n; i++) count += t[i] > 0.25, x[i] = t[i];
    return count;
}

/* Bounds that become constant once the loop around it is written out, of loops that never run or run once among
 * them. */
GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x")
double factors(const double *x) {
    double c[3][3], det = 1;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) c[i][j] = x[i] * x[j] + (i == j ? 2 : 0);
    for (size_t j = 0; j < 3; j++) {
        for (size_t k = 0; k < j; k++) c[j][j] -= c[j][k] * c[j][k];
        c[j][j] = sqrt(c[j][j]);
        det *= c[j][j];
        for (size_t i = j + 1; i < 3; i++) {
            for (size_t k = 0; k < j; k++) c[i][j] -= c[i][k] * c[j][k];
            c[i][j] /= c[j][j];
        }
    }
    return det * det;
}

/* Parameters that are written as arrays: const, of rows, of pointers, by a typedef. */
typedef double place[3];
struct leg {
    const double *rate;
    double notional;
};
GW_GRADIENT("wrt x, m, p, rates")
double written(const double x[3], const double m[][3], const place p, const double *const rates[2]) {
    double v = 0;
    for (int i = 0; i < 2; i++) {
        struct leg l;
        l.rate = rates[i];
        l.notional = x[i] * m[i][2] + p[i];
        const double *other = rates[1 - i];
        for (int k = 0; k < 3; k++) v += l.notional * l.rate[k] * other[k] * m[1][k];
    }
    return v;
}

static double *squares(const double *x, int n) {
    double *s = malloc((size_t)n * sizeof *s);
    for (int i = 0; i < n; i++) s[i] = x[i] * x[i];
    return s;
}

static double trace(int n, int m, double b[n][m]) {
    double sum = 0;
    for (int i = 0; i < n && i < m; i++) sum += b[i][i] * b[0][i];
    return sum;
}

GW_GRADIENT("wrt a")
double matrix(int n, int m, double a[n][m]) {
    double s[n][m][2], u[m][n + 1][m];
    double *c = calloc((size_t)m, sizeof(double)), *q = squares(&a[0][0], n * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            s[i][j][0] = a[i][j] * q[i * m + j];
            s[i][j][1] = sin(a[i][j]);
            for (int k = 0; k < m; k++) u[j][i + 1][k] = a[i][j] * a[i][k];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[j] += s[i][j][0] * s[n - 1 - i][j][1] + u[m - 1 - j][i + 1][j];
    double sum = trace(n, m, a);
    for (int j = 0; j < m; j++) sum *= 1 + 0.1 * c[j];
    free(c);
    free(q);
    return sum;
}

GW_GRADIENT("wrt x")
double triangles(const double *x, int n) {
    double sum = 0;
    for (int i = 1; i < n; i++) {
        double *t = malloc(sizeof(double) * (size_t)i);
        for (int k = 0; k < i; k++) t[k] = x[k] * (k ? t[k - 1] + 1 : 1);
        if (sum > 0.5) {
            double r[i + 2];
            for (int k = 0; k < i + 2; k++) r[k] = k < i ? t[k] * sum : 0.5;
            for (int k = 1; k < i + 2; k++) r[0] = r[0] * r[k] + r[k];
            sum = 0.3 * sum + 0.1 * r[0];
        }
        sum += t[i - 1] * sum * 0.2 + x[i];
        free(t);
    }
    return sum;
}

typedef struct body {
    double at[2];
    float mass;
} body;

GW_GRADIENT("out wrt x")
void bodies(double out[], const double *x, int n) {
    body *b = malloc((size_t)n * sizeof *b);
    int *order = malloc((size_t)n * sizeof *order);
    if (n == 0) {
        free(b);
        free(order);
        return;
    }
    for (int i = 0; i < n; i++) {
        b[i].at[0] = x[i];
        b[i].at[1] = x[i] * x[i];
        b[i].mass = 2.0f;
        order[i] = (i * 7) % n;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += b[order[i]].at[1] * b[i].at[0] * b[i].mass;
    out[0] = sum;
    free(order);
    free(b);
}

#include "arrays.grad.h"

#include "difference.h"

static int rows, columns;
static double smooth_loss(const double *x) { return smooth(x, rows, columns); }
static double triangles_loss(const double *x) { return triangles(x, rows); }
static double matrix_loss(const double *x) {
    double *a = malloc((size_t)(rows * columns) * sizeof *a);
    memcpy(a, x, (size_t)(rows * columns) * sizeof *a);
    double value = matrix(rows, columns, (double (*)[columns])a);
    free(a);
    return value;
}
static double bodies_loss(const double *x) {
    double out = 0;
    bodies(&out, x, rows);
    return out;
}

static void test_sizes(void) {
    static const int sizes[][2] = {{1, 1}, {2, 3}, {5, 2}, {9, 11}};
    double x[100], d[100];
    for (int k = 0; k < 4; k++) {
        rows = sizes[k][0], columns = sizes[k][1];
        for (int i = 0; i < 100; i++) x[i] = 0.3 + 0.02 * i - 0.007 * (i * i % 13), d[i] = 0;
        EXPECT(smooth_grad(x, rows, columns, d) == GW_OK);
        check("smooth", smooth_loss, x, rows, d);
        double t[100], t_return, product = 0;
        for (int i = 0; i < rows; i++) t[i] = 1.0 / (i + 2), product += t[i] * d[i];
        EXPECT(smooth_jvp(x, rows, columns, t, &t_return) == smooth(x, rows, columns));
        EXPECT(fabs(t_return - product) < 1e-12 * (1 + fabs(product)));
        memset(d, 0, sizeof d);
        EXPECT(matrix_grad(rows, columns, x, d) == GW_OK);
        check("matrix", matrix_loss, x, rows * columns, d);
        memset(d, 0, sizeof d);
        EXPECT(triangles_grad(x, rows + 1, d) == GW_OK);
        rows++;
        check("triangles", triangles_loss, x, rows, d);
        memset(d, 0, sizeof d);
        double out = 0, d_out = 1;
        EXPECT(bodies_grad(&out, x, rows, &d_out, d) == GW_OK && d_out == 0);
        check("bodies", bodies_loss, x, rows, d);
    }
    double none = 0, d_none = 1;
    EXPECT(bodies_grad(&none, x, 0, &d_none, d) == GW_OK);
}

static double written_loss(const double *v) {
    const double *rates[2] = {v + 12, v + 15};
    double m[2][3];
    memcpy(m, v + 3, sizeof m);
    return written(v, (const double(*)[3])m, v + 9, rates);
}

static void test_written(void) {
    static const double x[3] = {0.3, 0.7, -1.1}, m[2][3] = {{1, 0.5, 2}, {-1, 0.25, 3}}, p[3] = {0.1, 0.2, 0.3};
    static const double first[3] = {1, 2, -1}, second[3] = {0.5, 3, 1};
    const double *const rates[2] = {first, second};
    double all[18], d[18] = {0}, d_m[2][3] = {{0}}, *const d_rates[2] = {d + 12, d + 15};
    memcpy(all, x, sizeof x);
    memcpy(all + 3, m, sizeof m);
    memcpy(all + 9, p, sizeof p);
    memcpy(all + 12, first, sizeof first);
    memcpy(all + 15, second, sizeof second);
    written_grad(x, m, p, rates, d, d_m, d + 9, d_rates);
    memcpy(d + 3, d_m, sizeof d_m);
    check("written", written_loss, all, 18, d);
}

static void test_factors(void) {
    double x[3] = {0.3, -0.8, 1.1}, t[3] = {1, 0.5, -2}, d[3] = {0}, y[3] = {0.5, 0.25, 2}, t_return;
    factors_grad(x, d);
    check("factors", factors, x, 3, d);
    factors_jvp(x, t, &t_return);
    EXPECT(fabs(t_return - (d[0] + 0.5 * d[1] - 2 * d[2])) < 1e-12);
    EXPECT(settled_jvp(y, 3, t) == 2 && y[1] == 0.0625 && t[1] == 0.25 && t[0] == 1);
}

/* Blocks stay with the caller's tape only during the call. */
static void test_tape(void) {
    double x[50], d[50] = {0}, e[50] = {0};
    gw_host_tape tape = GW_HOST_TAPE;
    for (int i = 0; i < 50; i++) x[i] = 0.01 * i;
    for (int n = 2; n <= 50; n += 16) {
        EXPECT(smooth_grad_on(&tape, x, n, 4, d) == GW_OK);
        EXPECT(smooth_grad(x, n, 4, e) == GW_OK);
        EXPECT(!tape.blocks && tape.top == tape.base);
    }
    EXPECT(memcmp(d, e, sizeof d) == 0);
    EXPECT(smooth_grad_on(&tape, x, -1, 4, d) == GW_ERROR_MEMORY);
    EXPECT(!tape.blocks && strstr(gw_last_error(), "out of memory: the local arrays of a gradient need"));
    double t_return = 3;
    EXPECT(isnan(smooth_jvp(x, -1, 4, d, &t_return)) && isnan(t_return));
    gw_host_tape_free(&tape);
}

int main(void) {
    test_sizes();
    test_factors();
    test_written();
    test_tape();
    return difference_report();
}
