#!/usr/bin/env python3
"""Second derivatives of random C functions: Hessians are symmetric and equal to differences of gradients, and
f_hvp is the gradient, and the Hessian times the vector. And their rounding errors: the bound of f_error is no
less than the difference from the same in long double.

    random_second.py --gradwright PATH --runtime LIBGWRUNTIME [--cc CC] [--seed N] [--count K]

Function s is the same for ever.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

N = 4
HELP = """#include <gradwright/gradwright.h>
#include <math.h>
"""
CHECKS = r"""
#include "second.grad.h"
#include <stdio.h>
static int failures, cells, wild, functions, tight;
/* No function may leave its bound; what digits cancel in may be far below it, others are not. */
static void bounded(int seed, double bound, long double error, double value) {
    functions++, tight += bound <= 1000 * fmax((double)fabsl(error), 1e-16 * (1 + fabs(value)));
    if (bound >= fabsl(error)) return;
    printf("function %d: bound %g of the error %g\n", seed, bound, (double)error), failures++;
}
static void check(int seed, const char *what, double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance * (1 + fabs(want))) return;
    printf("function %d: %s is %.12g, not %.12g\n", seed, what, got, want), failures++;
}
/* Against differences at two steps; a function that bends more than they see tells nothing. */
static void near(int seed, double got, double wide, double narrow) {
    cells++;
    if (fabs(wide - narrow) > 1e-5 * (1 + fabs(narrow))) wild++;
    else check(seed, "the Hessian", got, narrow, 1e-5);
}
#define CHECK(seed, f)                                                                         \
    do {                                                                                       \
        double x[4] = {0.3, 0.9, -0.6, 1.2}, t[4] = {0.7, -0.4, 0.2, 0.5}, h[16], g[4][4];      \
        const double steps[4] = {2e-5, -2e-5, 1e-5, -1e-5};                                    \
        double d[4] = {0}, t_d[4] = {0}, own[4] = {0}, size = 0, bound = 0;                    \
        if (f##_error(x, 4, &bound) != GW_OK) failures++;                                      \
        bounded(seed, bound, f##_long(x, 4) - f(x, 4), f(x, 4));                                        \
        if (f##_hessian(x, 4, h) != GW_OK) failures++;                                         \
        f##_grad(x, 4, own);                                                                   \
        f##_hvp(x, 4, t, d, t_d);                                                              \
        for (int i = 0; i < 16; i++) size = fmax(size, fabs(h[i]));                            \
        for (int i = 0; i < 4; i++) {                                                          \
            double product = 0, keep = x[i];                                                   \
            for (int k = 0; k < 4; k++) {                                                      \
                for (int c = 0; c < 4; c++) g[k][c] = 0;                                       \
                x[i] = keep + steps[k];                                                        \
                f##_grad(x, 4, g[k]);                                                          \
                x[i] = keep;                                                                   \
            }                                                                                  \
            for (int k = 0; k < 4; k++) {                                                      \
                product += h[4 * i + k] * t[k];                                                \
                const double wide = (g[0][k] - g[1][k]) / 4e-5;                                \
                near(seed, h[4 * i + k], wide, (g[2][k] - g[3][k]) / 2e-5);                    \
                check(seed, "symmetry", h[4 * i + k] - h[4 * k + i], 0, 1e-9 * (1 + size));    \
            }                                                                                  \
            check(seed, "the gradient", d[i], own[i], 1e-10);                                  \
            check(seed, "Hessian times vector", t_d[i] - product, 0, 1e-9 * (1 + size));       \
        }                                                                                      \
    } while (0)
int main(void) {
"""


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
        wide = re.sub(r"\b(sin|cos|tanh|exp|sqrt|log|atan2|pow|hypot)\(", r"\1l(", whole)
        wide = wide.replace("double f", "long double f").replace("double a =", "long double a =")
        wide = wide.replace(f"f{self.seed}(", f"f{self.seed}_long(")
        return f'GW_GRADIENT("wrt x") GW_HVP("wrt x") GW_HESSIAN("wrt x[0:n]") GW_ERROR("wrt x")\n{whole}{wide}'


def run(options, folder, seeds):
    source = os.path.join(folder, "second.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(HELP + "\n".join(Function(seed).text() for seed in seeds) + CHECKS)
        for seed in seeds:
            file.write(f"    CHECK({seed}, f{seed});\n")
        file.write('    if (8 * wild > cells) printf("%d of %d cells are wild\\n", wild, cells), failures++;\n')
        file.write("    if (2 * tight < functions)\n"
                   '        printf("%d of %d bounds are near the error\\n", tight, functions), failures++;\n')
        file.write("    return failures != 0;\n}\n")
    include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include")
    for command in ([options.gradwright, source, "-o", os.path.join(folder, "second.grad.h")],
                    [options.cc, "-O1", "-Wall", "-Wextra", "-Werror", "-I", include, source, options.runtime,
                     "-lm", "-pthread", "-o", os.path.join(folder, "second")],
                    [os.path.join(folder, "second")]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(f"functions {seeds[0]} to {seeds[-1]}: {os.path.basename(command[0])}:\n{done.stdout[:4000]}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradwright", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--batch", type=int, default=20)
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for first in range(options.seed, options.seed + options.count, options.batch):
            last = min(first + options.batch, options.seed + options.count)
            good &= run(options, folder, list(range(first, last)))
    print(f"{options.count} functions: {'all match' if good else 'not all match'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
