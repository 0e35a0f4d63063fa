#!/usr/bin/env python3
"""Writes the test of emitted exact sums: what gradients add up, as rational arithmetic has it, rounded once.

usage: exact_sums.py OUT SUPPORT

A kernel for each type and way to be told how many cells there are; tests/support/exact_sums.cuh runs each in
many orders of threads and blocks and in several shapes of the launch.
"""
import random
import sys

from exact import Format, array

KERNELS = """#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (int)(gridDim.x * blockDim.x)
struct pair_of_%(t)s {
    %(t)s a, b;
};

// The host bounds the index.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, exact)
__global__ void cut_%(t)s(%(t)s *y, const %(t)s *x, const %(t)s *w, const int *list, int n) {
    for (int i = HERE; i < n; i += THREADS) y[i] = x[list[i] %% CELLS] * w[i];
}

// The caller says how many cells there are; two numbers of a cell.
GW_GRADIENT("y wrt p") GW_ACCUMULATE(p, exact)
__global__ void told_%(t)s(%(t)s *y, const pair_of_%(t)s *p, const %(t)s *w, const int *list, int n) {
    for (int i = HERE; i < n; i += THREADS) y[i] = p[list[i]].a * w[i] + p[list[i]].b;
}

// Nobody knows how often: additions are counted.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, exact)
__global__ void counted_%(t)s(%(t)s *y, const %(t)s *x, const %(t)s *w, const int *list, const int *first,
                              int n) {
    for (int i = HERE; i < n; i += THREADS) {
        %(t)s sum = 0;
        for (int j = first[i]; j < first[i + 1]; j++) sum += x[list[j]] * w[j];
        y[i] = sum;
    }
}

// Shared memory: a block takes groups of rows, one after the other, each of which has the cells for itself.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void shared_%(t)s(%(t)s *y, const %(t)s *x, const %(t)s *w, const int *list, int n) {
    __shared__ pair_of_%(t)s s[CELLS];
    for (int g = blockIdx.x; g < GROUPS; g += gridDim.x) {
        for (int c = threadIdx.x; c < CELLS; c += blockDim.x) {
            s[c].a = x[2 * (CELLS * g + c)];
            s[c].b = x[2 * (CELLS * g + c) + 1];
        }
        __syncthreads();
        for (int i = n / GROUPS * g + threadIdx.x; i < n / GROUPS * (g + 1); i += blockDim.x)
            y[i] = s[list[i]].a * w[i] + s[list[i]].b;
        __syncthreads();
    }
}

// The halves of a template, one of whose instantiations is told how many cells there are.
template <int BOUNDED> GW_SPLIT_GRADIENT("y wrt x")
__global__ void halves_%(t)s(%(t)s *y, const %(t)s *x, const %(t)s *w, const int *list, const int *first,
                             int n) {
    for (int i = HERE; i < n; i += THREADS) {
        %(t)s sum = 0;
        for (int j = first[i]; j < first[i + 1]; j++) sum += x[BOUNDED ? list[j] %% CELLS : list[j]] * w[j];
        y[i] = sum;
    }
}
template __global__ void halves_%(t)s<0>(%(t)s *, const %(t)s *, const %(t)s *, const int *, const int *, int);
template __global__ void halves_%(t)s<1>(%(t)s *, const %(t)s *, const %(t)s *, const int *, const int *, int);

// Arrays that pointers in memory lead to.
struct layer_of_%(t)s {
    const %(t)s *x;
};
GW_GRADIENT("y wrt l.x")
__global__ void pointed_%(t)s(%(t)s *y, const layer_of_%(t)s *l, const %(t)s *w, const int *list,
                              const int *first, int n) {
    for (int i = HERE; i < n; i += THREADS) {
        %(t)s sum = 0;
        for (int j = first[i]; j < first[i + 1]; j++) sum += l->x[list[j]] * w[j];
        y[i] = sum;
    }
}

struct rows_of_%(t)s {
    %(t)s *const *rows;
};
GW_GRADIENT("y wrt d.rows")
__global__ void rows_%(t)s(%(t)s *y, rows_of_%(t)s d, const %(t)s *w, const int *list, const int *first,
                           int n) {
    for (int i = HERE; i < n; i += THREADS) {
        %(t)s sum = 0;
        for (int j = first[i]; j < first[i + 1]; j++) sum += d.rows[list[j]][0] * w[j];
        y[i] = sum;
    }
}

// Functions of the device, which kernels of the user call.
GW_GRADIENT("y wrt x")
__device__ void row_%(t)s(%(t)s *y, const %(t)s *x, const %(t)s *w, const int *list, const int *first, int i) {
    %(t)s sum = 0;
    for (int j = first[i]; j < first[i + 1]; j++) sum += x[list[j]] * w[j];
    y[i] = sum;
}
GW_GRADIENT("wrt l.x")
__device__ %(t)s term_%(t)s(const layer_of_%(t)s *l, const %(t)s *w, const int *list, int j) {
    return l->x[list[j]] * w[j];
}
"""
OF_USER = """
__global__ void call_%(t)s(%(t)s *y, const %(t)s *x, const %(t)s *w, const int *list, const int *first, int n,
                           %(t)s *d_y, %(t)s *d_x, gw_exact_column<%(t)s> sums) {
    for (int i = HERE; i < n; i += THREADS) row_%(t)s_grad(y, x, w, list, first, i, d_y, d_x, sums);
}
__global__ void call_pointed_%(t)s(const layer_of_%(t)s *l, const %(t)s *w, const int *list, const int *first,
                                   int n, const %(t)s *d_y, layer_of_%(t)s *d_l, gw_exact_table<%(t)s> sums) {
    for (int i = HERE; i < n; i += THREADS)
        for (int j = first[i]; j < first[i + 1]; j++)
            term_%(t)s_pullback(l, w, list, j, d_y[i], d_l, sums);
}
"""
CELLS, ROWS, MOST, GROUPS = 11, 300, 5, 4  # MOST: entries of a row


