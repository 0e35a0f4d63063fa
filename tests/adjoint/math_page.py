#!/usr/bin/env python3
"""Checks that docs/reference/math.md is what the tables say, or writes it.

usage: math_page.py [--write] INTRIN.DEF OPS.DEF DERIV.DEF MATH.MD
"""
import sys

from math_table import read_ops, read_rows

HEAD = """# Mathematical functions

Made from the tables (`intrin.def`, `ops.def`, `deriv.def`) by `tests/adjoint/math_page.py --write`; a test
compares. Each is tested against difference quotients in float and double (`tests/adjoint/math.py`) and at the
points below (`math_edges.py`). Names of `<cmath>` and `std::` are known by their type; `l` forms exist in C and
C++ only.

## Conventions

| where | derivative |
|---|---|
| `fabs(0)`, `fabs(NaN)` | 0 |
| `fmax(a, b)`, `fmin(a, b)`, CUDA's `max`, `min` | to the operand that is the result; half to each if equal |
| the same past a NaN | to the other operand |
| `fdim(a, a)`, `__saturatef` at 0, 1 and NaN | 0 |
| `copysign(a, b)` | 1 if the signs (zeros have one) are equal, else -1; 0 for `b` |
| `sqrt(0)`, `cbrt(0)`, `log(0)`, `log1p(-1)`, `asin`, `acos`, `acosh`, `atanh`, `erfinv`, `erfcinv` at the ends | the infinity of the limit; 0 where nothing used the value, in a function or in the kernels that a program launches behind it; NaN where a seed of 0 comes there |
| `pow(0, y)` | for the base: 0 if y > 1 or y = 0, 1 if y = 1, infinite if 0 < y < 1; for the exponent: 0 |
| `pow(a, y)`, a < 0 | for the exponent: 0 |
| `pow(NaN, 0)`, `pow(NaN, 1)` | for the base: 0 and 1, since C has pow(NaN, 0) = 1; for the exponent: NaN |
| `hypot`, `norm3d`, `norm4d` at the origin | 0 |
| `hypot`, `norm3d`, `norm4d` with infinite arguments | NaN for these, 0 for finite ones |
| `atan2(0, 0)` | NaN |
| `fmod`, `remainder`, `remquo` | 1 and minus the quotient, also where the quotient jumps; past a NaN 1 and NaN |
| `floor`, `ceil`, `trunc`, `round`, `rint`, `nearbyint`, `logb`, `ilogb`, the integer part of `modf`, the exponent of `frexp` | 0, also at jumps |
| `frexp(0)` | 1 for the mantissa |
| `lgamma`, `tgamma` at 0, -1, -2, ... | NaN |
| `nextafter(a, b)` | 1 for `a`, 0 for `b`, also past a NaN |
| a NaN argument of any other function | NaN in each derivative whose formula has the argument or the result in it |
| outside the domain, where the function is NaN | the formula's value: `log(-1)` has the derivative -1 |
| squares that overflow or underflow (`atan2`, `asinh`, `acosh` beyond 1e154, in float 1e19) | 0 or infinite |

Half to each where both are equal: that holds for a maximum or minimum of two numbers in every spelling, as a
function, as `a > b ? a : b`, as `if (b > a) a = b`. So lanes of a butterfly agree, trees and `cg::reduce` too,
CUB's collectives of warps and blocks. One of those that are equal takes it all, the same for all uses of the
result, in Thrust's and CUB's algorithms, by `gw_atomic_max`, where a place is looked for (`max_element`,
`ArgMax`), and where a `for` loop of a kernel or a function of the host looks for one number, in both modes: the
one whose place it notes itself, else the first that it finds; of the number that it begins with and one in the
same array the one with the lower index. Other loops (`do`, a loop that loads the next number ahead) share by
halves in the order of their comparisons: three equal numbers get 1/4, 1/4 and 1/2.

Log-sum-exp and softmax are exact under ties if one maximum is found and handed on, or if all threads find it in
one order: by a loop of any shape, a tree or a butterfly. Loops of a kernel that go up one array (`for`) agree
with each other, also where each thread begins with its own cell. They are not exact if a function finds one
maximum by a `for` loop and by a tree, or in two other orders (up and down, from a thread's own cell on and
round): each way then shares otherwise among those that are equal. The remedy is to hand one maximum on.

Directed roundings (`__fadd_rd`, `__fsqrt_ru`, `__int2float_rz`, ...), `nexttoward` and `lgamma_r` are refused
by name. No derivative goes through bits (`__float_as_int`, `__int_as_float`, the halves of a double), except
where lanes exchange a number by them; bits of a number that carries a derivative which become a number again
are an error, `lost-bits`.

## Functions

g is the incoming adjoint, r the result, a b c d the operands; in `jn`, `yn`, `ldexp`, `scalbln` and
`polygamma` b is the integer. `polygamma(a, 0)` is the digamma function (in `gradwright/emitted/functions.h`).

| function | spellings | derivative |
|---|---|---|
"""


def cell(text):
    return text.replace("|", "\\|")


def page(intrin, ops_path, deriv):
    ops = read_ops(ops_path, deriv)
    spellings = {}
    for name, op, _, _, place in read_rows(intrin):
        spellings.setdefault(op, [])
        label = name if place is None else f"{name} ({'returned' if place == 0 else f'argument {place + 1}'})"
        if label not in spellings[op]:
            spellings[op].append(label)
    lines = []
    for name, op in ops.items():
        if name not in spellings and name != "POLYGAMMA":
            continue
        formulas = [f"`{'abcd'[k]}: {cell(formula)}`" for k, formula in sorted(op.formulas.items())]
        names = ", ".join(spellings.get(name, ["(in derivatives only)"]))
        lines.append(f"| {op.text} | {names} | {'<br>'.join(formulas) or '0'} |")
    return HEAD + "\n".join(lines) + "\n"


def main():
    write = sys.argv[1] == "--write"
    *tables, path = sys.argv[2 if write else 1:]
    text = page(*tables)
    if write:
        open(path, "w").write(text)
    elif open(path).read() != text:
        sys.exit(f"{path} is not what the tables say: run math_page.py --write")


main()
