#!/usr/bin/env python3
"""Second and third derivatives of random kernels: f_hvp's gradient is that of f_grad, and its Hessian times a
vector the difference of gradients along that vector, inputs and seeds together; f_third is the same for f_hvp
and a second vector, and symmetric in the two.

    random_second_kernels.py --gradwright PATH --gwcc PATH [--seed N] [--count K] [--emit-only DIR]

Kernel s is the same for ever. With --emit-only its source and the gradients lie in DIR, for nvcc.
"""
import sys

import modes
from random_second import Function

THREADS, BLOCKS, SMALL = 8, 3, 4
CELLS = THREADS * BLOCKS
HEAD = """#include <gradwright/gradwright.h>
#include <math.h>
"""
CHECKS = r"""
#include "second.grad.cuh"
#include <stdio.h>
#include <string.h>
enum { CELLS = %d, SMALL = %d, ALL = 2 * CELLS + 1 + SMALL, SECOND = 0, THIRD = 1 };
static int failures, cells[2], wild[2];
static double number(unsigned *state) { // in [-1, 1)
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1;
}
/* y, s, x, w, behind each other: values, or what stands beside them */
struct numbers {
    double *at;
    numbers() { cudaMallocManaged(&at, ALL * sizeof *at), memset(at, 0, ALL * sizeof *at); }
    numbers(const numbers &other) : numbers() { *this = other; }
    ~numbers() { cudaFree(at); }
    numbers &operator=(const numbers &other) { return memcpy(at, other.at, ALL * sizeof *at), *this; }
    double *y() const { return at; }
    double *s() const { return at + CELLS; }
    double *x() const { return at + CELLS + 1; }
    double *w() const { return at + 2 * CELLS + 1; }
};
#define OF(a) (a).y(), (a).s(), (a).x(), (a).w()
struct space {
    size_t bytes;
    void *at = nullptr;
    explicit space(size_t n) : bytes(n) { if (n) cudaMalloc(&at, n); }
    ~space() { cudaFree(at); }
};
/* A direction, or none; and adjoints with their tangents. */
struct second { numbers value, tangent; };
struct third { second value, tangent; };
struct made {
    int seed, n;
    gw_status (*grad)(const numbers &at, int n, numbers &d);
    gw_status (*hvp)(const second &at, int n, second &d);
    gw_status (*of_third)(const third &at, int n, third &d);
};
#define FOUR(a) OF((a).value.value), OF((a).value.tangent), OF((a).tangent.value), OF((a).tangent.tangent)
#define MADE(f)                                                                                       \
    static gw_status f##_by_grad(const numbers &at, int n, numbers &d) {                                    \
        space room(f##_workspace_bytes(BLOCKS, THREADS, OF(at), n));                                        \
        return f##_grad_launch(BLOCKS, THREADS, 0, 0, OF(at), n, OF(d), room.at, room.bytes);               \
    }                                                                                                       \
    static gw_status f##_by_hvp(const second &at, int n, second &d) {                                       \
        space room(f##_hvp_workspace_bytes(BLOCKS, THREADS, OF(at.value), n, OF(at.tangent)));              \
        return f##_hvp_launch(BLOCKS, THREADS, 0, 0, OF(at.value), n, OF(at.tangent), OF(d.value),          \
                              OF(d.tangent), room.at, room.bytes);                                          \
    }                                                                                                       \
    static gw_status f##_by_third(const third &at, int n, third &d) {                                       \
        const second &x = at.value, &s = at.tangent;                                                        \
        space room(f##_third_workspace_bytes(BLOCKS, THREADS, OF(x.value), n, OF(x.tangent), OF(s.value),   \
                                             OF(s.tangent)));                                               \
        return f##_third_launch(BLOCKS, THREADS, 0, 0, OF(x.value), n, OF(x.tangent), OF(s.value),          \
                                OF(s.tangent), FOUR(d), room.at, room.bytes);                               \
    }
#define CHECK(seed, f) check_all({seed, CELLS - seed %% 3, f##_by_grad, f##_by_hvp, f##_by_third})
static void done(const made &m, gw_status status) {
    if (status == GW_OK && cudaDeviceSynchronize() == cudaSuccess) return;
    printf("kernel %%d: %%s\n", m.seed, gw_last_error()), failures++;
}
static numbers sum(const numbers &values, double step, const numbers &along) {
    numbers to;
    for (int i = 0; i < ALL; i++) to.at[i] = values.at[i] + step * along.at[i];
    return to;
}
static second sum(const second &values, double step, const second &along) {
    return {sum(values.value, step, along.value), sum(values.tangent, step, along.tangent)};
}
static double largest(const numbers &of) {
    double most = 0;
    for (int i = 0; i < ALL; i++) most = fmax(most, fabs(of.at[i]));
    return most;
}
static void same(const made &m, const char *what, const numbers &got, const numbers &want, double size) {
    for (int i = 0; i < ALL; i++)
        if (!(fabs(got.at[i] - want.at[i]) <= 1e-10 * size))
            printf("kernel %%d: %%s %%d is %%.12g, not %%.12g\n", m.seed, what, i, got.at[i], want.at[i]),
                failures++;
}
/* Against differences at two steps; a kernel that bends more than they see tells nothing: at both steps by
 * themselves, or so much that a step goes over more than one bend, as of the cosine of a large number. */
static const double steps[4] = {2e-5, -2e-5, 1e-5, -1e-5};
static void near(const made &m, int order, const char *what, const numbers &got, const numbers *const at[4]) {
    const double size = 1 + largest(got);
    const bool bends = 1e-5 * size > 0.01 * (1 + largest(*at[2]));
    for (int i = 0; i < ALL; i++) {
        const double wide = (at[0]->at[i] - at[1]->at[i]) / 4e-5,
                     narrow = (at[2]->at[i] - at[3]->at[i]) / 2e-5;
        cells[order]++;
        if (bends || !(fabs(wide - narrow) <= 1e-5 * size)) wild[order]++;
        else if (!(fabs(got.at[i] - narrow) <= 1e-5 * size))
            printf("kernel %%d: %%s %%d is %%.12g, not %%.12g\n", m.seed, what, i, got.at[i], narrow),
                failures++;
    }
}
static void check_second(const made &m, const second &at, const second &seeds) {
    second d = seeds;
    numbers own = seeds.value, g[4];
    done(m, m.hvp(at, m.n, d));
    done(m, m.grad(at.value, m.n, own));
    for (int k = 0; k < 4; k++) {
        g[k] = sum(seeds.value, steps[k], seeds.tangent);
        done(m, m.grad(sum(at.value, steps[k], at.tangent), m.n, g[k]));
    }
    same(m, "gradient", d.value, own, 1 + largest(own));
    const numbers *const all[4] = {g, g + 1, g + 2, g + 3};
    near(m, SECOND, "product", d.tangent, all);
}
/* Values, seeds and their tangents along `at.tangent`: how the products move. Both count the same. */
static void check_third(const made &m, const third &at, const third &seeds) {
    third d = seeds, turned = {{seeds.value.value, seeds.tangent.value},
                               {seeds.value.tangent, seeds.tangent.tangent}};
    second own = seeds.value, p[4];
    done(m, m.of_third(at, m.n, d));
    done(m, m.hvp(at.value, m.n, own));
    const third by_s = {{at.value.value, at.tangent.value}, {at.value.tangent, at.tangent.tangent}};
    done(m, m.of_third(by_s, m.n, turned));
    for (int k = 0; k < 4; k++) {
        p[k] = sum(seeds.value, steps[k], seeds.tangent);
        done(m, m.hvp(sum(at.value, steps[k], at.tangent), m.n, p[k]));
    }
    same(m, "third's gradient", d.value.value, own.value, 1 + largest(own.value));
    same(m, "third's product", d.value.tangent, own.tangent, 1 + largest(own.tangent));
    same(m, "third's other product", d.tangent.value, turned.value.tangent, 1 + largest(d.tangent.value));
    same(m, "third's symmetry", d.tangent.tangent, turned.tangent.tangent, 1 + largest(d.tangent.tangent));
    const numbers *const first[4] = {&p[0].value, &p[1].value, &p[2].value, &p[3].value};
    const numbers *const last[4] = {&p[0].tangent, &p[1].tangent, &p[2].tangent, &p[3].tangent};
    near(m, SECOND, "product along s", d.tangent.value, first);
    near(m, THIRD, "third derivative", d.tangent.tangent, last);
}
static void check_all(const made &m) {
    unsigned state = (unsigned)m.seed;
    third at, seeds;
    numbers *const along[4] = {&at.value.value, &at.value.tangent, &at.tangent.value, &at.tangent.tangent},
            *const seed[4] = {&seeds.value.value, &seeds.value.tangent, &seeds.tangent.value,
                              &seeds.tangent.tangent};
    for (int k = 0; k < 4; k++) {
        for (int i = CELLS + 1; i < ALL; i++) along[k]->at[i] = number(&state);
        for (int i = 0; i <= CELLS; i++) seed[k]->at[i] = number(&state);
    }
    check_second(m, at.value, seeds.value);
    check_third(m, at, seeds);
}
static int told(int kernels) {
    for (int order = SECOND; order <= THIRD; order++)
        if (8 * wild[order] > cells[order])
            printf("%%d of %%d cells are wild, order %%d\n", wild[order], cells[order], 2 + order), failures++;
    printf("%%d kernels, %%d cells, %%d wild: %%s\n", kernels, cells[0] + cells[1], wild[0] + wild[1],
           failures ? "WRONG" : "all match");
    return failures != 0;
}
""" % (CELLS, SMALL)


