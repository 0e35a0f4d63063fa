#!/usr/bin/env python3
"""Jacobians of random C functions, dense and sparse: by rows and by columns equal to differences of values, the
sparse one equal to the dense one at other numbers and places, with one handle that is used on and with a new
one for each.

    random_jacobians.py --gradwright PATH --runtime LIBGWRUNTIME [--cc CC] [--seed N] [--count K]

Function s is the same for ever. They gather from places that are read, sum over windows, sort, look for roots,
hold numbers in arrays of their own, add onto their outputs, and branch on numbers; others are decided by
integers alone, and find by names the entries that bits find.
"""
import random
import re
import sys

import modes

HELP = """#include <gradwright/gradwright.h>
#include <gradwright/sparse.h>
#include <math.h>
"""
CHECKS = r"""
#include "jacobian.grad.h"
#include <stdio.h>
#include <string.h>
enum { N = 13, M = 9 };
static int failures, cells, wild, again, anew, by_rows, lost, rounds;
static void check(int seed, const char *what, double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance * (1 + fabs(want))) return;
    printf("function %d: %s is %.15g, not %.15g\n", seed, what, got, want), failures++;
}
static void fill(double *x, int *at, int round) {
    for (int i = 0; i < N; i++) x[i] = sin(3 * i + 1 + round / 2) + (round % 2) * 1e-9;
    for (int i = 0; i < 2 * M; i++) at[i] = (i * i + 5 * i + (round / 4) * (i % 3)) % N;
}
typedef void function(double *y, const double *x, double k, const int *at, int n, int m);
static void near(int seed, function *f, const double *x, const int *at, int m, const double *j) {
    double moved[N], y[4][M];
    const double steps[4] = {2e-5, -2e-5, 1e-5, -1e-5};
    for (int c = 0; c <= N; c++) {
        for (int s = 0; s < 4; s++) {
            memcpy(moved, x, sizeof moved);
            if (c < N) moved[c] += steps[s];
            for (int i = 0; i < m; i++) y[s][i] = i * 0.25;
            f(y[s], moved, 0.7 + (c == N ? steps[s] : 0), at, N, m);
        }
        for (int i = 0; i < m; i++, cells++) {
            const double wide = (y[0][i] - y[1][i]) / 4e-5, narrow = (y[2][i] - y[3][i]) / 2e-5;
            const double rounded = 4e-16 * fabs(y[2][i]) / 2e-5; /* large numbers hide their slopes */
            if (fabs(wide - narrow) + rounded > 1e-5 * (1 + fabs(narrow))) wild++;
            else check(seed, "the Jacobian", j[i * (N + 1) + c], narrow, 1e-5);
        }
    }
}
/* What feeds on itself may grow beyond all numbers: then 0 times infinity is anything. */
static int is_lost(const double *numbers, int count) {
    for (int i = 0; i < count; i++)
        if (!(fabs(numbers[i]) < 1e100)) return 1;
    return 0;
}
/* Both ways round. */
static void beside(int seed, const double *rows, const double *dense, int count) {
    double size = 0;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(dense[i]));
    for (int i = 0; i < count; i++) check(seed, "by rows", rows[i] - dense[i], 0, 1e-12 * (1 + size));
}
#define CHECK(seed, f, BITS)                                                                      \
    do {                                                                                          \
        double x[N], y[M], same[M], dense[M * (N + 1)], full[M * (N + 1)], rows[M * (N + 1)];     \
        int at[2 * M];                                                                            \
        gw_sparse j = GW_SPARSE, fresh = GW_SPARSE;                                               \
        for (int round = 0; round < 12; round++) {                                                \
            const int m = round / 4 % 2 ? 2 : M; /* few rows go in reverse */                     \
            fill(x, at, round);                                                                   \
            for (int i = 0; i < m; i++) y[i] = same[i] = i * 0.25;                                \
            failures += f##_dense(same, x, 0.7, at, N, m, dense) != GW_OK;                        \
            rounds++;                                                                             \
            if (is_lost(same, m) || is_lost(dense, m * (N + 1))) {                                \
                lost++;                                                                           \
                continue;                                                                         \
            }                                                                                     \
            if (round % 4 == 0) near(seed, f, x, at, m, dense);                                   \
            memset(rows, 0, sizeof rows);                                                         \
            for (int i = 0; round % 4 == 0 && i < m; i++) {                                       \
                double d_y[M] = {0}, *row = rows + i * (N + 1);                                   \
                d_y[i] = 1;                                                                       \
                f##_rows(y, x, 0.7, at, N, m, d_y, row, row + N);                                 \
            }                                                                                     \
            if (round % 4 == 0) beside(seed, rows, dense, m * (N + 1));                           \
            failures += f##_jacobian(y, x, 0.7, at, N, m, &j) != GW_OK;                           \
            memset(full, 0, sizeof full);                                                         \
            for (int i = 0; i < m; i++)                                                           \
                for (int e = j.row_begin[i]; e < j.row_begin[i + 1]; e++)                         \
                    full[i * (N + 1) + j.column[e]] = j.value[e];                                 \
            for (int i = 0; i < m * (N + 1); i++) check(seed, "sparse", full[i], dense[i], 1e-12); \
            for (int i = 0; i < m; i++) check(seed, "y", y[i], same[i], 0);                       \
            anew += j.is_new, again += !j.is_new, by_rows += j.by_rows;                           \
            /* a handle of its own finds the same pattern */                                      \
            for (int i = 0; i < m; i++) y[i] = i * 0.25;                                          \
            failures += f##_jacobian(y, x, 0.7, at, N, m, &fresh) != GW_OK;                       \
            failures += fresh.entries != j.entries;                                               \
            failures += memcmp(fresh.column, j.column, (size_t)j.entries * sizeof(int)) != 0;     \
            gw_sparse_free(&fresh);                                                               \
            BITS(f)                                                                               \
        }                                                                                         \
        gw_sparse_free(&j);                                                                       \
    } while (0)
/* Bits find what is named. */
#define NO_BITS(f)
#define SAME_BITS(f)                                                                              \
    for (int i = 0; i < m; i++) y[i] = i * 0.25;                                                  \
    failures += f##_bits_jacobian(y, x, 0.7, at, N, m, &fresh) != GW_OK;                          \
    if (fresh.entries != j.entries ||                                                             \
        memcmp(fresh.row_begin, j.row_begin, (size_t)(m + 1) * sizeof(int)) != 0 ||               \
        memcmp(fresh.column, j.column, (size_t)j.entries * sizeof(int)) != 0)                     \
        printf("%s: bits find another pattern\n", #f), failures++;                              \
    gw_sparse_free(&fresh);
int main(void) {
"""


