/* Sparse Jacobians against dense ones: stencils, gathers, branches, bundle adjustment; when a pattern is found
 * again, in how many runs the values come, and that an entry which happens to be 0 stays. */
#include <gradwright/gradwright.h>
#include <gradwright/sparse.h>
#include <math.h>
#include <string.h>

/* `reach` columns on both sides; its pattern is known by its integers alone. */
GW_JACOBIAN("sparse y[0:n] wrt x[0:n]") GW_JACOBIAN("band_dense = y[0:n] wrt x[0:n]")
void band(double *y, const double *x, int n, int reach) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = -reach; k <= reach; k++)
            if (i + k >= 0 && i + k < n) s += sin(x[i + k] * (k + 1)) * x[i];
        y[i] = s;
    }
}

/* Columns would be told apart by a colour each, rows by two. */
GW_JACOBIAN("sparse y[0:n], sum[0:1] wrt x[0:n]") GW_JACOBIAN("arrow_dense = y[0:n], sum[0:1] wrt x[0:n]")
void arrow(double *y, double *sum, const double *x, int n) {
    double all = 0;
    for (int i = 0; i < n; i++) all += x[i] * x[i] * i, y[i] = x[i] * x[i];
    *sum = all;
}

/* Places that are read, and branches and an index that numbers decide on. */
GW_JACOBIAN("sparse r[0:2 * m + 1] wrt p[0:n], k") GW_JACOBIAN("picked_dense = r[0:2 * m + 1] wrt p[0:n], k")
void picked(double *r, const double *p, double k, const int *which, int n, int m) {
    double pair[2];
    for (int i = 0; i < m; i++) {
        for (int s = 0; s < 2; s++) pair[s] = p[which[2 * i + s]] * (s ? 1 : k);
        r[2 * i] = pair[0] * pair[1];
        r[2 * i + 1] = pair[1] > 0 ? pair[1] * p[n - 1] : exp(pair[0]);
    }
    double left = p[0];
    int steps = 0;
    while (fabs(left) > 0.1) left *= 0.5, steps++;
    r[2 * m] = p[steps] * 2;
}

/* What was in y counts, each time. */
GW_JACOBIAN("sparse z[0:1], y[0:n] wrt x[0:n]") GW_JACOBIAN("grown_dense = z[0:1], y[0:n] wrt x[0:n]")
void grown(double *y, double *z, const double *x, int n) {
    *z = 1;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 6; k++) y[i] += y[i] * x[(i + k) % n];
        *z += i % 20 ? 0 : y[i];
    }
}

/* Values pass through memory and are ordered on the way; both sides of a least number stay. */
GW_JACOBIAN("sparse y[0:4] wrt x[0:4]") GW_JACOBIAN("sorted_dense = y[0:4] wrt x[0:4]")
void sorted(double *y, const double *x) {
    double a[4];
    for (int i = 0; i < 4; i++) a[i] = x[i] * x[i];
    for (int i = 0; i < 4; i++)
        for (int k = i; k > 0 && a[k] < a[k - 1]; k--) {
            double swap = a[k];
            a[k] = a[k - 1], a[k - 1] = swap;
        }
    for (int i = 0; i < 3; i++) y[i] = a[i];
    y[3] = fmin(x[0], x[1]);
}

/* A place in an array of the function's own. */
GW_JACOBIAN("sparse y[0:2] wrt x[0:3]") GW_JACOBIAN("own_dense = y[0:2] wrt x[0:3]")
void own(double *y, const double *x, const int *at) {
    double squares[3], sums[3] = {0};
    for (int i = 0; i < 3; i++) squares[i] = x[i] * x[i];
    sums[at[0]] = squares[0];
    sums[at[1]] += squares[1];
    y[0] = squares[at[2]], y[1] = sums[at[3]];
}

static double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }
static double twice(double x) { return 2 * x; }
GW_DERIVATIVE_OF("jvp of twice")
static double twice_jvp(double x, double t_x, double *t_return) {
    *t_return = 2 * t_x;
    return 2 * x;
}
GW_DERIVATIVE_OF("pullback of twice")
static void twice_pullback(double x, double d_return, double *d_x) {
    (void)x;
    *d_x += 2 * d_return;
}
GW_JACOBIAN("sparse y[0:n] wrt x[0:n]") GW_JACOBIAN("called_dense = y[0:n] wrt x[0:n]")
void called(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = power(x[i], 3) + (i ? twice(x[i - 1]) : 0);
}

