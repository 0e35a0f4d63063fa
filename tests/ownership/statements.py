#!/usr/bin/env python3
"""Holds the text of gradients to what the source's comments say of it.

usage: statements.py GRADWRIGHT GWCC SOURCE.cu [OPTION...]

Below each kernel "//= text" must stand in its gradient, and "//! text" must not; "//? text" must stand in what
its launch asks for, and "//@ text" in the launch. All that any launch asks for must be an assumption that
--explain lists.
"""
import os
import re
import subprocess
import sys
import tempfile


def wanted(source):
    name = None
    for line in open(source):
        kernel = re.match(r"__global__ void (\w+)\(", line)
        if kernel:
            name = kernel.group(1)
        elif line.startswith(("//= ", "//! ", "//? ", "//@ ")):
            yield name, line[2], line[4:].strip()


def is_listed(need, said):
    """A coarsened gradient's list has all lengths along which it may be divided in one line."""
    if f"assumes {need}: checked at the launch" in said:
        return True
    lines = [line for line in said.splitlines() if line.endswith("GW_COARSEN): checked at the launch")]
    return need.endswith("GW_COARSEN)") and any(need.split(" (")[0] in line for line in lines)


def main():
    gradwright, gwcc, source, *options = sys.argv[1:]
    include = os.path.join(os.path.dirname(source), "../../include")
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True)
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run([gradwright, source, "-o", f"{work}/x.grad.cuh", "--explain", *options, "--",
                               *flags.stdout.split(), f"-I{include}"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        text = open(f"{work}/x.grad.cuh").read()
    rows, wrong = list(wanted(source)), 0
    for name, kind, statement in rows:
        there = kind != "!"
        heads = {"?": rf"__host__ __device__ inline const char \*{name}_grad_needs",
                 "@": rf"inline gw_status {name}_grad_launch"}
        head = heads.get(kind, rf"(?:__device__ __forceinline__ void {name}_grad_body|"
                               rf"(?:template <bool \w+> )?__global__ void {name}_grad(_kernel)?)")
        kernel = re.search(rf"^{head}\(.*?^}}", text, re.S | re.M)
        if not kernel or (statement in kernel.group(0)) != there:
            wrong += 1
            print(f"FAIL {name}: {'not' if there else 'but'} there: {statement}\n"
                  f"{kernel.group(0) if kernel else 'no such gradient'}")
    for name, body in re.findall(r"^__host__ __device__ inline const char \*(\w+)_needs\((.*?)^}", text,
                                 re.S | re.M):
        listed = re.sub("_along_[xyz]", "", name)  # one that is coarsened along several axes is explained once
        said = re.search(rf"^{listed}\S* \(.*?(?=^\w|\Z)", done.stdout, re.S | re.M)
        for pieces in re.findall(r"return((?:\s*\"[^\"]*\")+);", body):
            need = "".join(re.findall(r'"([^"]*)"', pieces))
            rows.append((name, "?", need))
            if not said or not is_listed(need, said.group(0)):
                wrong += 1
                print(f"FAIL {name}: --explain does not list: {need}")
    print(f"{len(rows)} statements, {wrong} wrong")
    sys.exit(wrong != 0 or not rows)


main()
