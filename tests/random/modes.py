"""What the random checks of the modes (second and third derivatives, Jacobians, the axes of a screen) have in
common: options, batches, and what is done with a batch."""
import argparse
import contextlib
import os
import subprocess
import tempfile

INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")
STRICT = ["-Wall", "-Wextra", "-Werror"]


def options_of(description, count, batch):
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradwright", default="gradwright")
    parser.add_argument("--gwcc", default="gwcc")
    parser.add_argument("--runtime", default="./libgwruntime.a")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--batch", type=int, default=batch, help="how many in a file")
    parser.add_argument("--quick", action="store_true", help="for thousands: no solver, nothing optimised")
    parser.add_argument("--keep", metavar="DIR", help="work there, and leave it")
    parser.add_argument("--emit-only", metavar="DIR", help="the source and what is emitted stay in DIR")
    options = parser.parse_args()
    for tool in ("gradwright", "gwcc", "runtime", "cc"): # they are called in another folder
        if os.sep in getattr(options, tool):
            setattr(options, tool, os.path.abspath(getattr(options, tool)))
    return options


def commands(options, name, flags):
    """What makes a program of the source: emit, compile."""
    stem, level = os.path.splitext(name)[0], "-O0" if options.quick else "-O1"
    if name.endswith(".c"):
        return [[options.gradwright, name, "-o", f"{stem}.grad.h"],
                [options.cc, "-std=c17", level, *STRICT, *flags, "-I", INCLUDE, name,
                 options.runtime, "-lm", "-pthread", "-o", stem]]
    parsed = subprocess.run([options.gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True,
                            text=True, check=True)
    solver = ["--smt=off"] if options.quick else []
    return [[options.gradwright, name, "-o", f"{stem}.grad.cuh", *solver, "--", *parsed.stdout.split()],
            [options.gwcc, "--device=cpu", "--no-gradients", level, *STRICT, *flags, name, "-o", stem]]


def run(options, folder, name, text, flags):
    """Whether the program that checks them finds nothing wrong."""
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    emit, *build = commands(options, name, flags)
    for command in [emit] if options.emit_only else [emit, *build, ["./" + os.path.splitext(name)[0]]]:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(f"{os.path.basename(command[0])}:\n{done.stdout[:4000]}")
            return False
    print(done.stdout, end="")
    return True


def main(description, what, name, source, count=20, batch=20, flags=(), also=None):
    """source(seeds) is the text of the file `name`: some of `what`, their requests, checks and a main.
    also(folder, count): whether what was made in the folder is right besides."""
    options = options_of(description, count, batch)
    seeds = range(options.seed, options.seed + options.count)
    if options.emit_only:
        os.makedirs(options.emit_only, exist_ok=True)
        return 0 if run(options, options.emit_only, name, source(seeds), flags) else 1
    good = True
    for first in range(0, len(seeds), options.batch):
        part = seeds[first:first + options.batch]
        with contextlib.nullcontext(options.keep) if options.keep else tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder, exist_ok=True)
            right = run(options, folder, name, source(part), flags)
            if right and also:
                right = also(folder, len(part))
            if not right:
                good = False
                print(f"wrong: {what} {part[0]} to {part[-1]} (--emit-only DIR --seed {part[0]} --count "
                      f"{len(part)} shows them)", flush=True)
    print(f"{options.count} {what}: {'all match' if good else 'not all match'}")
    return 0 if good else 1
