#!/usr/bin/env python3
"""The forms of a measured gradient: which are the chosen one, and the rows that come of a run's output.

usage: forms_test.py GRADWRIGHT INCLUDE RUNGS ROWS
"""
import subprocess
import sys
import tempfile

import forms

SOURCE = """#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x") __global__ void own(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
GW_GRADIENT("y wrt x") __global__ void listed(float *y, const float *x, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[at[i]] * x[at[i]];
}
GW_GRADIENT("y wrt x") __global__ void shared(float *y, const float *x, const int *at, int n) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    __syncthreads();
    y[i] = s[at[i]] * s[at[i]];
}
"""
# What the sums of each form are, beside the chosen one's.
EXPECTED = {
    ("own", "plain"): "owned", ("own", "exact"): "owned", ("own", "slots"): "owned", ("own", "atomic"): "owned",
    ("listed", "plain"): "some", ("listed", "exact"): "all", ("listed", "slots"): "all",
    ("listed", "atomic"): "part",
    ("shared", "plain"): "some", ("shared", "exact"): "all", ("shared", "slots"): "some",
    ("shared", "atomic"): "part",
}
ROUND = ("time two: threads 100 primal 0.5000 ms gradient {:.4f} ms ratio {:.2f} workspace 0.0 bytes/thread "
         "kernel f")
ROUNDS = [ROUND.format(ms, ms / 0.5) for ms in (1.25, 1.0, 9.0)]
OUTPUT = """noise
form two plain kernel=f sums=some threads=100.0 primal=0.5000 gradient=1.2500 ratio=2.5000 workspace=0.0 \
primal_registers=32 registers=40 stack=0 spilled=8
form two exact kernel=f sums=part threads=100.0 primal=0.5000 gradient=2.0000 ratio=4.0000 workspace=80.0
form two slots kernel=f sums=all fits=no workspace=123456.0
form two atomic kernel=f sums=some threads=100.0 primal=0.5000 gradient=6.0000 ratio=12.0000 workspace=0.0
form one plain kernel=one sums=owned threads=100.0 primal=0.5 gradient=1.5 ratio=3.0 workspace=4000.0
form one exact kernel=one sums=owned
form stuck plain kernel=g sums=some threads=100.0 primal=0.5 gradient=1.5 ratio=3.0 workspace=0.0
form stuck slots kernel=g sums=some
form stuck exact kernel=g sums=all
form failed exact kernel=h sums=all
"""
ROWS = """| `two` | 0.5 | 1.25 | 2.5 | 4 (80, part) | too large (123,456) | 12 | 32, 40 | 8 | 0 |
| `one` | 0.5 | 1.5 | 3 | owned |  |  | ?, ? | ? | 4000 |
| `stuck` | 0.5 | 1.5 | 3 | failed | no |  | ?, ? | ? | 0 |
"""
failed = []


def expect(what, got, want):
    if got != want:
        failed.append(what)
        print(f"FAILED: {what}: {got!r} instead of {want!r}")


def check_sums(gradwright, include, rungs):
    unordered = forms.unordered_calls(rungs)
    with tempfile.TemporaryDirectory() as folder:
        source, texts = f"{folder}/f.cu", {}
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        for form, options in forms.FORMS.items():
            command = [gradwright, source, "-o", f"{folder}/{form}.cuh", *options, "--", f"-I{include}"]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            texts[form] = open(f"{folder}/{form}.cuh", encoding="utf-8").read()
    for (kernel, form), want in EXPECTED.items():
        text, chosen = (forms.gradient_text(texts[f], kernel) for f in (form, "plain"))
        expect(f"{kernel} has a gradient ({form})", f"{kernel}_grad" in text, True)
        expect(f"{kernel}, {form}", forms.sums_of(text, chosen, unordered), want)


def check_rows(script):
    runs = [forms.times_of(said)["two"] for said in ROUNDS]
    expect("the kernel", runs[0][0], "f")
    expect("the median", forms.median([numbers for _, numbers in runs]), [100, 0.5, 1.25, 2.5, 0])
    said = "too large a: workspace 5.0 bytes/thread kernel k"
    expect("too large", forms.too_large_of(said), {"a": ("k", 5.0)})
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        log.write(OUTPUT)
        log.flush()
        printed = subprocess.run([script, log.name], stdout=subprocess.PIPE, text=True, check=True).stdout
    expect("the rows", printed.split("\n", 2)[2], ROWS)
    columns = {line.count(" |") for line in printed.splitlines()[:1] + ROWS.splitlines()}
    expect("as many columns everywhere", len(columns), 1)
    nothing = subprocess.run([script, "/dev/null"], stderr=subprocess.DEVNULL).returncode
    expect("a log without such lines", nothing, 1)


check_sums(*sys.argv[1:3], open(sys.argv[3], encoding="utf-8").read())
check_rows(sys.argv[4])
print("FAILED" if failed else "ok")
sys.exit(bool(failed))
