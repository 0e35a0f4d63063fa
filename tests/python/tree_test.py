#!/usr/bin/env python3
"""python -m gradwright torch: its tree builds and differentiates where there is no Gradwright, by gwcc for the
CPU device, and compiles by nvcc where that is. Exits with 77 without torch.

usage: tree_test.py GWCC NVCC FOLDER
"""
import os
import shutil
import subprocess
import sys

try:
    import torch  # noqa: F401
except ImportError:
    print("there is no torch")
    sys.exit(77)

KERNEL = """#pragma once
#include "helper.cuh"
__global__ void decay(double *out, const double *x, double k, int steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (int s = 0; s < steps; s++) v = step(v, k);
    out[i] = v;
}
double length(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
void all(double *y, const double *x, int n) { decay<<<1, n>>>(y, x, 0.5, 1, n); }
"""
HELPER = """#ifndef HELPER
#define HELPER
__device__ inline double step(double v, double k) { return v * (1 - k * v); }
#endif
"""
OPERATION = 'decay(grid=lambda a: (a.n + 3) // 4, block=4, outputs={"out": lambda a: (a.x.shape, a.x.dtype)})'
PROGRAM = """
import sys
import torch
import decays
assert "gradwright" not in sys.modules
x = torch.linspace(0.1, 0.9, 6, dtype=torch.float64, requires_grad=True)
k = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
for check in (torch.autograd.gradcheck, torch.autograd.gradgradcheck):
    assert check(lambda x, k: decays.decay(x, k, 3, 6), (x, k))
assert torch.autograd.gradcheck(lambda x: decays.length(x, 6), (x,))
try:
    decays.decay(x.float(), k, 3, 6)
except TypeError as error:
    assert "argument 'x' must be of float64" in str(error)
print("good")
"""


def write(folder, *words):
    decay = "decay: out wrt x, k"
    return subprocess.run(
        [sys.executable, "-m", "gradwright", "torch", os.path.join(folder, "decays.cu"), "--op", OPERATION,
         "--op", "length", "--gradient", decay, "--gradient", "length: wrt x", "--hvp", decay,
         "--derivative", decay, *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def refused(folder):
    """Each says why, with another status, and leaves no tree."""
    tree = os.path.join(folder, "none")
    for words, said in ((["--op", "decay(grids=1)"], "there is no 'grids'"),
                        (["--op", "decay(1)"], "has the form"),
                        (["--op", "decay("], "--op 'decay('"), (["--name", "a b"], "'a b' is no name"),
                        (["--gradient", "g: y wrt x"], "'g'"),
                        (["--gradient", "all: y wrt x"], "give the kernels")):
        done = write(folder, *words, "-o", tree)
        assert done.returncode != 0 and said in done.stdout and not os.path.exists(tree), (words, done.stdout)


def main():
    gwcc, nvcc, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, text in (("decays.cu", KERNEL), ("helper.cuh", HELPER)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    refused(folder)
    bare = dict(os.environ)
    for name in ("PYTHONPATH", "GRADWRIGHT_LIBRARY"):
        bare.pop(name, None)
    for device in ("cpu", "cuda"):
        tree = os.path.join(folder, device)
        done = write(folder, "--device", device, "-o", tree)
        assert done.returncode == 0, done.stdout
        os.rename(os.path.join(folder, "helper.cuh"), os.path.join(folder, "away"))
        if device == "cpu":
            bare["NVCC"] = gwcc + " --device=cpu --no-gradients"
            subprocess.run([sys.executable, "setup.py"], cwd=tree, env=bare, check=True)
            said = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tree, env=bare, stdout=subprocess.PIPE,
                                  text=True, check=True).stdout
            assert said == "good\n", said
        elif os.path.exists(nvcc):
            bare["NVCC"] = nvcc
            subprocess.run([sys.executable, "setup.py"], cwd=tree, env=bare, check=True)
            assert os.path.exists(os.path.join(tree, "libdecays.so"))
        os.rename(os.path.join(folder, "away"), os.path.join(folder, "helper.cuh"))


main()