class Function:
    FORMS = ["({0} + {1})", "({0} - {1})", "{0} * {1}", "sin({0})", "exp(-fabs({0}))", "fmin({0}, {1})",
             "{0} / (2 + {1} * {1})", "({0} > 0 ? {1} : {0})", "sqrt(1 + {0} * {0})"]

    LETTER, BITS = "f", "NO_BITS"

    def __init__(self, seed):
        self.seed, self.name = seed, f"{self.LETTER}{seed}"
        self.random, self.depth, self.lines = random.Random(seed), 2, []
        self.names, self.serial = ["a", "b"], 0

    def add(self, text):
        self.lines.append("    " * self.depth + text)

    def number(self):
        return f"{self.random.uniform(0.2, 1.5):.3f}"

    def index(self):
        return self.random.choice(["i", "(i + 1) % n", "at[2 * i]", "at[2 * i + 1]", "n - 1 - i", "0",
                                   "(at[i] + i) % n", "p"])

    def atom(self):
        choice = self.random.random()
        if choice < 0.35:
            return f"x[{self.index()}]"
        if choice < 0.45:
            return f"own[{self.random.choice(['0', '1', 'i % 3', 'at[i] % 3'])}]"
        return self.random.choice(self.names + ["k"]) if choice < 0.9 else self.number()

    def expression(self, deep=2):
        if deep == 0 or self.random.random() < 0.2:
            return self.atom()
        one, two = self.expression(deep - 1), self.expression(deep - 1)
        return self.random.choice(self.FORMS).format(one, two)

    def statement(self, deep):
        kind = self.random.choice(["new", "set", "own", "if", "for", "while", "sort", "find", "add"])
        if kind == "new":
            self.serial += 1
            self.add(f"double v{self.serial} = {self.expression()};")
            self.names.append(f"v{self.serial}")
        elif kind == "set":
            self.add(f"{self.random.choice(['a', 'b'])} = {self.expression()};")
        elif kind == "own":
            self.add(f"own[{self.random.choice(['0', 'i % 3', 'p % 3'])}] = {self.expression()};")
        elif kind == "if" and deep:
            condition = self.random.choice([f"{self.expression(1)} > 0.1", "at[i] % 2", "i > m / 2",
                                            f"fabs({self.atom()}) < 0.5 && i % 2"])
            self.block(f"if ({condition}) {{", deep)
        elif kind == "for" and deep:
            self.block(self.random.choice(["for (int q = 0; q < 3; q++) {",
                                           "for (int q = i; q < at[i]; q++) {"]), deep)
        elif kind == "while":
            self.add("for (int q = 0; q < 4 && fabs(a) > 0.3; q++) a *= 0.6, p = (p + 1) % n;")
        elif kind == "sort":
            self.add("if (own[0] > own[1]) b = own[0], own[0] = own[1], own[1] = b;")
        elif kind == "find":
            self.add("for (int q = 0; q < n; q++) if (x[q] > x[p]) p = q;")
        elif kind == "add":
            self.add(f"y[i] += {self.expression(1)} * {self.random.choice(['y[i]', '1', 'a'])};")

    def block(self, head, deep):
        names, depth = list(self.names), self.depth
        self.add(head)
        self.depth += 1
        for _ in range(self.random.randint(1, 2)):
            self.statement(deep - 1)
        self.names, self.depth = names, depth
        self.add("}")

    def head(self):
        name, outputs = self.name, "y[0:m] wrt x[0:n], k"
        return (f'GW_JACOBIAN("sparse {outputs}") GW_JACOBIAN("{name}_dense = {outputs}")\n'
                f'GW_GRADIENT("{name}_rows = y wrt x, k")\n'
                f"static void {name}(double *y, const double *x, double k, const int *at, int n, int m) {{\n"
                "    int p = 1;\n    for (int i = 0; i < m; i++) {\n")

    def text(self):
        for _ in range(self.random.randint(2, 6)):
            self.statement(2)
        if self.seed % 4 == 3: # rows that are full, of which few are made in reverse
            self.add("for (int q = 0; q < n; q++) a += 0.1 * x[q] * x[(q + i) % n];")
        own = self.random.choice(["double own[3] = {0.1, 0.2, k};", "double own[3] = {x[0], x[1], x[2]};"])
        start = f"        double a = x[at[i]], b = k * i;\n        {own}\n"
        before = self.random.choice(["y[i] * 0.5 + ", ""])
        last = f"        y[i] = {before}a + own[1] * b + {self.expression()};\n"
        unused = "        (void)p, (void)n;\n"
        return self.head() + start + "\n".join(self.lines) + "\n" + last + unused + "    }\n}\n"


