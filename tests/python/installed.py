#!/usr/bin/env python3
"""A test with packages that the system does not have: installs them by pip into a virtual environment of its
own and runs the test there.

usage: installed.py FOLDER TEST PACKAGE...    as installed.py build/jax jax_test.py 'jax>=0.5,<0.13'

The folder stays: what it has already is not loaded again. Exits with 77 (skipped) only where nothing can be
installed, without pip or a network; a test that would be skipped although its packages are there has failed.
"""
import os
import subprocess
import sys

SKIPPED = 77
# What pip says before it gives up, of a name that is not resolved, a host that does not answer, a proxy
UNREACHABLE = ("connection broken by", "Network is unreachable", "Failed to establish a new connection")


def skip(text, said):
    print(f"{text}:\n{said.strip()}")
    return SKIPPED


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder, test, packages = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    python = os.path.join(folder, "bin", "python3")
    if not os.path.exists(python) or run(python, "-m", "pip", "--version").returncode:
        made = run(sys.executable, "-m", "venv", "--clear", folder)
        if made.returncode:
            return skip("there is no venv with pip in this Python", made.stdout)
    words = ("install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--retries=2")
    done = run(python, "-m", "pip", *words, *packages)
    if done.returncode:
        if any(text in done.stdout for text in UNREACHABLE):
            return skip("the package index cannot be reached", done.stdout)
        print(done.stdout)
        return 1
    print(run(python, "-m", "pip", "freeze").stdout, flush=True)
    status = subprocess.run([python, test]).returncode
    if status == SKIPPED:
        print(f"{os.path.basename(test)} was skipped though it has {', '.join(packages)}")
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
