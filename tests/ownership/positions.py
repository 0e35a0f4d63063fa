#!/usr/bin/env python3
"""Random positions in a sorted list: where the compiler says that rows need no sort, no two threads or
iterations may have one position.

usage: positions.py GRADWRIGHT GWCC SEED COUNT

Each kernel reads x[ids[POSITION]], with GW_SORTED(ids). What --explain decides for its adjoint is held against
all positions of some small launches, counted out here. At least a tenth has to be decided so, or nothing was
tested.
"""
import random
import re
import subprocess
import sys
import tempfile

CONSTANTS = [1, 2, 3, 4, 5, 7, 8]
FORMS = {  # name: (text around the addition, iterations of thread i as values of (i, j))
    "once": ("if (i < n) { ADD y[i] = sum; }", lambda i, v: [(i, 0)] if i < v["n"] else []),
    "some": ("if (i < n && i % 3 != 1) { ADD y[i] = sum; }", lambda i, v: [(i, 0)] if i < v["n"] and i % 3 != 1
             else []),
    "loop": ("if (i >= n) return; for (int j = 0; j < m; j++) { ADD } y[i] = sum;",
             lambda i, v: [(i, j) for j in range(v["m"])] if i < v["n"] else []),
    "down": ("if (i >= n) return; for (int j = m - 1; j >= 0; j--) { ADD } y[i] = sum;",
             lambda i, v: [(i, j) for j in range(v["m"])] if i < v["n"] else []),
    "steps": ("if (i >= n) return; for (int j = 0; j < m; j += 2) { ADD } y[i] = sum;",
              lambda i, v: [(i, j) for j in range(0, v["m"], 2)] if i < v["n"] else []),
    "strides": ("for (; i < n; i += blockDim.x * gridDim.x) { sum = 0; ADD y[i] = sum; }",
                lambda i, v: [(k, 0) for k in range(i, v["n"], v["blockDim"] * v["gridDim"])]),
}
LOOPS = ("loop", "down", "steps")
LAUNCHES = [{"gridDim": g, "blockDim": b, "n": n, "m": m, "w": w}
            for g, b, n, m, w in [(1, 1, 1, 1, 1), (3, 4, 12, 3, 4), (2, 5, 7, 2, 3), (4, 3, 11, 5, 5),
                                  (5, 2, 30, 4, 1), (3, 7, 40, 2, 7), (2, 16, 31, 3, 8)]]


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": quotient,
    "%": lambda a, b: a - quotient(a, b) * b, "&": lambda a, b: a & b, "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b, ">>": lambda a, b: a >> b,
}


# What is often apart, and what is nearly so.
SHAPES = ["i", "n-i", ("+", ("*", "i", "m"), "j"), ("+", ("*", "i", 4), ("%", "j", 4)),
          ("+", ("*", "j", "n"), "i"), ("+", ("*", ("/", "i", "w"), "w"), ("%", "i", "w")),
          ("+", ("*", ("%", "i", "w"), "n"), ("/", "i", "w")), ("-", ("-", ("*", "n", "m"), "j"),
                                                                ("*", "m", "i")), ("+", ("*", "b", 8), "t"),
          ("^", "i", 5), ("+", ("*", ("+", ("*", "i", "m"), "j"), "w"), 3), ("+", ("*", "b", "n"), "t"),
          ("*", ("/", "i", 2), 2)]


class Position:
    """A number that a thread computes: its text, and its value."""

    def __init__(self, text, parts=None):
        self.text, self.parts = text, parts

    def value(self, v):
        if self.parts:
            return OPERATIONS[self.parts[0]](self.parts[1].value(v), self.parts[2].value(v))
        return v[self.text] if self.text in v else int(self.text)


def joined(op, left, right):
    return Position(f"({left.text} {op} {right.text})", (op, left, right))


def shaped(shape, form):
    if isinstance(shape, tuple):
        return joined(shape[0], shaped(shape[1], form), shaped(shape[2], form))
    if shape == "n-i":
        return joined("-", Position("n"), Position("i"))
    return Position("0" if shape == "j" and form not in LOOPS else str(shape))


