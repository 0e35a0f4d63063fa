#!/usr/bin/env python3
"""Random places in a list of ranges: where the compiler gives threads rows at positions, no two threads or
iterations may have one row.

usage: places.py GRADWRIGHT GWCC SEED COUNT

Each kernel reads x[ids[POSITION] * w + COLUMN] for j in the range r[ROW] .. r[ROW + 1], with GW_SORTED(r). The
pair of position and column that the emitted gw_placed_slot takes is held against all of some small launches,
counted out here. At least a twentieth has to be decided so, or nothing was tested.
"""
import random
import re
import subprocess
import sys
import tempfile

from positions import LAUNCHES, Position, joined, number, shaped

ROWS = ["i", "i", "i", "i", "b", "t", ("/", "i", "w"), ("/", "i", 2), ("%", "i", "w"), ("+", ("*", "i", 2), 1),
        "n-i", ("*", "b", 3), ("^", "i", 1), ("&", "i", 6), ("+", ("*", "b", "n"), "t")]
ENTRIES = ["j", "j", "j", "j", "j", "j", ("+", "j", "m"), ("*", "j", 2), ("/", "j", 2), ("^", "j", 1),
           ("-", "j", "i"), ("+", "j", "t"), ("-", "n", "j"), ("+", "j", "c")]
COLUMNS = [0, 0, "c", "c", "t", "b", "i", ("%", "i", "w"), ("%", "i", "w"), ("/", "i", "w"), ("&", "t", 3),
           ("%", "c", 2), ("%", "t", 4), ("*", "c", 2)]
AROUND = {  # name: (text around the loop over the range, (i, c) of a thread)
    "once": ("if (i >= n) return; int c = 0; RANGE y[i] = sum;", lambda i, v: [(i, 0)] if i < v["n"] else []),
    "strides": ("int c = 0; for (; i < n; i += blockDim.x * gridDim.x) { sum = 0; RANGE y[i] = sum; }",
                lambda i, v: [(k, 0) for k in range(i, v["n"], v["blockDim"] * v["gridDim"])]),
    "columns": ("if (i >= n) return; for (int c = 0; c < w; c++) { RANGE } y[i] = sum;",
                lambda i, v: [(i, c) for c in range(v["w"])] if i < v["n"] else []),
}
LOOPS = ["for (int j = r[ROW]; j < r[ROW + 1]; j++)", "for (int j = r[ROW + 1] - 1; j >= r[ROW]; j--)",
         "for (int j = r[ROW]; j < r[ROW + 1]; j += 2)"]
RANGE = 3  # r[k] is RANGE * k


class Case:
    def __init__(self, choose):
        self.around, self.loop = choose.choice(list(AROUND)), choose.choice(LOOPS)
        self.row = shaped(choose.choice(ROWS), "loop") if choose.random() < 0.8 else number(choose, "once", 2)
        self.entry = shaped(choose.choice(ENTRIES), "loop")
        self.column = shaped(choose.choice(COLUMNS), "loop")

    def kernel(self, which):
        add = f"{{ float u = x[ids[{self.entry.text}] * w + {self.column.text}]; sum += u * u; }}"
        body = AROUND[self.around][0].replace("RANGE", self.loop.replace("ROW", f"({self.row.text})") + " "
                                              + add)
        return (f'GW_GRADIENT("y wrt x") GW_SORTED(r)\n'
                f"__global__ void k{which}(float *y, const float *x, const int *ids, const int *r, int n, int "
                f"m, int w) {{\n"
                f"    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), t = (int)threadIdx.x, b = "
                f"(int)blockIdx.x;\n"
                f"    float sum = 0;\n    (void)t, (void)b, (void)m;\n    {body}\n}}\n")

    def indices(self, row):
        step = 2 if "+= 2" in self.loop else 1
        return range(RANGE * row, RANGE * (row + 1), step)

    def meeting(self, with_column):
        """Two that have one row, in words; None if none have."""
        for launch in LAUNCHES:
            seen = {}
            for b in range(launch["gridDim"]):
                for t in range(launch["blockDim"]):
                    for i, c in AROUND[self.around][1](b * launch["blockDim"] + t, launch):
                        v = {**launch, "i": i, "c": c, "t": t, "b": b, "j": 0}
                        for j in self.indices(self.row.value(v)):
                            v["j"] = j
                            who = (b, t, i, c, j)
                            place = (self.entry.value(v), self.column.value(v) if with_column else 0)
                            if seen.setdefault(place, who) != who:
                                return (f"{seen[place]} and {who} (block, thread, i, c, j) at {place} of "
                                        f"{launch}")
        return None


def main():
    gradwright, gwcc, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    choose = random.Random(seed)
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True).stdout.split()
    cases = [Case(choose) for _ in range(count)]
    placed, wrong = 0, 0
    for first in range(0, count, 50):
        part = range(first, min(first + 50, count))
        with tempfile.TemporaryDirectory() as work:
            with open(f"{work}/x.cu", "w") as file:
                file.write("#include <gradwright/gradwright.h>\n" + "".join(cases[k].kernel(k) for k in part))
            done = subprocess.run([gradwright, f"{work}/x.cu", "-o", f"{work}/x.grad.cuh", "--prefer=slots",
                                   "--", *flags], capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stderr)
            text = open(f"{work}/x.grad.cuh").read()
        for found in re.finditer(r"__global__ void k(\d+)_grad\w*\(.*?\n}\n", text, re.S):
            case = cases[int(found[1])]
            for slot in re.finditer(r"gw_placed_slot\(&\w+,\s*(.*?),\s*(.*?),\s", found[0], re.S):
                two = case.meeting(slot[2] != "0ll")
                placed += 1
                if two:
                    wrong += 1
                    print(f"FAIL {slot[0]} {two}\n{case.kernel(found[1])}")
    apart = sum(case.meeting(True) is None for case in cases)
    print(f"{count} kernels, {apart} whose places are all apart, {placed} decided so, {wrong} wrong")
    sys.exit(bool(wrong) or 20 * placed < count)


if __name__ == "__main__":
    main()
