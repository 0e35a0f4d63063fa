#!/usr/bin/env python3
"""Random functions with loops of OpenMP's against differences, by one thread and by several; every other batch
under ThreadSanitizer where Archer is there.

    random_openmp.py --gradwright PATH --runtime LIBGWRUNTIME [--seed N] [--count K] [--batch K] [--jobs N]
    [--clang CLANG --archer LIBARCHER] [--print]

Function s is the same for ever. No two iterations of a parallel loop come to one cell, unless both read or a
pragma says how they meet. A refusal by name is counted; anything else is a failure, and its source is printed.
"""
import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
N = 37  # as in frame.h
SCHEDULES = ["", "", "", " schedule(static)", " schedule(static, 3)", " schedule(dynamic)", " schedule(guided)",
             " schedule(dynamic, 4)", " schedule(auto)"]
MORE = ["", "", "", "", " num_threads(3)", " default(shared)", " if(n > 4)"]
# What an iteration may write: its index, how many iterations there are, and which other cells are its own.
MAPS = [("i", "n"), ("n - 1 - i", "n"), ("2 * i", "n / 2"), ("2 * i + 1", "n / 2"), ("perm[i]", "n"),
        ("(i + 5) % n", "n"), ("i + 4", "n - 4"), ("at2[i]", "n"), ("i", "n / 3")]


