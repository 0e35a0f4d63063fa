/* Sparse Jacobians of which integers alone decide the pattern: f_jacobian_pattern names the entries. They are
 * those that bits find, for which the same function is asked at a place that is read; values are those of the
 * dense Jacobian. Then functions that keep their bits. */
#include <gradwright/gradwright.h>
#include <gradwright/sparse.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_N = 8, MOST = 3 * MOST_N + 4 };

#define ASKED(f)                                                        \
    GW_JACOBIAN("sparse y[0:3 * n + 4] wrt x[0:3 * n + 4]")             \
    GW_JACOBIAN(#f "_dense = y[0:3 * n + 4] wrt x[0:3 * n + 4]")
#define WITH_BITS GW_JACOBIAN("sparse y[0:3 * n + 4] wrt x[0:3 * n + 4]")

/* ---- entries are named ---- */
ASKED(band) void band(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = -2; k <= 2; k++)
            if (i + k >= 0 && i + k < n) s += sin(x[i + k] * (k + 1)) * x[i];
        y[i] = s;
    }
}
WITH_BITS void band_bits(double *y, const double *x, const int *zero, int n) { band(y + zero[0], x, n); }

/* A stencil of 3 by n points. */
ASKED(stencil) void stencil(double *y, const double *x, int n) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < n; c++) {
            const int at = r * n + c;
            double sum = -4 * x[at];
            if (r > 0) sum += x[at - n];
            if (r < 2) sum += x[at + n] * x[at + n];
            if (c > 0) sum += x[at - 1];
            sum += c + 1 < n ? x[at + 1] : 0;
            y[at] = sum;
        }
}
WITH_BITS void stencil_bits(double *y, const double *x, const int *zero, int n) { stencil(y + zero[0], x, n); }

/* Strides, triangles, rows that go on and rows that begin anew, in part. */
ASKED(triangles) void triangles(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[2 * i + 1] = x[3 * i] * x[3 * n - i];
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k += 2) y[2 * i + 1] += x[k] * (i + 1);
    for (int i = 0; i < n; i++) {
        if (i % 3) y[i] = y[i] * 2 + x[0];
        else y[i] = exp(x[i + 2]);
    }
    if (n > 4) y[4] = 0;
    const double a = x[0], b = x[1];
    y[3 * n + 3] += fmin(x[n], x[n + 1]) + (a > 0 ? a : b);
}
WITH_BITS void triangles_bits(double *y, const double *x, const int *zero, int n) {
    triangles(y + zero[0], x, n);
}

/* What a loop begins with, a loop in a loop, branches around loops, and an early end. */
ASKED(nested) void nested(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        double all = x[n + i], other = 1;
        for (int k = 0; k < 4; k++) {
            for (int q = 0; q < k; q++) all += x[(i + q) % n] * (q + 1);
            if (k == i) all *= x[k];
            if (k > i + 1) break;
            if (k % 2) continue;
            other *= 1 + x[2 * n + k] * x[2 * n + k];
        }
        int k = 1;
        while (k <= i) all -= x[k], k *= 2;
        if (i > 2)
            for (int q = i; q > 0; q -= 3) all += q % 2 ? x[q] : x[q + 1];
        else all *= 3;
        y[i] = all * other;
        y[n + i] = all;
        if (i % 2) y[2 * n + i] = other;
        const double before = y[2 * n + i];
        if (i > 1) y[2 * n + i] = before + all;
    }
}
WITH_BITS void nested_bits(double *y, const double *x, const int *zero, int n) { nested(y + zero[0], x, n); }

/* A long row of branches, of which each adds to what is there. */
ASKED(branches) void branches(double *y, const double *x, int n) {
    for (int i = 0; i < 3 * n; i++) {
        double s = x[i];
        if (i % 2) s += x[0];
        if (i % 3) s *= x[1];
        if (i % 4) s += x[2];
        if (i % 5) s *= x[3];
        if (i % 6) s -= x[4];
        if (i % 7) s /= 2 + x[5] * x[5];
        if (i % 8) s += x[6] - x[1];
        if (i % 9) s = i % 2 ? x[7] : s + x[8];
        if (i % 2) s += x[9];
        if (i % 3) s *= x[10];
        if (i % 4) s += x[11];
        y[i] = s;
    }
}
WITH_BITS void branches_bits(double *y, const double *x, const int *zero, int n) {
    if (n > 2) branches(y + zero[0], x, n);
}

