#!/usr/bin/env python3
"""Random functions that send, receive and reduce, on several processes, against differences and forward mode.

    random_mpi.py --gradwright PATH --runtime LIBGWRUNTIME [--seed N] [--count K] [--batch K] [--processes P]
    [--print]

Function s is the same for ever. All processes run the same calls, so that none waits for nothing; requests are
waited for in random orders, messages have few tags. A refusal or anything else is a failure, and its source is
printed.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """#include <gradwright/gradwright.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
enum { N = 4 };
"""
RUN = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


class Maker:
    def __init__(self, seed):
        self.random, self.seed, self.names = random.Random(seed), seed, 0
        self.arrays = ["a", "b", "c"]

    def pick(self, *of):
        return self.random.choice(of)

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def array(self):
        return self.random.choice(self.arrays)

    def other(self, name):
        return self.random.choice([x for x in self.arrays if x != name])

    def peer(self):
        """Two processes that agree: who this one sends to, and who it receives from."""
        shift = self.pick("1", "size - 1", "2 % size")
        ring = (f"(rank + {shift}) % size", f"(rank + size - ({shift})) % size")
        line = ("(rank + 1 < size ? rank + 1 : MPI_PROC_NULL)", "(rank > 0 ? rank - 1 : MPI_PROC_NULL)")
        pairs = ("((rank ^ 1) < size ? rank ^ 1 : MPI_PROC_NULL)",) * 2
        return self.pick(ring, ring, line, line[::-1], pairs)

    def range(self):
        first = self.random.randrange(4)
        return first, self.random.randint(1, 4 - first)

    def compute(self, pad):
        to, of, by = self.array(), self.array(), self.pick("x", *self.arrays)
        value = self.pick(f"sin({of}[i]) * {by}[3 - i]", f"0.5 * {of}[i] + 0.3 * {by}[i] * {by}[i]",
                          f"{of}[3 - i] * 0.7 + 0.1 * rank", f"cos({by}[i]) + 0.2 * {of}[(i + 1) % N]")
        if self.pick(True, False, False):
            return f"{pad}if ({of}[0] > 0.2137) {to}[{self.random.randrange(4)}] *= 1 + 0.1 * {by}[1];\n"
        if to in (of, by):
            return f"{pad}for (int i = 0; i < N; i++) {to}[i] = 0.8 * {to}[i] + 0.1 * sin({to}[i]) * x[i];\n"
        return f"{pad}for (int i = 0; i < N; i++) {to}[i] = {value};\n"

    def exchange(self, pad):
        (to, source), (at, n), tag = self.peer(), self.range(), self.pick(0, 0, 1)
        sent, got = self.pick("x", *self.arrays), self.array()
        back = self.random.randint(0, 4 - n)
        if sent == got and self.pick(True, False):
            return (f"{pad}MPI_Sendrecv_replace(&{got}[{at}], {n}, MPI_DOUBLE, {to}, {tag}, {source}, {tag},\n"
                    f"{pad}                     comm, MPI_STATUS_IGNORE);\n")
        if sent == got:
            sent = self.other(got)
        return (f"{pad}MPI_Sendrecv(&{sent}[{at}], {n}, MPI_DOUBLE, {to}, {tag}, &{got}[{back}], {n},\n"
                f"{pad}             MPI_DOUBLE, {source}, {tag}, comm, MPI_STATUS_IGNORE);\n")

    def requests(self, pad):
        """Some receives into different numbers, some sends that match them, waited for in any order."""
        r, count, lines, waits = self.name("r"), self.random.randint(1, 3), "", []
        got = self.array()
        places, sends = self.random.sample(range(4), count), []
        lines += f"{pad}MPI_Request {r}[{2 * count}];\n"
        for k in range(count):
            (to, source), tag = self.peer(), self.pick(3, 3, 4)
            lines += (f"{pad}MPI_Irecv(&{got}[{places[k]}], 1, MPI_DOUBLE, {source}, {tag}, comm, "
                      f"&{r}[{k}]);\n")
            sends.append((to, tag))
        for k, (to, tag) in enumerate(sends):
            sent = self.other(got) if self.pick(True, False) else "x"
            at = self.random.randrange(4)
            lines += (f"{pad}MPI_Isend(&{sent}[{at}], 1, MPI_DOUBLE, {to}, {tag}, comm, "
                      f"&{r}[{count + k}]);\n")
        if self.pick(True, False):
            return lines + f"{pad}MPI_Waitall({2 * count}, {r}, MPI_STATUSES_IGNORE);\n"
        waits = list(range(2 * count))
        self.random.shuffle(waits)
        return lines + "".join(f"{pad}MPI_Wait(&{r}[{k}], MPI_STATUS_IGNORE);\n" for k in waits)

    def reduce(self, pad):
        to, (at, n) = self.array(), self.range()
        of, op = self.other(to), self.pick("SUM", "SUM", "MAX", "MIN", "PROD")
        root = self.pick("0", "size - 1", "size / 2")
        scale = f"{pad}for (int i = 0; i < N; i++) {to}[i] *= 0.5;\n" if op in ("SUM", "PROD") else ""
        kind = self.pick(0, 0, 1, 2, 3)
        if kind == 0:
            call = f"MPI_Allreduce(&{of}[{at}], &{to}[{at}], {n}, MPI_DOUBLE, MPI_{op}, comm);"
        elif kind == 1:
            call = f"MPI_Allreduce(MPI_IN_PLACE, {to}, N, MPI_DOUBLE, MPI_{op}, comm);"
        elif kind == 2:
            call = f"MPI_Reduce(&{of}[{at}], &{to}[{at}], {n}, MPI_DOUBLE, MPI_{op}, {root}, comm);"
        else:
            call = f"MPI_Scan(&{of}[{at}], &{to}[{at}], {n}, MPI_DOUBLE, MPI_SUM, comm);"
            scale = f"{pad}for (int i = 0; i < N; i++) {to}[i] *= 0.5;\n"
        return f"{pad}{call}\n{scale}"

    def spread(self, pad):
        to, all_of, root = self.array(), self.name("all"), self.pick("0", "size - 1")
        of = self.other(to)
        if self.pick(True, False):
            return f"{pad}MPI_Bcast({to}, {self.random.randint(1, 4)}, MPI_DOUBLE, {root}, comm);\n"
        head = f"{pad}double *{all_of} = (double *)malloc((size_t)(2 * size) * sizeof(double));\n"
        end = f"{pad}free({all_of});\n"
        gets = self.pick(f"MPI_Allgather({of}, 2, MPI_DOUBLE, {all_of}, 2, MPI_DOUBLE, comm);",
                         f"for (int i = 0; i < 2 * size; i++) {all_of}[i] = {of}[i % N] * (1 + i);")
        uses = self.pick(f"MPI_Scatter({all_of}, 2, MPI_DOUBLE, {to}, 2, MPI_DOUBLE, {root}, comm);",
                         f"MPI_Alltoall(MPI_IN_PLACE, 2, MPI_DOUBLE, {all_of}, 2, MPI_DOUBLE, comm);",
                         f"{to}[0] += {all_of}[0];")
        add = f"{pad}for (int i = 0; i < 2 * size; i++) {to}[i % 2] += 0.1 * sin({all_of}[i]);\n"
        return f"{head}{pad}{gets}\n{pad}{uses}\n{add}{end}"

    def loop(self, pad, depth):
        t, mark = self.name("t"), self.pick("", "", f"GW_CHECKPOINT({self.pick(1, 2, 3)})\n{pad}")
        body = self.body(pad + "    ", depth - 1, self.random.randint(1, 3))
        return f"{pad}{mark}for (int {t} = 0; {t} < {self.random.randint(1, 4)}; {t}++) {{\n{body}{pad}}}\n"

    def branch(self, pad, depth):
        """All processes take the same side."""
        body = self.body(pad + "    ", depth - 1, 2)
        return f"{pad}if (size > {self.random.randint(0, 3)}) {{\n{body}{pad}}}\n"

    def sided(self, pad):
        """The first process tells the others, or hears of them."""
        of, to = self.random.sample(self.arrays, 2)
        one = (f"{pad}    for (int p = 1; p < size; p++) MPI_Send(&{of}[p % N], 1, MPI_DOUBLE, p, 7, comm);\n",
               f"{pad}    MPI_Recv(&{to}[1], 1, MPI_DOUBLE, 0, 7, comm, MPI_STATUS_IGNORE);\n")
        other = (f"{pad}    for (int p = 1; p < size; p++) MPI_Recv(&{to}[p % N], 1, MPI_DOUBLE, p, 8, comm,\n"
                 f"{pad}                                               MPI_STATUS_IGNORE);\n",
                 f"{pad}    MPI_Send(&{of}[2], 1, MPI_DOUBLE, 0, 8, comm);\n")
        first, others = self.pick(one, other)
        return f"{pad}if (rank == 0) {{\n{first}{pad}}} else {{\n{others}{pad}}}\n"

    def body(self, pad, depth, count):
        text = ""
        for _ in range(count):
            kinds = [self.compute, self.compute, self.exchange, self.requests, self.reduce, self.spread,
                     self.sided]
            if depth > 0:
                kinds += [self.loop, self.branch]
            kind = self.random.choice(kinds)
            text += kind(pad, depth) if kind in (self.loop, self.branch) else kind(pad)
        return text

    def function(self):
        body = self.body("    ", 2, self.random.randint(3, 7)) + self.exchange("    ")
        return (f'GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")\n'
                f"double f{self.seed}(const double *x, int n, MPI_Comm comm) {{\n"
                f"    int rank, size;\n    MPI_Comm_rank(comm, &rank);\n    MPI_Comm_size(comm, &size);\n"
                f"    double a[N], b[N], c[N], s = 0;\n"
                f"    for (int i = 0; i < n; i++) a[i] = x[i], b[i] = x[i] * x[n - 1 - i], c[i] = 0.3;\n"
                f"{body}"
                f"    for (int i = 0; i < N; i++) s += sin(a[i]) * x[i] + b[i] * cos(c[i]);\n"
                f"    return s;\n}}\n\n")


def check(options, seeds, folder):
    source = os.path.join(folder, "random.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(Maker(seed).function() for seed in seeds))
        file.write('#include "random.grad.h"\n#include "check.h"\n')
        file.write("int main(int argc, char **argv) {\n    int rank, bad = 0, any = 0;\n"
                   "    MPI_Init(&argc, &argv);\n"
                   "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n")
        file.write("".join(f"    CHECK(f{seed}, 1e-5);\n    ALONG(f{seed});\n" for seed in seeds))
        file.write("    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);\n"
                   "    MPI_Finalize();\n    return any;\n}\n")
    text, program = os.path.join(folder, "random.grad.h"), os.path.join(folder, "random")
    own = ["-I" + options.include, "-I" + HERE]
    steps = [[options.gradwright, source, "-o", text, "--", *own],
             [options.compiler, "-O1", "-Wall", "-Werror", "-Wno-maybe-uninitialized", *own, source,
              options.runtime, "-lm", "-o", program],
             [options.run, "-n", str(options.processes), program]]
    for step in steps:
        try:
            done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  timeout=200, env={**os.environ, **RUN}, check=False)
        except subprocess.TimeoutExpired:
            return f"{step[0]} does not end"
        if done.returncode != 0:
            return done.stdout
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    texts = {"gradwright": "gradwright", "runtime": "libgwruntime.a", "compiler": "mpicc.openmpi",
             "run": "mpirun.openmpi", "include": os.path.join(HERE, "..", "..", "include")}
    for name, default in texts.items():
        parser.add_argument("--" + name, default=default)
    for name, default in (("seed", 1), ("count", 8), ("batch", 8), ("processes", 3)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    if not shutil.which(options.compiler) or not shutil.which(options.run):
        print("no", options.compiler)
        return 77
    seeds = range(options.seed, options.seed + options.count)
    if options.print:
        print("".join(Maker(seed).function() for seed in seeds))
        return 0
    wrong = 0
    for at in range(0, options.count, options.batch):
        part = list(seeds[at:at + options.batch])
        with tempfile.TemporaryDirectory() as folder:
            said = check(options, part, folder)
        for seed in part if said else []:
            with tempfile.TemporaryDirectory() as folder:
                said = check(options, [seed], folder)
            if said:
                wrong += 1
                print(f"function {seed}: {said}\n{Maker(seed).function()}")
    print(f"{options.count - wrong} of {options.count} functions right on {options.processes} processes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