class Maker:
    def __init__(self, seed):
        self.random, self.seed, self.names = random.Random(seed), seed, 0
        self.arrays = ["x"]  # with numbers that may be read anywhere
        self.helpers, self.lists = "", ""

    def pick(self, *of):
        return self.random.choice(of)

    def chance(self, part):
        return self.random.random() < part

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # Numbers: all stay within some units, so that differences are good to 1e-7.
    def index(self, counter):
        shift = self.pick(1, 2, 7)
        return self.pick(counter, counter, f"at[{counter}]", f"({counter} + {shift}) % n", f"n - 1 - {counter}",
                         f"perm[{counter}]", "3", f"{counter} / 2", f"at[perm[{counter}]]")

    def leaf(self, values, counter):
        if values and self.chance(0.6):
            return self.random.choice(values)
        if self.chance(0.25):
            return "k"
        return f"{self.random.choice(self.arrays)}[{self.index(counter)}]"

    def number(self, values, counter, depth=2):
        if depth == 0 or self.chance(0.15):
            return self.leaf(values, counter)
        a, b = (self.number(values, counter, depth - 1) for _ in "ab")
        c = round(self.random.uniform(0.2, 0.9), 2)
        return self.pick(f"sin({a})", f"{c} * {a} + {b}", f"sin({a}) * cos({b})", f"{a} / (2 + cos({b}))",
                         f"sqrt(1 + sin({a}) * sin({a}))", f"exp({c} * sin({a}))", f"tanh({a} * {b})",
                         f"({self.guard(counter)} ? {a} : {c} * {b})", f"cos({a}) - {c} * {b}")

    def guard(self, counter):
        return self.pick(f"{counter} % 3 == {self.random.randint(0, 2)}", f"at[{counter}] > 11",
                         f"x[{counter}] > 0.3123", f"{counter} < n / 2", f"perm[{counter}] % 2")

    # Statements of an iteration; cells: what it may write. Each returns its text and the values that are there
    # behind it.
    def local(self, values, cells, counter, depth):
        made = self.name("v")
        return f"const double {made} = {self.number(values, counter)};\n", values + [made]

    def cell(self, values, cells, counter, depth):
        return f"{self.random.choice(cells)} = sin({self.number(values, counter)});\n", values

    def update(self, values, cells, counter, depth):
        value = self.number(values, counter)
        return f"{self.random.choice(cells)} {self.pick('+=', '-=')} 0.4 * sin({value});\n", values

    def branch(self, values, cells, counter, depth):
        text = f"if ({self.guard(counter)}) {{\n{self.statements(values, cells, counter, depth + 1)}}}\n"
        if self.chance(0.4):
            text += f"else {{\n{self.statements(values, cells, counter, depth + 1)}}}\n"
        return text, values

    def loop(self, values, cells, counter, depth):
        j, made, trips = self.name("j"), self.name("s"), self.pick("3", "i % 4", "at[i] % 3 + 1", "5")
        first, value = self.leaf(values, counter), self.number(values, j, 1)
        step = self.pick(f"{made} = sin({made} + {value});", f"{made} += 0.2 * {value};")
        return (f"double {made} = {first};\nfor (int {j} = 0; {j} < {trips}; {j}++) {{\n{step}\n}}\n",
                values + [made])

    def while_loop(self, values, cells, counter, depth):
        made, c, first, again = self.name("w"), self.name("c"), *(self.leaf(values, counter) for _ in "ab")
        return (f"double {made} = {first};\nint {c} = 0;\nwhile ({c} < 6 && {made} < 0.7123) {{\n"
                f"{made} = {made} * {made} + 0.3 + 0.1 * sin({again});\n{c}++;\n}}\n{made} = tanh({made});\n",
                values + [made])

    def called(self, values, cells, counter, depth):
        made = self.name("v")
        text = f"double {made} = {self.helper()}({self.leaf(values, counter)}, k, {counter});\n"
        return text, values + [made]

    def statements(self, values, cells, counter, depth=0):
        text, ways = "", [self.local, self.cell, self.cell]
        if depth < 2:
            ways += [self.branch, self.loop, self.called, self.while_loop, self.update]
        for _ in range(self.random.randint(1, 3)):
            more, values = self.random.choice(ways)(values, cells, counter, depth)
            text += more
        return text

    def helper(self):
        made = self.name(f"h{self.seed}_")
        body = self.pick("return i % 2 ? sin(a * b) : a;",
                         "for (int j = 0; j < i % 3; j++) a = sin(a * b) + 0.1;\n    return a;",
                         "if (i == 4) return b;\n    return tanh(a + b);",
                         f"return i > 3 ? sin(a) * {made}(0.5 * a, b, i / 2) : a * b;")
        self.helpers += f"static double {made}(double a, double b, int i) {{\n    {body}\n}}\n"
        return made

    # Loops
    def clauses(self):
        return self.random.choice(SCHEDULES) + self.random.choice(MORE)

    def writer(self, target):
        """Iterations that write cells of their own."""
        index, count = self.random.choice(MAPS)
        cell = f"{target}[{index}]"
        kept, self.arrays = self.arrays, [a for a in self.arrays if a != target] or ["x"]
        before, clauses, first, values = "", self.clauses(), "", [cell] if target != "y" else []
        way = self.pick("plain", "plain", "plain", "private", "first", "last", "array", "early")
        if way == "last":  # libomp 22 hands on another value than the last one's after dynamic chunks
            clauses = ""
        if way in ("private", "last", "first"):
            made = self.name("p")
            before = f"double {made} = {self.leaf([], '5')};\n"
            clauses += f" {'last' if way == 'last' else 'first' if way == 'first' else ''}private({made})"
            first = f"{made} = {self.number(values + ([made] if way == 'first' else []), 'i')};\n" \
                if way != "first" else ""
            values = values + [made]
        elif way == "array":
            made, c = self.name("b"), self.pick("i % 3", "1")
            first = (f"double {made}[3] = {{0}};\nfor (int e = 0; e < 3; e++) {made}[e] = "
                     f"{self.number(values, 'e', 1)};\n{made}[{c}] *= sin({self.leaf(values, 'i')});\n")
            values = values + [f"{made}[{self.pick('0', 'i % 3', '2')}]"]
        elif way == "early":
            first = f"if ({self.guard('i')}) continue;\n"
        body = first + self.statements(values, [cell], "i")
        head = f"for (int i = 0; i < {count}; i++)"
        if self.chance(0.3) and count == "n":
            head = self.pick("for (int i = n - 1; i >= 0; i--)", "for (int i = 0; i < n; i += 2)",
                             "for (int i = 3; i < n; ++i)", "for (int i = 0; i <= n - 1; i++)",
                             "for (int i = 1; i < n; i += 3)")
        text = f"{before}#pragma omp parallel for{clauses}\n{head} {{\n{body}{cell} += 0.3 * " \
               f"{self.leaf(values, 'i')};\n}}\n"
        if way == "last":
            text += f"y[2] += 0.3 * {values[-1]};\n"
        self.arrays = kept + ([target] if target not in kept and target != "y" else [])
        return text

    def summing(self):
        """Iterations that add to a number, or look for the greatest."""
        made, op = self.name("sum"), self.pick("+", "+", "+", "-", "*", "max", "min")
        value = self.number([], "i")
        step = {"+": f"{made} += 0.1 * {value};", "-": f"{made} -= 0.1 * {value};",
                "*": f"{made} *= 1 + 0.05 * sin({value});",
                "max": f"{made} = fmax({made}, {value});",
                "min": f"if ({value} < {made}) {made} = {value};"}[op]
        start = {"max": "-5", "min": "5", "*": "k"}.get(op, self.pick("0", "k", "x[3]"))
        if self.chance(0.3):
            step = f"if ({self.guard('i')}) {step}"
        return (f"double {made} = {start};\n#pragma omp parallel for{self.clauses()} reduction({op} : {made})\n"
                f"for (int i = 0; i < n; i++) {{\n{step}\n}}\ny[{self.pick('0', '7')}] += sin({made});\n")

    def table(self):
        """Sums to an array that all threads have a copy of, to cells by atomics, and by critical ones."""
        value, made = self.number([], "i"), self.name("b")
        way = self.pick("array", "atomic", "critical", "scatter")
        if way == "array":
            clauses = f"{self.clauses()} reduction(+ : {made})"
            return (f"double {made}[4] = {{0}};\n#pragma omp parallel for{clauses}\n"
                    f"for (int i = 0; i < n; i++) {made}[{self.pick('i % 4', 'at[i] % 4', '1')}] += 0.2 * "
                    f"{value};\nfor (int e = 0; e < 4; e++) y[e] += sin({made}[e]);\n")
        if way == "scatter":
            return (f"#pragma omp parallel for{self.clauses()}\nfor (int i = 0; i < n; i++) y[perm[i]] += "
                    f"{self.pick('', 'x[i] * ')}{value};\n")
        return (f"#pragma omp parallel for{self.clauses()}\nfor (int i = 0; i < n; i++) {{\n"
                f"const double {made} = 0.2 * {value};\n#pragma omp {way}\ny[at[i]] += {made};\n}}\n")

    def nested(self):
        """Rows and columns, one loop of both or not."""
        value = self.number([], "i")
        target = self.pick("y[6 * i + j]", "y[i + 6 * j]")
        collapse = self.pick(" collapse(2)", "")
        value += f" * sin(x[j + {self.pick('i', '3')}])"
        return (f"#pragma omp parallel for{collapse}{self.clauses()}\nfor (int i = 0; i < 6; i++)\n"
                f"for (int j = 0; j < 6; j++) {target} += {value};\n")

    def region(self):
        """Several loops of one team, in steps or not, with variables that are a thread's own."""
        one, two, third = self.number([], "i"), self.number([], "i"), self.number([], "i")
        made, local, v = self.name("r"), self.name("w"), self.name("v")
        clauses = self.pick("", " default(shared)")
        nowait = self.pick("", " schedule(static)", " schedule(dynamic, 3)")
        single = self.pick("", "#pragma omp single\n", "#pragma omp master\n")
        if single:
            single = f"{single}y[1] += sin({made}[3]);\n#pragma omp barrier\n"
        before, own, use = self.pick(("", "", ""), ("", f"const double {local} = sin(k);\n", f" * {local}"))
        second = f"y[i] += {made}[n - 1 - i] * {two}{use};"
        if self.chance(0.4):
            before, clauses = f"double {v};\n", f"{clauses} private({v})"
            second = f"{v} = {two}{use};\ny[i] += {v} * {made}[n - 1 - i];"
        loops = (f"#pragma omp for{nowait}\nfor (int i = 0; i < n; i++) {made}[i] = {one};\n{single}"
                 f"#pragma omp for{nowait}\nfor (int i = 0; i < n; i++) {{\n{second}\n}}\n")
        if self.chance(0.3):
            loops = f"for (int e = 0; e < 2; e++) {{\n{loops}}}\n"
        return (f"{before}double {made}[{N}] = {{0}};\n#pragma omp parallel{clauses}\n{{\n{own}{loops}"
                f"#pragma omp for nowait\nfor (int i = 0; i < n; i++) y[i] += 0.1 * {third};\n}}\n")

    def sections(self):
        return (f"#pragma omp parallel sections\n{{\n#pragma omp section\ny[0] += {self.number([], '2')};\n"
                f"#pragma omp section\ny[1] += {self.number([], '4')};\n}}\n")

    def function(self):
        body = ""
        for target in ("t", "u")[:self.random.randint(0, 2)]:
            body += f"double {target}[{N}];\nfor (int i = 0; i < n; i++) {target}[i] = 0.1 * x[i];\n"
            self.arrays.append(target)
        for _ in range(self.random.randint(1, 4)):
            made = self.random.choice(["writer", "writer", "writer", "summing", "table", "nested", "region",
                                       "sections"][:6 + 2 * self.chance(0.3)])
            body += self.writer(self.random.choice(self.arrays[1:] + ["y", "y"])) if made == "writer" else \
                getattr(self, made)()
            if self.chance(0.1):
                body += f"if (k > 0.1) y[4] += {self.leaf([], '6')};\n"
        asked = 'GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")'
        return (f"{self.helpers}{asked}\nvoid f{self.seed}(double *y, const double *x, double k, int n) {{\n"
                f"{body}y[n - 1] += 0.1 * k * x[0];\n}}\n")