static double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }
ASKED(called) void called(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = power(x[i], 3) * x[i + 1];
}
WITH_BITS void called_bits(double *y, const double *x, const int *zero, int n) { called(y + zero[0], x, n); }

/* ---- they are not ---- */
ASKED(prefix) void prefix(double *y, const double *x, int n) { /* carried around the store */
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i], y[i] = s;
}
ASKED(latest) void latest(double *y, const double *x, int n) { /* a loop that forgets */
    double s = x[1];
    for (int i = 0; i < n; i++) s = i % 3 ? s + x[i] : x[i];
    y[0] = s;
}
ASKED(swapped) void swapped(double *y, const double *x, int n) { /* carried values that change places */
    double a = x[0], b = x[1];
    for (int i = 0; i < n; i++) {
        const double c = a + x[i];
        a = b * b, b = c;
    }
    y[0] = a, y[1] = b;
}
ASKED(neighbour) void neighbour(double *y, const double *x, int n) { /* reads another cell */
    y[0] = x[0];
    for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
}
ASKED(overtaken) void overtaken(double *y, const double *x, int n) { /* the cell is another by then */
    for (int i = 0; i < n; i++) {
        const double old = y[i];
        y[i] = x[i];
        y[0] = x[1];
        y[i] = old + x[2];
    }
}
ASKED(stale) void stale(double *y, const double *x, int n) { /* as before the loop, each time */
    const double old = y[0];
    for (int i = 0; i < n; i++) y[0] = old + x[i];
}
ASKED(repeated) void repeated(double *y, const double *x, int n) { /* a loop's result in another loop */
    double all = 0;
    for (int i = 0; i < n; i++) all += x[i];
    for (int i = 0; i < n; i++) y[i / 2] += all * x[i];
}
ASKED(kept) void kept(double *y, const double *x, int n) { /* memory of its own */
    double own[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < n; i++) own[i % 3] += x[i];
    for (int i = 0; i < n; i++) y[i] = own[(i + 1) % 3];
}
ASKED(decided) void decided(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0) y[i] = x[i + 1] * x[i];
}
ASKED(choices) void choices(double *y, const double *x, int n) { /* as calls, a tree of 2 to the 12 */
    for (int i = 0; i < n; i++) {
        double a = x[i], b = x[i + 1];
#define STEP(k)                                              \
    if (i % (k)) {                                           \
        const double c = a;                                  \
        a = b * 2, b = c + x[k];                             \
    }
        STEP(2) STEP(3) STEP(4) STEP(5) STEP(2) STEP(3) STEP(4) STEP(5) STEP(2) STEP(3) STEP(4) STEP(5)
        y[i] = a, y[n + i] = b;
    }
}
/* Several arrays, rows of a matrix, numbers; floats; an extent that is computed. */
GW_JACOBIAN("sparse r[0:m], s[0:1] wrt a[0:m * n], x[0:n], k")
GW_JACOBIAN("product_dense = r[0:m], s[0:1] wrt a[0:m * n], x[0:n], k")
void product(float *r, float *s, const float *a, const float *x, float k, int m, int n) {
    *s = 0;
    for (int i = 0; i < m; i++) {
        r[i] = k;
        for (int c = 0; c < n; c++) r[i] += a[i * n + c] * x[c];
        *s += a[i * n];
    }
}

#include "sparse_entries.grad.h"

#include "difference.h"

#ifdef GRADWRIGHT_EMITTED_H /* what is made is named here, not only called */
typedef unsigned long long number;
typedef void names_entries(double *, const double *, int, number *, const number *, gw_sparse *);
#define NAMES(f) _Generic(&f##_jacobian_pattern, names_entries *: true, default: false)

typedef gw_status sparse(double *y, const double *x, int n, gw_sparse *j);
typedef gw_status bits(double *y, const double *x, const int *zero, int n, gw_sparse *j);
typedef gw_status whole(double *y, const double *x, int n, double *j);

static void fill(double *x) {
    for (int i = 0; i < MOST; i++) x[i] = sin(3 * i + 1);
}

