/* Derivatives of one's own: a call of the function becomes a call of them, whether or not it has a body here.
 * They are told apart from Gradwright's own by counters, and one is wrong on purpose. */
#include <math.h>

#include <gradwright/gradwright.h>

static int pullbacks, jvps;

/* No body here. */
double hidden(double x, int n, double y);

GW_DERIVATIVE_OF("pullback of hidden")
void hidden_back(double x, int n, double y, double d_return, double *d_x, double *d_y) {
    pullbacks++;
    *d_x += d_return * n * cos(n * x) * y;
    *d_y += d_return * sin(n * x);
}

GW_DERIVATIVE_OF("jvp of hidden")
double hidden_forward(double x, int n, double y, double t_x, double t_y, double *t_return) {
    jvps++;
    *t_return = t_x * n * cos(n * x) * y + t_y * sin(n * x);
    return sin(n * x) * y;
}

/* Only a pullback, and one that is wrong on purpose; the forward derivative is made from the body. */
static float doubled(float x) { return 2 * x; }
GW_DERIVATIVE_OF("pullback of doubled")
static void doubled_back(float x, float d_return, float *d_x) {
    (void)x;
    *d_x += 100 * d_return;
}

/* A function without a derivative: its value is used, and nothing flows through it. */
GW_NONDIFFERENTIABLE double noise(double x);

/* A function of the library. */
GW_DERIVATIVE_OF("pullback of ldexp")
void ldexp_back(double x, int n, double d_return, double *d_x) {
    (void)x;
    pullbacks++;
    *d_x += ldexp(d_return, n);
}

GW_GRADIENT("wrt x")
double scaled(double x, int n) { return ldexp(x, n) * x; }

GW_GRADIENT("wrt x, y") GW_DERIVATIVE("wrt x, y")
double chain(double x, double y, int n) {
    double s = 0;
    for (int i = 1; i <= n; i++) s = hidden(x * s + 0.3, i, y) + 0.5 * s;
    return s * hidden(x, 2, 3.0);
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
float twice(float x) { return doubled(x) * x; }

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double noisy(double x) { return noise(x) * x * x; }

/* The value of the call is not needed: it is not called. */
GW_GRADIENT("wrt x")
double linear(double x) { return hidden(x, 1, 1.0) + x; }

#include "custom.grad.h"

#include "difference.h"

static int calls;
double hidden(double x, int n, double y) {
    calls++;
    return sin(n * x) * y;
}
double noise(double x) { return floor(7 * x) + 3; }

static int count;
static double chain_loss(const double *x) { return chain(x[0], x[1], count); }

int main(void) {
    for (count = 0; count < 4; count++) {
        const double at[2] = {0.7, 1.1}, v[2] = {0.3, -0.8};
        double d[2] = {0, 0}, t = 0;
        pullbacks = jvps = 0;
        chain_grad(at[0], at[1], count, &d[0], &d[1]);
        EXPECT(pullbacks == count + 1 && jvps == 0);
        if (count) check("chain", chain_loss, at, 2, d);
        const double value = chain_jvp(at[0], at[1], count, v[0], v[1], &t);
        EXPECT(jvps == count + 1);
        EXPECT(value == chain(at[0], at[1], count));
        EXPECT(fabs(t - d[0] * v[0] - d[1] * v[1]) <= 1e-12 * (fabs(t) + 1));
    }
    float d_x = 0, t_return = 0;
    twice_grad(3, &d_x);
    EXPECT(d_x == 6 + 300); /* the user's word counts */
    EXPECT(twice_jvp(3, 1, &t_return) == 18 && t_return == 12);
    double d_z = 0, t_z = 0;
    noisy_grad(0.5, &d_z);
    EXPECT(d_z == noise(0.5) * 2 * 0.5);
    EXPECT(noisy_jvp(0.5, 1, &t_z) == noise(0.5) * 0.25 && t_z == d_z);
    d_z = 0, calls = pullbacks = 0;
    linear_grad(0.25, &d_z);
    EXPECT(d_z == 1 + cos(0.25) && calls == 0 && pullbacks == 1);
    d_z = 0, pullbacks = 0;
    scaled_grad(3, 4, &d_z);
    EXPECT(d_z == 2 * 16 * 3 && pullbacks == 1);
    return difference_report();
}
