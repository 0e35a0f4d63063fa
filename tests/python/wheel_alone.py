#!/usr/bin/env python3
"""An installed wheel works where there is no LLVM: in a mount namespace of its own, in which what this machine
and the tree have of it is hidden, it makes gradients and reads CUDA; a C++ compiler compiles them. Without
namespaces (no root), with all of LLVM in sight, and says so.

usage: wheel_alone.py PYTHON INSTALLED FOLDER BUILD
"""
import glob
import os
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIBRARIES = ("LLVM", "clang", "z3", "xml2", "icu", "edit", "bsd", "md.")  # gcc and Python have the others, too
PROGRAM = """
import os, sys, subprocess, gradwright as gw
hidden = sys.argv[1] == "hidden"
assert gw.load("double f(double x) { return x * x; }", "f: wrt x").f_grad(3) == 6
m = gw.load("#include <stddef.h>\\ndouble f(double x, size_t n) { return n * x; }", "f: wrt x", language="c")
assert m.f_grad(3, 2) == 2
m = gw.load('''#include <cmath>
#include <vector>
double f(const std::vector<double> &x) { return std::sin(x[0]) * x[1]; }''', "f: wrt x")
assert [p.kind for p in m.f.parameters] == ["vector"]
kernel = "__global__ void k(float *y, const float *x) { *y = *x * *x; }"
with open("k.cu", "w") as file:
    file.write(kernel)
said = subprocess.run([sys.executable, "-m", "gradwright", "k.cu", "--gradient", "k: y wrt x", "-o", "-"],
                      stdout=subprocess.PIPE, text=True, check=True).stdout
assert "k_grad_launch" in said, said
if hidden:  # the CPU device's kernels are compiled by Clang itself
    try:
        gw.load(kernel, "k: y wrt x")
        raise SystemExit("a kernel was compiled: Clang is not hidden")
    except gw.CompileError as error:
        assert "install this Clang, or name one by GW_CLANG" in str(error), error
"""
HIDE = """
set -e
for file in {files}; do mount --bind {file} "$file"; done
for folder in {folders}; do mount --bind {empty} "$folder"; done
exec "$@"
"""


def hiding(folder, build):
    """The words in front of a command that hide what there is; none where that cannot be."""
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode:
        return []
    empty, file = os.path.join(folder, "empty"), os.path.join(folder, "file")
    os.makedirs(empty)
    with open(file, "w", encoding="utf-8"):
        pass
    folders = [f for f in glob.glob("/usr/lib/llvm-*") + ["/usr/lib/clang"] if os.path.isdir(f)]
    folders += [os.path.join(build, "lib"), os.path.join(build, "bin"), os.path.join(ROOT, "include")]
    found = {os.path.realpath(f) for name in LIBRARIES
             for f in glob.glob(f"/usr/lib/*-linux-gnu/lib{name}*.so*")}
    files = sorted(f for f in found if os.path.isfile(f))
    script = HIDE.format(folders=" ".join(folders), files=" ".join(files), empty=empty, file=file)
    return ["unshare", "-m", "bash", "-c", script, "bash"]


def main():
    python, (installed, folder, build) = sys.argv[1], map(os.path.abspath, sys.argv[2:5])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    others = ("GRADWRIGHT_LIBRARY", "GRADWRIGHT_BUILD", "CC", "CXX", "GW_CLANG")
    environment = {name: value for name, value in os.environ.items() if name not in others}
    environment.update(XDG_CACHE_HOME=os.path.join(folder, "cache"), PYTHONPATH=installed)
    words = hiding(folder, build)
    done = subprocess.run([*words, python, "-c", PROGRAM, "hidden" if words else "seen"], cwd=folder,
                          env=environment)
    if done.returncode:
        sys.exit(1)
    print(f"{python}: good, LLVM {'hidden' if words else 'in sight (no mount namespaces here)'}")


main()
