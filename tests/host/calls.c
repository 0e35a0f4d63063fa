/* Functions that call themselves on arrays: parts of an array by pointer and offset, outputs written by halves,
 * local arrays and local numbers that are passed, and derivatives of one's own that take pointers. */
#include <math.h>

#include <gradwright/gradwright.h>

enum { LENGTH = 9 };

/* ---- reads ---- */
static double sum(const double *x, int n) {
    if (n == 1) return x[0] * x[0];
    return sum(x, n / 2) + sum(x + n / 2, n - n / 2);
}
static double product(const double *x, int n) {
    if (n <= 2) return n == 2 ? x[0] * sin(x[1]) : x[0];
    double left = product(x, n / 2), right = product(&x[n / 2], n - n / 2);
    return left * right + 0.5 * left;
}
static double horner(const double *c, int n, double t) {
    return n == 0 ? 0 : c[0] + t * horner(c + 1, n - 1, t);
}
static float least(const float *x, const int *order, int n) {
    return n == 1 ? x[order[0]] : fminf(x[order[n - 1]], least(x, order, n - 1)) * 1.25f;
}

GW_GRADIENT("wrt x, t") GW_DERIVATIVE("wrt x, t")
double reads(const double *x, int n, double t) {
    double s = sum(x, n) * horner(x, n, t);
    for (int i = 0; i + 2 < n; i++) s += product(x + i, n - i) * x[i] + horner(&x[i], 2, s * 0.01);
    return s;
}

/* The requested function itself. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double itself(const double *x, int n) {
    if (n < 2) return x[0];
    return exp(0.1 * itself(x + 1, n - 1)) * itself(x, n / 2);
}

/* ---- writes ---- */
static void fill(double *y, const double *x, int n) {
    if (n == 1) {
        y[0] = x[0] * x[0] * x[0];
        return;
    }
    fill(y, x, n / 2);
    fill(y + n / 2, x + n / 2, n - n / 2);
}

GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void writes(double *y, const double *x, int n) {
    fill(y, x, n);
    fill(y + n, x + n / 3, n / 2 + 1);
    y[0] = x[1] * x[2];
}

GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void halves(double *y, const double *x, int n) {
    if (n == 0) return;
    int half = n / 2;
    y[half] = x[half] * x[half];
    halves(y, x, half);
    halves(y + half + 1, x + half + 1, n - half - 1);
}

/* In place: sums need no former values. */
static void prefix(double *t, int n) {
    if (n < 2) return;
    t[1] += t[0];
    prefix(t + 1, n - 1);
}

GW_GRADIENT("x wrt x") GW_DERIVATIVE("x wrt x")
void prefixes(double *x, int n) {
    x[0] *= 2;
    prefix(x, n);
    prefix(x + 1, n - 1);
}

/* ---- the caller's own memory ---- */
static void running(const double *x, int n, double *total, double scale) {
    if (n == 0) return;
    *total += x[0] * x[0] * scale;
    running(x + 1, n - 1, total, scale * 0.5);
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double locals(const double *x, int n) {
    double t[LENGTH], total = x[0], s = 0;
    for (int k = 0; k < 3; k++) {
        fill(t, x, n);
        t[k % n] *= s + 0.5;
        s += 0.1 * product(t, n);
        running(t, n, &total, s * 0.1);
        fill(t, x + 1, n - 1);
        s = s * 0.1 + sum(t, n) / (1 + total * total);
    }
    return s + t[0];
}

GW_GRADIENT("wrt x")
double sized(const double *x, int n) {
    double t[n], rows[2][LENGTH];
    fill(t, x, n);
    prefix(t, n / 2 + 1);
    fill(rows[1], t, n);
    rows[0][0] = rows[1][n - 1];
    return tanh(0.01 * product(t, n)) + log(sum(rows[1], n)) * cbrt(rows[0][0]);
}

/* What carries no derivative is passed along: another pullback than where it does. */
static double weighted(const double *w, const double *x, int n) {
    return n == 0 ? 0 : w[0] * x[0] * x[0] + weighted(w + 1, x + 1, n - 1);
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double weights(const double *x, const double *w, int n) {
    static const double table[3] = {0.5, 2, 3};
    return weighted(w, x, n) * weighted(table, x, 3);
}
GW_GRADIENT("wrt x, w") GW_DERIVATIVE("wrt x, w")
double both(const double *x, const double *w, int n) { return weighted(w, x, n); }

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
float ordered(const float *x, const int *order, int n) { return least(x, order, n) * x[0]; }

/* ---- derivatives of one's own ---- */
static int pullbacks, jvps, primals;

double blend(const double *x, const double *w, int n);
GW_DERIVATIVE_OF("pullback of blend")
void blend_back(const double *x, const double *w, int n, double d_return, double *d_x, double *d_w) {
    pullbacks++;
    for (int i = 0; i < n; i++) {
        if (d_x) d_x[i] += d_return * 2 * x[i] * w[i];
        if (d_w) d_w[i] += d_return * x[i] * x[i];
    }
}
GW_DERIVATIVE_OF("jvp of blend")
double blend_forward(const double *x, const double *w, int n, const double *t_x, const double *t_w,
                     double *t_return) {
    double s = 0;
    jvps++;
    *t_return = 0;
    for (int i = 0; i < n; i++) {
        if (t_x) *t_return += 2 * x[i] * w[i] * t_x[i];
        if (t_w) *t_return += x[i] * x[i] * t_w[i];
        s += x[i] * x[i] * w[i];
    }
    return s;
}

/* In place: the pullback gets what was there before the call. */
void squares(double *x, int n);
GW_DERIVATIVE_OF("pullback of squares")
void squares_back(double *x, int n, double *d_x) {
    pullbacks++;
    for (int i = 0; i < n; i++) d_x[i] *= 2 * x[i];
}
GW_DERIVATIVE_OF("jvp of squares")
void squares_forward(double *x, int n, double *t_x) {
    jvps++;
    for (int i = 0; i < n; i++) {
        t_x[i] *= 2 * x[i];
        x[i] *= x[i];
    }
}

GW_NONDIFFERENTIABLE int longest(const double *x, int n);

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double custom(const double *x, int n) {
    static const double table[LENGTH] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double t[LENGTH], s = 1;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) t[i] = x[i] * s + 0.1 * k;
        squares(t, n);
        squares(t + 1, n - 2);
        s = 0.1 * blend(x, t, n) + blend(t, table, n / 2) * x[longest(x, n)];
        s = s / (1 + s * s);
    }
    return s;
}