def number(choose, form, depth):
    if depth == 0 or choose.random() < 0.15:
        names = ["i", "i", "i", "t", "b", "n", "m", "w"] + (["j", "j", "j"] if form in LOOPS else [])
        return Position(choose.choice(names) if choose.random() < 0.8 else str(choose.choice(CONSTANTS)))
    op, left = choose.choice("++++--****/%&^|>"), number(choose, form, depth - 1)
    if op in "/%":
        right = Position(choose.choice(["n", "m", "w", *map(str, CONSTANTS)]))
    elif op in "&^|>":
        right = Position(str(choose.choice(CONSTANTS)))
    else:
        right = number(choose, form, depth - 1)
    return joined(op.replace(">", ">>"), left, right)


def position(choose, form):
    if choose.random() < 0.6:
        return number(choose, form, choose.choice([1, 2, 2, 3]))
    made = shaped(choose.choice(SHAPES), form)
    return (joined(choose.choice("+-*^"), made, number(choose, form, choose.choice([0, 0, 1])))
            if choose.random() < 0.5 else made)


def kernel(which, form, at):
    add = f"{{ float u = x[ids[{at.text}]]; sum += u * u; }}"
    body = FORMS[form][0].replace("ADD", add)
    return (f'GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, slots) GW_SORTED(ids)\n'
            f"__global__ void k{which}(float *y, const float *x, const int *ids, int n, int m, int w) {{\n"
            f"    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), t = (int)threadIdx.x, b = "
            f"(int)blockIdx.x;\n"
            f"    float sum = 0;\n    (void)t, (void)b, (void)m, (void)w;\n    {body}\n}}\n")


def meeting(form, at):
    """Two that have one position, in words; None if none have. A position that j does not change is one of all
    iterations together: their sum is added."""
    uses_j = re.search(r"\bj\b", at.text)
    for launch in LAUNCHES:
        seen = {}
        for b in range(launch["gridDim"]):
            for t in range(launch["blockDim"]):
                for i, j in FORMS[form][1](b * launch["blockDim"] + t, launch):
                    who = (b, t, i, j if uses_j else 0)
                    cell = at.value({**launch, "i": i, "j": j, "t": t, "b": b})
                    if seen.setdefault(cell, who) != who:
                        return f"{seen[cell]} and {who} (block, thread, i, j) at {cell} of {launch}"
    return None


def main():
    gradwright, gwcc, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    choose = random.Random(seed)
    cases = []
    for _ in range(count):
        form = choose.choice(list(FORMS))
        cases.append((form, position(choose, form)))
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True).stdout.split()
    placed, wrong = 0, 0
    for first in range(0, count, 50):
        part = [kernel(k, *cases[k]) for k in range(first, min(first + 50, count))]
        with tempfile.TemporaryDirectory() as work:
            with open(f"{work}/x.cu", "w") as file:
                file.write("#include <gradwright/gradwright.h>\n" + "".join(part))
            done = subprocess.run([gradwright, f"{work}/x.cu", "-o", f"{work}/x.grad.cuh", "--explain", "--",
                                   *flags], capture_output=True, text=True)
        said = done.stdout + done.stderr
        lines = "".join(part).splitlines()
        where = {2 + at: int(re.match(r"__global__ void k(\d+)", line)[1]) for at, line in enumerate(lines)
                 if line.startswith("__global__")}
        if "error:" in said and "rung-unsound" not in said and "rung-of-no-addition" not in said:
            sys.exit(said)
        for line in map(int, re.findall(r"x\.cu:(\d+):\d+: remark: d_x\[.*as they stand\) \[chosen-rung\]",
                                        said)):
            found = where[max(at for at in where if at < line)]
            two = meeting(*cases[found])
            placed += 1
            if two:
                wrong += 1
                print(f"FAIL {two}\n{kernel(found, *cases[found])}")
    apart = sum(meeting(*case) is None for case in cases)
    print(f"{count} kernels, {apart} whose positions are all apart, {placed} decided so, {wrong} wrong")
    sys.exit(bool(wrong) or 10 * placed < count)


if __name__ == "__main__":
    main()
