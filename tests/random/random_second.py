#!/usr/bin/env python3
"""Second and third derivatives of random C functions: Hessians are symmetric and equal to differences of
gradients, f_hvp is the gradient, and the Hessian times the vector, and f_third is how that moves along a second
direction: equal to its differences, symmetric in the two and linear. And their rounding errors: the bound of
f_error is no less than the difference from the same in long double.

    random_second.py --gradwright PATH --runtime LIBGWRUNTIME [--cc CC] [--seed N] [--count K]

Function s is the same for ever.
"""
import random
import re
import sys

import modes

N = 4
HELP = """#include <gradwright/gradwright.h>
#include <math.h>
"""
CHECKS = r"""
#include "second.grad.h"
#include <stdio.h>
#include <string.h>
enum { N = 4, SECOND = 0, THIRD = 1 };
static int failures, cells[2], wild[2], functions, tight;
/* A function and what was made of it; f_grad, f_hvp and f_third have no status where there is no tape. */
typedef struct {
    int seed;
    double (*f)(const double *x, int n);
    long double (*f_long)(const double *x, int n);
    gw_status (*error)(const double *x, double *bound), (*hessian)(const double *x, double *h);
    void (*grad)(const double *x, double *d), (*hvp)(const double *x, const double *t, double d[2][N]);
    void (*third)(const double *x, const double *t, const double *s, const double *s_t, double d[4][N]);
} made;
#define MADE(number, f)                                                                                     \
    static gw_status f##_by_error(const double *x, double *bound) { return f##_error(x, N, bound); }        \
    static gw_status f##_by_hessian(const double *x, double *h) { return f##_hessian(x, N, h); }            \
    static void f##_by_grad(const double *x, double *d) { f##_grad(x, N, d); }                              \
    static void f##_by_hvp(const double *x, const double *t, double d[2][N]) {                              \
        f##_hvp(x, N, t, d[0], d[1]);                                                                       \
    }                                                                                                       \
    static void f##_by_third(const double *x, const double *t, const double *s, const double *s_t,          \
                             double d[4][N]) {                                                              \
        f##_third(x, N, t, s, s_t, d[0], d[1], d[2], d[3]);                                                 \
    }                                                                                                       \
    static const made f##_made = {number,         f,            f##_long,    f##_by_error,                  \
                                  f##_by_hessian, f##_by_grad, f##_by_hvp, f##_by_third};
/* No function may leave its bound; what digits cancel in may be far below it, others are not. */
static void bounded(const made *m, const double *x) {
    double bound = 0, value = m->f(x, N);
    const long double error = m->f_long(x, N) - value;
    failures += m->error(x, &bound) != GW_OK;
    functions++, tight += bound <= 1000 * fmax((double)fabsl(error), 1e-16 * (1 + fabs(value)));
    if (bound >= fabsl(error)) return;
    printf("function %d: bound %g of the error %g\n", m->seed, bound, (double)error), failures++;
}
static void check(const made *m, const char *what, double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance * (1 + fabs(want))) return;
    printf("function %d: %s is %.12g, not %.12g\n", m->seed, what, got, want), failures++;
}
/* Against differences at two steps; a function that bends more than they see tells nothing. */
static const double steps[4] = {2e-5, -2e-5, 1e-5, -1e-5};
static void near(const made *m, int order, double got, const double at[4]) {
    const double wide = (at[0] - at[1]) / 4e-5, narrow = (at[2] - at[3]) / 2e-5;
    cells[order]++;
    if (fabs(wide - narrow) > 1e-5 * (1 + fabs(narrow))) wild[order]++;
    else check(m, order == THIRD ? "the third derivative" : "the Hessian", got, narrow, 1e-5);
}
static void add(double *to, const double *x, double step, const double *along) {
    for (int i = 0; i < N; i++) to[i] = x[i] + step * along[i];
}
static double largest(const double *of, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(of[i]));
    return most;
}
static void check_second(const made *m, double *x, const double *t) {
    double h[N * N], g[4][N], d[2][N] = {{0}}, own[N] = {0};
    failures += m->hessian(x, h) != GW_OK;
    m->grad(x, own);
    m->hvp(x, t, d);
    const double size = largest(h, N * N);
    for (int i = 0; i < N; i++) {
        double product = 0, keep = x[i];
        memset(g, 0, sizeof g);
        for (int k = 0; k < 4; k++) x[i] = keep + steps[k], m->grad(x, g[k]);
        x[i] = keep;
        for (int k = 0; k < N; k++) {
            product += h[N * i + k] * t[k];
            near(m, SECOND, h[N * i + k], (double[4]){g[0][k], g[1][k], g[2][k], g[3][k]});
            check(m, "symmetry", h[N * i + k] - h[N * k + i], 0, 1e-9 * (1 + size));
        }
        check(m, "the gradient", d[0][i], own[i], 1e-10);
        check(m, "Hessian times vector", d[1][i] - product, 0, 1e-9 * (1 + size));
    }
}
/* Along s, while t moves along s_t: how the gradient and the product by t move. The same for t in the place of
 * s; and linear in both ways to move. */
static void check_third(const made *m, const double *x, const double *t) {
    const double s[N] = {-0.3, 0.6, 0.8, -0.5}, s_t[N] = {0.4, 0.9, -0.2, 0.1}, still[N] = {0};
    double sum[N], moved[N], turned[N], own[2][N] = {{0}}, p[4][2][N] = {{{0}}};
    double d[4][N] = {{0}}, swapped[4][N] = {{0}}, by_t[4][N] = {{0}}, by_both[4][N] = {{0}};
    m->hvp(x, t, own);
    m->third(x, t, s, s_t, d);
    m->third(x, s, t, s_t, swapped);
    m->third(x, t, t, still, by_t);
    add(sum, s, 1.5, t);
    m->third(x, t, sum, s_t, by_both);
    for (int k = 0; k < 4; k++) {
        add(moved, x, steps[k], s);
        add(turned, t, steps[k], s_t);
        m->hvp(moved, turned, p[k]);
    }
    const double size = fmax(largest(d[0], 4 * N), largest(by_t[0], 4 * N)), same = 1e-9 * (1 + size);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 2; k++) {
            check(m, k ? "its product" : "its gradient", d[k][i], own[k][i], 1e-10);
            const double at[4] = {p[0][k][i], p[1][k][i], p[2][k][i], p[3][k][i]};
            near(m, k ? THIRD : SECOND, d[2 + k][i], at);
            check(m, "a sum of directions", by_both[2 + k][i] - d[2 + k][i] - 1.5 * by_t[2 + k][i], 0, same);
        }
        check(m, "its symmetry", swapped[3][i] - d[3][i], 0, same);
        check(m, "the other product", swapped[1][i] - d[2][i], 0, same);
    }
}
static void check_all(const made *m) {
    double x[N] = {0.317, 0.883, -0.641, 1.219}; /* nowhere x[0] + x[0] is -x[2], a kink of fmax */
    const double t[N] = {0.7, -0.4, 0.2, 0.5};
    bounded(m, x);
    check_second(m, x, t);
    check_third(m, x, t);
}
static int told(void) {
    for (int order = SECOND; order <= THIRD; order++)
        if (8 * wild[order] > cells[order])
            printf("%d of %d cells are wild, order %d\n", wild[order], cells[order], 2 + order), failures++;
    if (2 * tight < functions) printf("%d of %d bounds are near the error\n", tight, functions), failures++;
    return failures != 0;
}
"""

