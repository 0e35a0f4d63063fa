#!/usr/bin/env python3
"""What --explain says of loops that nearly go without a tape: near.cu against the rows of nests.def.

usage: near.py GRADWRIGHT GWCC NESTS.def NEAR.cu
"""
import re
import subprocess
import sys
import tempfile


def main(gradwright, gwcc, table, source):
    says = dict(re.findall(r'^GW_NEAR_NEST\((\w+), "([^"]*)"', open(table).read(), re.M))
    marks = {number: code for number, line in enumerate(open(source), 1)
             for code in re.findall(r"// ([A-Z_]+)$", line.rstrip())}
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True).stdout.split()
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run([gradwright, source, "-o", f"{work}/near.grad.cuh", "--explain", "--", *flags],
                              capture_output=True, text=True, check=True)
    said = {}
    for line in done.stdout.splitlines():
        found = re.match(r"\s+(\d+)  keeps the loop of line \d+ from going without a tape: (.*)", line)
        if found:
            said[int(found[1])] = next((c for c, words in says.items() if found[2].startswith(words)), found[2])
    wrong = [f"line {n}: marked {marks.get(n)}, said {said.get(n)}" for n in sorted(marks.keys() | said.keys())
             if marks.get(n) != said.get(n)]
    wrong += [f"{code}: no kernel shows it" for code in says
              if code not in marks.values() and code != "MEETS"]
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
