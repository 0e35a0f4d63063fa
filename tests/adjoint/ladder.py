#!/usr/bin/env python3
"""Every rung of the ladder x every type x blocks of 1 to 1024 threads: writes ladder.cu, looks at what was
decided, writes the table.

usage: ladder.py write RUNGS.DEF OUTPUT.cu SUPPORT_FOLDER    one kernel for each rung and type that it has;
tests/support/ladder.cuh runs them
       ladder.py decided RUNGS.DEF GRADWRIGHT GWCC           each kernel's additions take its rung, and what has
       no kernel is refused
       ladder.py page RUNGS.DEF PAGE [--write]               the table in docs/ is the one that follows from
       here

A rung of rungs.def without a kernel here is an error.
"""
import os
import re
import subprocess
import sys
import tempfile
import textwrap

SCALAR, PAIR, QUAD = ("v * v * 0.5f + v", "v.x * v.x + v.x * v.y * 0.5f",
                      "v.x * v.y + v.z * v.w * 0.5f + v.x * v.z")
# name: (type of a cell, what is loaded, type of y, what is computed, cells of the reference)
TYPES = {
    "float": ("float", "{}", "float", SCALAR, "double"),
    "double": ("double", "{}", "double", SCALAR, "double"),
    "half": ("half", "__half2float({})", "float", SCALAR, "double"),
    "bfloat16": ("__nv_bfloat16", "__bfloat162float({})", "float", SCALAR, "double"),
    "float2": ("float2", "{}", "float", PAIR, "ladder::pair"),
    "double2": ("double2", "{}", "double", PAIR, "ladder::pair"),
    "float4": ("float4", "{}", "float", QUAD, "ladder::quad"),
}
# The adjoint of a cell is what is loaded of it.
LOADED = {"half": "float", "__nv_bfloat16": "float"}