GW_JACOBIAN("sparse y[0:n] wrt x[0:n]") GW_JACOBIAN("floats_dense = y[0:n] wrt x[0:n]")
void floats(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++) y[i] = (float)((double)x[i] * x[(i + 1) % n]);
}

/* Through memory of run-time size, and early exits. */
GW_JACOBIAN("sparse y[0:n] wrt x[0:n]") GW_JACOBIAN("sized_dense = y[0:n] wrt x[0:n]")
void sized(double *y, const double *x, int n) {
    double sums[n], grid[2][3] = {{0}};
    sums[0] = x[0];
    for (int i = 1; i < n; i++) sums[i] = i % 7 ? sums[i - 1] + x[i] : x[i];
    for (int i = 0; i < n; i++) {
        y[i] = grid[i % 2][i % 3];
        switch (i % 3) {
        case 0: grid[i % 2][2] = x[i]; break;
        case 1: y[i] += sums[i] * sums[i]; continue;
        default: grid[0][i % 3] = 1;
        }
        if (sums[i] > 2) break;
        y[i] += sums[i / 2];
    }
}

/* Cameras of 11 numbers, points of 3, weights; an observation has two errors of 15 columns each. */
enum { CAMERA = 11 };
GW_JACOBIAN("sparse err[0:2 * seen] wrt cameras[0:11 * c], points[0:3 * p], weights[0:seen]")
void bundle(double *err, const double *cameras, const double *points, const double *weights, const int *which,
            int c, int p, int seen) {
    (void)c, (void)p;
    for (int i = 0; i < seen; i++) {
        const double *camera = cameras + CAMERA * which[2 * i], *point = points + 3 * which[2 * i + 1];
        double from[3], square = 0;
        for (int k = 0; k < 3; k++) from[k] = point[k] - camera[3 + k];
        const double turned[3] = {from[0] - camera[2] * from[1] + camera[1] * from[2],
                                  from[1] + camera[2] * from[0] - camera[0] * from[2],
                                  from[2] - camera[1] * from[0] + camera[0] * from[1]};
        double picture[2] = {turned[0] / turned[2], turned[1] / turned[2]};
        for (int k = 0; k < 2; k++) square += picture[k] * picture[k];
        for (int k = 0; k < 2; k++) {
            const double bent = picture[k] * (1 + camera[9] * square + camera[10] * square * square);
            err[2 * i + k] = weights[i] * (bent * camera[6] + camera[7 + k]);
        }
    }
}

#include "sparse.grad.h"

#include "difference.h"

enum { MOST = 130 };
static double dense[MOST * MOST], full[MOST * MOST];

/* Every entry that is not in the pattern is 0. */
static double worst(const gw_sparse *j) {
    double most = 0;
    memset(full, 0, sizeof full);
    for (int i = 0; i < j->rows; i++)
        for (int e = j->row_begin[i]; e < j->row_begin[i + 1]; e++) {
            EXPECT(e == j->row_begin[i] || j->column[e - 1] < j->column[e]);
            full[i * j->columns + j->column[e]] = j->value ? j->value[e] : (double)j->value_f[e];
        }
    for (int i = 0; i < j->rows * j->columns; i++) most = fmax(most, fabs(full[i] - dense[i]));
    return most;
}

static void fill(double *x, int n, double by) {
    for (int i = 0; i < n; i++) x[i] = sin(3 * i + by);
}

static void test_bands(void) {
    double x[MOST], y[MOST], same[MOST];
    gw_sparse j = GW_SPARSE;
    for (int n = 0; n <= MOST; n += n < 6 ? 1 : 31)
        for (int reach = 0; reach < 6; reach += 2)
            for (int again = 0; again < 2; again++) {
                fill(x, n, again);
                EXPECT(band_jacobian(y, x, n, reach, &j) == GW_OK);
                EXPECT(j.is_new == !again);
                EXPECT(band_dense(same, x, n, reach, dense) == GW_OK && worst(&j) < 1e-15);
                EXPECT(memcmp(y, same, (size_t)n * sizeof *y) == 0);
                if (n > 12) EXPECT(j.runs == (2 * reach + 4) / 4 && !j.by_rows);
            }
    for (int i = 0; i < MOST; i++) x[i] = 0; /* sin(0) * x[i]: numbers are 0, entries are there */
    EXPECT(band_jacobian(y, x, MOST, 2, &j) == GW_OK && j.entries == 5 * MOST - 6);
    fill(x, MOST, 1);
    EXPECT(band_jacobian(y, x, MOST, 2, &j) == GW_OK && !j.is_new);
    EXPECT(band_dense(same, x, MOST, 2, dense) == GW_OK && worst(&j) < 1e-15);
    gw_sparse_free(&j);
    EXPECT(!j.entries && !j.value);
    gw_sparse_free(&j);
}