class OfIntegers(Function):
    """Integers alone decide, so that most of them name their entries; and the same function with its outputs at
    a place that is read, 0, which must find the entries by bits."""
    LETTER, BITS = "g", "SAME_BITS"
    FORMS = [form for form in Function.FORMS if "?" not in form]
    CONDITIONS = ["i % 2", "i > m / 2", "(i + n) % 3 == 1", "n > 3", "i % 3 < 2 && i > 1"]

    def index(self):
        places = ["i", "(i + 1) % n", "(2 * i + 3) % n", "n - 1 - i", "0", "n - 2"]
        return self.random.choice(places + self.inner)

    def atom(self):
        if self.random.random() < 0.6:
            return f"x[{self.index()}]"
        return self.random.choice(self.names + ["k", "1.5"])

    inner = []

    def statement(self, deep):
        kind = self.random.choice(["new", "grow", "set", "if", "if", "for", "for", "while", "row", "leave"])
        if kind == "new":
            self.serial += 1
            self.add(f"double v{self.serial} = {self.expression()};")
            self.names.append(f"v{self.serial}")
        elif kind == "grow":
            self.add(f"{self.random.choice(['a', 'b'])} {self.random.choice(['+', '-', '*'])}= "
                     f"{self.expression(1)};")
        elif kind == "set" and not self.inner:
            self.add(f"{self.random.choice(['a', 'b'])} = {self.expression()};")
        elif kind == "if" and deep:
            self.block(f"if ({self.random.choice(self.CONDITIONS)}) {{", deep)
        elif kind == "for" and deep:
            self.serial += 1
            q, inner = f"q{self.serial}", self.inner
            self.inner = inner + [f"(i + {q}) % n", q]
            self.block(self.random.choice([f"for (int {q} = 0; {q} < 3; {q}++) {{",
                                           f"for (int {q} = i; {q} < n; {q} += 2) {{",
                                           f"for (int {q} = i; {q} > 0; {q} /= 2) {{"]), deep)
            self.inner = inner
        elif kind == "while":
            self.add(f"while (p < i) a += x[p % n] * {self.atom()}, p += 2;")
        elif kind == "row":
            self.add(f"y[{self.random.choice(['i', 'i', '0', '(i + 2) % m'])}] "
                     f"{self.random.choice(['', '+', '+'])}= {self.expression(1)};")
        elif kind == "leave" and self.inner:
            self.add(f"if ({self.random.choice(self.CONDITIONS)}) "
                     f"{self.random.choice(['break', 'continue'])};")

    def text(self):
        for _ in range(self.random.randint(2, 6)):
            self.statement(2)
        before = self.random.choice(["y[i] * 0.5 + ", ""])
        last = (f"        y[i] = {before}a + b * {self.atom()};\n        (void)p, (void)n, (void)at;\n"
                "    }\n}\n")
        return (self.head() + "        double a = x[i], b = k * i;\n" + "\n".join(self.lines) + "\n" + last +
                'GW_JACOBIAN("sparse y[0:m] wrt x[0:n], k")\n'
                f"static inline void {self.name}_bits(double *y, const double *x, double k, const int *at, "
                f"int n, int m) {{\n    {self.name}(y + at[0], x, k, at, n, m);\n}}\n")