UNIFORM = """    R sum = 0;
    for (int j = 0; j < m; j++)
        if (i < n && (i + j) % 3 != 1) {
            @v = LOAD(x[list[j]]);
            sum += (VALUE) * (R)(i % 5 + 1);
        }
    if (i < n) y[i] = sum;
"""
SCATTERED = """    if (i >= n) return;
    R sum = (R)(i % 3);
    for (int j = 0; j < 1 + i % 2; j++) {
        if ((i + j) % 5 == 0) continue;
        @v = LOAD(x[list[(i + j) % n]]);
        sum += (VALUE) * (R)(j + 1);
    }
    y[i] = sum;
"""
ONCE = """    if (i >= n) return;
    @v = LOAD(x[list[i]]);
    y[i] = (VALUE) * (R)(i % 5 + m);
"""
OF_BLOCK = """    @v = LOAD(x[blockIdx.x]);
    if (i >= n) return;
    R sum = (R)list[i];
    for (int j = 0; j < m; j++)
        if ((i + j) % 3 != 1) sum += (VALUE) * (R)(i % 5 + j);
    y[i] = sum;
"""
# rung: (mark, body, how --explain says it, launches: "any" or "flat" for blocks along x only)
OWN = """    if (i >= n) return;
    @v = LOAD(x[i]);
    y[i] = (VALUE) * (R)(list[i] + m);
"""
KERNELS = {
    "owned": ("x, owned", OWN, "plain", "any"),
    "posted": ("x, posted", OWN, "posted", "any"),
    "gather": ("x, gather", """    if (i >= n) return;
    const int row = i / m, column = i % m;
    R sum = 0;
    for (int k = 0; k < m; k++) {
        @v = LOAD(x[row * m + k]);
        sum += (VALUE) * (R)(column + 1);
    }
    y[i] = sum;
""", "gathered", "flat"),
    "phases": ("s, phases", """    __shared__ R s[1024];
    const int t = (int)(threadIdx.y * blockDim.x + threadIdx.x);
    R own = 0;
    if (i < n) {
        @v = LOAD(x[i]);
        own = (VALUE);
    }
    s[t] = own;
    __syncthreads();
    if (i < n) y[i] = (t >= 3 ? s[t] * s[t - 3] : s[t]) * (R)(list[i] + m);
""", "plain", "any"),
    "warp": ("x, warp", UNIFORM, "warp", "any"),
    "grid": ("x, grid", UNIFORM.replace("x[list[j]]", "x[j]"), "grid", "any"),
    "block": ("x, block", OF_BLOCK, "block", "any"),
    "warp-butterfly": ("x, warp-butterfly", UNIFORM, "butterfly", "any"),
    "warp-serial": ("x, warp-serial", UNIFORM, "serial", "any"),
    "match": ("x, match", SCATTERED, "match", "any"),
    "cache": ("x, cache", SCATTERED, "cache", "any"),
    "bulk": ("x, bulk", ONCE, "bulk", "any"),
    "vector": ("x, vector", ONCE, "vector", "any"),
    "record": ("x, record", ONCE, "record", "any"),
    "slots": ("x, slots", ONCE, "slots", "any"),
    "copies": ("x, copies", """    if (i >= n) return;
    const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
    R sum = (R)list[i];
    for (int j = 0; j < m; j++) {
        @v = LOAD(x[(t + j) % 9]);
        sum += (VALUE) * (R)(i % 5 + j);
    }
    y[i] = sum;
""", "copies", "any"),
    "exact": ("x, exact", SCATTERED.replace("list[(i + j) % n]", "list[(i + j) % n] & 7"), "exact", "any"),
    "atomic": ("x, atomic", SCATTERED, "atomic", "any"),
}
# Within a block: the block's length is the array's, so there is a kernel for each.
TILE = """    __shared__ R s[SIZE];
    const int t = (int)threadIdx.x;
    @v = LOAD(x[i]);
    s[t] = (VALUE);
    __syncthreads();
    R sum = 0;
    for (int q = 0; q < SIZE; q++) sum += s[q] * s[q] * (R)(t + m);
    if (i < n) y[i] = sum;
"""
TILES = [32, 96, 256]
KERNELS.update({f"slots@{keys}": ("x, slots", ONCE, "slots", "any") for keys in ("u32", "u64")})
KERNELS["slots@sorted"] = ("x, slots) GW_SORTED(list", ONCE, "sorted_slots", "any")
KEYS = {"slots@u32": "unsigned", "slots@u64": "unsigned long long"}
KINDS = {kernel: ("float", "double") for kernel in KEYS}  # of a kernel that not every type has
KERNELS.update({f"gather@{size}": ("s, gather", TILE.replace("SIZE", str(size)), "plain", str(size))
                for size in TILES})
WITHOUT = {("vector", t): "no pair of floats side by side" for t in ("float", "double", "half", "bfloat16",
                                                                     "double2")}
WITHOUT.update({("record", t): "no four members side by side" for t in ("float", "double", "half", "bfloat16",
                                                                        "float2", "double2")})
WITHOUT.update({("bulk", t): "no 16 bytes side by side" for t in ("float", "double", "half", "bfloat16",
                                                                  "float2")})
ONE = {PAIR: "v.x * v.x", QUAD: "v.w * v.w"}  # what is gathered is the only addition to its array
BLOCKS = [1, 31, 32, 33, 64, 96, 100, 128, 256, 512, 1024]
PLANES = [(8, 4), (3, 11), (10, 10), (16, 16), (32, 32)]
MARKS = ("<!-- tests/adjoint/ladder.py writes from here", "<!-- to here -->")


def rungs(path):
    """{spelling: same bits on every run}, in the order of the ladder."""
    text = open(path).read()
    ordered = dict(re.findall(r'^GW_WAY\((\w+), "[^"]*", "[^"]*", \w+, \w+, \w+, \w+, (\d),', text, re.M))
    found = {rung: ordered[how] for rung, how in re.findall(r'^GW_RUNG(?:_FILE)?\(\w+, "([\w-]+)", (\w+),',
                                                            text, re.M)}
    if set(found) != {rung.split("@")[0] for rung in KERNELS}:
        sys.exit(f"ladder.py: kernels of {sorted(KERNELS)}, but rungs.def has {sorted(found)}")
    return found


