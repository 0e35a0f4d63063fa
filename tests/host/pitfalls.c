/* What looks like something simpler: a sum that is none, a store between a branch and the use of its result,
 * indices that two iterations share, zeros of two signs, one number in two spellings, one loop in two places,
 * two variables of one name. */
#include <gradwright/gradwright.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#define N 6

/* s + s where a sum would add something else: a use of s in one side is no excuse for the other side. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void doubling(double *y, double *x, int n) {
    double s = x[0];
    for (int k = 0; k < n; k++) {
        double t;
        if (k % 3 == 1) t = s;
        else t = x[k] * x[k];
        s = t + s;
    }
    y[0] = s;
}

/* The cell that u was read from is overwritten before u is used. */
static int overwritten;
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void read_before(double *y, double *x, int n) {
    const double u = x[0];
    x[overwritten] = 1.5;
    double v = 0;
    if (n > 3) v = u * 2;
    y[0] = v * x[1];
}

/* 0 and 1 are rounded to one index. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void rounded(double *y, double *x, int n) {
    for (int k = 0; k < n; k++) {
        const int j = (int)((float)k - 0.5f);
        y[j] = y[j] * x[k] + x[k];
    }
}

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void sign_of_zero(double *y, double *x, int n) {
    double s = 0.0;
    if (n < 3) s = -0.0;
    y[0] = copysign(x[0], s);
}

/* m - 1 and m + 4294967295 are one unsigned number. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void wrapped(double *y, double *x, int n) {
    const unsigned m = (unsigned)n - 2;
    y[m - 1u] = x[0] * x[0];
    y[1] = y[m + 4294967295u] * x[1];
}

GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void largest(double *y, double *x, int n) {
    unsigned long long most = 0;
    most = most - 1;
    y[n - 1] = x[0] * x[1] * ((double)most / 1e19);
}

/* The same loop twice, of which the first is never reached: it sets b, not a. */
static void smooth(double *sum, const double *x, int n) {
    for (int k = 0; k < n; k++) *sum = *sum * 0.5 + x[k];
}
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void skipped(double *y, double *x, int n) {
    double a = x[0], b = x[1];
    const int both = 0;
    for (int i = 0; i < n; i++) {
        if (both) smooth(&a, x, n);
        smooth(&b, x, n);
        y[i] = a * b;
    }
}

/* A function that is inlined means the variable at file scope, not the parameter of that name. */
static double weight = 0.7;
static double weighted(double v) { return v * weight; }
GW_GRADIENT("y wrt weight")
GW_DERIVATIVE("y wrt weight")
void hiding(double *y, double *weight, int n) {
    for (int i = 0; i < n; i++) y[i] = weighted(weight[i]) * weight[0];
}

/* Counters that start at the least or greatest number of their types, and end there in reverse. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void from_the_end(double *y, double *x, int n) {
    double s = x[0];
    for (int k = INT_MIN; k < INT_MIN + n; k++) s = s * s * 0.5 + x[k - INT_MIN];
    for (int k = INT_MAX; k > INT_MAX - n; k--) s = s * s * 0.5 + x[INT_MAX - k];
    for (signed char k = -128; k < n - 128; k++) s = s * s * 0.5 + x[k + 128];
    for (signed char k = 127; k > 127 - n; k--) s = s * s * 0.5 + x[127 - k];
    const signed char none = -128;
    for (signed char k = 1; k < (signed char)(none * (n > 2)); k++) s = s * s;
    y[0] = s * s;
}

/* A pointer is a condition by itself. */
static void give(double a, double *square, double *sum) {
    if (square) *square = a * a;
    if (!sum || a > 100) return;
    *sum = *sum * a + (square ? *square : a);
}
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void pointers_as_conditions(double *y, double *x, int n) {
    double *m = malloc(4 * sizeof *m), u = 2, v = 3;
    if (!m) return;
    for (int i = 0; i < 4; i++) m[i] = x[i] * (i && m ? m[i - 1] : 2);
    give(x[0], &u, NULL);
    give(x[1], NULL, &v);
    give(x[2], &u, &v);
    const double *to = n > 2 ? x + 1 : NULL;
    y[0] = u * v * m[3] * (to ? *to : x[3]);
    free(m);
}

