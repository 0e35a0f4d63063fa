#!/usr/bin/env python3
"""What --explain advises is advised no more where it is done.

usage: advice.py GRADWRIGHT GWCC SOURCE.cu

The source says each code of its lines '// obeys: CODE ...', and with the macro OBEYED none of them, both times
with the arguments of its line '// args: ...'. Answers that the solver gave before are not taken.
"""
import os
import re
import shlex
import subprocess
import sys


def said(gradwright, source, arguments, flags):
    command = [gradwright, source, "-o", os.devnull, "--explain", *arguments, "--", *flags]
    asks = {name: value for name, value in os.environ.items() if name != "GW_SMT_CACHE"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, env=asks)
    return set(re.findall(r"\[([a-z-]+)\]$", done.stderr, re.M))


def main():
    gradwright, gwcc, source = sys.argv[1:]
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True).stdout
    with open(source, encoding="utf-8") as file:
        text = file.read()
    codes = set(" ".join(re.findall(r"^// obeys: (.*)$", text, re.M)).split())
    arguments = shlex.split(" ".join(re.findall(r"^// args: (.*)$", text, re.M)))
    before = said(gradwright, source, arguments, shlex.split(flags))
    after = said(gradwright, source, arguments, shlex.split(flags) + ["-DOBEYED"])
    wrong = [f"[{code}] is not said" for code in sorted(codes - before)]
    wrong += [f"[{code}] is said of what obeys it" for code in sorted(codes & after)]
    print("\n".join(wrong) or f"{len(codes)} pieces of advice are taken")
    sys.exit(1 if wrong or not codes else 0)


main()
