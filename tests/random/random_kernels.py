#!/usr/bin/env python3
"""Random kernels against differences: finds wrong gradients, crashes, and emitted text that does not compile.

    random_kernels.py --gradwright PATH --gwcc PATH [--seed N] [--count K] [--keep DIR] [--print] [--blocks]
    random_kernels.py --emit-only DIR ...;  random_kernels.py --run DIR --jobs N on a machine with nvcc and no
    Clang

With --blocks, threads meet: shared memory, barriers, votes and atomic additions (blocks.py). Kernel s is the
same for ever: the kernels N, N+1, ... are made, compiled some dozens to a file for the CPU device with -Wall
-Wextra -Werror, and run, each file in a form of its own (harness.py), with --checked or --deterministic for
instance, threads and blocks in a random order. Without --seed, a seed is drawn and printed. A refusal by a
documented error is counted. Anything else is a failure: it is made small and its source is printed (and kept
with --keep). --print only prints the kernels.
"""
import os
import sys

import carry
from blocks import Blocks
from choices import made_by
from harness import Harness, default_form
from kernels import Generator
from nests import Nests
from pixels import Pixels
from program import program
from runner import Runner, options_parser
from set_bits import BITS_FROM, BitBlocks, ListedBits
from stencils import Stencils
from templates import CHOSEN_FROM
from tiles import Tiles

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_REFUSED = 0.4


def arguments():
    parser = options_parser(__doc__, 50, 50)
    parser.add_argument("--gwcc", default="gwcc")
    parser.add_argument("--blocks", action="store_true", help="kernels whose threads meet")
    parser.add_argument("--form", help="how all batches are emitted, as a failure names it: --form='--checked "
                                       "--deterministic'")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="native")
    parser.add_argument("--gwcc-arg", action="append", default=[])
    return parser.parse_args()


def make_kernel(seed):
    return made_by((Stencils if seed % 12 == 5 else Generator)(seed))


def make_block_kernel(seed):
    # kernels up to CHOSEN_FROM are those of the default run, as they were before there were pixels
    nests = Pixels if seed > CHOSEN_FROM and seed % 24 == 22 else Nests
    if seed >= BITS_FROM and seed % 3 < 2:
        return made_by((BitBlocks if seed % 3 else ListedBits)(seed))
    return made_by({3: Tiles, 6: nests}.get(seed % 8, Blocks)(seed))


def run_carried(options):
    objects = carry.make_runtime(options.run, "cc")
    # Without contraction, the gradient decides as the primal does.
    command = [options.nvcc, "-std=c++17", f"-arch={options.arch}", "-O1", "--fmad=false",
               f"-I{HERE}/../../include", f"-I{HERE}/../support", f"-I{HERE}", "batch.cu", *objects, "-o",
               "batch"]
    return carry.run(options.run, lambda number: command, options.jobs)


def main():
    options = arguments()
    what = "kernels whose threads meet" if options.blocks else "kernels"
    runner = Runner(options, what, MOST_REFUSED, lambda kernel: "float" if kernel.single else "double", program,
                    "cu", lambda result, _: Harness.form_of(result), default_form)
    if options.run:
        return 0 if runner.summary(run_carried(options)) else 1
    include = [os.path.join(HERE, "../support"), HERE]
    return 0 if runner.go(make_block_kernel if options.blocks else make_kernel,
                          lambda folder, seed: Harness(options, include, folder, seed % 1000 + 1)) else 1


if __name__ == "__main__":
    sys.exit(main())
