#!/usr/bin/env python3
"""Random C and C++ functions against differences: finds wrong derivatives, crashes, and text that does not
compile.

    random_functions.py --gradwright PATH --runtime LIBGWRUNTIME [--seed N] [--count K] [--language c|cpp]
    [--print]
    random_functions.py --emit-only DIR ...;  random_functions.py --run DIR --language L --jobs N on a machine
    without Clang

Function s of a language is the same for ever. Batches of them are compiled with -Wall -Wextra -Werror by gcc
-O1, clang -O2, and every other one by clang with AddressSanitizer and UndefinedBehaviorSanitizer. A refusal by
name is counted, and the refusals are printed. Anything else is a failure: it is made small and its source is
printed.
"""
import os
import sys

import carry
from functions import make_function
from host_harness import HostHarness, compiling, make_host
from host_program import source
from runner import Runner, options_parser


def arguments():
    parser = options_parser(__doc__, 100, 100)
    parser.add_argument("--runtime", default="libgwruntime.a")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--gxx", default="g++")
    parser.add_argument("--language", choices=["c", "cpp"], default="c")
    parser.add_argument("--most-refused", type=float, default=0.5, help="the part that may be refused")
    return parser.parse_args()


def run_carried(options):
    """Every other batch under sanitizers."""
    folder, gcc = os.path.abspath(options.run), options.gcc if options.language == "c" else options.gxx
    forms = []
    for name, flags in (("fast", ["-O1"]),
                        ("sane", ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover"])):
        make_host(options.gcc, flags, f"{folder}/{name}.o")
        forms.append(compiling([gcc, *flags], options.language, [f"{folder}/{name}.o"]))
    objects = carry.make_runtime(folder, options.gcc)
    return carry.run(folder, lambda number: forms[number % 2] + objects, options.jobs)


def main():
    options = arguments()
    language, compilers = options.language, HostHarness.compilers_in_turn
    runner = Runner(options, f"{language} functions", options.most_refused, lambda function: "mixed"
                    if function.single else "double", lambda named, _: source(named, language), language,
                    lambda _, batch: batch % compilers, lambda seed, banned: None if banned
                    else str(seed % (compilers - 1)))
    if options.run:
        return 0 if runner.summary(run_carried(options)) else 1
    good = runner.go(lambda seed: make_function(seed, language),
                     lambda folder, _: HostHarness(options, folder, language))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
