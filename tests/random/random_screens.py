#!/usr/bin/env python3
"""Derivatives of random device functions along the axes of a screen, in kernels: f_screen gives what the
function gives, what f_jvps of GW_DERIVATIVES gives along two directions, and the differences over pixels.

    random_screens.py --gradwright PATH --gwcc PATH [--seed N] [--count K] [--emit-only DIR]

Function s is the same for ever. They return numbers, structs or whether they came to their end, write behind
pointers and references that they read, take structs and arrays, call functions, choose and leave early.
"""
import re
import sys

import modes
from random_second import N, Function

HEAD = """#include <gradwright/gradwright.h>
#include <math.h>
struct point { double a, b; };
"""
PARAMETER = re.compile(r"(\w+)(?:\)\[N\])?(?=,|\)$)")


class Shape:
    """What a function looks like: `early` and `last` are how it ends, of two numbers; and how it is called,
    @ being its name: for its value, along a screen, in two directions."""

    def __init__(self, places, head, early, last, request, calls):
        self.places, self.head, self.early, self.last = places, head, early, last
        self.request, self.calls = request, calls


SHAPES = [
    Shape(["p.a", "p.b", "k", "y[0]", "y[1]"], "bool {0}(double *y, point p, double k, const double *x, int n)",
          "return false;", "y[0] = {0}, y[1] = y[1] * {1} + a * b; return true;", "y wrt y, p, k, x",
          ("out.end = @(out.value, P(in), in.k, in.x, N);",
           "out.end = @_screen(out.value, P(in), in.k, in.x, N, out.dx, out.dy, P(dx), P(dy), dx.k, dy.k, "
           "dx.x, dy.x);",
           "out.end = @_jvps(out.value, P(in), in.k, in.x, N, t.y, t.p, t.k, t.x); set(out, t.y);")),
    Shape(["p.a", "p.b", "k"], "double {0}(point p, double k, const double *x, int n)",
          "return {0} * a + {1};", "return {0} * b + {1} + a;", "wrt p, k, x",
          ("out.value[0] = @(P(in), in.k, in.x, N);",
           "out.value[0] = @_screen(P(in), in.k, in.x, N, P(dx), P(dy), dx.k, dy.k, dx.x, dy.x, out.dx, "
           "out.dy);",
           "out.value[0] = @_jvps(P(in), in.k, in.x, N, t.p, t.k, t.x, t.y[0]); set(out, t.y);")),
    Shape(["u", "v", "k"], "point {0}(double u, double v, double k, const double *x, int n)",
          "return {{{0}, {1}}};", "return {{{0} + a, b * {1}}};", "wrt u, v, k, x",
          ("set(out.value, @(in.p[0], in.p[1], in.k, in.x, N));",
           "point d[2]; set(out.value, @_screen(in.p[0], in.p[1], in.k, in.x, N, dx.p[0], dy.p[0], dx.p[1], "
           "dy.p[1], dx.k, dy.k, dx.x, dy.x, &d[0], &d[1])); set(out, d);",
           "set(out.value, @_jvps(in.p[0], in.p[1], in.k, in.x, N, t.u, t.v, t.k, t.x, t.whole)); "
           "set(out, t.whole);")),
    Shape(["u", "v", "y.a", "y.b"], "void {0}(point &y, double u, double v, const double (&x)[N], int n)",
          "return;", "y.b = {0} * y.a; y.a = {1} - a * b;", "y wrt y, u, v, x",
          ("point y = whole(in); @(y, in.p[0], in.p[1], in.x, N); set(out.value, y);",
           "point y = whole(in), d[2] = {whole(dx), whole(dy)}; "
           "@_screen(y, in.p[0], in.p[1], in.x, N, &d[0], &d[1], dx.p[0], dy.p[0], dx.p[1], dy.p[1], &dx.x, "
           "&dy.x); set(out.value, y); set(out, d);",
           "point y = whole(in); @_jvps(y, in.p[0], in.p[1], in.x, N, t.whole, t.u, t.v, t.x); "
           "set(out.value, y); set(out, t.whole);")),
]
CHECKS = r"""
#include "screens.grad.cuh"
#include <stdio.h>
enum { PIXELS = 16 };
struct numbers { double y[2], p[2], k, x[N]; };
struct along { int end; double value[2], dx[2], dy[2]; };
struct pixel { numbers in, dx, dy; along screen, jvps, own, moved[2][4]; };
static int failures, cells, wild;
#define BOTH __host__ __device__ inline
BOTH double step_of(int k) { return (k % 2 ? -1 : 1) * (k < 2 ? 2e-5 : 1e-5); }
static double number(unsigned *state) { // in [-1, 1)
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1;
}
/* The same with the two directions side by side. */
struct lanes {
    double y[2][2], u[2], v[2], k[2], x[N][2];
    point p[2], whole[2];
    __host__ __device__ lanes(const numbers &dx, const numbers &dy) {
        for (int lane = 0; lane < 2; lane++) {
            const numbers &d = lane ? dy : dx;
            for (int i = 0; i < 2; i++) y[i][lane] = d.y[i];
            for (int i = 0; i < N; i++) x[i][lane] = d.x[i];
            u[lane] = d.p[0], v[lane] = d.p[1], k[lane] = d.k;
            p[lane] = {d.p[0], d.p[1]}, whole[lane] = {d.y[0], d.y[1]};
        }
    }
};
BOTH point P(const numbers &of) { return {of.p[0], of.p[1]}; }
BOTH point whole(const numbers &of) { return {of.y[0], of.y[1]}; }
BOTH void set(double *y, point from) { y[0] = from.a, y[1] = from.b; }
BOTH void set(along &out, const point *d) { set(out.dx, d[0]), set(out.dy, d[1]); }
BOTH void set(along &out, const double (*y)[2]) {
    for (int i = 0; i < 2; i++) out.dx[i] = y[i][0], out.dy[i] = y[i][1];
}
/* Before a function writes. */
BOTH along begun(const numbers &in, const numbers &dx, const numbers &dy) {
    return {0, {in.y[0], in.y[1]}, {dx.y[0], dx.y[1]}, {dy.y[0], dy.y[1]}};
}
BOTH numbers sum(const numbers &x, double step, const numbers &along) {
    numbers to = x;
    to.k += step * along.k;
    for (int i = 0; i < 2; i++) to.y[i] += step * along.y[i], to.p[i] += step * along.p[i];
    for (int i = 0; i < N; i++) to.x[i] += step * along.x[i];
    return to;
}
template <class F> __global__ void draw(pixel *out) {
    pixel &p = out[blockIdx.x * blockDim.x + threadIdx.x];
    const numbers still = {};
    p.screen = p.jvps = begun(p.in, p.dx, p.dy);
    p.own = begun(p.in, still, still);
    F::screen(p.in, p.dx, p.dy, p.screen);
    F::jvps(p.in, p.dx, p.dy, p.jvps);
    F::value(p.in, p.own);
    for (int k = 0; k < 8; k++) {
        const numbers at = sum(p.in, step_of(k % 4), k < 4 ? p.dx : p.dy);
        along &moved = p.moved[k / 4][k % 4] = begun(at, still, still);
        F::value(at, moved);
    }
}
static void check(int seed, const char *what, double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance * (1 + fabs(want))) return;
    printf("function %d: %s is %.15g, not %.15g\n", seed, what, got, want), failures++;
}
/* Against differences at two steps; a function that bends more than they see tells nothing. */
static void near(int seed, double got, const along *moved, int i) {
    const double wide = (moved[0].value[i] - moved[1].value[i]) / 4e-5,
                 narrow = (moved[2].value[i] - moved[3].value[i]) / 2e-5;
    cells++;
    if (fabs(wide - narrow) > 1e-5 * (1 + fabs(narrow))) wild++;
    else check(seed, "the derivative", got, narrow, 1e-5);
}
template <class F> static void check_all(int seed) {
    unsigned state = (unsigned)seed;
    pixel *all;
    cudaMallocManaged(&all, PIXELS * sizeof *all);
    for (int p = 0; p < PIXELS; p++) {
        all[p] = {};
        for (numbers *of : {&all[p].in, &all[p].dx, &all[p].dy}) {
            of->k = number(&state);
            for (int i = 0; i < 2; i++) of->y[i] = number(&state), of->p[i] = number(&state);
            for (int i = 0; i < N; i++) of->x[i] = number(&state);
        }
    }
    draw<F><<<2, PIXELS / 2>>>(all);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("function %d: no result\n", seed), failures++;
    for (int p = 0; p < PIXELS; p++) {
        const along &s = all[p].screen, &j = all[p].jvps, &own = all[p].own;
        if (s.end != own.end) printf("function %d: end %d, not %d\n", seed, s.end, own.end), failures++;
        for (int i = 0; i < 2; i++) {
            check(seed, "the value", s.value[i], own.value[i], 1e-12);
            check(seed, "the value beside f_jvps", j.value[i], own.value[i], 1e-12);
            check(seed, "dx beside f_jvps", s.dx[i], j.dx[i], 1e-11);
            check(seed, "dy beside f_jvps", s.dy[i], j.dy[i], 1e-11);
            near(seed, s.dx[i], all[p].moved[0], i);
            near(seed, s.dy[i], all[p].moved[1], i);
        }
    }
    cudaFree(all);
}
static int told(int functions) {
    if (8 * wild > cells) failures++;
    printf("%d functions, %d cells, %d wild: %s\n", functions, cells, wild, failures ? "WRONG" : "all match");
    return failures != 0;
}
"""


