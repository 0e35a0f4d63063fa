#!/usr/bin/env python3
"""A source is taken, or refused for the same reasons, with the CPU device's headers and with a toolkit's.

usage: devices.py GRADWRIGHT GWCC TESTS [--full]

Each source is read both ways, and everything that --explain says is compared by its codes: what is refused,
and how each addition is made safe. Without --full: those of SOME; with it every .cu file of the FOLDERS.
Exit status 77: there is no toolkit.
"""
import collections
import concurrent.futures
import glob
import os
import re
import shlex
import subprocess
import sys

FOLDERS = ("adjoint", "contract", "workloads")
# The two read other text here: launch variables in a macro's parameter, loads by their names, vectors and half
# precision, groups and copies that are awaited, textures.
SOME = ("adjoint/stencils", "adjoint/device_code", "adjoint/groups", "adjoint/textures")
# What only one of the two takes, and why.
DIFFER = {
    "contract/launch_bounds": "asks cudaFuncGetAttributes of a gradient, which there has no type to deduce",
}
SKIPPED = 77
TOOLKITS = (os.environ.get("CUDA_PATH", ""), "/usr/local/cuda", "/opt/cuda")


def said(gradwright, source, flags):
    """The exit status and how often each code is said."""
    command = [gradwright, os.path.basename(source), "-o", os.devnull, "--explain", "--smt=off", "--", *flags]
    done = subprocess.run(command, cwd=os.path.dirname(source), capture_output=True, text=True, timeout=300)
    return done.returncode, collections.Counter(re.findall(r"\[([a-z-]+)\]$", done.stderr, re.M)), done.stderr


def compare(gradwright, flags, tests, name):
    """What is wrong with the source."""
    source = os.path.join(tests, name + ".cu")
    cpu, cuda = said(gradwright, source, flags), said(gradwright, source, ["-std=c++17"])
    same = cpu[:2] == cuda[:2]
    if name in DIFFER:
        return f"{name}: no difference any more: take it out of DIFFER" if same else ""
    if same:
        return ""
    words = ", ".join(sorted(set((cpu[1] - cuda[1]) + (cuda[1] - cpu[1]))))
    errors = "\n".join(line for line in (cpu[2] + cuda[2]).splitlines() if ": error: " in line)
    return f"{name}: status {cpu[0]} with the CPU device, {cuda[0]} with a toolkit: {words}\n{errors}"


def main():
    gradwright, gwcc, tests = sys.argv[1:4]
    if not any(os.path.exists(os.path.join(folder, "include/cuda_runtime.h")) for folder in TOOLKITS if folder):
        print("skipped: there is no toolkit")
        sys.exit(SKIPPED)
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True)
    names = list(SOME)
    if "--full" in sys.argv:
        found = [path for folder in FOLDERS for path in sorted(glob.glob(os.path.join(tests, folder, "*.cu")))]
        names = [os.path.relpath(path, tests)[:-len(".cu")] for path in found]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = list(filter(None, pool.map(
            lambda name: compare(gradwright, shlex.split(flags.stdout), tests, name), names)))
    print("\n".join(wrong) or f"{len(names)} sources are read alike")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
