/* Rows of Jacobians, four seeds of one sweep: each against the gradient of its seed alone; functions whose rows
 * come one by one; adjoints [element][4] by the caller; rows of a sparse one by their colours. */
#include <gradwright/gradwright.h>
#include <gradwright/seeds.h>
#include <gradwright/sparse.h>
#include <math.h>
#include <string.h>

enum { N = 12, M = 7 };

/* A tape, both sides of branches, local arrays, loops of which nobody knows how often they run. */
GW_JACOBIAN("y[0:m], total[0:1] wrt x[0:n], k") GW_GRADIENT("y, total wrt x, k")
void winding(double *y, double *total, const double *x, double k, int n, int m) {
    double sums[3] = {0}, sized[n], left = 1;
    for (int i = 0; i < n; i++) {
        sized[i] = fmax(x[i] * k, 0.5);
        sums[i % 3] += i % 4 ? sized[i] * x[i] : exp(x[i]) / k;
    }
    *total = 0;
    while (left > 0.1) {
        left *= 0.7 - 0.1 * x[1] * left;
        *total += left * x[0];
    }
    for (int i = 0; i < m; i++) {
        double t = sums[i % 3];
        for (int s = 0; s < i; s++) t = sin(t) - x[s] * t;
        if (t > 0) t = t * sized[i] - left;
        y[i] = t / (1 + k * k);
    }
}

/* Numbers of two sizes. */
GW_JACOBIAN("y[0:m] wrt x[0:n]") GW_GRADIENT("y wrt x")
void narrow(float *y, const float *x, int n, int m) {
    for (int i = 0; i < m; i++) {
        double s = 1;
        for (int j = 0; j < n; j++) s *= 1 + 0.1 * (i + 1) * x[j];
        y[i] = (float)(s * x[i]);
    }
}

/* It adds to what it finds. */
GW_JACOBIAN("y[0:m] wrt x[0:n]") GW_GRADIENT("y wrt x")
void added(double *y, const double *x, int n, int m) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[i] += y[i] * x[j] * 0.1 + x[(i + j) % n] * x[j];
}

/* One by one: through a call, and of long doubles. */
static double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }
GW_JACOBIAN("y[0:m] wrt x[0:n]") GW_GRADIENT("y wrt x")
void called(double *y, const double *x, int n, int m) {
    for (int i = 0; i < m; i++) y[i] = power(x[i], 3) * x[n - 1];
}
GW_JACOBIAN("y[0:m] wrt x[0:n]") GW_GRADIENT("y wrt x")
void wide(double *y, const double *x, int n, int m) {
    for (int i = 0; i < m; i++) {
        long double s = 0;
        for (int j = 0; j < n; j++) s += x[j] * x[j] * (long double)(i + 1);
        y[i] = (double)s;
    }
}

/* A pole in the branch that does not run, and one in another row. */
GW_JACOBIAN("u[0:3] wrt v[0:3]")
void unit(double *u, const double *v) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) u[i] = length <= 1e-12 ? (i == 2) + v[i] : v[i] / length;
}
GW_JACOBIAN("w[0:2] wrt v[0:2]")
void root(float *w, const float *v) {
    w[0] = sqrtf(v[0]);
    w[1] = v[0] * v[1];
}

/* A colour for each row, six of them. */
GW_JACOBIAN("sparse y[0:6] wrt x[0:n]") GW_JACOBIAN("dense = y[0:6] wrt x[0:n]")
void sums(double *y, const double *x, int n) {
    for (int i = 0; i < 6; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) s += sin(x[j] * (i + 1));
        y[i] = s;
    }
}

#include "seeds.grad.h"

#include "difference.h"

static void fill(double *x) {
    for (int i = 0; i < N; i++) x[i] = 0.3 + 0.1 * ((i * 7) % 11);
}

static bool close(double a, double b) { return fabs(a - b) <= 1e-13 * (1 + fabs(b)); }

static void test_winding(void) {
    double x[N], y[M], total, j[(M + 1) * (N + 1)];
    fill(x);
    EXPECT(winding_jacobian(y, &total, x, 1.3, N, M, j) == GW_OK);
    for (int row = 0; row <= M; row++) {
        double d_y[M] = {0}, d_total = row == M, d_x[N] = {0}, d_k = 0;
        if (row < M) d_y[row] = 1;
        EXPECT(winding_grad(y, &total, x, 1.3, N, M, d_y, &d_total, d_x, &d_k) == GW_OK);
        for (int i = 0; i < N; i++) EXPECT(close(j[row * (N + 1) + i], d_x[i]));
        EXPECT((d_k == 0) == (row == M) && close(j[row * (N + 1) + N], d_k));
    }
}

