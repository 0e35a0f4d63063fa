#!/usr/bin/env python3
"""Each line of docs/internals/ownership.md's "One example for each rung" against what is emitted for a kernel
of it, and decided by --explain.

usage: rungs_page.py GRADWRIGHT GWCC SOURCE PAGE

In the page's code a v (u, s, t as last arguments) stands for a value and "..." for anything; the rest is what
the text has, with its names.
"""
import os
import re
import subprocess
import sys
import tempfile

# Lines of the table: kernels, one for each rung named, and whether they are made with --deterministic.
LINES = [("owned",), ("posted",), ("gathered",), ("phases",), ("warp",), ("grid",), ("block",), ("slots",),
         ("sorted_rows",), ("exact",), ("copies",), ("vector",), ("record",),
         ("match",), ("cache",), ("butterfly", "serial"), ("atomic",)]
FIXED = {"block", "slots", "exact"}
# Rungs whose word in --explain is another.
WORDS = {"gather": "plain", "phases": "plain", "owned": "plain", "warp-butterfly": "butterfly",
         "warp-serial": "serial"}


def emit(gradwright, gwcc, source, work, fixed):
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True).stdout.split()
    more = (["--deterministic"], ["-DFIXED_ORDER"]) if fixed else ([], [])
    done = subprocess.run([gradwright, source, "-o", f"{work}/x.cuh", "--explain", *more[0], "--", *flags,
                           *more[1]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with open(os.path.join(work, "x.cuh")) as file:
        return file.read(), done.stdout


def function_text(text, name):
    """From the gradient's kernel to the next function's."""
    found = re.search(rf"^// Gradient of {name} .*?(?=^// (?:Gradient of|What a launch)|\Z)", text, re.M | re.S)
    assert found, f"no gradient of {name}"
    return found.group(0)


def pattern(code):
    text = re.escape(re.sub(r"\s+", " ", code))
    text = text.replace(r"\.\.\.", ".*?").replace(r"\ ", r"\s+")
    return re.sub(r"(?<=[ ,+])[vust](?=[;,)\\])", ".*?", text)


def table(page):
    with open(page) as file:
        section = file.read().split("## One example for each rung")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")][2:]
    assert len(rows) == len(LINES) and all(len(row) == 4 for row in rows), [len(row) for row in rows]
    return rows


def main():
    gradwright, gwcc, source, page = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        made = {fixed: emit(gradwright, gwcc, source, work, fixed) for fixed in (False, True)}
    wrong = []
    for (read, _, rungs, emitted), names in zip(table(page), LINES):
        codes, rungs = re.findall("`([^`]+)`", emitted), re.findall("`([^`]+)`", rungs)
        assert codes and len(rungs) == len(names) and ("--deterministic" in read) == (names[0] in FIXED), read
        for i, name in enumerate(names):
            text, explained = made[name in FIXED]
            own = function_text(text, name)
            of_it = explained.split(f"\n{name}_grad (")[-1] if f"\n{name}_grad (" in explained else explained
            of_it = of_it.split("\n  assumes")[0]
            if (not re.search(rf" \+= .* {WORDS.get(rungs[i], rungs[i])} ", of_it)
                and not re.search(rf" \+= +(sorted_)?{WORDS.get(rungs[i], rungs[i])} ", of_it)):
                wrong.append(f"{name}: not decided as {rungs[i]}:\n{of_it}")
            for code in codes if len(names) == 1 else codes[i:i + 1]:
                if not re.search(pattern(code), own, re.S):
                    wrong.append(f"{name}: the page has '{code}', and not so:\n" + own.split('\n}\n')[0])
    if wrong:
        sys.exit("\n".join(wrong))


main()