GW_GRADIENT("x wrt x") GW_DERIVATIVE("x wrt x")
void squared(double *x, int n) { squares(x, n); }

/* An array that is only handed on takes no part. */
static double handed_on(const double *q, double a, double b, int deep) {
    if (deep <= 0) return a;
    return sin(handed_on(q + 1, b * a, a - b, deep - 1));
}

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double hands_on(const double *x, int n) { return handed_on(x, x[0], x[1], 3) * x[n - 1]; }

#include "calls.grad.h"

double blend(const double *x, const double *weight, int n) {
    double s = 0;
    primals++;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * weight[i];
    return s;
}
void squares(double *x, int n) {
    primals++;
    for (int i = 0; i < n; i++) x[i] *= x[i];
}
int longest(const double *x, int n) {
    int at = 0;
    for (int i = 0; i < n; i++) at = x[i] > x[at] ? i : at;
    return at;
}

#include "difference.h"

static int count;
static const double w[LENGTH] = {1, -2, 3, 0.5, 0.25, -1, 2, 2.5, 1.5};
static double reads_loss(const double *x) { return reads(x, count, x[LENGTH]); }
static double itself_loss(const double *x) { return itself(x, count); }
static double hands_on_loss(const double *x) { return hands_on(x, count); }
static double locals_loss(const double *x) { return locals(x, count); }
static double sized_loss(const double *x) { return sized(x, count); }
static double custom_loss(const double *x) { return custom(x, count); }
static double weights_loss(const double *x) { return weights(x, w, count); }
static double both_loss(const double *x) { return both(x, x + LENGTH, count); }
static double weigh(const double *y, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += w[i % LENGTH] * y[i];
    return s;
}
static double writes_loss(const double *x) {
    double y[2 * LENGTH] = {0};
    writes(y, x, count);
    return weigh(y, 2 * LENGTH);
}
static double halves_loss(const double *x) {
    double y[LENGTH] = {0};
    halves(y, x, count);
    return weigh(y, LENGTH);
}

static double prefixes_loss(const double *x) {
    double y[LENGTH];
    for (int i = 0; i < LENGTH; i++) y[i] = x[i];
    prefixes(y, count);
    return weigh(y, LENGTH);
}

/* <adjoint, direction> = tangent, the direction being w. */
static void agree(const char *name, double tangent, const double *d, int n) {
    double sum = 0, size = 0;
    for (int i = 0; i < n; i++) sum += d[i] * w[i % LENGTH], size += fabs(d[i] * w[i % LENGTH]);
    EXPECT(fabs(sum - tangent) <= 1e-11 * (1 + size));
    if (fabs(sum - tangent) > 1e-11 * (1 + size))
        printf("%s: forward %.15g, reverse %.15g\n", name, tangent, sum);
}

