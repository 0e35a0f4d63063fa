#!/usr/bin/env python3
"""Loops of a derivative name the loop of the primal that they reverse, and stand at its line.

usage: origins.py GRADWRIGHT GWCC SOURCE.cu

Reads the IR behind the pass `adjoint`. A loop of the reverse sweep with an `origin` must have the location of
that op, which must be a loop; a branch with one must name a branch or a loop. Both kinds must occur.
"""
import re
import subprocess
import sys

FUNCTION = re.compile(r"func @(\w+)(?:.* of @(\w+))?")
OP = re.compile(r"\s+(?:#(\d+): )?(?:%.*? = )?(\w+)")


def ops(text):
    """(function, its primal or None, number, what it does, origin, location) of each op."""
    function = primal = None
    for line in text.splitlines():
        line = re.sub(r'"[^"]*"', "", line)
        if line.startswith("func "):
            function, primal = FUNCTION.match(line).groups()
            continue
        op, origin, place = OP.match(line), re.search(r"origin #(\d+)", line), re.search(r"!(\d+:\d+)", line)
        if op and function:
            yield function, primal, op[1], op[2], origin and origin[1], place and place[1]


def main():
    gradwright, gwcc, source = sys.argv[1:]
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True).stdout.split()
    command = [gradwright, source, "-o", "-", "--dump=adjoint", "--stop-after=adjoint", "--", *flags, "-w"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    named = {(function, number): (what, place) for function, _, number, what, _, place in ops(text) if number}
    found, wrong = {"for": 0, "if": 0}, []
    for function, primal, _, what, origin, place in ops(text):
        if what not in found or not primal or not origin:
            continue
        found[what] += 1
        of = named.get((primal, origin))
        allowed = ("for", "while") if what == "for" else ("if", "for", "while")
        if not of or of[0] not in allowed or (what == "for" and of[1] != place):
            wrong.append(f"{function}: {what} at {place} has the origin #{origin}, {of}")
    for line in wrong:
        print(line)
    print(f"{found['for']} loops, {found['if']} branches with an origin, {len(wrong)} wrong")
    sys.exit(1 if wrong or not all(found.values()) else 0)


main()