def matrix(path):
    every = [kernel for rung in rungs(path) for kernel in KERNELS if kernel.split("@")[0] == rung]
    return [(rung, kind) for rung in every for kind in KINDS.get(rung, TYPES) if (rung, kind) not in WITHOUT]


def name_of(rung, kind):
    return f"{rung.replace('-', '_').replace('@', '_')}_{kind}"


def signature(name, real, cell, key="int"):
    return f"__global__ void {name}({real} *y, const {cell} *x, const {key} *list, int n, int m) {{\n"


def body_of(rung, load, real, value, cell):
    value = ONE.get(value, value) if rung == "gather" else value
    text = KERNELS[rung][1].replace("@v", f"const {LOADED.get(cell, cell)} v").replace("VALUE", value)
    text = re.sub(r"LOAD\(((?:[^()]|\([^()]*\))*)\);", lambda m: load.format(m[1]) + ";", text)
    here = "    const int i = (int)((blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);\n"
    if KERNELS[rung][3] != "any":
        here = "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
    unused = "".join(f"    (void){name};\n" for name in ("list", "m") if not re.search(rf"\b{name}\b", text))
    return here + unused + re.sub(r"\bR\b", real, text) + "}\n"


def kernel(rung, kind):
    cell, load, real, value, _ = TYPES[kind]
    return (f'GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x") GW_ACCUMULATE({KERNELS[rung][0]})\n'
            + signature(name_of(rung, kind), real, cell, KEYS.get(rung, "int"))
            + body_of(rung, load, real, value, cell))


def reference(rung, cell, value):
    return signature(reference_name(rung, cell), "double", cell) + body_of(rung, "{}", "double", value, cell)


def reference_name(rung, cell):
    return name_of(rung, f"of_{cell.split(':')[-1]}s")


def write(rungs_def, output, support):
    out = [f'// Written by tests/adjoint/ladder.py.\n#include "{support}/ladder.cuh"\n']
    cases, fixed = [], rungs(rungs_def)
    for rung, kind in matrix(rungs_def):
        cell, _, real, value, double = TYPES[kind]
        out.append(kernel(rung, kind))
        if not any(f" {reference_name(rung, double)}(" in text for text in out):
            out.append(reference(rung, double, value))
        name, only = name_of(rung, kind), {"any": 0, "flat": 1}.get(KERNELS[rung][3], KERNELS[rung][3])
        cases.append(f"LADDER({name}, {reference_name(rung, double)}, {real}, {cell}, "
                     f"{LOADED.get(cell, cell)}, {KEYS.get(rung, 'int')}, {double}, "
                     f"{only}, {fixed[rung.split('@')[0]]}, {int(rung == 'slots@sorted')})\n")
    blocks = "".join(f"    {{{x}, {y}}},\n" for x, y in [(b, 1) for b in BLOCKS] + PLANES)
    with open(output, "w") as file:
        file.write("\n".join(out) + f'\n#include "ladder.grad.cuh"\n\nconst std::vector<ladder::size> '
                                    f'ladder::blocks = {{\n{blocks}}};\n'
                   + "".join(cases) + "TEST_MAIN\n")


# ---- what was decided ----

def run(gradwright, flags, source, *options):
    with tempfile.TemporaryDirectory() as work:
        path, emitted = f"{work}/ladder.cu", f"{work}/ladder.grad.cuh"
        with open(path, "w") as file:
            file.write(source)
        done = subprocess.run([gradwright, path, "-o", emitted, *options, "--", *flags], capture_output=True,
                              text=True, timeout=120)
        text = open(emitted).read() if done.returncode == 0 else ""
    return done.returncode, done.stdout + done.stderr, text


