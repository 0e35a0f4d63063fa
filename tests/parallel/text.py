#!/usr/bin/env python3
"""What the text of gradients says of loops with a policy, and that the IR says all of it.

usage: text.py GRADWRIGHT INCLUDE SOURCE

In the source, '// has: TEXT' and '// not: TEXT' stand before a function: its gradient's text has it, or not.
The dump behind the pass policies, read again, gives the same text.
"""
import os
import re
import subprocess
import sys
import tempfile


def generated(gradwright, arguments):
    done = subprocess.run([gradwright, *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")


def cases(source):
    """Name of each function with a gradient, and what stands before it."""
    said = []
    for line in open(source):
        found = re.match(r"// (has|not): (.*)$", line)
        if found:
            said.append(found.groups())
        found = re.match(r"GW_GRADIENT\(.*?\) void (\w+)\(", line)
        if found:
            yield found.group(1), said
            said = []


def main():
    gradwright, include, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        text, dump, again = (os.path.join(folder, name) for name in ("x.grad.hpp", "x.gwir", "y.grad.hpp"))
        flags = ["--", "-std=c++20", f"-I{include}"]
        generated(gradwright, [source, "-o", text, *flags])
        generated(gradwright, [source, "--dump=policies", "-o", dump, *flags])
        generated(gradwright, [f"--from-ir={dump}", "-o", again])
        first, second = open(text).read(), open(again).read()
    problems = [] if first == second else ["the dump gives another text"]
    parts = dict(re.findall(r"^// Gradient of (\w+) (.*?)(?=^// Gradient of|\Z)", first, re.M | re.S))
    count = 0
    for name, said in cases(source):
        for kind, wanted in said:
            count += 1
            if (wanted in parts[name]) != (kind == "has"):
                problems.append(f"{name}: {'lacks' if kind == 'has' else 'has'} {wanted}")
    if count < 30:
        problems.append(f"only {count} texts are asked for")
    print("\n".join(problems) or f"{count} texts are as they should be")
    sys.exit(1 if problems else 0)


main()
