#!/usr/bin/env python3
"""Random programs, functions of the host that launch kernels, against differences: finds wrong gradients,
crashes, lost memory, unordered streams, and emitted text that does not compile.

    random_programs.py --gradwright PATH --gwcc PATH [--seed N] [--count K] [--batch B] [--keep DIR] [--print]
    random_programs.py ... --algorithms
    random_programs.py ... --full
    random_programs.py ... --forward
    random_programs.py ... --twice
    random_programs.py --count K --write FILE.cu

Program s is the same for ever. 60 of them by default, the first ones; --full: 1,000 others, those from --seed
on; ctest has five times as many. --algorithms: other programs, which call Thrust too (algorithms.py). Of
every fifth program, with --forward of each, the forward derivative is held against the gradient; of every
seventh, with --twice of each, the Hessian times a vector against differences of the gradient. --write: a test
program of the first ones, for scripts/gpu. What is checked of each is at the head of random_program.cuh.
Every other batch is emitted with --checked; those from LEARNT_FROM of wider.py on by turns with --deterministic
too, and then their bits are the same in any order of threads. A refusal is a failure, but for those of
REFUSALS, and for second derivatives that say of which memory the request must speak; a failure is made small
and its source is printed.
"""
import copy
import os
import re
import sys

import algorithms
import foreign
from harness import ERROR, FIXED, Harness, Result, failure
from launched import library
import launches
from runner import Runner, options_parser
import wider

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT, FULL_FROM, FULL = 60, 10001, 1000
MOST_REFUSED = 0.02
FORWARD_EACH, TWICE_EACH = 5, 7
REFUSALS = {"no-fixed-order"}  # of --deterministic
FORMS = ("", "--checked", FIXED, f"--checked {FIXED}")
WRAPPED = ("Malloc MallocManaged MallocHost HostAlloc MallocAsync Free FreeHost FreeAsync LaunchKernel "
           "MemcpyAsync Memcpy2DAsync Memcpy MemsetAsync Memset2DAsync Memset StreamSynchronize "
           "DeviceSynchronize EventCreateWithFlags EventRecord StreamWaitEvent EventSynchronize EventDestroy "
           "PointerGetAttributes StreamIsCapturing PeekAtLastError GetLastError GraphLaunch").split()

HEAD = """#include <gradwright/gradwright.h>
#include <gradwright/program.h>
#include <math.h>
#include <utility>
#ifndef GW_RANDOM_EMIT
#include "{folder}random_program.cuh"
#endif
// Only what is emitted has to compile without a warning.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#else
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177, 550
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#endif
"""
MIDDLE = """#ifdef __clang__
#pragma clang diagnostic pop
#else
#pragma nv_diagnostic pop
#pragma GCC diagnostic pop
#endif
#include "{stem}.grad.cuh"
#if !defined(GW_RANDOM_EMIT) && !defined(__CUDA_ARCH__)
using namespace check;
"""


def source(named, stem="batch", folder="", with_algorithms=False):
    """The text of a batch, and whose its lines are."""
    head = HEAD.format(folder=folder) + (algorithms.library() if with_algorithms else "") + library()
    head += foreign.library() if any(program.seed >= foreign.FOREIGN_FROM for _, program in named) else ""
    head += wider.library() if any(program.seed >= wider.LEARNT_FROM for _, program in named) else ""
    lines = [(line, None) for line in head.split("\n")]
    for name, program in named:
        lines += [(line, name) for text in program.function(name) for line in text.split("\n")]
    lines += [(line, None) for line in MIDDLE.format(stem=stem).split("\n")]
    for name, program in named:
        lines += [(line, name) for line in program.calls(name)]
    table = ["static const random_program programs[] = {", *(program.row(name) for name, program in named),
             "};", "int main(int argc, char **argv) {",
             f"    return run_random_programs(programs, {len(named)}, argc, argv);", "}", "#endif", ""]
    lines += [(line, None) for line in table]
    return "\n".join(line for line, _ in lines), [owner for _, owner in lines]


def wrapping(option):
    """The option of a compiler that hands it on to the linker: random_runtime.cuh comes first."""
    return option + ",".join(f"--wrap=cuda{name}" for name in WRAPPED)


