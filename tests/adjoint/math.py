#!/usr/bin/env python3
"""Writes math.cu: one kernel for each row of intrin.def, checked against differences in double.

usage: math.py INTRIN.DEF OPS.DEF OUTPUT.cu SUPPORT_FOLDER

The rows are read from the compiler's own tables, so a new row is tested without a change here. Single-precision
functions are checked against the double kernel of the same operation.
"""
import sys

from math_table import MEANING, device_rows, expression, read_ops


def kernel(name, scalar, operands, before, value):
    """The function times the square of its first operand, plus the others' squares: every operand has a
    gradient."""
    letters = "abcd"[:operands]
    others = "".join(f" + {b}[i] * {b}[i]" for b in letters[1:])
    inputs = ", ".join(f"const {scalar} *{a}" for a in letters)
    body = f"y[i] = {value} * a[i] * a[i]{others};"
    return (f'BOTH("y wrt {", ".join(letters)}")\n'
            f"__global__ void {name}({scalar} *y, {inputs}, int n) {{\n"
            f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"    if (i < n) {{ {before}{body} }}\n}}\n")


def main():
    intrin, ops_path, output, support = sys.argv[1:]
    ops, kernels, cases, references = read_ops(ops_path), [], [], {}
    for name, op_name, width, fast, place in device_rows(intrin):
        op = ops[op_name]
        cells = [f"{a}[i]" for a in "abcd"[:op.floats]]
        tested = f"f_{name}" if place is None else f"f_{name}_{place}"
        scalar = "double" if width == "F64" else "float"
        kernels.append(kernel(tested, scalar, op.floats, *expression(name, op, width, place, cells)))
        if op_name not in references and width == "F64":
            references[op_name] = tested
        elif op_name not in references:
            references[op_name] = "reference_" + op_name.lower()
            meaning = f"({MEANING[op_name].format(*cells)})"
            kernels.append(kernel(references[op_name], "double", op.floats, "", meaning).split("\n", 1)[1])
        inputs = ", ".join(f"in(12, {low}, {high})" for low, high in op.ranges())
        tolerance = "1e-8" if width == "F64" else "2e-3" if fast else "1e-4"
        cases.append(f"CHECK_FLOAT({tested}, {references[op_name]}, {tolerance}, 1, 16, out(12), {inputs}, "
                     f"12)\n")
    if not cases:
        sys.exit("math.py: no rows in " + intrin)
    with open(output, "w") as out:
        out.write(f'// Written by tests/adjoint/math.py from intrin.def.\n#include "{support}/check.cuh"\n\n')
        out.write("\n".join(kernels))
        out.write('\n#include "math.grad.cuh"\n\n' + "".join(cases) + "TEST_MAIN\n")


main()