/* What a bit-field keeps is a constant that no compiler may take for a shift of a negative number. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void kept_bits(double *y, double *x, int n) {
    struct {
        unsigned low : 3;
        int high : 4;
    } kept = {5, 0};
    kept.high = (int)(2.0 * 2.86) % 16 - 8;
    y[0] = x[0] * x[n - 1] * kept.high * kept.high + kept.high * x[kept.low];
}

/* The first of equal numbers that a loop finds has the derivative, in both modes; what is smooth has one
 * gradient. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void greatest(double *y, const double *x, int n) {
    double most = x[0], all = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > most) most = x[i];
    for (int i = 0; i < n; i++) all += exp(x[i] - most);
    y[0] = most;
    y[1] = log(all) + most;
}

/* The same in a cell, and in a loop of which some iterations are stored. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void least(double *y, const double *x, int n) {
    double cell[2] = {9, 9}, b = x[0];
    for (int i = 0; i < n; i++) cell[1] = cell[1] < x[i] ? cell[1] : x[i];
    GW_CHECKPOINT(2)
    for (int i = 1; i < n; i++)
        if (x[i] < b) b = x[i];
    y[0] = cell[1];
    y[1] = b;
}

/* What is divided by a count of 0 is passed over behind the division. */
GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x")
double counted(const double *x, const int *count, int n) {
    double all = 0;
    for (int k = 0; k < n; k++) {
        double mean = x[k] * x[k] / count[k];
        if (count[k] == 0) continue;
        all += mean * mean;
    }
    return all;
}

/* A choice that puts back what is in its cell stores nothing there (rewriters/formula/kept.c). One whose number
 * is no longer in the cell, or in another one, does. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void kept_cells(double *y, double *x, int n) {
    double a[3][3], b[4];
    for (int i = 0; i < 9; i++) a[i / 3][i % 3] = x[i % n] * x[i % n] + 0.1 * i;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] = a[i][j] < a[i][k] + a[k][j] ? a[i][j] : a[i][k] + a[k][j];
    for (int i = 0; i < 4; i++) b[i] = x[i % n] + i;
    for (int i = 0; i < 4; i++) b[i] = i % 2 ? b[i] : b[i] * x[i % n];
    for (int i = 1; i < 4; i++) {
        const double was = b[i];
        b[i] = 2 * x[i % n];
        b[i] = was > b[i - 1] ? was : b[i - 1] * x[0];
    }
    for (int i = 0; i < 3; i++) b[i] = b[i + 1] < 2.5 ? b[i + 1] : x[i % n] * b[i];
    y[0] = a[0][1] + a[1][2] * b[0] + a[2][0] * b[1] + b[2] * b[3];
    y[1] = a[1][0] * a[2][1];
}

/* Jumps to labels further on: out of loops, past the rest of an iteration, to what is done at the end. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
void jumps(double *y, double *x, int n) {
    double *m = (double *)malloc(4 * sizeof *m), s = 0;
    y[0] = y[1] = 0;
    if (!m || n < 1) goto out;
    for (int i = 0; i < 4; i++) {
        m[i] = x[i % n] * (i + 1);
        for (int k = 0; k < 3; k++) {
            if (m[i] * k > 2.9) goto found;
            if (k == 2 && i == 1) goto next;
            s += m[i] * k;
        }
        s *= x[0];
    next:
        s += 0.5 * m[i];
    }
    s = s * s;
found:
    y[0] = s * x[1 % n];
    if (s > 4) goto out;
    y[1] = s + m[0];
out:
    free(m);
}

/* Both ways from 0 to 2 are equal. */
GW_GRADIENT("path wrt path")
GW_DERIVATIVE("path wrt path")
void shortest(double (*path)[3], int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][k] + path[k][j] > path[i][j] ? path[i][j] : path[i][k] + path[k][j];
}

