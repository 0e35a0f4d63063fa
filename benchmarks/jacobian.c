/* Rows of dense Jacobians, four of one sweep (f_jacobian), beside a gradient for each row.
 *
 *   build/bin/gradwright benchmarks/jacobian.c -o build/jacobian.grad.h -- -Iinclude
 *   gcc -O2 -Ibuild -Iinclude benchmarks/jacobian.c build/lib/libgwruntime.a -lm -o build/jacobian
 *   build/jacobian */
#define _POSIX_C_SOURCE 199309L
#include <gradwright/gradwright.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 15, INPUTS = 2048, HIDDEN = 256, OUTPUTS = 16 };

/* y = v tanh(w x) */
GW_JACOBIAN("y[0:m] wrt x[0:n]") GW_GRADIENT("y wrt x")
void network(double *y, const double *x, const double *w, const double *v, int n, int hidden, int m) {
    for (int i = 0; i < m; i++) y[i] = 0;
    for (int k = 0; k < hidden; k++) {
        double s = 0;
        for (int j = 0; j < n; j++) s += w[k * n + j] * x[j];
        const double t = tanh(s);
        for (int i = 0; i < m; i++) y[i] += v[i * hidden + k] * t;
    }
}

/* Much to compute for each number of an adjoint. */
GW_JACOBIAN("y[0:m] wrt x[0:n]") GW_GRADIENT("y wrt x")
void waves(double *y, const double *x, int n, int m) {
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) s += sin(x[j] * (i + 1)) * exp(-x[j]);
        y[i] = s;
    }
}

/* One thing after another, through a tape. */
GW_JACOBIAN("y[0:3] wrt x[0:n]") GW_GRADIENT("y wrt x")
void steps(double *y, const double *x, int n) {
    double a = 1, b = 0, c = 0;
    for (int j = 0; j < n; j++) {
        const double d = sqrt(a * a + x[j] * x[j]) - b;
        b = b * 0.5 + a * x[j] - c * 0.1;
        c = c * 0.9 + d * x[j];
        a = d / (1 + d * d);
    }
    y[0] = a, y[1] = b, y[2] = c;
}

#include "jacobian.grad.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double x[INPUTS], w[HIDDEN * INPUTS], v[OUTPUTS * HIDDEN], y[OUTPUTS], j[OUTPUTS * INPUTS],
    single[OUTPUTS * INPUTS];

typedef void run(int row);
static void network_itself(int row) { (void)row, network(y, x, w, v, INPUTS, HIDDEN, OUTPUTS); }
static void network_whole(int row) {
    (void)row, (void)network_jacobian(y, x, w, v, INPUTS, HIDDEN, OUTPUTS, j);
}
static void network_row(int row) {
    double d_y[OUTPUTS] = {0};
    d_y[row] = 1;
    (void)network_grad(y, x, w, v, INPUTS, HIDDEN, OUTPUTS, d_y, single + row * INPUTS);
}
static void waves_itself(int row) { (void)row, waves(y, x, INPUTS, OUTPUTS); }
static void waves_whole(int row) { (void)row, (void)waves_jacobian(y, x, INPUTS, OUTPUTS, j); }
static void waves_row(int row) {
    double d_y[OUTPUTS] = {0};
    d_y[row] = 1;
    (void)waves_grad(y, x, INPUTS, OUTPUTS, d_y, single + row * INPUTS);
}
static void steps_itself(int row) { (void)row, steps(y, x, INPUTS); }
static void steps_whole(int row) { (void)row, (void)steps_jacobian(y, x, INPUTS, j); }
static void steps_row(int row) {
    double d_y[3] = {0};
    d_y[row] = 1;
    (void)steps_grad(y, x, INPUTS, d_y, single + row * INPUTS);
}

static double seconds(run *f, int rows) {
    const double begun = now();
    for (int row = 0; row < rows; row++) f(row);
    return now() - begun;
}

/* All in turn, and the least of each. */
static int measure(const char *name, run *itself, run *whole, run *row, int rows) {
    double best[3] = {1e9, 1e9, 1e9}, worst = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < rows * INPUTS; i++) single[i] = 0;
        const double took[3] = {seconds(itself, 1), seconds(whole, 1), seconds(row, rows)};
        for (int i = 0; i < 3; i++) best[i] = fmin(best[i], took[i]);
    }
    for (int i = 0; i < rows * INPUTS; i++) worst = fmax(worst, fabs(j[i] - single[i]) / (1 + fabs(single[i])));
    printf("%-8s %3d rows  itself %7.3f ms, one by one %6.1f, four at once %6.1f of it: %.2f times as fast\n",
           name, rows, 1e3 * best[0], best[2] / best[0], best[1] / best[0], best[2] / best[1]);
    if (worst > 1e-12) printf("%s: differs by %.1e\n", name, worst);
    return worst > 1e-12;
}

int main(void) {
    for (int i = 0; i < INPUTS; i++) x[i] = 0.1 + 0.0001 * i;
    for (int i = 0; i < HIDDEN * INPUTS; i++) w[i] = 0.001 * (i % 1009 * 7 % 13 - 6);
    for (int i = 0; i < OUTPUTS * HIDDEN; i++) v[i] = 0.01 * (i * 7 % 17 - 8);
    int wrong = measure("network", network_itself, network_whole, network_row, OUTPUTS);
    wrong |= measure("waves", waves_itself, waves_whole, waves_row, OUTPUTS);
    wrong |= measure("steps", steps_itself, steps_whole, steps_row, 3);
    return wrong;
}
