#!/usr/bin/env python3
"""Gradients that keep their seeds add the same numbers as those that use them up.

usage: kept.py GWCC SOURCE.cu KEPT [KEPT ...]

SOURCE's program prints the adjoints of each launch, and whether the seeds are as they were. Without --keep-seed
they are not; with it, those of the KEPT kernels are.
"""
import os
import re
import subprocess
import sys
import tempfile


def lines(gwcc, source, folder, options):
    program = os.path.join(folder, "program")
    subprocess.run([gwcc, "--device=cpu", source, "-o", program] + options, check=True, cwd=folder)
    text = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [re.fullmatch(r"((\w+) .*); seeds (kept|used)", line).groups() for line in text.splitlines()]


def main():
    gwcc, source, *kept = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        used = lines(gwcc, source, folder, [])
        keeps = lines(gwcc, source, folder, ["--gradwright-arg=--keep-seed"])
    bad = 0 if used and len(used) == len(keeps) else 1
    for (numbers, name, seeds), (again, _, then) in zip(used, keeps):
        good = numbers == again and ": 0 " in numbers and re.search(r"[1-9]", numbers.split(": 0 ")[1]) \
            and seeds == "used" and (name not in kept or then == "kept")
        bad += not good
        print(f"{'ok' if good else 'FAIL'} {numbers[:60]} {seeds} {then}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
