#!/usr/bin/env python3
"""What scripts/gpu compiles with nvcc: whatever a test emits for CUDA is kept, once, with what it is made of.

usage: keep_test.py BUILD [NVCC]
"""
import os
import re
import subprocess
import sys
import tempfile

import suite

ROOT = os.path.dirname(os.path.dirname(suite.HERE))
SCALE = "#define SCALE 2.0f\n"
KERNEL = """#include "scale.cuh"
#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x") __global__ void f(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, nobody_reads = 0;
    if (i < n) y[i] = FACTOR * SCALE * x[i] * x[i];
}
"""
# What a test may do, and the texts that are kept of it.
RUNS = [
    ("a file", "gradwright own.cu -o out.cuh -- -DFACTOR=3 -Iparts", 1),
    ("the same again", "gradwright own.cu -o again.cuh -- -DFACTOR=3 -Iparts", 0),
    ("standard output", "gradwright own.cu -o - --accumulate=atomic -- -DFACTOR=3 -Iparts", 1),
    ("a rule of its own", "gradwright own.cu --checked -MD -o out.cuh -- -DFACTOR=3 -Iparts", 1),
    ("standalone", "gradwright bare.cu --standalone -o made.grad.cu -- -DFACTOR=3 -Iparts", 1),
    ("by gwcc", "gwcc --device=cpu --gradwright-arg=--keep-seed -DFACTOR=3 -Iparts -c own.cu", 1),
    ("refused", "gradwright wrong.cu -o out.cuh -- -DFACTOR=3 -Iparts", 0),
    ("a dump", "gradwright own.cu --dump=front -- -DFACTOR=3 -Iparts", 0),
    ("C", "gradwright host.c -o host.grad.h", 0),
]


def write_sources(folder):
    os.mkdir(os.path.join(folder, "parts"))
    sources = {
        "parts/scale.cuh": SCALE,
        "own.cu": KERNEL + '#include "own.grad.cuh"\n',
        "bare.cu": KERNEL,
        "wrong.cu": KERNEL.replace("y wrt x", "y wrt z"),
        "host.c": '#include <gradwright/gradwright.h>\nGW_GRADIENT("wrt x") double g(double x) { return x; }\n',
    }
    for name, text in sources.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def kept_of(work, store, tools, name, line):
    """How many more texts there are behind the run."""
    before = len(suite.units(store, re.compile("")))
    words = line.split()
    include = f"-I{ROOT}/include"
    words = words + [include] if "--" in words or words[0] == "gwcc" else words + ["--", include]
    command = [os.path.join(tools, words[0]), *words[1:]]
    environment = dict(os.environ, GW_TEST_NAME=name, GW_CLANG="true")
    subprocess.run(command, cwd=work, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    suite.remove_repeated(store, set())
    return len(suite.units(store, re.compile(""))) - before


def compile_all(nvcc, work, store):
    """Without its folder, which is gone by then."""
    wrong = []
    for unit in suite.units(store, re.compile("")):
        source = suite.source_to_compile(unit, os.path.join(work, "both.cu"))
        command = [nvcc, "-std=c++17", "-arch=sm_90", "-Xcompiler", "-Wall,-Wextra", "-Iinclude", *unit.flags,
                   f"-I{os.path.dirname(unit.text)}", "-c", source, "-o", os.path.join(work, "x.o")]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode or suite.warnings_of(unit, done.stdout) or "nobody_reads" not in done.stdout:
            wrong.append(f"{unit.name}: nvcc says {done.stdout or 'nothing of the source'}")
    return wrong


def main():
    build, *nvcc = sys.argv[1:]
    os.chdir(ROOT)
    wrong = []
    with tempfile.TemporaryDirectory() as place:
        store, tools, work = (os.path.join(place, name) for name in ("store", "tools", "work"))
        suite.write_stand_ins(tools, build, store)
        os.mkdir(work)
        write_sources(work)
        for name, line, wanted in RUNS:
            got = kept_of(work, store, tools, name, line)
            wrong += [f"{name}: {got} texts kept, not {wanted}"] * (got != wanted)
        os.rename(work, os.path.join(place, "gone"))
        os.mkdir(work)
        wrong += compile_all(nvcc[0], work, store) if nvcc else []
        lost = os.path.join(store, "lost.txt")
        wrong += [suite.read(lost)] if os.path.exists(lost) else []
    print("\n".join(wrong) or f"{len(RUNS)} runs, what they emit is kept{' and compiles' if nvcc else ''}")
    sys.exit(bool(wrong))


main()
