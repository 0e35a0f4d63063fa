/* Callbacks as libraries in C have them: a pointer to a function and one to what it is given, and tables. */
#include "difference.h"

#include <gradwright/gradwright.h>

typedef double function(double, void *);
struct callback {
    double (*function)(double x, void *params);
    void *params;
};
static double wave(double x, void *p) {
    (void)p;
    return sin(x) * x;
}
static double cubic(double x, void *p) {
    (void)p;
    return x * x * x;
}
static function *const table[] = {wave, &cubic};
static const struct {
    const char *name;
    double (*f)(double);
    double weight;
} named[] = {{"sin", sin, 0.5}, {"exp", exp, 2}, {"none", NULL, 1}};

GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x") GW_SPLIT_GRADIENT("wrt x") double given(double (*f)(double, void *), double x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += f(x * i, 0) * x;
    return s;
}
GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x")
    GW_SPLIT_GRADIENT("wrt x") double in_a_struct(const struct callback *c, double x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += c->function(x * i + s, 0) * x;
    return s;
}
GW_GRADIENT("wrt x") double by_value(struct callback c, double x) {
    if (!c.function) return x * x;
    return c.function(x, 0) * (*c.function)(2 * x, 0);
}
GW_GRADIENT("wrt x") double in_tables(double x, int n) {
    double s = x;
    for (int i = 0; i < 3; i++)
        s += table[(i + n) % 2](s * x, 0) * named[i * n % 2].weight;
    return named[2].f ? 0 : s * named[n % 2].f(x);
}
static double (*const rows[2][2])(double) = {{sin, exp}, {cos, sin}};
static double (*picked(int n))(double) { return rows[n % 2][n / 2]; }
GW_GRADIENT("wrt x") double in_rows(double x, int n) {
    double (*const *row)(double) = rows[n / 2];
    return row[n % 2](x) * picked(n)(x * x) + rows[n % 2][n / 2](x);
}

/* What the function is given is known where it is called. */
static double power(double x, const void *params) { return pow(x, *(const double *)params); }
struct known {
    double (*function)(double x, const void *params);
    const void *params;
};
static double integral(const struct known *c, double a, double b, int n) {
    const double h = (b - a) / n;
    double s = 0.5 * (c->function(a, c->params) + c->function(b, c->params));
    for (int i = 1; i < n; i++)
        s += c->function(a + i * h, c->params);
    return s * h;
}
GW_GRADIENT("wrt x") GW_SPLIT_GRADIENT("wrt x") double integrated(const double *x, int n) {
    double alpha = x[0] * x[1];
    struct known c = {power, &alpha};
    return integral(&c, 1, x[1] + 2, n) * x[0];
}

/* A pointer walks along structs that hold pointers, and along a variable as an array of one. */
struct operation {
    double (*f)(double);
    const double *weight;
};
static double weighed(const struct operation *o, int n, double x) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += o[i].f(x) * *(o + i)->weight;
    return s;
}
static double sum_of(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s;
}
GW_GRADIENT("wrt x") double in_structs(const double *x, int n) {
    double w = x[0] * x[1];
    const struct operation o[3] = {{sin, &w}, {exp, &x[1]}, {cos, &x[0]}};
    return weighed(o, n, x[0]) + weighed(o + 1, 2, x[1]) + sum_of(&w, 1);
}

#include "callbacks.grad.h"

static int which, steps = 4;
static double loss_given(const double *x) { return given(table[which], x[0], steps); }
static double loss_in_a_struct(const double *x) {
    const struct callback c = {table[which], 0};
    return in_a_struct(&c, x[0], steps);
}
static double loss_by_value(const double *x) {
    const struct callback c = {which < 2 ? table[which] : 0, 0};
    return by_value(c, x[0]);
}
static double loss_in_tables(const double *x) { return in_tables(x[0], which); }
static double loss_in_rows(const double *x) { return in_rows(x[0], which); }
static double loss_in_structs(const double *x) { return in_structs(x, 3); }
static double loss_integrated(const double *x) { return integrated(x, 5); }

int main(void) {
    const double at[2] = {0.7, 0.4};
    gw_host_tape tape = GW_HOST_TAPE;
    double value = 0;
    for (which = 0; which < 3; which++) {
        double d[2] = {0, 0}, halves[2] = {0, 0}, t = 0;
        const struct callback c = {which < 2 ? table[which] : 0, 0};
        by_value_grad(c, at[0], d);
        check("by_value", loss_by_value, at, 1, d);
        d[0] = 0;
        in_tables_grad(at[0], which, d);
        check("in_tables", loss_in_tables, at, 1, d);
        d[0] = 0;
        in_rows_grad(at[0], which, d);
        check("in_rows", loss_in_rows, at, 1, d);
        if (which == 2) break;
        d[0] = 0;
        given_grad(table[which], at[0], steps, d);
        check("given", loss_given, at, 1, d);
        given_jvp(table[which], at[0], steps, 1, &t);
        EXPECT(fabs(t - d[0]) <= 1e-12 * fabs(t));
        EXPECT(!given_fwd(table[which], at[0], steps, &value, &tape));
        EXPECT(!given_bwd(table[which], at[0], steps, 1, halves, &tape));
        EXPECT(fabs(halves[0] - d[0]) <= 1e-12 * fabs(t) && value == given(table[which], at[0], steps));
        d[0] = halves[0] = 0;
        EXPECT(!in_a_struct_grad(&c, at[0], steps, d));
        check("in_a_struct", loss_in_a_struct, at, 1, d);
        in_a_struct_jvp(&c, at[0], steps, 1, &t);
        EXPECT(fabs(t - d[0]) <= 1e-12 * fabs(t));
        EXPECT(!in_a_struct_fwd(&c, at[0], steps, &value, &tape));
        EXPECT(!in_a_struct_bwd(&c, at[0], steps, 1, halves, &tape));
        EXPECT(fabs(halves[0] - d[0]) <= 1e-12 * fabs(t));
    }
    double d[2] = {0, 0}, halves[2] = {0, 0};
    in_structs_grad(at, 3, d);
    check("in_structs", loss_in_structs, at, 2, d);
    d[0] = d[1] = 0;
    integrated_grad(at, 5, d);
    check("integrated", loss_integrated, at, 2, d);
    EXPECT(!integrated_fwd(at, 5, &value, &tape) && !integrated_bwd(at, 5, 1, halves, &tape));
    EXPECT(fabs(halves[0] - d[0]) <= 1e-12 * fabs(d[0]) && fabs(halves[1] - d[1]) <= 1e-12 * fabs(d[1]));
    gw_host_tape_free(&tape);
    return difference_report();
}
