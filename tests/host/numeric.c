/* GW_NUMERIC: derivatives of functions of another file are central differences, in reverse, forward and split
 * form, with their inputs and outputs passed by value, read and written through pointers. What is not named is
 * held; memory is as it was; where no adjoint comes in, nothing is called. */
#include <math.h>

#include <gradwright/gradwright.h>

#include "numeric/bodies.h"

GW_NUMERIC("energy wrt x, y")
double energy(double x, int n, double y);

GW_NUMERIC("wrt x[0:n], w[0:n]")
double blend(const double *x, const double *w, int n);

GW_NUMERIC("y[0:2 * i] wrt x[0:i], s step 1e-5")
void spread(double *y, const double *x, int i, double s);

GW_NUMERIC("smooth, y wrt y[0:n], s")
double smooth(double *y, int n, double s);

GW_NUMERIC("out[0:n] wrt table[0:8]")
int lookup(float *out, const float *table, const int *at, int n, float held);

GW_NUMERIC("wrt x")
float coarse(float x, float held);

GW_NUMERIC("wrt x")
double origin(double x);

/* Its pullback is given, and counts. */
GW_NUMERIC("wrt x")
static double mixed(double x) { return x * x; }
static int pullbacks;
GW_DERIVATIVE_OF("pullback of mixed")
static void mixed_back(double x, double d_return, double *d_x) {
    pullbacks++;
    *d_x += 2 * x * d_return;
}

GW_GRADIENT("wrt x, y") GW_DERIVATIVE("wrt x, y")
double total(double x, double y, int n) {
    double s = 0;
    for (int i = 1; i <= n; i++) s = energy(x + 0.1 * s, i, y) + 0.5 * s;
    return s * energy(y, 2, 3.0);
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double arrays(const double *x, int n) {
    double t[16], u[8] = {0};
    for (int i = 0; i < n; i++) u[i] = x[i] * x[i];
    spread(t, u, n, x[0]);
    double s = smooth(t, 2 * n, x[1]) + blend(x, u, n);
    for (int i = 0; i < 2 * n; i++) s += t[i] * t[i] * (i + 1);
    return s;
}

GW_SPLIT_GRADIENT("y wrt x")
void stored(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = energy(x[i], i + 1, y[i] * x[0]);
}

/* The caller's own array is overwritten. */
GW_GRADIENT("y wrt y, s") GW_DERIVATIVE("y wrt y, s")
void in_place(double *y, int n, double s) { smooth(y, n, s); }

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
float low(const float *x) {
    float out[3];
    const int at[3] = {5, 0, 5};
    lookup(out, x, at, 3, x[2]);
    return out[0] + 2 * out[1] * out[2] + coarse(x[1], x[3]);
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double both(double x) { return mixed(x) * x; }

/* Nothing flows into the call where the branch uses none of its value. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double guarded(double x) {
    const double r = origin(x);
    return r > 1 ? r : x;
}

#include "numeric.grad.h"

#include "difference.h"

static int count;
static double total_loss(const double *x) { return total(x[0], x[1], count); }
static double arrays_loss(const double *x) { return arrays(x, 4); }
static double stored_loss(const double *x) {
    double y[3] = {0.5, 0.25, -1};
    stored(y, x, 3);
    return y[0] + 2 * y[1] - 3 * y[2];
}
static double in_place_loss(const double *x) {
    double y[3] = {x[0], x[1], x[2]};
    in_place(y, 3, x[3]);
    return y[0] + 2 * y[1] - 3 * y[2];
}

static double along(const double *d, const double *v, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += d[i] * v[i];
    return sum;
}

int main(void) {
    for (count = 1; count < 4; count++) {
        const double at[2] = {0.7, 1.1}, v[2] = {0.3, -0.8};
        double d[2] = {0, 0}, t = 0;
        EXPECT(total_grad(at[0], at[1], count, &d[0], &d[1]) == GW_OK);
        check_within("total", total_loss, at, 2, d, 1e-7, 1e-3);
        EXPECT(total_jvp(at[0], at[1], count, v[0], v[1], &t) == total(at[0], at[1], count));
        EXPECT(fabs(t - along(d, v, 2)) <= 1e-7 * (fabs(t) + 1));
    }
    const double x[4] = {0.4, 0.9, -0.6, 1.3}, v[4] = {0.3, -0.8, 0.5, 0.2};
    double d[4] = {0}, t = 0, y[3] = {0.5, 0.25, -1}, d_y[3] = {1, 2, -3}, split[3] = {0};
    arrays_grad(x, 4, d);
    check_within("arrays", arrays_loss, x, 4, d, 1e-7, 1e-3);
    EXPECT(arrays_jvp(x, 4, v, &t) == arrays(x, 4));
    EXPECT(fabs(t - along(d, v, 4)) <= 1e-7 * (fabs(t) + 1));
    gw_host_tape tape = GW_HOST_TAPE;
    EXPECT(stored_fwd(y, x, 3, &tape) == GW_OK && y[0] + 2 * y[1] - 3 * y[2] == stored_loss(x));
    EXPECT(stored_bwd(y, x, 3, d_y, split, &tape) == GW_OK);
    check_within("stored", stored_loss, x, 3, split, 1e-7, 1e-3);
    gw_host_tape_free(&tape);

    double z[3] = {x[0], x[1], x[2]}, d_z[4] = {1, 2, -3, 0}, t_z[3] = {0.3, -0.8, 0.5};
    in_place_grad(z, 3, x[3], d_z, &d_z[3]);
    EXPECT(z[0] == x[0] && z[1] == x[1] && z[2] == x[2]);
    check_within("in_place", in_place_loss, x, 4, d_z, 1e-7, 1e-3);
    in_place_jvp(z, 3, x[3], t_z, v[3]);
    EXPECT(fabs(t_z[0] + 2 * t_z[1] - 3 * t_z[2] - along(d_z, v, 4)) <= 1e-7);
    EXPECT(z[0] == x[3] * x[0] + 0.25 * x[0] * x[0]);

    const float f[8] = {0.5f, 1.5f, 0.25f, 2, 0, -0.75f, 0, 0};
    float d_f[8] = {0}, t_f = 0;
    const float along_f[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    low_grad(f, d_f);
    const float o0 = f[5] * f[5] + f[2], o1 = f[0] * f[0] + f[2];
    const float expected[8] = {4 * f[0] * o0, 2 * f[3] * f[1] + 1, 0, 0, 0, 2 * f[5] * (1 + 2 * o1), 0, 0};
    float sum = 0;
    for (int i = 0; i < 8; i++) {
        EXPECT(fabsf(d_f[i] - expected[i]) <= 2e-3f); /* x[2] and x[3] are held */
        sum += expected[i];
    }
    EXPECT(low_jvp(f, along_f, &t_f) == low(f) && fabsf(t_f - sum) <= 1e-2f);

    double d_b = 0, t_b = 0;
    both_grad(3, &d_b);
    EXPECT(d_b == 27 && pullbacks == 1);
    EXPECT(both_jvp(3, 1, &t_b) == 27 && fabs(t_b - 27) < 1e-7);

    double d_g = 0;
    numeric_calls = 0;
    guarded_grad(0.0, &d_g);
    EXPECT(d_g == 1 && numeric_calls == 1);
    return difference_report();
}