static void test_arrow(void) {
    double x[MOST], y[MOST], sum, same;
    gw_sparse j = GW_SPARSE;
    for (int again = 0; again < 2; again++) {
        fill(x, 60, again);
        sum = y[7] = 0;
        EXPECT(arrow_jacobian(y, &sum, x, 60, &j) == GW_OK);
        EXPECT(j.by_rows && j.runs == 1 && j.entries == 120 && y[7] == x[7] * x[7]);
        EXPECT(arrow_dense(y, &same, x, 60, dense) == GW_OK && worst(&j) < 1e-15 && sum == same);
    }
    gw_sparse_free(&j);
}

static void test_picked(void) {
    enum { N = 30, M = 20 };
    double p[N], r[2 * M + 1];
    int which[2 * M];
    gw_sparse j = GW_SPARSE;
    for (int k = 0; k < 3; k++)
        for (int again = 0; again < 6; again++) {
            for (int i = 0; i < 2 * M; i++) which[i] = (7 * i + k * i * i) % N;
            fill(p, N, 1 + again / 2); /* every other call as the one before, but for a factor */
            for (int i = 0; i < N; i++) p[i] *= again % 2 ? 1.001 : 1;
            EXPECT(picked_jacobian(r, p, 0.3, which, N, M, &j) == GW_OK);
            EXPECT(j.is_new == (again % 2 == 0));
            EXPECT(picked_dense(r, p, 0.3, which, N, M, dense) == GW_OK && worst(&j) < 1e-15);
        }
    /* A place alone is another, then the number of iterations. */
    const int old = which[3];
    do which[3] = (which[3] + 1) % N;
    while ((p[which[3]] > 0) != (p[old] > 0));
    for (int change = 0; change < 2; change++) {
        EXPECT(picked_jacobian(r, p, 0.3, which, N, M, &j) == GW_OK && j.is_new);
        EXPECT(picked_dense(r, p, 0.3, which, N, M, dense) == GW_OK && worst(&j) < 1e-15);
        EXPECT(picked_jacobian(r, p, 0.3, which, N, M, &j) == GW_OK && !j.is_new);
        p[0] *= 4;
    }
    /* Another function's handle of equal sizes. */
    EXPECT(band_jacobian(r, p, N, 1, &j) == GW_OK && band_jacobian(r, p, N, 1, &j) == GW_OK && !j.is_new);
    EXPECT(called_jacobian(r, p, N, &j) == GW_OK && j.is_new);
    EXPECT(called_dense(r, p, N, dense) == GW_OK && worst(&j) < 1e-13);
    gw_sparse_free(&j);
}

static void test_grown(void) {
    double x[40], y[40], z = 0, same[40], same_z = 0;
    gw_sparse j = GW_SPARSE;
    for (int again = 0; again < 3; again++) {
        fill(x, 40, again), fill(y, 40, 5), fill(same, 40, 5);
        EXPECT(grown_jacobian(y, &z, x, 40, &j) == GW_OK && j.runs > 1 && j.is_new == !again);
        EXPECT(grown_dense(same, &same_z, x, 40, dense) == GW_OK && worst(&j) < 1e-13 && z == same_z);
        EXPECT(memcmp(y, same, sizeof y) == 0);
    }
    gw_sparse_free(&j);
}

static void test_sized(void) {
    double x[40], y[40], same[40];
    gw_sparse j = GW_SPARSE;
    for (int round = 0; round < 9; round++) {
        fill(x, 40, 0.3 * round), fill(y, 40, 1), fill(same, 40, 1);
        EXPECT(sized_jacobian(y, x, 40, &j) == GW_OK);
        EXPECT(sized_dense(same, x, 40, dense) == GW_OK && worst(&j) < 1e-14);
        EXPECT(memcmp(y, same, sizeof y) == 0);
    }
    for (int round = 0; round < 3; round++) { /* only the last one stops early */
        for (int i = 0; i < 40; i++) x[i] = round < 2 ? 0.2 + 0.01 * round : 0.4, y[i] = same[i] = 1;
        EXPECT(sized_jacobian(y, x, 40, &j) == GW_OK && (!round || j.is_new == (round == 2)));
        EXPECT(sized_dense(same, x, 40, dense) == GW_OK && worst(&j) < 1e-14);
    }
    gw_sparse_free(&j);
}

