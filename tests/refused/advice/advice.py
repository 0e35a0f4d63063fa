#!/usr/bin/env python3
"""What --explain advises is advised no more where it is done.

usage: advice.py GRADWRIGHT GWCC SOURCE.cu

The source says each code of its lines '// obeys: CODE ...', and with the macro OBEYED none of them, both times
with the arguments of the line '// args: ...' above, if there is one: each such line begins a case of its own.
What cannot but stay, since its way out gives less of it, is a line '// stays: CODE, then TEXT': with the macro
the code is said still, and the gradient has TEXT, which it has not without. Answers that the solver gave before
are not taken.
"""
import os
import re
import shlex
import subprocess
import sys


def said(gradwright, source, arguments, flags):
    """The codes, and the gradient's text."""
    command = [gradwright, source, "-o", "-", "--explain", *arguments, "--", *flags]
    asks = {name: value for name, value in os.environ.items() if name != "GW_SMT_CACHE"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, env=asks)
    return set(re.findall(r"\[([a-z-]+)\]$", done.stderr, re.M)), done.stdout


def cases(source):
    """Arguments, the codes that go, and {code: text} of those that stay."""
    found = [([], set(), {})]
    with open(source, encoding="utf-8") as file:
        for key, value in re.findall(r"^// (args|obeys|stays): (.*)$", file.read(), re.M):
            if key == "args":
                found.append((shlex.split(value), set(), {}))
            elif key == "obeys":
                found[-1][1].update(value.split())
            else:
                found[-1][2].update([value.split(", then ")])
    return [case for case in found if case[1] or case[2]]


def main():
    gradwright, gwcc, source = sys.argv[1:]
    flags = shlex.split(subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True,
                                       text=True, check=True).stdout)
    wrong, count = [], 0
    for arguments, codes, stays in cases(source):
        before, text = said(gradwright, source, arguments, flags)
        after, other = said(gradwright, source, arguments, flags + ["-DOBEYED"])
        wrong += [f"[{code}] is not said" for code in sorted((codes | set(stays)) - before)]
        wrong += [f"[{code}] is said of what obeys it" for code in sorted(codes & after)]
        wrong += [f"[{code}] is said no more" for code in sorted(set(stays) - after)]
        wrong += [f"[{code}]: '{shows}' does not come with its way out" for code, shows in stays.items()
                  if shows in text or shows not in other]
        count += len(codes) + len(stays)
    print("\n".join(wrong) or f"{count} pieces of advice are taken")
    sys.exit(1 if wrong or not count else 0)


main()
