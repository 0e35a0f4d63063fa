#!/usr/bin/env python3
"""The suite's own sources in other spellings of the same meaning (spellings.py): gradients must stay right, and
what is taken must still be taken.

usage: meaning.py [--seed S] [--rounds R] [--share P] [--keep FOLDER] GRADWRIGHT GWCC SOURCE...

Each source is a test program (tests/support/check.cuh). Its kernels are spelled in another way, R times one
change upon the other; then the program is built and must find its gradients right, as the source's own do,
against differences of the primal in its new spelling. A refusal, text that does not compile, a wrong number are
differences between spellings, and are printed with the kernel. The exit status tells whether there were any; it
is 77 where Clang's module for Python is missing.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import clang.cindex
    from clang.cindex import CursorKind as Kind

    import spellings
except ImportError as missing:
    print(f"skipped: {missing} (Debian's python3-clang has it)")
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
SUPPORT = os.path.join(os.path.dirname(HERE), "support")
# Functions that keep their spelling, of which another one differs, and how.
KEPT = {
    ("loops.cu", "in_place_steps"): "two loops in place, one after the other: stale-value",
    ("together.cu", "dynamic_stages"): "a while loop that is left early by a count that is read behind it",
    ("nests_written.cu", "broken"): "a nest with other conditions has a measured tape, so other functions",
}
MARKS = (Kind.CUDAGLOBAL_ATTR, Kind.CUDADEVICE_ATTR)


def parsed(path, text, flags):
    emitted = re.sub(r"\.cu$", ".grad.cuh", path)
    unit = clang.cindex.Index.create().parse(
        path, args=flags, unsaved_files=[(path, text.decode()), (emitted, "")],
        options=clang.cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    return spellings.Source(path, text, unit)


def functions_of(source):
    """Functions of the device with a body, none that a macro made."""
    found = []
    for cursor in source.unit.cursor.walk_preorder():
        if cursor.kind in (Kind.FUNCTION_DECL, Kind.FUNCTION_TEMPLATE) and cursor.is_definition() and \
                source.is_here(cursor) and any(c.kind in MARKS for c in cursor.get_children()):
            begin, end = source.span(cursor)
            kept = (os.path.basename(source.path), cursor.spelling) in KEPT
            if not kept and not any(b <= begin and end <= e for b, e in source.macros):
                found.append(cursor)
    return found


def spelled(path, text, flags, chance, options):
    """The text after all rounds, and what was done to each function."""
    done = {}
    for _ in range(options.rounds):
        source = parsed(path, text, flags)
        edits, counts = spellings.variants(source, functions_of(source), chance, options.share)
        made = spellings.applied(text, edits)
        if parsed_well(path, text, made, flags):
            text = made
            for name, names in counts.items():
                done.setdefault(name, []).extend(names)
        else:
            print(f"{path}: these do not parse: {sorted({n for names in counts.values() for n in names})}")
    return text, done


def parsed_well(path, before, after, flags):
    """As many errors as before, which are those of gradients that are not there yet."""
    def errors(text):
        unit = parsed(path, text, flags).unit
        return sum(d.severity >= clang.cindex.Diagnostic.Error for d in unit.diagnostics)
    return errors(before) == errors(after)


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, errors="replace", timeout=600)
    return done.returncode, done.stdout


def kernel_at(text, line):
    """The function around a line of the source."""
    lines = text.split("\n")
    while line > 0 and not re.search(r"__(global|device)__", lines[line - 1]):
        line -= 1
    end = line
    while end < len(lines) and lines[end] != "}":
        end += 1
    return "\n".join(lines[max(line - 2, 0):end + 1])


def tried(path, text, options, folder):
    """None, or what differs: of a refusal with the kernel."""
    name = os.path.basename(path)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(text)
    program = os.path.join(folder, "program")
    rows = os.path.join(os.path.dirname(os.path.abspath(options.gwcc)), "../lib/libgwcheck.a")
    code, said = run([options.gwcc, "--device=cpu", "-w", f"-I{os.path.dirname(path)}", name, rows, "-o",
                      program], folder)
    if code:
        places = re.findall(rf"{re.escape(name)}:(\d+):\d+: error", said)
        return "\n".join([said[:1500], *(kernel_at(text.decode(), int(p)) for p in places[:2])])
    code, said = run([program, "--quick"], folder)
    return said[-1500:] if code else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("gradwright")
    parser.add_argument("gwcc")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    flags = subprocess.run([options.gwcc, "--device=cpu", "--print-parse-flags"], stdout=subprocess.PIPE,
                           text=True, check=True).stdout.split() + ["-ferror-limit=0"]
    bad, kernels, changes = 0, 0, 0
    for path in options.sources:
        path = os.path.abspath(path)
        with open(path, "rb") as file:
            text = file.read().replace(b'"../support/', f'"{SUPPORT}/'.encode())
        chance = random.Random(f"{options.seed} {os.path.basename(path)}")
        made, done = spelled(path, text, flags, chance, options)
        kernels += len(done)
        changes += sum(map(len, done.values()))
        with tempfile.TemporaryDirectory() as folder:
            wrong = tried(path, made, options, folder)
        if wrong:
            bad += 1
            print(f"{path}, seed {options.seed}:\n{wrong}", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, os.path.basename(path)), "wb") as file:
                    file.write(made)
    print(f"{kernels} functions in {len(options.sources)} sources, {changes} changes: {bad} sources differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