static void test_own(void) {
    static const int ats[5][4] = {{0, 1, 2, 1}, {0, 1, 1, 1}, {0, 1, 1, 0}, {0, 0, 1, 0}, {2, 0, 1, 0}};
    const double x[3] = {1, 2, 3};
    double y[2];
    gw_sparse j = GW_SPARSE;
    for (int i = 0; i < 10; i++) { /* one place each is another */
        EXPECT(own_jacobian(y, x, ats[i / 2], &j) == GW_OK && j.is_new == (i % 2 == 0));
        EXPECT(own_dense(y, x, ats[i / 2], dense) == GW_OK && worst(&j) == 0);
    }
    gw_sparse_free(&j);
}

static void test_sorted(void) {
    static const double xs[3][4] = {{1, 2, 3, 4}, {4, 1, 3, 2}, {4.5, 1.5, 3.5, 2.5}};
    double y[4];
    gw_sparse j = GW_SPARSE;
    for (int i = 0; i < 3; i++) {
        EXPECT(sorted_jacobian(y, xs[i], &j) == GW_OK && j.entries == 5 && j.is_new == (i < 2));
        EXPECT(sorted_dense(y, xs[i], dense) == GW_OK && worst(&j) == 0);
    }
    gw_sparse_free(&j);
}

static void test_floats(void) {
    float x[9], y[9], matrix[81];
    gw_sparse j = GW_SPARSE;
    for (int i = 0; i < 9; i++) x[i] = (float)(i + 1);
    EXPECT(floats_jacobian(y, x, 9, &j) == GW_OK && !j.value && j.entries == 18);
    EXPECT(floats_dense(y, x, 9, matrix) == GW_OK);
    for (int i = 0; i < 81; i++) dense[i] = matrix[i];
    EXPECT(worst(&j) == 0);
    gw_sparse_free(&j);
}

static double bundle_numbers[3 * CAMERA + 3 * 20 + 40];
static int bundle_which[80], bundle_row;
static double bundle_value(const double *x) {
    double err[80];
    bundle(err, x, x + 3 * CAMERA, x + 3 * CAMERA + 60, bundle_which, 3, 20, 40);
    return err[bundle_row];
}

static void test_bundle(void) {
    enum { COLUMNS = 3 * CAMERA + 3 * 20 + 40 };
    double *x = bundle_numbers, err[80], row[COLUMNS];
    gw_sparse j = GW_SPARSE;
    fill(x, COLUMNS, 2);
    for (int i = 0; i < 3; i++) x[CAMERA * i + 5] -= 6;
    for (int i = 0; i < 40; i++) bundle_which[2 * i] = i % 3, bundle_which[2 * i + 1] = (i * 7) % 20;
    EXPECT(bundle_jacobian(err, x, x + 3 * CAMERA, x + 3 * CAMERA + 60, bundle_which, 3, 20, 40, &j) == GW_OK);
    EXPECT(j.rows == 80 && j.entries == 80 * 14); /* of two principal points one each */
    EXPECT(j.runs == 4 && !j.by_rows); /* 15 colours */
    for (int i = 0; i < 2; i++) {      /* another camera, another point */
        bundle_which[i] = (bundle_which[i] + 1) % 3;
        EXPECT(bundle_jacobian(err, x, x + 3 * CAMERA, x + 3 * CAMERA + 60, bundle_which, 3, 20, 40, &j) ==
                   GW_OK &&
               j.is_new);
        EXPECT(j.column[j.row_begin[0]] == bundle_which[0] * CAMERA);
    }
    for (bundle_row = 0; bundle_row < 80; bundle_row += 13) {
        memset(row, 0, sizeof row);
        for (int e = j.row_begin[bundle_row]; e < j.row_begin[bundle_row + 1]; e++)
            row[j.column[e]] = j.value[e];
        check("bundle", bundle_value, x, COLUMNS, row);
    }
    gw_sparse_free(&j);
}

int main(void) {
    test_bands();
    test_arrow();
    test_picked();
    test_grown();
    test_sized();
    test_own();
    test_sorted();
    test_floats();
    test_bundle();
    return difference_report();
}