def source(seeds):
    functions = [kind(seed) for kind in (Function, OfIntegers) for seed in seeds]
    checks = "".join(f"    CHECK({f.seed}, {f.name}, {f.BITS});\n" for f in functions)
    end = ('    printf("%d cells, %d not smooth; %d patterns found, %d kept; %d by rows\\n", cells, wild, '
           "anew, again, by_rows);\n"
           '    if (lost) printf("%d of %d rounds are lost\\n", lost, rounds);\n'
           f"    if ({len(seeds)} >= 20 && !by_rows) failures++; /* full rows are among so many */\n"
           "    return failures != 0 || 10 * lost > rounds || wild > cells / 5 || again < anew / 8;\n}\n")
    return HELP + "".join(f.text() for f in functions) + CHECKS + checks + end


def names_entries(folder, count):
    """At least a third of the functions of integers name their entries."""
    with open(f"{folder}/jacobian.grad.h", encoding="utf-8") as file:
        named = len(re.findall(r"void g\d+_jacobian_pattern\([^)]*gw_sparse", file.read()))
    print(f"{named} of {count} functions of integers name their entries")
    return 3 * named >= count


if __name__ == "__main__":
    sys.exit(modes.main(__doc__, "functions", "jacobian.c", source, also=names_entries,
                        flags=[f"-Wno-{of}" for of in ("unused-variable", "unused-but-set-variable",
                                                       "unused-function", "self-assign")]))
