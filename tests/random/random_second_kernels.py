#!/usr/bin/env python3
"""Second derivatives of random kernels: f_hvp's gradient is that of f_grad, and its Hessian times a vector the
difference of gradients along that vector, inputs and seeds together.

    random_second_kernels.py --gradwright PATH --gwcc PATH [--seed N] [--count K] [--emit-only DIR]

Kernel s is the same for ever. With --emit-only its source and the gradients lie in DIR, for nvcc.
"""
import argparse
import os
import subprocess
import sys
import tempfile

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
enum { CELLS = %d, SMALL = %d, ALL = 2 * CELLS + 1 + SMALL };
static int failures, cells, wild;
static double number(unsigned *state) { // in [-1, 1)
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1;
}
/* y, s, x, w, behind each other: values, or what stands beside them */
struct numbers {
    double *at;
    numbers() { cudaMallocManaged(&at, ALL * sizeof *at), memset(at, 0, ALL * sizeof *at); }
    ~numbers() { cudaFree(at); }
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
static void done(int seed, gw_status status) {
    if (status == GW_OK && cudaDeviceSynchronize() == cudaSuccess) return;
    printf("kernel %%d: %%s\n", seed, gw_last_error()), failures++;
}
static void add(numbers &to, const numbers &values, const numbers &along, double step) {
    for (int i = 0; i < ALL; i++) to.at[i] = values.at[i] + step * along.at[i];
}
static double largest(const numbers &of) {
    double most = 0;
    for (int i = 0; i < ALL; i++) most = fmax(most, fabs(of.at[i]));
    return most;
}
#define CHECK(seed, f)                                                                                   \
    do {                                                                                                 \
        const int n = CELLS - seed %% 3;                                                                 \
        unsigned state = seed;                                                                           \
        numbers values, seeds, t, t_seeds, own, d, t_d, g[4];                                            \
        for (int i = CELLS + 1; i < ALL; i++) values.at[i] = number(&state), t.at[i] = number(&state);   \
        for (int i = 0; i <= CELLS; i++) seeds.at[i] = number(&state), t_seeds.at[i] = number(&state);   \
        const double steps[4] = {2e-5, -2e-5, 1e-5, -1e-5};                                              \
        for (int k = 0; k < 5; k++) {                                                                    \
            numbers moved, &to = k < 4 ? g[k] : own;                                                     \
            add(moved, values, t, k < 4 ? steps[k] : 0);                                                 \
            add(to, seeds, t_seeds, k < 4 ? steps[k] : 0);                                               \
            space room(f##_workspace_bytes(BLOCKS, THREADS, OF(moved), n));                              \
            done(seed, f##_grad_launch(BLOCKS, THREADS, 0, 0, OF(moved), n, OF(to), room.at, room.bytes)); \
        }                                                                                                \
        memcpy(d.at, seeds.at, ALL * sizeof(double)), memcpy(t_d.at, t_seeds.at, ALL * sizeof(double));  \
        {                                                                                                \
            space room(f##_hvp_workspace_bytes(BLOCKS, THREADS, OF(values), n, OF(t)));                  \
            done(seed, f##_hvp_launch(BLOCKS, THREADS, 0, 0, OF(values), n, OF(t), OF(d), OF(t_d), room.at, \
                                      room.bytes));                                                      \
        }                                                                                                \
        const double size = 1 + largest(t_d), slope = 1 + largest(own);                                  \
        for (int i = 0; i < ALL; i++) {                                                                  \
            const double wide = (g[0].at[i] - g[1].at[i]) / 4e-5, narrow = (g[2].at[i] - g[3].at[i]) / 2e-5; \
            if (!(fabs(d.at[i] - own.at[i]) <= 1e-10 * slope))                                           \
                printf("kernel %%d: gradient %%d is %%.12g, not %%.12g\n", seed, i, d.at[i], own.at[i]), \
                    failures++;                                                                          \
            cells++;                                                                                     \
            if (fabs(wide - narrow) > 1e-5 * size) wild++;                                               \
            else if (!(fabs(t_d.at[i] - narrow) <= 1e-5 * size))                                         \
                printf("kernel %%d: product %%d is %%.12g, not %%.12g\n", seed, i, t_d.at[i], narrow),   \
                    failures++;                                                                          \
        }                                                                                                \
    } while (0)
int main() {
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
        return (f'GW_GRADIENT("y, s wrt x, w") GW_HVP("y, s wrt x, w")\n'
                f"__global__ void f{self.seed}({parameters}) {{\n"
                f"    __shared__ double stage[{THREADS}];\n"
                f"    const int own = blockIdx.x * blockDim.x + threadIdx.x, i = own < n ? own : 0;\n"
                f"    double a = x[i], b = x[(i + 1) % n] * w[i % {SMALL}], work[3] = {{x[i], 0.4, w[1]}};\n"
                f"    stage[threadIdx.x] = work[1];\n{body}\n"
                f"    if (own < n) {{ {ends.format(e=self.expression(2))} }}\n}}\n")


def write(folder, seeds):
    source = os.path.join(folder, "second.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write(HEAD + f"enum {{ THREADS = {THREADS}, BLOCKS = {BLOCKS} }};\n" +
                   "\n".join(Kernel(seed).text() for seed in seeds) + CHECKS)
        for seed in seeds:
            file.write(f"    CHECK({seed}, f{seed});\n")
        file.write('    if (8 * wild > cells) printf("%d of %d cells are wild\\n", wild, cells), failures++;\n'
                   f'    printf("%d cells of {len(seeds)} kernels, %d wild: %s\\n", cells, wild, '
                   'failures ? "WRONG" : "all match");\n    return failures != 0;\n}\n')
    return source


def run(options, folder, seeds):
    source = write(folder, seeds)
    flags = subprocess.run([options.gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True,
                           text=True, check=True)
    commands = [[options.gradwright, source, "-o", os.path.join(folder, "second.grad.cuh"), "--",
                 *flags.stdout.split()]]
    if not options.emit_only:
        commands += [[options.gwcc, "--device=cpu", "--no-gradients", "-O1", "-Wall", "-Wextra", "-Werror",
                      source, "-o", os.path.join(folder, "second")], [os.path.join(folder, "second")]]
    for command in commands:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(f"kernels {seeds[0]} to {seeds[-1]}: {os.path.basename(command[0])}:\n{done.stdout[:4000]}")
            return False
    if not options.emit_only:
        print(done.stdout, end="")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradwright", required=True)
    parser.add_argument("--gwcc", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--emit-only", metavar="DIR")
    options = parser.parse_args()
    if options.emit_only:
        os.makedirs(options.emit_only, exist_ok=True)
        seeds = range(options.seed, options.seed + options.count)
        return 0 if run(options, options.emit_only, list(seeds)) else 1
    good = True
    for first in range(options.seed, options.seed + options.count, options.batch):
        with tempfile.TemporaryDirectory() as folder:
            good &= run(options, folder, list(range(first, min(first + options.batch,
                                                              options.seed + options.count))))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