def additions(said):
    """{kernel: hows of its additions to the adjoint that the mark names}"""
    tables, name = {}, None
    for line in said.splitlines():
        head = re.match(r"(\w+?)_grad(_gather\w*)? \(", line)
        row = re.match(rf" +\d+  d_([xs])\b.*? \+=  +([a-z_]+)  +\S", line)
        if head:
            name, gathered = head[1], head[2]
        elif row and name:
            tables.setdefault(name, []).append((row[1], "gathered" if gathered else row[2]))
    return tables


def decided(rungs_def, gradwright, gwcc):
    support = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support")
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True).stdout.split()
    with tempfile.NamedTemporaryFile("r", suffix=".cu") as file:
        write(rungs_def, file.name, support)
        status, said, text = run(gradwright, flags, file.read(), "--explain")
    if status:
        sys.exit("".join(line for line in said.splitlines(True) if ": error: " in line))
    tables, wrong = additions(said), []
    for rung, kind in matrix(rungs_def):
        name, marked, how = name_of(rung, kind), KERNELS[rung][0][0], KERNELS[rung][2]
        hows = [h for object_name, h in tables.get(name, []) if object_name == marked]
        if not hows or set(hows) != {how}:
            wrong.append(f"{name}: {hows}, not {how}")
        parted = re.search(rf"{name}_grad\(.*?^}}", text, re.S | re.M)
        if rung == "phases" and (not parted or "so that no two threads add" not in parted[0]):
            wrong.append(f"{name}: no barrier between its additions")
    for rung, kind in WITHOUT:
        cell, load, real, value, _ = TYPES[kind]
        status, said, _ = run(gradwright, flags, f'#include "{support}/ladder.cuh"\n' + kernel(rung, kind))
        if status == 0 or "rung-unsound" not in said:
            wrong.append(f"{name_of(rung, kind)} is not refused: {said}")
    print("\n".join(wrong + [table(rungs_def)]))
    sys.exit(bool(wrong))


# ---- the table ----

def keys_of(rung, kind):
    return "".join(f", {kernel.split('@')[1]}" for kernel in KEYS if kernel.split("@")[0] == rung
                   and kind in KINDS[kernel])


def table(rungs_def):
    every = ", ".join(map(str, BLOCKS)) + " threads"
    planes = every + "; " + ", ".join(f"{x}x{y}" for x, y in PLANES)
    lines = ["| rung | " + " | ".join(TYPES) + " |", "|---|" + "---|" * len(TYPES)]
    for rung in rungs(rungs_def):
        more = f", {', '.join(map(str, TILES))}" if rung == "gather" else ", sorted" if rung == "slots" else ""
        cells = ["-" if (rung, kind) in WITHOUT else KERNELS[rung][3] + more + keys_of(rung, kind)
                 for kind in TYPES]
        lines.append(f"| `{rung}` | " + " | ".join(cells) + " |")
    cases = {reason: ", ".join(f"`{r}` of {k}" for (r, k), why in WITHOUT.items() if why == reason)
             for reason in WITHOUT.values()}
    without = "; ".join(f"{reason} ({cases[reason]})"
                        for reason in dict.fromkeys(WITHOUT.values()))
    words = (f"any: blocks of {planes}. flat: those along x, over the grid. {', '.join(map(str, TILES))}: "
             f"within blocks of so many "
             "threads. sorted: of a list that GW_SORTED names, too; u32, u64: of keys of these types. -: "
             "refused as "
             f"`rung-unsound`: {without}.")
    lines += ["", *textwrap.wrap(words, 112, break_on_hyphens=False)]
    return "\n".join(lines)


def page(rungs_def, path, *options):
    text = open(path).read()
    pattern = re.compile(f"({re.escape(MARKS[0])}[^\n]*\n).*?({re.escape(MARKS[1])})", re.S)
    if not pattern.search(text):
        sys.exit(f"{path} has no place for the table")
    current = pattern.sub(lambda m: m[1] + table(rungs_def) + "\n" + m[2], text)
    if options:
        open(path, "w").write(current)
    elif current != text:
        sys.exit(f"{path} is not current: run tests/adjoint/ladder.py page {rungs_def} {path} --write")


{"write": write, "decided": decided, "page": page}[sys.argv[1]](*sys.argv[2:])
