#!/usr/bin/env python3
"""gwcheck ends with 1 and names each planted defect, and what has none passes.

usage: defects_test.py GWCHECK SOURCES kernels|options|host
"""
import json
import os
import re
import subprocess
import sys
import tempfile

KERNELS = {"--set": ["n=256", "outside: n=200", "idle: m=0"], "--size": ["outside: x=n", "outside: y=n"]}
# The results of each function that must be there, "check result cell words" as a pattern, and nothing else that
# fails.
PLANTED = {
    "wrong_pullback": [r"differences fail d_x\[\d+\] ", r"forward fail "],
    "launches": [r"differences fail d_x\[\d+\] ", r"forward fail "],
    "idle": [r"differences fail x nothing is compared: no output depends on it", r"differences ok d_by"],
    "wrong_cell": [r"differences fail d_x\[137\] found by halving", r"forward fail "],
    "race": [r"races fail .*defects.cu:\d+:\d+: error: reads byte 252 of 'all'",
             r"orders fail y\[\d+\] .*: a race", r"(added to|forward|differences) fail "],
    "promise": [],
    "outside": [r"bounds fail y\[200\] the primal writes outside of it: it has 200 elements",
                r"races fail y\[200\]"],
    "read_outside": [r"finite fail y\[255\] NaN"],
    "not_a_number": [r"finite fail y\[\d+\] (NaN|infinite): what the function itself gives"],
    "gradient_not_a_number": [r"finite fail d_x\[0\] \w+: the gradient"],
    "kink": [r"differences kink x\[\d+\] one-sided slopes", r"directions ok "],
}
# Again, with what changes the answer.
BROKEN = {"promise": [r"races fail .*both touch d_x .* lines \d+ and \d+"]}
RANGED = {"not_a_number": [r"directions ok "], "kink": [r"differences fail .*nothing is compared"]}
UNZEROED = {"kink": [r"differences fail d_y\[\d+\]", r"forward fail "]}
HOST = {
    "primal_bytes": [r"primal bytes fail x\[1\] the gradient changes it"],
    "forward_mode": [r"forward fail ", r"differences ok d_x"],
    "added": [r"added to fail d_x\[0\]"],
    "drowned": [r"differences ok d_x\[\d+\] \d+ of 256 cells, \d+ more drown in rounding",
                r"directions note  it drowns", r"differences fail .*nothing is compared"],
    "jumps": [r"directions kink .*jumps within a step; compared in 1/16", r"directions ok "],
    "shallow": [r"differences fail d_x", r"forward fail "],
}
CRASH = {"crash": [r"run fail .*it crashed \(Segmentation fault\) in the primal"],
}
THROWS = {"throws": [r"run fail .*it crashed \(Aborted\) in the primal: it throws .*'std::domain_error'"]}


def run(gwcheck, source, options):
    """Its exit status, and rows by function."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.json")
        words = [gwcheck, source, "--json", path]
        words += [f"{name}={value}" for name, values in options.items() for value in values]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if not os.path.exists(path):
            sys.exit(f"{' '.join(words)} ends with {done.returncode}:\n{done.stdout}")
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)["checks"]
    found = {}
    for row in rows:
        text = f"{row['check']} {row['result']} {row['cell']} {row['words']}"
        found.setdefault(row["function"], []).append(text)
    return done.returncode, found


def check(found, planted, status):
    faults = []
    for function, patterns in planted.items():
        rows = found.get(function, [])
        faults += [f"{function}: no row is {p}" for p in patterns if not any(re.match(p, row) for row in rows)]
        faults += [f"{function}: this was not planted: {row}" for row in rows
                   if re.match(r"[\w ]+ fail ", row) and not any(re.match(p, row) for p in patterns)]
        if not rows:
            faults.append(f"{function} was not checked")
    if status != 1 and any(" fail " in p for patterns in planted.values() for p in patterns):
        faults.append(f"it ends with {status}")
    if faults:
        rows = [f"{name}: {row}" for name in planted for row in found.get(name, [])]
        sys.exit("\n".join(faults + ["", "the rows:"] + rows))


def main():
    gwcheck, sources, case = sys.argv[1:]

    def planted(name, options, *expected):
        status, found = run(gwcheck, os.path.join(sources, name), options)
        for one in expected:
            check(found, one, status)

    if case == "kernels":
        planted("defects.cu", KERNELS, PLANTED)
    elif case == "options":
        ranges = {"--range": ["promise: list=[0, 9]", "not_a_number: x=[2, 3]", "kink: x=[1, 1]"]}
        planted("defects.cu", dict(KERNELS, **ranges), BROKEN, RANGED)
        planted("defects.cu", dict(KERNELS, **{"--gradwright-arg": ["--keep-seed"]}), UNZEROED)
    else:
        planted("defects.cpp", {"--set": ["jumps: n=80"]}, HOST)
        planted("crash.cpp", {}, CRASH)
        planted("throws.cpp", {}, THROWS)


main()