def number(draw, f):
    """A number whose size meets others in a sum, so that rounding depends on the order."""
    middle, spread = f.exponents // 2, draw.choice((3, f.mantissa // 2, f.mantissa))
    bits = draw.randrange(middle - spread, middle + spread) << f.shift | draw.getrandbits(f.shift)
    return bits | draw.choice((0, f.sign))


def product(f, a, b):
    return b if a == f.one else f.round(f.value(a) * f.value(b))


def data(f, times=1):
    draw = random.Random(f.mantissa)
    w, d_y = [], []
    for i in range(ROWS * MOST):
        opposite = i and draw.random() < 0.3
        w.append(w[-1] ^ f.sign if opposite else number(draw, f))
    for i in range(ROWS):
        d_y.append(d_y[-1] if i and draw.random() < 0.5 else number(draw, f))
    first = [0]
    while len(first) <= ROWS:
        first.append(first[-1] + draw.randrange(MOST + 1))
    list_of = [draw.randrange(CELLS - 1) for _ in range(ROWS * MOST)]  # nothing is added to the last cell
    before = [number(draw, f) for _ in range(2 * CELLS * times)]
    return w, d_y, first, list_of, before


def with_specials(f):
    """The same with numbers that are none, or overflow on the way or in the end, in some cells each."""
    draw = random.Random(3)
    w, d_y, first, list_of, before = data(f)
    greatest, nan = f.infinite - 1, f.infinite | 1
    of_cell = {0: [f.infinite], 1: [f.infinite, f.infinite | f.sign], 2: [nan], 3: [greatest],
               4: [greatest, greatest | f.sign], 5: [f.infinite | f.sign], 6: [0, f.sign]}
    w = [draw.choice(of_cell.get(cell, [bits])) for bits, cell in zip(w, list_of)]
    return w, [f.one] * len(d_y), first, list_of, before


def sums(f, before, added):
    """added: (number, bits)"""
    total = {}
    for at, bits in added:
        total.setdefault(at, []).append(bits)
    return [f.total([b, *total[at]]) if at in total else b for at, b in enumerate(before)]


def table(f, name, values):
    w, d_y, first, list_of, before = values
    cut = sums(f, before[:CELLS], [(list_of[i], product(f, d_y[i], w[i])) for i in range(ROWS)])
    told = sums(f, before, [(2 * list_of[i], product(f, d_y[i], w[i])) for i in range(ROWS)]
                + [(2 * list_of[i] + 1, d_y[i]) for i in range(ROWS)])
    counted = sums(f, before[:CELLS], [(list_of[j], product(f, d_y[i], w[j])) for i in range(ROWS)
                                       for j in range(first[i], first[i + 1])])
    of_row = [2 * (CELLS * (i // (ROWS // GROUPS)) + list_of[i]) for i in range(ROWS)]
    of_group = sums(f, [0] * (2 * CELLS * GROUPS), [(of_row[i], product(f, d_y[i], w[i])) for i in range(ROWS)]
                    + [(of_row[i] + 1, d_y[i]) for i in range(ROWS)])
    held = data(f, GROUPS)[-1]
    shared = [f.total([a, b]) for a, b in zip(held, of_group)]
    text = ""
    for column, bits in (("w", w), ("d_y", d_y), ("before", before), ("cut", cut), ("told", told),
                         ("counted", counted), ("held", held), ("shared", shared)):
        text += array("uint64_t", f"{name}_{column}", [hex(b) for b in bits], "u")
    text += array("int", f"{name}_first", first, "") + array("int", f"{name}_list", list_of, "")
    names = ["w", "d_y", "before", "first", "list", "cut", "told", "counted", "held", "shared"]
    return text + f"static const exact_sums::table {name} = {{\n" + ",\n".join(
        f"    exact_sums::list({name}_{column})" for column in names) + "};\n\n"


def main():
    out, support = sys.argv[1:]
    formats = [Format("float", 24, 255, 9), Format("double", 53, 2047, 66)]
    with open(out, "w", encoding="utf-8") as file:
        file.write(f'// Written by tests/contract/exact_sums.py.\n#include "{support}/exact_sums.cuh"\n\n'
                   f"enum {{ CELLS = {CELLS}, GROUPS = {GROUPS} }};\n"
                   + "".join(KERNELS % {"t": f.name} for f in formats)
                   + '#include "exact_sums.grad.cuh"\n' + "".join(OF_USER % {"t": f.name} for f in formats)
                   + "\n" + "".join(table(f, f"{f.name}s", data(f)) for f in formats)
                   + "".join(table(f, f"special_{f.name}s", with_specials(f)) for f in formats)
                   + "".join(f"EXACT_SUMS({f.name}, {kind}{f.name}s, CELLS, GROUPS)\n" for f in formats
                             for kind in ("", "special_")) + "TEST_MAIN\n")


main()