/* What is in the pattern is in the dense matrix, and nothing else is. */
static double worst(const gw_sparse *j, const double *dense) {
    static double full[MOST * MOST];
    double most = 0;
    memset(full, 0, sizeof full);
    for (int i = 0; i < j->rows; i++)
        for (int e = j->row_begin[i]; e < j->row_begin[i + 1]; e++)
            full[i * j->columns + j->column[e]] = j->value ? j->value[e] : (double)j->value_f[e];
    for (int i = 0; i < j->rows * j->columns; i++) most = fmax(most, fabs(full[i] - dense[i]));
    return most;
}

static void check_values(sparse *f, whole *whole, const double *x, int n, gw_sparse *j) {
    static double dense[MOST * MOST];
    double y[MOST], same[MOST];
    fill(y), fill(same);
    EXPECT(f(y, x, n, j) == GW_OK && j->is_new);
    EXPECT(whole(same, x, n, dense) == GW_OK && worst(j, dense) < 1e-12);
    EXPECT(memcmp(y, same, (size_t)j->rows * sizeof *y) == 0);
    EXPECT(f(y, x, n, j) == GW_OK && !j->is_new);
}

static void check_named(sparse *f, bits *bits, whole *whole) {
    static const int zero[1] = {0};
    double x[MOST], y[MOST];
    fill(x);
    gw_sparse j = GW_SPARSE, found = GW_SPARSE;
    for (int n = 3; n <= MOST_N; n++) {
        check_values(f, whole, x, n, &j);
        fill(y);
        EXPECT(bits(y, x, zero, n, &found) == GW_OK);
        const bool same = j.rows == found.rows && j.entries == found.entries && j.entries > n;
        EXPECT(same);
        if (!same) continue;
        EXPECT(memcmp(j.row_begin, found.row_begin, (size_t)(j.rows + 1) * sizeof(int)) == 0);
        EXPECT(memcmp(j.column, found.column, (size_t)j.entries * sizeof(int)) == 0);
    }
    gw_sparse_free(&j);
    gw_sparse_free(&found);
}
#define NAMED(f)                                          \
    do {                                                  \
        EXPECT(NAMES(f));                                 \
        check_named(f##_jacobian, f##_bits_jacobian, f##_dense); \
    } while (0)

static void check_kept(sparse *f, whole *whole) {
    double x[MOST];
    fill(x);
    gw_sparse j = GW_SPARSE;
    for (int n = 3; n <= MOST_N; n++) check_values(f, whole, x, n, &j);
    gw_sparse_free(&j);
}
#define KEPT(f)                                  \
    do {                                         \
        EXPECT(!NAMES(f));                       \
        check_kept(f##_jacobian, f##_dense);     \
    } while (0)

static void test_product(void) {
    enum { M = 3, N = 4, COLUMNS = M * N + N + 1 };
    static double dense[(M + 1) * COLUMNS];
    float a[M * N], x[N], r[M], s, matrix[(M + 1) * COLUMNS];
    for (int i = 0; i < M * N; i++) a[i] = (float)(i - 5);
    for (int i = 0; i < N; i++) x[i] = (float)(i + 1);
    typedef void pattern(float *, float *, const float *, const float *, float, int, int, number *, number *,
                         const number *, const number *, number, gw_sparse *);
    EXPECT(_Generic(&product_jacobian_pattern, pattern *: true, default: false));
    gw_sparse j = GW_SPARSE;
    EXPECT(product_jacobian(r, &s, a, x, 2, M, N, &j) == GW_OK && j.entries == M * (2 * N + 1) + M);
    EXPECT(product_dense(r, &s, a, x, 2, M, N, matrix) == GW_OK);
    for (int i = 0; i < (M + 1) * COLUMNS; i++) dense[i] = matrix[i];
    EXPECT(worst(&j, dense) == 0);
    for (int i = 0; i < M; i++) EXPECT(j.column[j.row_begin[M] + i] == i * N);
    gw_sparse_free(&j);
}

int main(void) {
    NAMED(band);
    NAMED(stencil);
    NAMED(triangles);
    NAMED(nested);
    NAMED(branches);
    NAMED(called);
    KEPT(prefix);
    KEPT(latest);
    KEPT(swapped);
    KEPT(neighbour);
    KEPT(overtaken);
    KEPT(stale);
    KEPT(repeated);
    KEPT(kept);
    KEPT(decided);
    KEPT(choices);
    test_product();
    return difference_report();
}
#endif
