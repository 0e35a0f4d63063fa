#!/usr/bin/env python3
"""Writes math.cu: one kernel for each row of intrin.def, checked against differences in double.

usage: math.py INTRIN.DEF OPS.DEF OUTPUT.cu SUPPORT_FOLDER

The rows are read from the compiler's own tables, so a new row is tested without a change here; only a
function that is not smooth on [0.5, 1.5] needs a row in RANGES. Single-precision functions are checked
against the double kernel of the same operation.
"""
import re
import sys

# Where the arguments lie, one range for each operand: inside the domain, away from kinks and jumps.
RANGES = {
    "ASIN": [(-0.9, 0.9)], "ACOS": [(-0.9, 0.9)], "ATANH": [(-0.8, 0.8)], "ACOSH": [(1.2, 3.0)],
    "TAN": [(-1.2, 1.2)], "FDIM": [(1.6, 2.5), (0.5, 1.5)], "FMOD": [(5.2, 5.8), (1.1, 1.2)],
    "ERFC": [(-1.0, 1.0)], "NORMCDF": [(-2.0, 2.0)], "COPYSIGN": [(0.5, 1.5), (-1.5, -0.5)],
    "SATURATE": [(0.1, 0.9)], "FABS": [(-1.5, -0.5)], "LOG": [(1.5, 4.0)], "LOG2": [(1.5, 4.0)],
    "LOG10": [(1.5, 4.0)], "FLOOR": [(1.1, 1.4)], "CEIL": [(1.1, 1.4)], "TRUNC": [(1.1, 1.4)], "ROUND": [(1.1, 1.4)],
    "RINT": [(1.1, 1.4)],
}
# Operations without a double spelling in intrin.def: what they mean.
MEANING = {"FDIVIDE": "({0}) / ({1})", "SATURATE": "fmin(fmax({0}, 0.0), 1.0)", "ADD": "({0}) + ({1})",
           "SUB": "({0}) - ({1})", "MUL": "({0}) * ({1})", "DIV": "({0}) / ({1})"}


def rows(text):
    """Rows (spelling, op, type, fast) of intrin.def, in order, pairs expanded."""
    pattern = r'^GW_INTRIN_PAIR\((\w+), (\w+)\)|^GW_INTRIN\("(\w+)", (\w+), (\w+), (\d)\)'
    for pair, pair_op, name, op, kind, fast in re.findall(pattern, text, re.M):
        if pair:
            yield pair, pair_op, "F64", False
            yield pair + "f", pair_op, "F32", False
        else:
            yield name, op, kind, fast == "1"


def kernel(name, scalar, operands, expression):
    """The function times its first operand, plus the others' squares: every operand has a gradient."""
    letters = "abc"[:operands]
    others = "".join(f" + {b}[i] * {b}[i]" for b in letters[1:])
    inputs = ", ".join(f"const {scalar} *{a}" for a in letters)
    guard = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    return (f'BOTH("y wrt {", ".join(letters)}")\n'
            f"__global__ void {name}({scalar} *y, {inputs}, int n) {{\n{guard}"
            f"    if (i < n) y[i] = {expression} * a[i]{others};\n}}\n")


def main():
    intrin, ops, output, support = sys.argv[1:]
    arity = dict(re.findall(r"^GW_OP\((\w+), \"\w+\", (-?\d)", open(ops).read(), re.M))
    kernels, cases, references, count = [], [], {}, 0
    for name, op, kind, fast in rows(open(intrin).read()):
        if kind not in ("F32", "F64"):
            continue  # integer functions steer indices; types.cu and operators.cu hold them
        count += 1
        operands = int(arity[op])
        cells = [f"{a}[i]" for a in "abc"[:operands]]
        call = f"{name}({', '.join(cells)})"
        tested = "f_" + name
        kernels.append(kernel(tested, "double" if kind == "F64" else "float", operands, call))
        if op not in references and kind == "F64":
            references[op] = tested
        elif op not in references:
            references[op] = "reference_" + op.lower()
            meaning = f"({MEANING[op].format(*cells)})"
            kernels.append(kernel(references[op], "double", operands, meaning).split("\n", 1)[1])
        ranges = RANGES.get(op, [(0.5, 1.5)])
        ranges = ranges * operands if len(ranges) == 1 else ranges
        inputs = ", ".join(f"in(12, {low}, {high})" for low, high in ranges)
        tolerance = "1e-8" if kind == "F64" else "2e-3" if fast else "2e-5"
        cases.append(f"CHECK_FLOAT({tested}, {references[op]}, {tolerance}, 1, 16, out(12), {inputs}, 12)\n")
    if count == 0:
        sys.exit("math.py: no rows in " + intrin)
    with open(output, "w") as out:
        out.write(f'// Written by tests/adjoint/math.py from intrin.def.\n#include "{support}/check.cuh"\n\n')
        out.write("\n".join(kernels))
        out.write('\n#include "math.grad.cuh"\n\n' + "".join(cases) + "TEST_MAIN\n")


main()
