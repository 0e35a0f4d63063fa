#!/usr/bin/env python3
"""torch_test.py, jax_test.py, cupy_test.py and the examples on a GPU, on a machine that has PyTorch, JAX or
CuPy, and nvcc but no Clang.

usage: torch_gpu.py prepare FOLDER            here: writes as trees of sources what these load, of PyTorch and
                                              JAX what is installed, of CuPy by NumPy: more is added to the
                                              folder
       torch_gpu.py build FOLDER              there: compiles them by nvcc (NVCC, NVCC_FLAGS=-arch=sm_90)
       torch_gpu.py run FOLDER                there: the tests, the examples, figures, with two GPUs ranks
       torch_gpu.py one FOLDER FILE WORDS...  there: one program, as splatting.py, with what was built
"""
import concurrent.futures
import ctypes
import glob
import hashlib
import importlib.util
import os
import re
import runpy
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
EXAMPLES, BENCHMARKS = os.path.join(ROOT, "examples", "python"), os.path.join(ROOT, "benchmarks")
sys.path[:0] = [os.path.join(ROOT, "runtime", "python"), HERE, EXAMPLES, BENCHMARKS]

import gradwright as gw
from gradwright import _functions

REQUESTS = ("derivatives", "splits", "hvps", "jacobians", "hessians")
SCENE = "splatting.py --compare --repeats 20 --width"
LARGE = ["fit_image.py --width 256 --height 256 --gaussians 1000",
         "neural_ode.py --compare --trajectories 4096 --steps 100",
         f"{SCENE} 128 --height 128 --splats 2000", f"{SCENE} 512 --height 512 --splats 2000",
         f"{SCENE} 512 --height 512 --splats 100000 --no-plain",
         f"{SCENE} 1920 --height 1080 --splats 1000000 --no-plain"]


def key(source, gradients, words):
    """A name made of a text without folders, so that another machine finds it."""
    text = repr((re.sub(r'"/[^"]*/', '"', source), gradients, sorted(words.items())))
    return "t" + hashlib.sha256(text.encode()).hexdigest()[:16]


def has(name):
    return importlib.util.find_spec(name) is not None


def load_with_torch():
    import fit_image
    import neural_ode
    import python_overhead
    import splatting
    import torch_test
    assert unittest.main(torch_test, exit=False).result.wasSuccessful()
    gw.load(python_overhead.SOURCE, "touch: out wrt x, k")
    gw.load(fit_image.KERNEL, "render: image wrt all")
    neural_ode.by_kernel("cpu")
    for words in ({}, {"deterministic": True}, {"by_pixels": True}):
        splatting.Rasteriser("cpu", **words)


def load_with_jax():
    import jax_test
    assert unittest.main(jax_test, exit=False).result.wasSuccessful()


def load_with_numpy():
    import cupy_test
    assert unittest.main(cupy_test, exit=False).result.wasSuccessful()


def prepare(folder):
    from gradwright._tree import write
    made, real = {}, gw.load

    def record(source, gradients=(), device="cpu", **words):
        name = key(source, gradients, {n: w for n, w in words.items() if n != "language"})
        if name not in made:
            made[name] = True
            one = lambda given: [given] if isinstance(given, str) else list(given)
            asked = {n: one(words[n]) for n in REQUESTS if n in words}
            with tempfile.TemporaryDirectory() as work:
                path = os.path.join(work, "source.cu")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(source)
                write(path, os.path.join(folder, name), name, [], gradients=one(gradients),
                      arguments=words.get("arguments", ()), **asked)
        return real(source, gradients, "cpu", **words)

    gw.load = record
    sys.argv[1:] = []
    for name, load in (("numpy", load_with_numpy), ("torch", load_with_torch), ("jax", load_with_jax)):
        if has(name):
            load()
    print(f"{folder}: {len(made)} trees")


def build(folder):
    words = [sys.executable, "setup.py"]
    command = lambda tree: subprocess.run(words, cwd=tree, capture_output=True, text=True)
    trees, failed = sorted(glob.glob(os.path.join(folder, "t*"))), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for tree, done in zip(trees, pool.map(command, trees)):
            failed += done.returncode != 0
            print(os.path.basename(tree), "good" if done.returncode == 0 else done.stderr)
    return failed


def load_from(folder):
    def load(source, gradients=(), device="cpu", **words):
        name = key(source, gradients, {n: w for n, w in words.items() if n != "language"})
        exports = ctypes.CDLL(os.path.join(folder, name, f"lib{name}.so")).gw_exports
        exports.restype = ctypes.POINTER(_functions.Exported)
        return _functions.Functions(exports(), device)

    gw.load = load


def one(folder, file, words):
    load_from(folder)
    sys.argv = [file, *words]
    runpy.run_path(file, run_name="__main__")


def run(folder):
    own, failed = [os.path.abspath(__file__), "one", folder], []

    def program(title, *words, launcher=(sys.executable,), **variables):
        print(f"---- {title}", flush=True)
        if subprocess.run([*launcher, *own, *words], env={**os.environ, **variables}).returncode:
            failed.append(title)

    if has("cupy"):
        program("cupy_test.py", os.path.join(HERE, "cupy_test.py"), GW_CUPY_DEVICE="cuda")
    if has("jax"):
        program("jax_test.py", os.path.join(HERE, "jax_test.py"), GW_JAX_DEVICE="cuda",
                XLA_PYTHON_CLIENT_PREALLOCATE="false")
    if has("torch"):
        with_torch(program, failed)
    print("failed: " + ", ".join(failed) if failed else "all good")
    return len(failed)


def with_torch(program, failed):
    import torch
    program("torch_test.py", os.path.join(HERE, "torch_test.py"), GW_TORCH_DEVICE="cuda")
    program("overhead", os.path.join(BENCHMARKS, "python_overhead.py"))
    for line in LARGE:
        name, *words = line.split()
        program(line, os.path.join(EXAMPLES, name), "--device", "cuda", *words)
    if torch.cuda.device_count() > 1:
        with tempfile.TemporaryDirectory() as room:
            path = lambda name: os.path.join(room, name)
            words = [os.path.join(EXAMPLES, "splatting.py"), "--device", "cuda", "--deterministic",
                     "--width", "256", "--height", "256", "--splats", "5000", "--save"]
            program("one rank", *words, path("one"))
            program("two ranks", *words, path("two"),
                    launcher=(sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"))
            made = [torch.load(path(name)) for name in ("one", "two") if os.path.exists(path(name))]
            same = len(made) == 2 and all(torch.equal(made[0][n], made[1][n]) for n in made[0])
            print("two ranks have the bits of one" if same else "two ranks DIFFER from one")
            failed += [] if same else ["bits"]


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("prepare", "build", "run", "one"):
        sys.exit(__doc__)
    folder = os.path.abspath(sys.argv[2])
    if sys.argv[1] == "prepare":
        return prepare(folder)
    if sys.argv[1] == "one":
        return one(folder, os.path.abspath(sys.argv[3]), sys.argv[4:])
    return build(folder) if sys.argv[1] == "build" else run(folder)


if __name__ == "__main__":
    sys.exit(main())
