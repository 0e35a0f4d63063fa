#!/usr/bin/env python3
"""Random kernels against differences: finds wrong gradients, crashes, and emitted text that does not compile.

    random_kernels.py --gradwright PATH --gwcc PATH [--seed N] [--count K] [--keep DIR] [--print] [--blocks]
    random_kernels.py --emit-only DIR ...;  random_kernels.py --run DIR --jobs N on a machine with nvcc and no Clang

With --blocks, threads meet: shared memory, barriers, votes and atomic additions (blocks.py). Kernel s is the same for ever: the kernels N, N+1, ... are made, compiled some dozens to a file for the CPU device
with -Wall -Wextra -Werror, and run: as emitted and with --checked, threads and blocks in a random order. Without
--seed, a seed is drawn and printed. A refusal by a documented error is counted. Anything else is a failure: it is
made small and its source is printed (and kept with --keep). --print only prints the kernels.
"""
import argparse
import collections
import os
import random
import sys
import tempfile

import carry
from blocks import make_block_kernel
from harness import Harness
from kernels import make_kernel
from program import program
from shrink import shrink

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_KINKS = 0.02
MOST_REFUSED = 0.4


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradwright", default="gradwright")
    parser.add_argument("--gwcc", default="gwcc")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--batch", type=int, default=50, help="kernels in a file")
    parser.add_argument("--keep", metavar="DIR", help="where the last files and the failures' sources stay")
    parser.add_argument("--shrink", type=int, default=3, metavar="N", help="how many kinds of failure are made small")
    parser.add_argument("--blocks", action="store_true", help="kernels whose threads meet")
    parser.add_argument("--emit-only", metavar="DIR", help="emit into DIR; compile and run nothing")
    parser.add_argument("--run", metavar="DIR", help="compile and run what --emit-only left, with nvcc on a GPU")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="native")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--gradwright-arg", action="append", default=[])
    parser.add_argument("--gwcc-arg", action="append", default=[])
    return parser.parse_args()


def smallest(harness, kernel, result, options):
    """The kernel made small; while it is, only the form in which it fails is built."""
    forms = ["--checked" if result.key.endswith("(checked)") else ""]
    if result.key.startswith(("diagnostic", "gradwright")):
        forms = []

    def fails(kernels):
        named = [(f"k{kernel.seed}v{k}", made) for k, made in enumerate(kernels)]
        results = harness.check(named, forms)
        return [name in results and results[name].key == result.key for name, _ in named]
    return shrink(kernel, fails)


def report(harness, name, kernel, result, options, make_small):
    print(f"FAIL {name}: {result.key}\n{result.text}", flush=True)
    if make_small:
        kernel = smallest(harness, kernel, result, options)
    print(f"Smallest source (seed {kernel.seed}):\n{kernel.text(name, 'float' if kernel.single else 'double')}")
    if options.keep:
        path = os.path.join(options.keep, f"{name}.cu")
        with open(path, "w") as file:
            file.write(program([(name, kernel)], name)[0])
        print(f"kept as {path}")
    sys.stdout.flush()


def summary(results):
    states = collections.Counter(r.state for r in results.values())
    refused = collections.Counter(r.key for r in results.values() if r.state == "refused")
    cells, kinks = sum(r.cells for r in results.values()), sum(r.kinks for r in results.values())
    print(f"{len(results)} kernels: {states['ok']} right, {states['FAIL']} failed, {states['refused']} refused "
          f"({', '.join(f'{n} {code}' for code, n in refused.most_common())}), {states['unusable']} unusable; "
          f"{cells} cells compared, {kinks} at a kink")
    good = states["FAIL"] == 0
    if kinks > MOST_KINKS * cells:
        print("too many cells at a kink")
        good = False
    if states["refused"] + states["unusable"] > MOST_REFUSED * len(results):
        print("too many kernels refused")
        good = False
    return good


def run_carried(options):
    objects = carry.make_runtime(options.run, "cc")
    # Without contraction, the gradient decides as the primal does.
    command = [options.nvcc, "-std=c++17", f"-arch={options.arch}", "-O1", "--fmad=false", f"-I{HERE}/../../include",
               f"-I{HERE}/../support", f"-I{HERE}", "batch.cu", *objects, "-o", "batch"]
    return carry.run(options.run, lambda number: command, options.jobs)


def main():
    options = arguments()
    if options.run:
        return 0 if summary(run_carried(options)) else 1
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1, 10**9)
    print(f"seed {seed}", flush=True)
    make = make_block_kernel if options.blocks else make_kernel
    kernels = [(f"k{s}", make(s)) for s in range(seed, seed + options.count)]
    if options.print:
        for name, kernel in kernels:
            print(kernel.text(name, "float" if kernel.single else "double"))
        return 0
    with tempfile.TemporaryDirectory(prefix="random_kernels.") as scratch:
        folder = os.path.abspath(options.keep) if options.keep else scratch
        include = [os.path.join(HERE, "../support"), HERE]
        harness = Harness(options, include, folder, seed % 1000 + 1)
        if options.emit_only:
            summary(carry.emit(harness, kernels, options.emit_only, options.batch))
            return 0
        results = {}
        for first in range(0, len(kernels), options.batch):
            named = kernels[first:first + options.batch]
            results.update(harness.check(named))
        shrunk = []
        for name, kernel in kernels:
            if results[name].state == "FAIL":
                make_small = results[name].key not in shrunk and len(shrunk) < options.shrink
                shrunk += [results[name].key] * make_small
                report(harness, name, kernel, results[name], options, make_small)
        return 0 if summary(results) else 1


if __name__ == "__main__":
    sys.exit(main())