/* The caller has any four seeds, and what was in adjoints stays. */
static void test_seeds(void) {
    double x[N], y[M], total, d_y[M][4], d_total[4], d_x[N][4], d_k[4] = {0};
    fill(x);
    for (int i = 0; i < M; i++)
        for (int s = 0; s < 4; s++) d_y[i][s] = i * s - 1.5, d_total[s] = s;
    for (int i = 0; i < N; i++)
        for (int s = 0; s < 4; s++) d_x[i][s] = i;
    EXPECT(winding_jacobian_rows(y, &total, x, 1.3, N, M, (gw_double4 *)d_y, (gw_double4 *)d_total,
                                 (gw_double4 *)d_x, (gw_double4 *)d_k) == GW_OK);
    for (int s = 0; s < 4; s++) {
        double one_y[M], one_total = s, one_x[N], one_k = 0;
        for (int i = 0; i < M; i++) one_y[i] = i * s - 1.5;
        for (int i = 0; i < N; i++) one_x[i] = i;
        EXPECT(winding_grad(y, &total, x, 1.3, N, M, one_y, &one_total, one_x, &one_k) == GW_OK);
        for (int i = 0; i < N; i++) EXPECT(close(d_x[i][s], one_x[i]));
        for (int i = 0; i < M; i++) EXPECT(d_y[i][s] == one_y[i]); /* consumed */
        EXPECT(close(d_k[s], one_k));
    }
}

static void test_poles(void) {
    const double v[3] = {0, 0, 0};
    double u[3], d_u[3][4] = {{1}, {0, 1}, {0, 0, 1}}, d_v[3][4] = {{0}};
    unit_jacobian_rows(u, v, (gw_double4 *)d_u, (gw_double4 *)d_v);
    for (int i = 0; i < 3; i++)
        for (int s = 0; s < 4; s++) EXPECT(d_v[i][s] == (i == s));
    const float x[2] = {0, 3};
    float w[2], d_w[2][4] = {{1}, {0, 1}}, d_x[2][4] = {{0}};
    root_jacobian_rows(w, x, (gw_float4 *)d_w, (gw_float4 *)d_x);
    EXPECT(isinf(d_x[0][0]) && d_x[1][0] == 0 && d_x[0][1] == 3 && d_x[1][1] == 0);
}

static void test_narrow(void) {
    float x[N], y[M], j[M * N];
    for (int i = 0; i < N; i++) x[i] = 0.1f * (float)i;
    EXPECT(narrow_jacobian(y, x, N, M, j) == GW_OK);
    for (int row = 0; row < M; row++) {
        float d_y[M] = {0}, d_x[N] = {0};
        d_y[row] = 1;
        EXPECT(narrow_grad(y, x, N, M, d_y, d_x) == GW_OK);
        for (int i = 0; i < N; i++) EXPECT(fabsf(j[row * N + i] - d_x[i]) <= 1e-6f * (1 + fabsf(d_x[i])));
    }
}

/* All rows, and each by the gradient of its seed. */
#define TEST(f)                                                                                                \
    static void test_##f(void) {                                                                               \
        double x[N], y[M], j[M * N];                                                                           \
        fill(x);                                                                                               \
        for (int i = 0; i < M; i++) y[i] = i;                                                                  \
        EXPECT(f##_jacobian(y, x, N, M, j) == GW_OK);                                                          \
        for (int row = 0; row < M; row++) {                                                                    \
            double d_y[M] = {0}, d_x[N] = {0};                                                                 \
            for (int i = 0; i < M; i++) y[i] = i;                                                              \
            d_y[row] = 1;                                                                                      \
            (void)f##_grad(y, x, N, M, d_y, d_x);                                                              \
            for (int i = 0; i < N; i++) EXPECT(close(j[row * N + i], d_x[i]));                                 \
        }                                                                                                      \
    }
TEST(added)
TEST(called)
TEST(wide)

/* These have the signature of a gradient. */
static void test_one_by_one(void) {
    double x[N], y[M], d_y[M] = {0, 0, 1}, d_x[N] = {0};
    fill(x);
    (void)called_jacobian_rows(y, x, N, M, d_y, d_x);
    EXPECT(close(d_x[2], 3 * x[2] * x[2] * x[N - 1]));
    memset(d_x, 0, sizeof d_x);
    d_y[2] = 1;
    (void)wide_jacobian_rows(y, x, N, M, d_y, d_x);
    EXPECT(close(d_x[5], 6 * x[5]));
}

static void test_sparse(void) {
    enum { MANY = 40 };
    double x[MANY], y[6], full[6 * MANY];
    gw_sparse j = GW_SPARSE;
    for (int i = 0; i < MANY; i++) x[i] = 0.01 * i;
    EXPECT(dense(y, x, MANY, full) == GW_OK);
    for (int again = 0; again < 2; again++) {
        EXPECT(sums_jacobian(y, x, MANY, &j) == GW_OK);
        EXPECT(j.by_rows && j.runs == 2 && j.entries == 6 * MANY);
        for (int i = 0; i < 6; i++)
            for (int e = j.row_begin[i]; e < j.row_begin[i + 1]; e++) {
                const double slope = cos(x[j.column[e]] * (i + 1)) * (i + 1);
                EXPECT(close(j.value[e], slope) && close(full[i * MANY + j.column[e]], slope));
            }
    }
    gw_sparse_free(&j);
}

int main(void) {
    test_winding();
    test_poles();
    test_seeds();
    test_narrow();
    test_added();
    test_called();
    test_wide();
    test_one_by_one();
    test_sparse();
    return difference_report();
}