class ProgramHarness(Harness):
    def __init__(self, options, include, folder, seed):
        super().__init__(options, include, folder, seed)
        self.flags += [wrapping("-Wl,")]
        self.batches, self.with_algorithms = 0, options.algorithms
        self.flags += ["--own-thrust"] * self.with_algorithms

    def write(self, named):
        text, owner = source(named, with_algorithms=self.with_algorithms)
        if FIXED in self.form:
            text, owner = "#define GW_RANDOM_FIXED_ORDER\n" + text, [None, *owner]
        with open(self.path("batch.cu"), "w") as file:
            file.write(text)
        return owner

    def blame(self, owner, said):
        blamed = {}
        for line, text, code in ERROR.findall(said):
            name = owner[int(line) - 1] if int(line) <= len(owner) else None
            if name and name not in blamed:
                blamed[name] = Result("refused", code, text) if code in REFUSALS else failure(
                    f"diagnostic {code or text}{self.tools_suffix()}: {self.plain(text)}", said)
        return blamed

    def check(self, named, form=None, builds=True):
        results = super().check(named, form, builds)
        for name, _ in named if builds else ():
            results.setdefault(name, failure("was not run", "the program does not start, or does not end"))
        return results

    @staticmethod
    def plain(text):
        return re.sub(r"'[^']*'|\d+", "*", text)[:80]

    def next_form(self, named):
        self.batches += 1
        forms = FORMS if named[0][1].seed >= wider.LEARNT_FROM else FORMS[:2]
        return self.chosen if self.chosen is not None else forms[(self.batches - 1) % len(forms)]


def all_bodies(program):
    todo, found = [program.body, *(h.bodies()[0] for h in program.helpers)], []
    while todo:
        body = todo.pop(0)
        found.append(body)
        for statement in body:
            todo += statement.bodies()
    return found


def shortened(program, where, first, count, unwrap=False):
    made = copy.deepcopy(program)
    body = all_bodies(made)[where]
    inner = [s for b in body[first].bodies() for s in b] if unwrap else []
    body[first:first + count] = inner
    return made


def candidates(program):
    """Without some statements, more of them first; or with those of a block in its place."""
    made = []
    for where, body in enumerate(all_bodies(program)):
        size = max(1, len(body) // 2)
        while size:
            made += [(where, first, size) for first in range(0, len(body) - size + 1, size)]
            size //= 2
        made += [(where, k, 1, True) for k, s in enumerate(body) if s.bodies()]
    return sorted(made, key=lambda c: -c[2])


class ProgramRunner(Runner):
    BATCH = 12

    def smallest(self, harness, made, result, batch):
        form = Harness.form_of(result)
        builds = not result.key.startswith(("diagnostic", "gradwright"))
        for _ in range(12):
            better = None
            todo = candidates(made)
            for first in range(0, len(todo), self.BATCH):
                tried = [(f"k{made.seed}v{k}", shortened(made, *c))
                         for k, c in enumerate(todo[first:first + self.BATCH])]
                results = harness.check(tried, form, builds)
                better = next((p for name, p in tried if name in results
                               and results[name].key == result.key), None)
                if better:
                    break
            if not better:
                break
            made = better
        return made


def arguments():
    parser = options_parser(__doc__, DEFAULT, 30)
    parser.add_argument("--gwcc", default="gwcc")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--algorithms", action="store_true")
    parser.add_argument("--form")
    parser.add_argument("--forward", action="store_true")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--write", metavar="FILE.cu")
    parser.add_argument("--gwcc-arg", action="append", default=[])
    return parser.parse_args()


def main():
    options = arguments()
    if options.full:
        options.seed, options.count = options.seed or FULL_FROM, FULL
    options.seed = options.seed or 1
    make_plain = algorithms.make_program if options.algorithms else launches.make_program

    def make(seed):
        program = make_plain(seed)
        by_itself = seed % FORWARD_EACH == 0 and not options.algorithms  # whose calls lack one
        program.forward = options.forward or by_itself
        program.twice = options.twice or (seed % TWICE_EACH == 0 and not options.algorithms)
        return program
    if options.write:
        named = [(f"k{s}", make(s)) for s in range(options.seed, options.seed + options.count)]
        stem = os.path.splitext(os.path.basename(options.write))[0]
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(source(named, stem, os.path.relpath(HERE, os.path.dirname(options.write)) + "/",
                              options.algorithms)[0])
        return 0
    runner = ProgramRunner(options, "programs", MOST_REFUSED, lambda program: "double",
                           lambda named, _: source(named, with_algorithms=options.algorithms), "cu",
                           lambda result, _: Harness.form_of(result), None)
    include = [os.path.join(HERE, "../support"), HERE]
    good = runner.go(make, lambda folder, seed: ProgramHarness(options, include, folder, seed))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
