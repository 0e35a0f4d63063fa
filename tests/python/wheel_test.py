#!/usr/bin/env python3
"""The wheel that pip makes of the package has all that it needs: unpacked anywhere, it makes gradients.

usage: wheel_test.py PACKAGE BUILD FOLDER
"""
import os
import shutil
import subprocess
import sys
import zipfile

PROGRAM = """
import os, gradwright as gw
assert gw.load("double f(double x) { return x * x; }", "f: wrt x").f_grad(3) == 6
import array
m = gw.load("__global__ void k(float *y, const float *x) { *y = *x * *x; }", "k: y wrt x")
one = lambda x: array.array("f", [x])
d = one(0)
m.k_grad_launch(1, 1, one(0), one(3), one(1), d)
assert d[0] == 6, d
from gradwright import _library
assert os.path.exists(_library.headers() + "/gradwright/runtime.h") and _library.runtime_sources()
print(os.path.dirname(gw.__file__))
"""


def main():
    package, build, folder = map(os.path.abspath, sys.argv[1:4])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.environ["GRADWRIGHT_BUILD"] = build
    os.environ.pop("GRADWRIGHT_LIBRARY", None)
    sys.path.insert(0, package)
    import backend
    name = backend.build_wheel(folder)
    root = os.path.join(folder, "unpacked")
    with zipfile.ZipFile(os.path.join(folder, name)) as wheel:
        assert wheel.testzip() is None
        for info in wheel.infolist():
            os.chmod(wheel.extract(info, root), info.external_attr >> 16)
    environment = {**os.environ, "PYTHONPATH": root, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
    said = subprocess.run([sys.executable, "-c", PROGRAM], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    assert said.strip() == os.path.join(root, "gradwright"), said
    command = [sys.executable, "-m", "gradwright", "--version"]
    subprocess.run(command, cwd=folder, env=environment, check=True)


main()
