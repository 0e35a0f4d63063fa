#!/usr/bin/env python3
"""The command over the suite's own sources, for a build with sanitizers: no report, no crash, no hang, no
internal error.

usage: suite.py [--limit S] [--form NAME]... GRADWRIGHT GWCC SOURCE...

Each source goes through in each form (all of FORMS unless --form names some; those of tests/refused with the
arguments that they hold, once), with the verifier after each pass. Good ends are a gradient (0), diagnostics
(1) and refused arguments (2). Prints what was bad as it comes, then how many there were of each end and the
processor time of all runs.
"""
import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile

FORMS = {  # arguments of the command, and of the parse
    "plain": ([], []),
    "checked": (["--checked"], []),
    "deterministic": (["--deterministic"], []),
    "split": ([], ["-DGW_TEST_SPLIT"]),
}


def bad_end(status, said):
    if status is None:
        return "hang"
    if status not in (0, 1, 2):
        return f"exit status {status}"
    if "Sanitizer" in said or "runtime error:" in said:
        return "sanitizer report"
    return "internal error" if "[internal]" in said else None


def command(options, source, form, output):
    more, parse = FORMS[form]
    lines = open(source, encoding="utf-8", errors="replace").read().splitlines()
    said = [line[len("// args:"):] for line in lines if line.startswith("// args:")]
    of = [] if source.endswith(".cu") else [source]
    flags = subprocess.run([options.gwcc, "--device=cpu", "--print-parse-flags", *of], capture_output=True,
                           text=True, check=True).stdout
    if lines and lines[0].startswith("// standard: "):
        parse = parse + ["-std=" + lines[0].removeprefix("// standard: ")]
    return [options.gradwright, os.path.basename(source), "-o", output, "--verify", *more,
            *shlex.split(" ".join(said)), "--", *shlex.split(flags),
            *parse, "-Wno-everything"]


def forms_of(options, source):
    if "/refused/" in os.path.abspath(source) or not source.endswith(".cu"):
        return ["plain"]
    text = open(source, encoding="utf-8", errors="replace").read()
    return [form for form in options.form or FORMS if form != "split" or "BOTH" in text
            or "GW_TEST_SPLIT" in text]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--form", action="append", choices=list(FORMS))
    parser.add_argument("gradwright")
    parser.add_argument("gwcc")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    options.gradwright, options.gwcc = os.path.abspath(options.gradwright), os.path.abspath(options.gwcc)
    ends, count = {}, 0
    with tempfile.TemporaryDirectory() as work:
        for source in options.sources:
            for form in forms_of(options, source):
                run = command(options, source, form, os.path.join(work, "x.grad.cuh"))
                try:
                    done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                          timeout=options.limit, cwd=os.path.dirname(os.path.abspath(source)))
                    status, said = done.returncode, done.stdout.decode(errors="replace")
                except subprocess.TimeoutExpired:
                    status, said = None, ""
                wrong = bad_end(status, said)
                end = wrong or {0: "gradient", 1: "diagnostics", 2: "usage"}[status]
                ends[end] = ends.get(end, 0) + 1
                count += 1
                if wrong:
                    print(f"BAD: {source} ({form}): {wrong}\n{said[:3000]}", flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(options.sources)} sources, {count} runs: " + ", ".join(f"{n} {end}"
                                                                        for end, n in sorted(ends.items())) +
          f"; {used.ru_utime + used.ru_stime:.0f} s of processor time")
    sys.exit(1 if set(ends) - {"gradient", "diagnostics"} else 0)


main()