#include "pitfalls.grad.h"

#include "overwriting.h"

static void check_greatest(void) {
    const double x[4] = {3, 1, 3, 3}, share[4] = {1}, all = 3 + exp(-2.0);
    for (int of = 0; of < 2; of++) {
        double y[2] = {0}, d_y[2] = {of == 0, of == 1}, d_x[4] = {0};
        greatest_grad(y, x, 4, d_y, d_x);
        for (int i = 0; i < 4; i++) {
            double t_y[2] = {0}, t_x[4] = {i == 0, i == 1, i == 2, i == 3};
            const double wanted = of ? exp(x[i] - 3) / all : share[i];
            greatest_jvp(y, x, 4, t_y, t_x);
            EXPECT(fabs(d_x[i] - wanted) < 1e-15 && fabs(t_y[of] - wanted) < 1e-15);
        }
    }
}

static void check_least(void) {
    const double x[4] = {3, 2, 2, 2};
    for (int of = 0; of < 2; of++) {
        double y[2] = {0}, d_y[2] = {of == 0, of == 1}, d_x[4] = {0};
        least_grad(y, x, 4, d_y, d_x);
        for (int i = 0; i < 4; i++) {
            double t_y[2] = {0}, t_x[4] = {i == 0, i == 1, i == 2, i == 3};
            least_jvp(y, x, 4, t_y, t_x);
            EXPECT(d_x[i] == (i == 1) && t_y[of] == (i == 1));
        }
    }
}

static void check_shortest(void) {
    for (int from = 0; from < 3; from++) {
        double path[3][3] = {{0, 1, 3}, {9, 0, 2}, {9, 9, 0}}, along[3][3] = {{0}};
        double d_path[3][3] = {{0}}, t_path[3][3] = {{0}};
        memcpy(along, path, sizeof path);
        d_path[0][2] = 1;
        t_path[from > 1][from ? from : 1] = 1; /* of the edges 0 1, 0 1, 1 2 */
        if (from == 1) t_path[0][1] = 0, t_path[0][2] = 1;
        shortest_grad(path, 3, d_path);
        shortest_jvp(along, 3, t_path);
        EXPECT(t_path[0][2] == 0.5);
        EXPECT(d_path[0][1] == 0.5 && d_path[1][2] == 0.5 && d_path[0][2] == 0.5 && d_path[2][1] == 0);
    }
}

static void check_counted(void) {
    const double x[4] = {1.5, 0.5, 2, 3};
    const int count[4] = {2, 0, 3, 0};
    double d_x[4] = {0};
    counted_grad(x, count, 4, d_x);
    for (int i = 0; i < 4; i++) {
        const double t_x[4] = {i == 0, i == 1, i == 2, i == 3};
        const double wanted = count[i] ? 4 * x[i] * x[i] * x[i] / (count[i] * count[i]) : 0;
        double t_return;
        counted_jvp(x, count, 4, t_x, &t_return);
        EXPECT(fabs(d_x[i] - wanted) < 1e-13 && fabs(t_return - wanted) < 1e-13);
    }
}

int main(void) {
    check_greatest();
    check_counted();
    check_shortest();
    check_least();
    CHECK(kept_cells, false);
    CHECK(jumps, false);
    CHECK(doubling, false);
    for (overwritten = 0; overwritten < 2; overwritten++) CHECK(read_before, true);
    CHECK(rounded, false);
    CHECK(sign_of_zero, false);
    CHECK(wrapped, false);
    CHECK(largest, false);
    CHECK(skipped, false);
    CHECK(hiding, false);
    CHECK(from_the_end, false);
    CHECK(pointers_as_conditions, false);
    CHECK(kept_bits, false);
    return difference_report();
}