static void check_values(const double *x) {
    double t, d[2 * LENGTH] = {0};
    EXPECT(reads_grad(x, count, x[LENGTH], d, &d[LENGTH]) == GW_OK);
    check("reads", reads_loss, x, LENGTH + 1, d);
    EXPECT(reads_jvp(x, count, x[LENGTH], w, w[0], &t) == reads(x, count, x[LENGTH]));
    agree("reads", t, d, LENGTH + 1);
    for (int i = 0; i < LENGTH; i++) d[i] = 0;
    itself_grad(x, count, d);
    check("itself", itself_loss, x, LENGTH, d);
    itself_jvp(x, count, w, &t);
    agree("itself", t, d, LENGTH);
    for (int i = 0; i < LENGTH; i++) d[i] = 0;
    hands_on_grad(x, count, d);
    check("hands_on", hands_on_loss, x, LENGTH, d);
    hands_on_jvp(x, count, w, &t);
    agree("hands_on", t, d, LENGTH);
    for (int i = 0; i < LENGTH; i++) d[i] = 0;
    locals_grad(x, count, d);
    check("locals", locals_loss, x, LENGTH, d);
    locals_jvp(x, count, w, &t);
    agree("locals", t, d, LENGTH);
    for (int i = 0; i < LENGTH; i++) d[i] = 0;
    EXPECT(sized_grad(x, count, d) == GW_OK);
    check("sized", sized_loss, x, LENGTH, d);
    for (int i = 0; i < LENGTH; i++) d[i] = 0;
    pullbacks = jvps = primals = 0;
    custom_grad(x, count, d);
    EXPECT(pullbacks == 8 && jvps == 0 && primals > 0);
    check("custom", custom_loss, x, LENGTH, d);
    primals = 0;
    EXPECT(custom_jvp(x, count, w, &t) == custom(x, count) && jvps == 8 && primals == 8);
    agree("custom", t, d, LENGTH);
    for (int i = 0; i < LENGTH; i++) d[i] = 0;
    weights_grad(x, w, count, d);
    check("weights", weights_loss, x, LENGTH, d);
    weights_jvp(x, w, count, w, &t);
    agree("weights", t, d, LENGTH);
    for (int i = 0; i < 2 * LENGTH; i++) d[i] = 0;
    both_grad(x, x + LENGTH, count, d, d + LENGTH);
    check("both", both_loss, x, 2 * LENGTH, d);
    both_jvp(x, x + LENGTH, count, w, w, &t);
    agree("both", t, d, 2 * LENGTH);
}

static void check_outputs(const double *x) {
    double y[2 * LENGTH], d_y[2 * LENGTH], t_y[2 * LENGTH] = {0}, d[LENGTH] = {0};
    for (int i = 0; i < 2 * LENGTH; i++) y[i] = 100 + i, d_y[i] = w[i % LENGTH];
    writes_grad(y, x, count, d_y, d);
    check("writes", writes_loss, x, LENGTH, d);
    for (int i = 0; i < 2 * LENGTH; i++) {
        int written = i < count || (i < count + count / 2 + 1) || i == 0;
        EXPECT(y[i] == 100 + i && d_y[i] == (written ? 0 : w[i % LENGTH]));
    }
    writes_jvp(y, x, count, t_y, w);
    agree("writes", weigh(t_y, 2 * LENGTH), d, LENGTH);
    for (int i = 0; i < LENGTH; i++) d_y[i] = w[i], d[i] = t_y[i] = 0;
    halves_grad(y, x, count, d_y, d);
    check("halves", halves_loss, x, LENGTH, d);
    for (int i = 0; i < LENGTH; i++) EXPECT(d_y[i] == (i < count ? 0 : w[i]));
    halves_jvp(y, x, count, t_y, w);
    agree("halves", weigh(t_y, LENGTH), d, LENGTH);
    for (int i = 0; i < LENGTH; i++) y[i] = x[i], d[i] = t_y[i] = w[i];
    prefixes_grad(y, count, d);
    check("prefixes", prefixes_loss, x, LENGTH, d);
    for (int i = 0; i < LENGTH; i++) EXPECT(y[i] == x[i]);
    prefixes_jvp(y, count, t_y);
    agree("prefixes", weigh(t_y, LENGTH), d, LENGTH);
    for (int i = 0; i < LENGTH; i++) y[i] = x[i], d[i] = t_y[i] = w[i];
    squared_grad(y, count, d);
    for (int i = 0; i < LENGTH; i++) EXPECT(y[i] == x[i] && d[i] == (i < count ? 2 * x[i] * w[i] : w[i]));
    squared_jvp(y, count, t_y);
    for (int i = 0; i < LENGTH; i++) EXPECT(t_y[i] == d[i] && y[i] == (i < count ? x[i] * x[i] : x[i]));
}

int main(void) {
    double x[2 * LENGTH];
    for (int i = 0; i < 2 * LENGTH; i++) x[i] = 0.6 + 0.07 * ((i * 5) % 11);
    for (count = 3; count <= 8; count++) {
        check_values(x);
        check_outputs(x);
    }
    const float f[4] = {2, 0.5f, 1, 3}, t_f[4] = {1, 2, 3, 4};
    const int order[4] = {3, 1, 2, 0};
    float d_f[4] = {0}, t;
    ordered_grad(f, order, 4, d_f);
    EXPECT(d_f[0] == ordered(f, order, 4) / 2 && d_f[1] == 2 * 1.25f * 1.25f * 1.25f && d_f[2] == 0 &&
           d_f[3] == 0);
    ordered_jvp(f, order, 4, t_f, &t);
    EXPECT(t == d_f[0] + 2 * d_f[1]);
    return difference_report();
}