LIBRARY = ("sin|cos|tanh|exp|sqrt|log|atan2|pow|hypot|fmax|fmin|fabs|fma|cbrt|sinh|erf|atan|asin|log1p|expm1|"
           "copysign|asinh|fdim|exp2")


class Function:
    def __init__(self, seed):
        self.seed, self.random, self.names = seed, random.Random(seed), ["a", "b"]
        self.lines, self.depth = [], 1

    def atom(self):
        choice = self.random.random()
        if choice < 0.4:
            return f"x[{self.random.randrange(N)}]"
        return self.random.choice(self.names) if choice < 0.9 else f"{self.random.uniform(0.2, 1.5):.3f}"

    def expression(self, deep=3):
        if deep == 0 or self.random.random() < 0.2:
            return self.atom()
        one, two = self.expression(deep - 1), self.expression(deep - 1)
        if self.seed > 10000 and self.random.random() < 0.35: # of thousands: choices, more functions
            return self.random.choice([
                f"fmax({one}, {two})", f"fmin({one}, {two})", f"fabs({one})", f"({one} > 0.1 ? {two} : {one})",
                f"fma({one}, {two}, {one})", f"cbrt(2 + {one} * {one})", f"sinh(sin({one}))", f"erf({one})",
                f"atan({one})", f"asin(0.9 * sin({one}))", f"log1p({one} * {one})", f"expm1(-fabs({one}))",
                f"pow(1.3 + fabs({one}), 3)", f"copysign({one}, {two})", f"asinh({one})", f"fdim({one}, {two})",
                f"exp2(-{one} * {one})", f"hypot({one}, {two})", f"({two} - sin(-{one}))",
                f"{one} * {one} * {one}"])
        return self.random.choice([
            f"({one} + {two})", f"({one} - {two})", f"{one} * {two}", f"({one} / (1.5 + {two} * {two}))",
            f"sin({one})", f"cos({one})", f"tanh({one})", f"exp(-{one} * {one})", f"sqrt(1 + {one} * {one})",
            f"log(1.2 + {one} * {one})", f"atan2({one}, 2 + {two} * {two})", f"pow(1.1 + {one} * {one}, {two})",
            f"hypot({one}, 1.3)"])

    def put(self, line):
        self.lines.append("    " * self.depth + line)

    def block(self, head, deep):
        self.put(head + " {")
        self.depth += 1
        self.statements(deep - 1, 2)
        self.depth -= 1
        self.put("}")

    def statements(self, deep, count):
        for _ in range(count):
            kind = self.random.random()
            target = self.random.choice(self.names)
            if kind < 0.5 or deep == 0:
                self.put(f"{target} = 0.5 * sin({self.expression(2)}) + 0.3 * {target};")
            elif kind < 0.62:
                self.put(f"work[{self.random.randrange(3)}] = {self.expression()};")
                self.put(f"{target} += cos(work[{self.random.randrange(3)}]);")
            elif kind < 0.8:
                end = self.random.choice(["n", "3", "n - 1"])
                self.block(f"for (int i{deep} = 0; i{deep} < {end}; i{deep}++)", deep)
            elif kind < 0.9: # far from where it changes
                self.block(f"if (x[{self.random.randrange(N)}] > {self.random.choice([-2, 0, 0.6])})", deep)
            else:
                self.put(f"for (int s = 0; s < n; s++) {target} = 0.5 * {target} + tanh(x[s] * {target});")

    def text(self):
        self.statements(3, 4)
        body = "\n".join(self.lines)
        whole = (f"double f{self.seed}(const double *x, int n) {{\n"
                 f"    double a = x[0], b = x[1] * x[2], work[3] = {{x[0], 0.4, x[3]}};\n{body}\n"
                 f"    return a * b + a + sin(b) + work[1] * x[n - 2];\n}}\n")
        wide = re.sub(r"\b(" + LIBRARY + r")\(", r"\1l(", whole)
        wide = wide.replace("double f", "long double f").replace("double a =", "long double a =")
        wide = wide.replace(f"f{self.seed}(", f"f{self.seed}_long(")
        return (f'GW_GRADIENT("wrt x") GW_HVP("wrt x") GW_THIRD("wrt x") GW_HESSIAN("wrt x[0:n]") '
                f'GW_ERROR("wrt x")\n{whole}{wide}')


def source(seeds):
    made = "".join(f"MADE({seed}, f{seed})\n" for seed in seeds)
    checks = "".join(f"    check_all(&f{seed}_made);\n" for seed in seeds)
    return (HELP + "\n".join(Function(seed).text() for seed in seeds) + CHECKS + made +
            f"int main(void) {{\n{checks}    return told();\n}}\n")


if __name__ == "__main__":
    sys.exit(modes.main(__doc__, "functions", "second.c", source))
