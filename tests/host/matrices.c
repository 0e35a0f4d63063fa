/* Hessians and Jacobians, by rows and by columns, against differences of gradients and of values. */
#include <gradwright/gradwright.h>
#include <math.h>

#define N 4

GW_HESSIAN("wrt k, x[0:n]") GW_GRADIENT("wrt k, x")
double well(const double *x, double k, int n) {
    double s = 0;
    for (int i = 0; i + 1 < n; i++) s += x[i] * x[i] * x[i + 1] + k * k * sin(x[i + 1]) * exp(x[0]);
    return s;
}

GW_HESSIAN("wrt x, y") GW_GRADIENT("wrt x, y")
double two(double x, double y) { return x * x * y + sin(x * y); }

/* Its reverse needs a tape. */
GW_HESSIAN("wrt x[0:2]") GW_GRADIENT("wrt x")
double settled(const double *x) {
    double s = x[0];
    while (fabs(s) > 0.3) s *= 0.5 + 0.1 * x[1] * s;
    return s * s * x[0];
}

/* m + 2 rows, n + 1 columns: either way, by the numbers. */
GW_JACOBIAN("y[0:m + 1], z[0:1] wrt x[0:n], k")
void spread(double *y, double *z, const double *x, double k, int n, int m) {
    for (int i = 0; i <= m; i++) {
        double s = k * i;
        for (int j = 0; j < n; j++) s += x[j] * x[j] * (i + j);
        y[i] = s * s;
    }
    z[0] = x[0] * k;
}

/* Through a call that stays a call, columns one by one. */
static double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }
GW_JACOBIAN("y[0:4] wrt a, b")
void powers(double *y, double a, double b) {
    for (int i = 0; i < 4; i++) y[i] = power(a, i) * b;
}

/* It reads what it writes: rows, however many there are, and it runs once. */
GW_JACOBIAN("y[0:4] wrt a, b")
void added(double *y, double a, double b) {
    for (int i = 0; i < 4; i++) y[i] = y[i] * a + sin(b * i);
}

GW_JACOBIAN("slope = wrt x[0:3]")
float product(const float *x) { return x[0] * x[1] * x[2]; }

#include "matrices.grad.h"

#include "difference.h"

static int wanted, rows;
static double well_slope(const double *x) {
    double d_x[N] = {0}, d_k = 0;
    well_grad(x + 1, x[0], N, d_x, &d_k);
    return wanted ? d_x[wanted - 1] : d_k;
}
static double two_slope(const double *x) {
    double d[2] = {0};
    two_grad(x[0], x[1], &d[0], &d[1]);
    return d[wanted];
}
static double settled_slope(const double *x) {
    double d[2] = {0};
    EXPECT(settled_grad(x, d) == GW_OK);
    return d[wanted];
}
static double spread_value(const double *x) {
    double y[16], z;
    spread(y, &z, x, x[N], N, rows - 2);
    return wanted < rows - 1 ? y[wanted] : z;
}
static double added_value(const double *x) {
    double y[4] = {1, 2, 3, 4};
    added(y, x[0], x[1]);
    return y[wanted];
}

static double powers_value(const double *x) {
    double y[4];
    powers(y, x[0], x[1]);
    return y[wanted];
}

static void compare(const char *name, double (*value)(const double *), const double *at, int m, int n,
                    const double *matrix) {
    for (wanted = 0; wanted < m; wanted++) check(name, value, at, n, matrix + wanted * n);
}

int main(void) {
    const double x[N + 1] = {0.7, 0.3, 0.9, -0.4, 1.1};
    double h[(N + 1) * (N + 1)], y[16], z = 0, j[16 * (N + 1)], same[16];
    EXPECT(well_hessian(x + 1, x[0], N, h) == GW_OK);
    compare("well", well_slope, x, N + 1, N + 1, h);
    for (int i = 0; i < N; i++) EXPECT(fabs(h[i * (N + 1) + i + 1] - h[(i + 1) * (N + 1) + i]) < 1e-14);
    EXPECT(two_hessian(x[0], x[1], h) == GW_OK);
    compare("two", two_slope, x, 2, 2, h);
    EXPECT(settled_hessian(x, h) == GW_OK);
    compare("settled", settled_slope, x, 2, 2, h);

    for (rows = 2; rows < 16; rows += 11) { /* 2 and 13 rows of 5 columns */
        EXPECT(spread_jacobian(y, &z, x, x[N], N, rows - 2, j) == GW_OK);
        compare("spread", spread_value, x, rows, N + 1, j);
        spread(same, &z, x, x[N], N, rows - 2);
        for (int i = 0; i + 1 < rows; i++) EXPECT(y[i] == same[i]);
    }
    EXPECT(powers_jacobian(y, x[0], x[1], j) == GW_OK);
    compare("powers", powers_value, x, 4, 2, j);
    double in_place[4] = {1, 2, 3, 4};
    EXPECT(added_jacobian(in_place, x[0], x[1], j) == GW_OK);
    compare("added", added_value, x, 4, 2, j);
    EXPECT(in_place[1] == 2 * x[0] + sin(x[1])); /* not twice */

    const float u[3] = {2, 3, 5};
    float g[3] = {0};
    EXPECT(slope(u, g) == GW_OK);
    EXPECT(g[0] == 15 && g[1] == 10 && g[2] == 6);
    return difference_report();
}
