#!/usr/bin/env python3
"""Compares the decision table of --explain with the one in the source's comments.

usage: decisions.py GRADWRIGHT GWCC SOURCE.cu [OPTION...]

Below each kernel the source says "//= update: how" for each row of its table, in any order; "gathered" is how
those of kernels that run before the gradient's are done. "//> text" is what --explain must say somewhere. With
--accumulate=auto, block and slots it says that of the additions which several threads make; of posted ones
where it names any.
"""
import re
import subprocess
import sys
import tempfile


def expected(source):
    tables, name = {}, None
    for line in open(source):
        kernel = re.match(r"__global__ void (\w+)\(", line)
        if kernel:
            name = kernel.group(1)
            tables[name] = []
        elif line.startswith("//= "):
            update, how = line[4:].rstrip().rsplit(": ", 1)
            tables[name].append((update, how))
    return tables


def decided(gradwright, gwcc, source, *options):
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True)
    with tempfile.TemporaryDirectory() as work:
        command = [gradwright, source, "-o", f"{work}/x.grad.cuh", "--explain", *options, "--",
                   *flags.stdout.split()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(done.stderr)
    tables, name, said = {}, None, done.stdout + done.stderr
    for line in said.splitlines():
        head = re.match(r"(\w+?)_grad(?:_split)?(_gather\w*)? \(", line)
        row = re.match(r" +\d+  (.+?)  +([a-z_]+)  +\S", line)
        if head:
            name, gathered = head.group(1), head.group(2)
            tables.setdefault(name, [])
        elif row and name and (not set(options) & {"--accumulate=auto", "--prefer=block", "--prefer=slots"}
                               or row.group(2) not in ("plain", "local")):
            tables[name].append((row.group(1), "gathered" if gathered else row.group(2)))
    return tables, said


def main():
    want, (have, said) = expected(sys.argv[3]), decided(*sys.argv[1:])
    wrong = 0
    if not any(how == "posted" for rows in want.values() for _, how in rows):
        have = {name: [row for row in rows if row[1] != "posted"] for name, rows in have.items()}
    for name, rows in want.items():
        if sorted(rows) != sorted(have.get(name, [])):
            wrong += 1
            print(f"FAIL {name}")
            for update, how in have.get(name, []):
                print(f"//= {update}: {how}")
    for line in open(sys.argv[3]):
        if line.startswith("//> ") and line[4:].rstrip() not in said:
            wrong += 1
            print(f"FAIL not said: {line[4:].rstrip()}")
    if not want:
        sys.exit("no kernels found")
    print(f"{len(want)} kernels, {wrong} wrong")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
