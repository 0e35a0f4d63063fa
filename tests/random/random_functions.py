#!/usr/bin/env python3
"""Random C and C++ functions against differences: finds wrong derivatives, crashes, and text that does not compile.

    random_functions.py --gradwright PATH --runtime LIBGWRUNTIME [--seed N] [--count K] [--language c|cpp] [--print]
    random_functions.py --emit-only DIR ...;  random_functions.py --run DIR --language L --jobs N on a machine without Clang

Function s of a language is the same for ever. Batches of them are compiled with -Wall -Wextra -Werror by gcc -O1, clang -O2,
and every other one by clang with AddressSanitizer and UndefinedBehaviorSanitizer. A refusal by name
is counted, and the refusals are printed. Anything else is a failure: it is made small and its source is printed.
"""
import argparse
import collections
import os
import random
import sys
import tempfile

import carry
from functions import make_function
from host_harness import HostHarness, compiling, make_host
from host_program import source
from shrink import shrink

MOST_KINKS = 0.02


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradwright", default="gradwright")
    parser.add_argument("--runtime", default="libgwruntime.a")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--gxx", default="g++")
    parser.add_argument("--language", choices=["c", "cpp"], default="c")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--batch", type=int, default=100, help="functions in a file")
    parser.add_argument("--keep", metavar="DIR", help="where the last files and the failures' sources stay")
    parser.add_argument("--shrink", type=int, default=3, metavar="N", help="how many kinds of failure are made small")
    parser.add_argument("--most-refused", type=float, default=0.5, help="the part that may be refused")
    parser.add_argument("--emit-only", metavar="DIR", help="emit into DIR; compile and run nothing")
    parser.add_argument("--run", metavar="DIR", help="compile and run what --emit-only left, with gcc")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--gradwright-arg", action="append", default=[])
    return parser.parse_args()


def shown(function):
    return "mixed" if function.single else "double"


def smallest(harness, function, result, compiler):
    forms = [] if result.key.startswith(("diagnostic", "gradwright")) else [compiler]

    def fails(functions):
        named = [(f"k{function.seed}v{k}", made) for k, made in enumerate(functions)]
        results = harness.check(named, forms)
        return [name in results and results[name].key == result.key for name, _ in named]
    return shrink(function, fails)


def report(harness, name, function, result, options, compiler, make_small):
    print(f"FAIL {name}: {result.key}\n{result.text}", flush=True)
    if make_small:
        function = smallest(harness, function, result, compiler)
    print(f"Smallest source (seed {function.seed}):\n{function.text(name, shown(function))}", flush=True)
    if options.keep:
        path = os.path.join(options.keep, f"{name}.{options.language}")
        with open(path, "w") as file:
            file.write(source([(name, function)], options.language)[0])
        print(f"kept as {path}")


def summary(results, options):
    states = collections.Counter(r.state for r in results.values())
    refused = collections.Counter(r.key for r in results.values() if r.state == "refused")
    failed = collections.Counter(r.key for r in results.values() if r.state == "FAIL")
    cells, kinks = sum(r.cells for r in results.values()), sum(r.kinks for r in results.values())
    print(f"{len(results)} {options.language} functions: {states['ok']} right, {states['FAIL']} failed, "
          f"{states['refused']} refused, {states['unusable']} unusable; {cells} cells compared, {kinks} at a kink")
    for word, found in (("refused", refused), ("failed", failed)):
        for key, count in found.most_common():
            example = next(name for name, r in results.items() if r.key == key)
            print(f"{count:6} {word}: {key} ({example})")
    good = states["FAIL"] == 0
    if kinks > MOST_KINKS * cells:
        print("too many cells at a kink")
        good = False
    if states["refused"] + states["unusable"] > options.most_refused * len(results):
        print("too many functions refused")
        good = False
    return good


def run_carried(options):
    """Every other batch under sanitizers."""
    folder, gcc = os.path.abspath(options.run), options.gcc if options.language == "c" else options.gxx
    forms = []
    for name, flags in (("fast", ["-O1"]), ("sane", ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover"])):
        make_host(options.gcc, flags, f"{folder}/{name}.o")
        forms.append(compiling([gcc, *flags], options.language, [f"{folder}/{name}.o"]))
    objects = carry.make_runtime(folder, options.gcc)
    return carry.run(folder, lambda number: forms[number % 2] + objects, options.jobs)


def main():
    options = arguments()
    if options.run:
        return 0 if summary(run_carried(options), options) else 1
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1, 10**9)
    print(f"seed {seed}", flush=True)
    functions = [(f"k{s}", make_function(s, options.language)) for s in range(seed, seed + options.count)]
    if options.print:
        for name, function in functions:
            print(function.text(name, shown(function)))
        return 0
    with tempfile.TemporaryDirectory(prefix="random_functions.") as scratch:
        folder = os.path.abspath(options.keep) if options.keep else scratch
        harness = HostHarness(options, folder, options.language)
        if options.emit_only:
            summary(carry.emit(harness, functions, options.emit_only, options.batch), options)
            return 0
        results, shrunk = {}, []
        for first in range(0, len(functions), options.batch):
            named = functions[first:first + options.batch]
            compiler = harness.batches % len(harness.compilers)
            results.update(harness.check(named))
            for name, function in named:
                if results[name].state == "FAIL":
                    make_small = results[name].key not in shrunk and len(shrunk) < options.shrink
                    shrunk += [results[name].key] * make_small
                    report(harness, name, function, results[name], options, compiler, make_small)
        return 0 if summary(results, options) else 1


if __name__ == "__main__":
    sys.exit(main())
