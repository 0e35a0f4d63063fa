#!/usr/bin/env python3
"""Random kernels in which lanes of a warp, threads of a block or single threads go over rows: what takes turns
at a row's cells (device/turns.c), and what loads for several iterations first (device/ahead.c).

usage: lane_loops.py GWCC LIBRARY SUPPORT [--seed N] [--count K] [--batch B] [--keep DIR]

LIBRARY is libgwcheck.a. Each kernel is checked as those of tests/adjoint are (SUPPORT/check.cuh): against
differences, against forward mode, and by claims of a checked build. By turns with --deterministic,
--prefer=atomic and --without=posted.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

HEAD = '''#include "check.cuh"
typedef double real;
'''
SHAPES = {
    "lanes": ("(blockIdx.x * blockDim.x + threadIdx.x) / 32", "threadIdx.x % 32", "32", (2, 64)),
    "block": ("blockIdx.x", "threadIdx.x", "blockDim.x", (3, 48)),
    "thread": ("blockIdx.x * blockDim.x + threadIdx.x", "0", "1", (2, 2)),
}
FORMS = ([], ["--deterministic"], ["--prefer=atomic"], ["--without=posted"])


class Kernel:
    def __init__(self, r, number):
        self.r, self.name = r, f"k{number}"
        self.shape = r.choice(sorted(SHAPES))
        self.rows, self.n = 3, r.choice([5, 31, 64, 97, 150, 200])
        self.loops = r.randint(1, 3)

    def index(self):
        k = self.r.choice(["k", "k", "k", "n - 1 - k", "(k + 1) % n", "(7 * k + 3) % n", "k / 2"])
        row = self.r.choice(["row", "row", "row", "row / 2"]) if self.shape == "thread" else "row"
        return f"x[{row} * n + ({k})]"

    def number(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.2:
            return r.choice([self.index(), self.index(), "s", "0.5", "(real)(k + 1) / n"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        return r.choice([f"({a} * {b})", f"({a} + {b})", f"({a} - {b})", f"sin({a})", f"exp({a} / 8)",
                         f"({a} / (2 + {b} * {b}))"])

    def active(self):
        return f"({self.index()} * 0.7 + {self.number()})"

    def body(self, loop):
        r, made = self.r, []
        for _ in range(r.randint(1, 2)):
            kind = r.random()
            if kind < 0.4:
                made.append(f"s += {self.active()} / 16;")
            elif kind < 0.55:
                made.append(f"s = s * 0.75 + {self.active()} / 8;")
            elif kind < 0.7:
                made.append(f"if (k % 3 == {r.randint(0, 2)}) s += {self.active()} / 16;")
            elif not any("y[" in line for line in made):
                made.append(f"y[({loop} * rows + row) * n + k] = {self.active()};")
        return made

    def text(self):
        row, first, step, _ = SHAPES[self.shape]
        lines = ['BOTH("y wrt x")', f"__global__ void {self.name}(real *y, const real *x, int rows, int n) {{",
                 f"    const int row = {row}, first = {first};", "    if (row >= rows) return;",
                 "    real s = 0.3;"]
        for loop in range(self.loops):
            step_text = self.r.choice([step, "step"])
            if step_text == "step":
                lines.append(f"    const int step{loop} = {step};")
                step_text = f"step{loop}"
            rises = self.r.random() < 0.6
            head = f"int k = first; k < n; k += {step_text}" if rises else \
                f"int k = n - 1 - first; k >= 0; k -= (int){step_text}"
            lines += [f"    for ({head}) {{", *(f"        {line}" for line in self.body(loop)), "    }"]
        threads = "(blockIdx.x * blockDim.x + threadIdx.x)"
        lines += [f"    y[{self.loops} * rows * n + {threads}] = s;", "}"]
        return "\n".join(lines)

    def check(self):
        grid, block = SHAPES[self.shape][3]
        cells = self.loops * self.rows * self.n + grid * block
        arrays = f"out({cells}), in({self.rows * self.n})"
        return f"CHECK_KERNEL({self.name}, {grid}, {block}, {arrays}, {self.rows}, {self.n})"


def run(options, seeds, form, folder):
    kernels = [Kernel(random.Random(seed), seed) for seed in seeds]
    source = os.path.join(folder, "rows.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(k.text() for k in kernels) + '\n#include "rows.grad.cuh"\n' +
                   "\n".join(k.check() for k in kernels) + "\nTEST_MAIN\n")
    for more in ([], ["--checked"]):
        arguments = [f"--gradwright-arg={a}" for a in form + more]
        program = os.path.join(folder, "rows")
        built = subprocess.run([options.gwcc, "--device=cpu", source, "-o", program, "-I", options.support,
                                options.library, "-std=c++17", f"--save-emitted={folder}",
                                *arguments], stderr=subprocess.PIPE, text=True, cwd=folder)
        if built.returncode:
            return [f"{form} {more}: not built\n{built.stderr[:2000]}"], 0
        told = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        bad = [line for line in told.stdout.splitlines() if line.startswith("FAIL") or ": CUDA" in line]
        ended = re.search(r"(\d+) run, (\d+) failed", told.stdout)
        if told.returncode or not ended or int(ended.group(1)) != len(kernels):
            return [f"{form} {more}: {told.returncode}"] + bad, 0
    with open(os.path.join(folder, "rows.grad.cuh"), encoding="utf-8") as file:
        return [], file.read().count("_ahead[turn] = ")


def main():
    parser = argparse.ArgumentParser()
    for name in ("gwcc", "library", "support"):
        parser.add_argument(name)
    for name, value in (("--seed", 1), ("--count", 12), ("--batch", 12)):
        parser.add_argument(name, type=int, default=value)
    parser.add_argument("--keep")
    options = parser.parse_args()
    bad, ahead = 0, 0
    for number, begin in enumerate(range(options.seed, options.seed + options.count, options.batch)):
        seeds = range(begin, min(begin + options.batch, options.seed + options.count))
        with tempfile.TemporaryDirectory() as folder:
            folder = options.keep or folder
            os.makedirs(folder, exist_ok=True)
            wrong, loads = run(options, seeds, FORMS[number % len(FORMS)], folder)
        ahead += loads
        bad += bool(wrong)
        print("\n".join(wrong) or f"seeds from {begin}: right", flush=True)
    print(f"{options.count} kernels, {ahead} loads ahead, {bad} batches failed")
    return 1 if bad or not ahead else 0


if __name__ == "__main__":
    sys.exit(main())
