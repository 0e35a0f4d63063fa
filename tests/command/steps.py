#!/usr/bin/env python3
"""Each row of optional.def has a source that --without=STEP changes.

usage: steps.py GRADWRIGHT GWCC optional.def steps.txt

A line of steps.txt is the name of a step and a source of tests/, behind that arguments for gradwright, and
-D... for the parse. The texts with and without the step must differ; without it the source may be refused.
"""
import os
import re
import shlex
import subprocess
import sys

gradwright, gwcc, table, listed = sys.argv[1:]
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = re.compile(r'^GW_OPTIONAL(?:_PASS|_STEP)?\(\w+, "([^"]+)"', re.M)
STAMP = re.compile(r"^// gradwright --check.*\n?", re.M)
flags, made = {}, {}


def parse_flags(path):
    kind = os.path.splitext(path)[1]
    if kind not in flags:
        source = [] if kind == ".cu" else [path]
        run = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags", *source], capture_output=True,
                             text=True, check=True)
        flags[kind] = shlex.split(run.stdout)
    return flags[kind]


def text(source, words, *more):
    """The gradients of the source; None: refused."""
    path = os.path.join(TESTS, source)
    own = [word for word in words if not word.startswith("-D")]
    defined = [word for word in words if word.startswith("-D")]
    run = subprocess.run([gradwright, os.path.basename(path), *own, *more, "-o", "-", "--",
                          *parse_flags(path), *defined, "-Wno-everything"],
                         cwd=os.path.dirname(path), capture_output=True, text=True, check=False)
    return STAMP.sub("", run.stdout) if run.returncode == 0 else None


def main():
    with open(table, encoding="utf-8") as file:
        steps = NAME.findall(file.read())
    with open(listed, encoding="utf-8") as file:
        rows = {line.split()[0]: line.split()[1:] for line in file if line.strip() and line[0] != "#"}
    faults = [f"{step}: {os.path.basename(listed)} has no source for it" for step in steps if step not in rows]
    faults += [f"{step}: no step of {os.path.basename(table)}" for step in rows if step not in steps]
    for step, (source, *words) in rows.items():
        key = (source, *words)
        if key not in made:
            made[key] = text(source, words)
            if made[key] is None:
                faults.append(f"{source}: refused with all steps")
        if step in steps and text(source, words, "--without=" + step) == made[key]:
            faults.append(f"{step}: --without={step} changes nothing of {source}")
    sys.exit("\n".join(faults) if faults else 0)


main()