class Kernel(Function):
    """Threads that meet: a staged array behind a barrier, shuffles, atomic additions; a loop over the grid."""

    def atom(self):
        r = self.random
        choice = r.random()
        if choice < 0.3:
            return r.choice([f"x[(i + {r.randrange(4)}) % n]", f"w[{r.randrange(SMALL)}]", "x[i]",
                             f"w[i % {SMALL}]"])
        if choice < 0.5 and self.staged:
            return f"stage[(threadIdx.x + {r.randrange(THREADS)}) % {THREADS}]"
        return r.choice(self.names) if choice < 0.9 else f"{r.uniform(0.2, 1.5):.3f}"

    def statements(self, deep, count):
        before = len(self.lines)
        super().statements(deep, count)
        # what functions of the host say of x is said of this thread's
        for k in range(before, len(self.lines)):
            line = self.lines[k]
            for j in range(4):
                line = line.replace(f"(x[{j}] >", f"(i % 4 > {j} - 2 && x[i] >")
            self.lines[k] = line.replace("n - 1;", "3;").replace("< n;", f"< {SMALL};").replace("x[s]", "w[s]")

    def stage(self):
        """What is stored is read before the barrier in front of it: others' cells may be among it."""
        next_one = f"next_{len(self.lines)}"
        self.put(f"const double {next_one} = {self.expression(2)};")
        self.put("__syncthreads();")
        self.put(f"stage[threadIdx.x] = {next_one};")
        self.put("__syncthreads();")
        self.staged = True

    def meet(self):
        kind = self.random.random()
        if kind < 0.4:
            self.stage()
        elif kind < 0.7:
            self.put(f"a += 0.2 * __shfl_xor_sync(0xffu, b, {self.random.choice([1, 2, 4])}, {THREADS});")
        else:
            self.put(f"if (threadIdx.x == {self.random.randrange(THREADS)}) atomicAdd(s, sin(a) * b);")

    def text(self):
        r = self.random
        self.staged = False
        if r.random() < 0.7:
            self.stage()
        self.statements(2, 3)
        for _ in range(r.randrange(3)):
            self.meet()
            self.statements(1, 2)
        body = "\n".join(self.lines)
        ends = r.choice(["y[i] = a * b + {e}; if (i % 3) atomicAdd(s, sin(b));",
                       "y[i] = {e} + tanh(a) * b; atomicAdd(s, a * b);"])
        parameters = "double *y, double *s, const double *x, const double *w, int n"
        return (f'GW_GRADIENT("y, s wrt x, w") GW_HVP("y, s wrt x, w") GW_THIRD("y, s wrt x, w")\n'
                f"__global__ void f{self.seed}({parameters}) {{\n"
                f"    __shared__ double stage[{THREADS}];\n"
                f"    const int own = blockIdx.x * blockDim.x + threadIdx.x, i = own < n ? own : 0;\n"
                f"    double a = x[i], b = x[(i + 1) % n] * w[i % {SMALL}], work[3] = {{x[i], 0.4, w[1]}};\n"
                f"    stage[threadIdx.x] = work[1];\n{body}\n"
                f"    if (own < n) {{ {ends.format(e=self.expression(2))} }}\n}}\n")


def source(seeds):
    made = "".join(f"MADE(f{seed})\n" for seed in seeds)
    checks = "".join(f"    CHECK({seed}, f{seed});\n" for seed in seeds)
    return (HEAD + f"enum {{ THREADS = {THREADS}, BLOCKS = {BLOCKS} }};\n" +
            "\n".join(Kernel(seed).text() for seed in seeds) + CHECKS + made +
            f"int main() {{\n{checks}    return told({len(seeds)});\n}}\n")


if __name__ == "__main__":
    sys.exit(modes.main(__doc__, "kernels", "second.cu", source, 10, 10))
