#!/usr/bin/env python3
"""Runs a source that Gradwright must refuse, and compares everything that it says.

usage: run.py [--write] GRADWRIGHT GWCC SOURCE.cu

The source's comments hold the case: '// args: ...' more arguments, '// flags: ...' more flags of Clang,
'// source: NAME' another source to name, '// output: PATH' another output, and '// says: TEXT' the expected
lines of standard error, all of them, in order; '// status: N' an exit status other than 1. It is also checked
that an older output file is as it was, and the form of the SARIF log that says the same.
--write replaces the expected lines by what is said now (to be read before it is committed).

'// obeys: CODE ...' says that the source, with the macro OBEYED, does what these ways out say: it is then run
once more, with the arguments '// obeyed-args: ...' if it has that line, must be taken, and none of these may be
said again. What coverage.py counts.
"""
import os
import shlex
import subprocess
import sys
import tempfile

OLDER = "an older output\n"
CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "command", "sarif_check.py")


def field(lines, name):
    key = f"// {name}:"
    return [line[len(key):].removeprefix(" ") for line in lines if line.startswith(key)]


def read_flags(gwcc, name, lines):
    of = [name] if name.endswith((".c", ".cpp")) else []
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags", *of], capture_output=True, text=True,
                           check=True)
    return shlex.split(flags.stdout) + shlex.split(" ".join(field(lines, "flags")))


def obey(gradwright, gwcc, source, lines, said):
    """What is wrong with the source where it does what the ways out say."""
    codes = " ".join(field(lines, "obeys")).split()
    if not codes:
        return []
    folder, name = os.path.split(os.path.abspath(source))
    name = (field(lines, "source") or [name])[0]
    arguments = " ".join(field(lines, "obeyed-args") or field(lines, "args"))
    problems = [f"obeys {code}, which is not said" for code in codes if f"[{code}]" not in "\n".join(said)]
    with tempfile.TemporaryDirectory() as work:
        output = os.path.join(work, "x.grad.cuh")
        command = [gradwright, name, "-o", output, *shlex.split(arguments), "--",
                   *read_flags(gwcc, name, lines), "-DOBEYED"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        again = [code for code in codes if f"[{code}]" in done.stderr]
        if done.returncode or again or not os.path.exists(output):
            problems.append(f"obeyed, it is refused with status {done.returncode}:\n{done.stderr}")
    return problems


def run(gradwright, gwcc, source, lines):
    folder, name = os.path.split(os.path.abspath(source))
    name = (field(lines, "source") or [name])[0]
    with tempfile.TemporaryDirectory() as work:
        output = os.path.join(work, (field(lines, "output") or ["x.grad.cuh"])[0])
        older = os.path.isdir(os.path.dirname(output))
        if older:
            with open(output, "w") as file:
                file.write(OLDER)
        arguments = shlex.split(" ".join(field(lines, "args")))
        log = os.path.join(work, "log.sarif")
        command = [gradwright, name, "-o", output, f"--sarif={log}", *arguments, "--",
                   *read_flags(gwcc, name, lines)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        problems = []
        if os.path.exists(log):
            checked = subprocess.run([sys.executable, CHECK, "--all", log], cwd=folder, capture_output=True,
                                     text=True)
            problems += [f"the log: {checked.stderr}"] * (checked.returncode != 0)
            os.remove(log)
        elif done.returncode == 1:
            problems.append("no log")
        left = os.listdir(work)
        status = int((field(lines, "status") or ["1"])[0])
        if done.returncode != status:
            problems.append(f"exit status {done.returncode}, not {status}")
        if done.stdout:
            problems.append("standard output: " + done.stdout)
        if older and open(output).read() != OLDER:
            problems.append("the older output file was changed")
        if left != (["x.grad.cuh"] if older else []):
            problems.append(f"files left behind: {left}")
        return done.stderr.replace(work, "OUT").splitlines(), problems


def main():
    write = sys.argv[1] == "--write"
    gradwright, gwcc, source = sys.argv[2 if write else 1:]
    with open(source) as file:
        lines = file.read().splitlines()
    said, problems = run(gradwright, gwcc, source, lines)
    if write:
        kept = [line for line in lines if not line.startswith("// says:")]
        with open(source, "w") as file:
            file.write("\n".join(kept + [f"// says: {line}".rstrip() for line in said]) + "\n")
    elif said != field(lines, "says"):
        wanted = "\n".join(field(lines, "says"))
        problems.append(f"expected:\n{wanted}\nbut it says:\n" + "\n".join(said))
    if not said:
        problems.append("nothing is said")
    problems += obey(gradwright, gwcc, source, lines, said)
    print("\n".join(problems) or f"refused as expected: {said[0]}")
    sys.exit(1 if problems else 0)


main()