HEAD = """#include "frame.h"
static const int perm[N] = {%s};
static const int at2[N] = {%s};
""" % (", ".join(str(i * 10 % N) for i in range(N)), ", ".join(str((i * 5 + 3) % N) for i in range(N)))


def run(command, folder, limit=300, **more):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False,
                          timeout=limit, env={**os.environ, **more})
    return done.returncode, done.stdout + done.stderr


class Batch:
    """Some functions in one source. said: of each seed, what became of it."""

    def __init__(self, options, seeds, number):
        self.options, self.made = options, {seed: Maker(seed).function() for seed in seeds}
        self.language = ("c", "cpp")[number // 2 % 2]
        self.sane, self.said, self.loops = number % 2 == 1 and bool(options.archer), {}, 0

    def write(self, folder):
        """Without the ones of which something is said; owner of each line."""
        text, owner = HEAD, [None] * HEAD.count("\n")
        for seed, function in self.made.items():
            if seed not in self.said:
                text += function
                owner += [seed] * function.count("\n")
        left = [seed for seed in self.made if seed not in self.said]
        text += f'#include "batch.grad.{"h" if self.language == "c" else "hpp"}"\n'
        text += "".join(f"GRADIENT(f{seed})\n" for seed in left) + "int main(void) {\n    int bad = 0;\n"
        text += "".join(f"    CHECK(f{seed})\n" for seed in left) + "    return bad;\n}\n"
        with open(os.path.join(folder, f"batch.{self.language}"), "w", encoding="utf-8") as file:
            file.write(text)
        return owner

    def fail(self, what, said):
        for seed in self.made:
            self.said.setdefault(seed, ("FAIL", f"{what}: {said[:1500]}"))

    def go(self, folder):
        options, standard = self.options, "-std=c17" if self.language == "c" else "-std=c++17"
        include = [f"-I{HERE}", f"-I{os.path.join(HERE, '../../include')}"]
        while True:
            owner = self.write(folder)
            made = "batch.grad." + ("h" if self.language == "c" else "hpp")
            code, said = run([options.gradwright, f"batch.{self.language}", "-o", made, "--", "-fopenmp",
                              standard, *include], folder)
            blamed = {}
            for line, text, name in re.findall(r"batch\.\w+:(\d+):\d+: error: (.*?) \[([a-z-]+)\]", said):
                seed = owner[int(line) - 1] if int(line) <= len(owner) else None
                if seed is not None and name not in ("syntax", "internal"):
                    blamed.setdefault(seed, ("refused", name + ": " + re.sub(r"'[^']*'", "*", text)))
            if code == 0 or not blamed:
                break
            self.said.update(blamed)
        if code:
            return self.fail("gradwright", said)
        left = [seed for seed in self.made if seed not in self.said]
        if not left:
            return None
        with open(os.path.join(folder, made), encoding="utf-8") as file:
            self.loops = file.read().count("#pragma omp parallel for")
        compiler = {"c": "gcc", "cpp": "g++"}[self.language]
        command = [options.clang if self.language == "c" else options.clang.replace("clang", "clang++"), "-g",
                   "-O1", "-fsanitize=thread"] if self.sane else [compiler, "-O1"]
        code, said = run([*command, standard, "-fopenmp", "-Wall", "-Wextra", "-Werror",
                          "-Wno-uninitialized", "-Wno-unused-variable", "-Wno-unused-but-set-variable",
                          *include, f"batch.{self.language}", options.runtime, "-lm", "-o", "batch"], folder)
        if code:
            return self.fail("compiler", said)
        for threads in (4,) if self.sane else (1, 3):
            more = {"OMP_TOOL_LIBRARIES": options.archer, "TSAN_OPTIONS": "ignore_noninstrumented_modules=1"} \
                if self.sane else {}
            code, said = run(["./batch"], folder, OMP_NUM_THREADS=str(threads), **more)
            for seed, what in re.findall(r"^f(\d+): (.*)$", said, re.M):
                self.said.setdefault(int(seed), ("FAIL", f"{threads} threads: {what}"))
            for seed in re.findall(r"#0 (?:f|\.omp_outlined\S*)?f?(\d+)_grad", said):
                self.said.setdefault(int(seed), ("FAIL", f"{threads} threads race: {said[:2500]}"))
            if code and not any(state == "FAIL" for state, _ in self.said.values()):
                return self.fail(f"{threads} threads, exit {code}", said)
        for seed in left:
            self.said.setdefault(seed, ("ok", ""))
        return None


def check(options, seeds, number):
    with tempfile.TemporaryDirectory() as folder:
        batch = Batch(options, seeds, number)
        try:
            batch.go(folder)
        except subprocess.TimeoutExpired as late:
            batch.fail("time", str(late))
        return batch


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    texts = {"gradwright": "gradwright", "runtime": "libgwruntime.a", "clang": "clang-22", "archer": ""}
    for name, default in texts.items():
        parser.add_argument("--" + name, default=default)
    for name, default in (("seed", 1), ("count", 16), ("batch", 8), ("jobs", 2)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    options.gradwright, options.runtime = (os.path.abspath(at) for at in (options.gradwright, options.runtime))
    seeds = range(options.seed, options.seed + options.count)
    if options.print:
        print("".join(Maker(seed).function() for seed in seeds))
        return 0
    parts = [list(seeds[at:at + options.batch]) for at in range(0, options.count, options.batch)]
    with ThreadPoolExecutor(options.jobs) as pool:
        batches = list(pool.map(lambda pair: check(options, pair[1], pair[0]), enumerate(parts)))
    states, refusals, bad = collections.Counter(), collections.Counter(), False
    for batch in batches:
        for seed, (state, what) in batch.said.items():
            states[state] += 1
            refusals.update([what] * (state == "refused"))
            if state == "FAIL":
                bad = True
                print(f"{'TSan, ' * batch.sane}{batch.language}, function {seed}: {what}\n{batch.made[seed]}")
    print(f"{dict(states)}, {sum(batch.loops for batch in batches)} parallel loops in gradients")
    for what, times in refusals.most_common():
        print(f"  refused {times} times: {what}")
    loops = sum(batch.loops for batch in batches)
    return 1 if bad or states["ok"] < options.count / 2 or loops < options.count / 4 else 0


if __name__ == "__main__":
    sys.exit(main())