class Screened(Function):
    """A function of the device of one of SHAPES."""

    def __init__(self, seed):
        super().__init__(seed)
        self.shape = self.random.choice(SHAPES)
        self.names += self.random.choice([[], ["q.a", "q.b"], ["work[1]"]])
        self.in_helper = False

    def atom(self):
        choice = self.random.random()
        if self.in_helper:
            return self.random.choice(["u", "v", "u * v"])
        if choice < 0.3:
            return self.random.choice(self.shape.places)
        if choice < 0.4: # a place that depends on what has derivatives
            return f"x[(int)fmin(9, fabs(3 * {self.random.choice(self.names)})) % {N}]"
        return super().atom()

    def expression(self, deep=3):
        choice = self.random.random()
        if deep == 0 or choice > 0.25:
            return super().expression(deep)
        one, two = self.expression(deep - 1), self.expression(deep - 1)
        if choice < 0.1 and not self.in_helper:
            return f"help{self.seed}({one}, {two})"
        if choice < 0.15: # sums of multiples, as long as tangents stay those
            return f"({self.atom()} - ({one} - {self.random.choice(['', '1.7 * '])}{two}))"
        return self.random.choice([f"({one} > 0.1 ? {two} : {one})", f"fmax({one}, {two})", f"fabs({one})",
                                   f"(-{one})", f"rsqrt(1 + {two} * {two}) * {one}", f"fma({one}, {two}, a)"
                                   if not self.in_helper else f"(u - {one})"])

    def leave(self):
        values = self.expression(1), self.expression(1)
        self.put(f"if ({self.random.choice(self.names)} > {self.random.choice(['0.4', '1.2'])}) "
                 + self.shape.early.format(*values))

    def text(self):
        shape, request = self.shape, self.shape.request
        self.in_helper = True
        helper = f"double help{self.seed}(double u, double v) {{ return {self.expression(3)} + u * v; }}"
        self.in_helper = False
        self.statements(2, 3)
        if self.random.random() < 0.5:
            self.leave()
            self.statements(2, 2)
        name, body = f"f{self.seed}", "\n".join(self.lines)
        end = shape.last.format(self.expression(2), self.expression(2))
        unused = " ".join(f"(void){word};" for word in ["q", "work", *PARAMETER.findall(shape.head)])
        start = self.random.choice(self.shape.places)
        return (f"__host__ __device__ inline {helper}\n"
                f'GW_SCREEN_DERIVATIVES("{request}") GW_DERIVATIVES(2, "{request}")\n'
                f"__host__ __device__ inline {shape.head.format(name)} {{\n"
                f"    double a = x[0], b = x[1] * {start}, work[3] = {{x[0], 0.4, x[3]}};\n"
                f"    point q = {{{start}, x[2]}};\n    {unused}\n{body}\n    {end}\n}}\n")

    def calls(self):
        value, screen, jvps = (call.replace("@", f"f{self.seed}") for call in self.shape.calls)
        three = "const numbers &in, const numbers &dx, const numbers &dy, along &out"
        return (f"struct f{self.seed}_made {{\n"
                f"    BOTH static void value(const numbers &in, along &out) {{ {value} }}\n"
                f"    BOTH static void screen({three}) {{ {screen} }}\n"
                f"    BOTH static void jvps({three}) {{\n"
                f"        lanes t(dx, dy);\n        {jvps}\n    }}\n}};\n")


def source(seeds):
    functions = [Screened(seed) for seed in seeds]
    texts = "\n".join(function.text() for function in functions)
    made = "".join(function.calls() for function in functions)
    checks = "".join(f"    check_all<f{seed}_made>({seed});\n" for seed in seeds)
    return (HEAD + f"enum {{ N = {N} }};\n" + texts + CHECKS + made +
            f"int main() {{\n{checks}    return told({len(seeds)});\n}}\n")


if __name__ == "__main__":
    sys.exit(modes.main(__doc__, "functions", "screens.cu", source))
