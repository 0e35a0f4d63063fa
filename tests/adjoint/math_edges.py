#!/usr/bin/env python3
"""Writes math_edges.cu: the derivative of each function at the points where a difference quotient says nothing.

usage: math_edges.py INTRIN.DEF OPS.DEF DERIV.DEF OUTPUT.cu SUPPORT_FOLDER

EDGES holds the conventions that docs/reference/math.md documents; AT_ZERO the derivatives at 0 of what is
smooth there, also asked at -0 and at subnormal arguments; and every smooth function of one operand must answer
NaN with NaN.
"""
import math
import re
import sys

from math_table import device_rows, expression, read_ops

NAN, INF = math.nan, math.inf
TINY = "tiny"  # a subnormal number of the type
AT_ZERO = {
    "SIN": 1, "COS": 0, "TAN": 1, "ASIN": 1, "ACOS": -1, "ATAN": 1, "SINH": 1, "COSH": 0, "TANH": 1, "ASINH": 1,
    "ATANH": 1, "EXP": 1, "EXP2": math.log(2), "EXP10": math.log(10), "EXPM1": 1, "LOG1P": 1,
    "ERF": 2 / math.sqrt(math.pi), "ERFC": -2 / math.sqrt(math.pi), "NORMCDF": 1 / math.sqrt(2 * math.pi),
    "SINPI": math.pi, "COSPI": 0, "ERFCX": -2 / math.sqrt(math.pi), "ERFINV": math.sqrt(math.pi) / 2,
    "BESSELI0": 0, "BESSELI1": 0.5, "J0": 0, "J1": 0.5, "FRACTION": 1, "MANTISSA": None,
}
# Operation: (arguments, derivative for each operand).
EDGES = {
    "FABS": [((0.0,), (0,)), ((-0.0,), (0,)), ((INF,), (1,)), ((-INF,), (-1,)), ((TINY,), (1,)),
             ((NAN,), (0,))],
    "SATURATE": [((0.0,), (0,)), ((1.0,), (0,)), ((0.5,), (1,)), ((-INF,), (0,)), ((INF,), (0,)),
                 ((NAN,), (0,))],
    "FMAX": [((1.0, 1.0), (0.5, 0.5)), ((0.0, -0.0), (0.5, 0.5)), ((INF, INF), (0.5, 0.5)),
             ((NAN, 1.0), (0, 1)), ((1.0, NAN), (1, 0)),
             ((INF, 1.0), (1, 0)), ((1.0, INF), (0, 1)), ((2.0, 1.0), (1, 0)), ((1.0, 2.0), (0, 1))],
    "FMIN": [((1.0, 1.0), (0.5, 0.5)), ((0.0, -0.0), (0.5, 0.5)), ((-INF, -INF), (0.5, 0.5)),
             ((NAN, 1.0), (0, 1)), ((1.0, NAN), (1, 0)),
             ((-INF, 1.0), (1, 0)), ((2.0, 1.0), (0, 1)), ((1.0, 2.0), (1, 0))],
    "FDIM": [((1.0, 1.0), (0, 0)), ((2.0, 1.0), (1, -1)), ((1.0, 2.0), (0, 0)), ((NAN, 1.0), (0, 0))],
    "COPYSIGN": [((0.0, -1.0), (-1, 0)), ((-0.0, -1.0), (1, 0)), ((1.0, -0.0), (-1, 0)), ((1.0, 0.0), (1, 0))],
    "SQRT": [((0.0,), (INF,)), ((INF,), (0,)), ((-1.0,), (NAN,)), ((NAN,), (NAN,))],
    "RSQRT": [((0.0,), (-INF,)), ((INF,), (0,)), ((-1.0,), (NAN,))],
    "CBRT": [((0.0,), (INF,)), ((INF,), (0,)), ((-8.0,), (1 / 12,))],
    "RCBRT": [((INF,), (0,)), ((8.0,), (-1 / 48,))],
    "LOG": [((0.0,), (INF,)), ((INF,), (0,))], "LOG2": [((0.0,), (INF,))], "LOG10": [((0.0,), (INF,))],
    "LOG1P": [((-1.0,), (INF,)), ((INF,), (0,))],
    "EXP": [((-INF,), (0,)), ((INF,), (INF,))], "EXP2": [((-INF,), (0,)), ((INF,), (INF,))],
    "EXPM1": [((-INF,), (0,)), ((INF,), (INF,))],
    "TANH": [((INF,), (0,)), ((-INF,), (0,))], "ATAN": [((INF,), (0,)), ((-INF,), (0,))],
    "SINH": [((INF,), (INF,)), ((-INF,), (INF,))], "COSH": [((INF,), (INF,)), ((-INF,), (-INF,))],
    "SIN": [((INF,), (NAN,))], "COS": [((INF,), (NAN,))], "TAN": [((INF,), (NAN,))],
    "SINPI": [((1.0,), (-math.pi,)), ((0.5,), (0,)), ((INF,), (NAN,))], "COSPI": [((0.5,), (-math.pi,)),
                                                                                  ((1.0,), (0,))],
    "ASIN": [((1.0,), (INF,)), ((-1.0,), (INF,)), ((2.0,), (NAN,))],
    "ACOS": [((1.0,), (-INF,)), ((-1.0,), (-INF,)), ((2.0,), (NAN,))],
    "ACOSH": [((1.0,), (INF,)), ((INF,), (0,))], "ASINH": [((INF,), (0,)), ((-INF,), (0,))],
    "ATANH": [((1.0,), (INF,)), ((-1.0,), (INF,))],
    "ERF": [((INF,), (0,)), ((-INF,), (0,))], "ERFC": [((INF,), (0,)), ((-INF,), (0,))],
    "NORMCDF": [((INF,), (0,)), ((-INF,), (0,))],
    "ERFCX": [((100.0,), (-5.6410497625993184e-05,)), ((INF,), (0,))],
    "ERFINV": [((1.0,), (INF,)), ((-1.0,), (INF,)), ((2.0,), (NAN,))],
    "ERFCINV": [((0.0,), (-INF,)), ((2.0,), (-INF,))],
    "NORMCDFINV": [((0.0,), (INF,)), ((1.0,), (INF,)), ((0.5,), (math.sqrt(2 * math.pi),))],
    "LGAMMA": [((1.0,), (-0.57721566490153286,)), ((INF,), (INF,)), ((0.0,), (NAN,)), ((-1.0,), (NAN,)),
               ((-2.5,), (1.1031566406452432,))],
    "TGAMMA": [((1.0,), (-0.57721566490153286,)), ((3.0,), (1.8455686701969343,)), ((-1.0,), (NAN,))],
    "POW": [((0.0, 2.0), (0, 0)), ((0.0, 1.0), (1, 0)), ((0.0, 0.5), (INF, 0)), ((0.0, 0.0), (0, 0)),
            ((-2.0, 3.0), (12, 0)), ((5.0, 0.0), (0, math.log(5))), ((NAN, 2.0), (NAN, NAN)),
            ((1.0, 3.0), (3, 0)), ((NAN, 0.0), (0, NAN)), ((NAN, 1.0), (1, NAN))],
    "HYPOT": [((0.0, 0.0), (0, 0)), ((3.0, 4.0), (0.6, 0.8)), ((TINY, 0.0), (1, 0)), ((INF, 1.0), (NAN, 0)),
              ((-1.0, -INF), (0, NAN)), ((INF, INF), (NAN, NAN))],
    "NORM3D": [((0.0, 0.0, 0.0), (0, 0, 0)), ((2.0, 3.0, 6.0), (2 / 7, 3 / 7, 6 / 7)),
               ((1.0, INF, 2.0), (0, NAN, 0))],
    "NORM4D": [((0.0,) * 4, (0,) * 4), ((1.0, 1.0, 1.0, 1.0), (0.5,) * 4)],
    "RNORM3D": [((2.0, 3.0, 6.0), (-2 / 343, -3 / 343, -6 / 343))],
    "ATAN2": [((0.0, 1.0), (1, 0)), ((0.0, -1.0), (-1, 0)), ((1.0, 0.0), (0, -1)), ((0.0, 0.0), (NAN, NAN))],
    "FMOD": [((5.5, 2.0), (1, -2)), ((-5.5, 2.0), (1, 2)), ((1.0, 2.0), (1, 0))],
    "REMAINDER": [((5.5, 2.0), (1, -3)), ((2.5, 2.0), (1, -1)), ((1.0, 2.0), (1, 0))],
    "MANTISSA": [((0.0,), (1,)), ((8.0,), (1 / 16,)), ((-3.0,), (0.25,)), ((INF,), (NAN,))],
    "FRACTION": [((2.0,), (1,)), ((-2.5,), (1,))],
    "LDEXP": [((TINY,), (8,)), ((INF,), (8,))], "NEXTAFTER": [((0.0, 1.0), (1, 0)), ((1.0, 1.0), (1, 0))],
    "J0": [((INF,), (0,))], "Y0": [((0.0,), (INF,))],
    "FMA": [((2.0, 3.0, INF), (3, 2, 1))], "RCP": [((INF,), (0,)), ((0.0,), (-INF,))],
}
# A NaN leaves their formula as it is, or takes a branch of it.
WITHOUT_NAN = {"FABS", "SATURATE", "FRACTION", "NEG", "FMAX", "FMIN", "FDIM", "COPYSIGN"}
ANY = 1e300 # a derivative that says nothing of the NaN

PRELUDE = """
struct point {
    double at[4], want[4];
};

template <class T, class L> void check_points(check::trial &trial, int operands, const std::vector<point> &points, L launch) {
    const double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;
    for (const point &p : points) {
        std::vector<check::array<T>> arrays;
        std::vector<T *> list;
        arrays.emplace_back(std::vector<T>{0}); // y, its inputs; their adjoints
        for (int k = 0; k < operands; k++) arrays.emplace_back(std::vector<T>{(T)p.at[k]});
        arrays.emplace_back(std::vector<T>{1});
        for (int k = 0; k < operands; k++) arrays.emplace_back(std::vector<T>{0});
        for (check::array<T> &a : arrays) list.push_back(a.data());
        EXPECT_STATUS(launch(list.data()), GW_OK);
        for (int k = 0; k < operands; k++) {
            const double got = arrays[2 + operands + k].get()[0], want = p.want[k];
            const double absolute = sizeof(T) == 4 ? 1e-7 : 1e-15; // where 0 is the answer
            const bool good = want == 1e300      ? true
                              : std::isnan(want) ? std::isnan(got)
                              : std::isinf(want) ? got == want
                                                 : std::fabs(got - want) <= (want == 0 ? absolute : tolerance * std::fabs(want));
            if (!good)
                trial.fail(__FILE__, __LINE__, "at (" + check::text(p.at[0]) + ", " + check::text(p.at[1]) + ", ...) operand " +
                           std::to_string(k) + ": " + check::text(got) + ", not " + check::text(want));
        }
    }
}
"""


def points_of(op):
    points = list(EDGES.get(op.name, []))
    at_zero = AT_ZERO.get(op.name)
    if at_zero is not None:
        points += [((x,), (at_zero,)) for x in (0.0, -0.0, TINY, "-" + TINY)]
    smooth = op.adjoint == "FORMULA" and op.typing == "SAME" and op.name not in WITHOUT_NAN
    for at in range(op.floats if smooth else 0):
        letters = {"abcd"[at], "r"}
        wants = [NAN if letters & set(re.findall(r"[a-z]\w*", op.formulas.get(k, ""))) else ANY
                 for k in range(op.floats)]
        points.append((tuple(NAN if k == at else 0.7 for k in range(op.floats)), tuple(wants)))
    return points


def literal(x, width):
    if isinstance(x, str):
        return x.replace(TINY, "1e-310" if width == "F64" else "1e-40")
    if math.isnan(x):
        return "NAN"
    if math.isinf(x):
        return "INFINITY" if x > 0 else "-INFINITY"
    return repr(float(x))


def case(tested, op, width, points):
    scalar = "double" if width == "F64" else "float"
    rows = ",\n        ".join(
        "{{%s}, {%s}}" % tuple(", ".join(literal(x, width) for x in part) for part in point)
        for point in points)
    k = op.floats
    arguments = ", ".join([f"p[{i}]" for i in range(k + 1)] + ["1"]
                          + [f"p[{i}]" for i in range(k + 1, 2 * k + 2)])
    return (f"TEST({tested}) {{\n    check_points<{scalar}>(trial, {k}, {{\n        {rows}}},\n"
            f"        [](auto p) {{ return {tested}_grad_launch(1, 1, 0, 0, {arguments}, nullptr, 0); }});\n"
            f"}}\n")


def main():
    intrin, ops_path, deriv, output, support = sys.argv[1:]
    ops, kernels, cases, done = read_ops(ops_path, deriv), [], [], set()
    for name, op_name, width, fast, place in device_rows(intrin):
        op = ops[op_name]
        points = points_of(op)
        if (fast and op_name != "SATURATE") or (op_name, width) in done or not points:
            continue
        if not op.formulas:
            sys.exit(f"math_edges.py: {op_name} has no derivative, so nothing can happen at an edge")
        done.add((op_name, width))
        scalar = "double" if width == "F64" else "float"
        letters = "abcd"[:op.floats]
        before, value = expression(name, op, width, place, [f"{a}[i]" for a in letters])
        inputs = ", ".join(f"const {scalar} *{a}" for a in letters)
        tested = f"edge_{op_name.lower()}_{width.lower()}"
        kernels.append(f'GW_GRADIENT("y wrt {", ".join(letters)}")\n__global__ void {tested}({scalar} *y, '
                       f'{inputs}, int n) {{\n'
                       f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {{ {before}y[i] = "
                       f"{value}; }}\n}}\n")
        cases.append(case(tested, op, width, points))
    missing = set(EDGES) - {op_name for op_name, _ in done}
    if missing:
        sys.exit(f"math_edges.py: no function for {missing}")
    with open(output, "w") as out:
        out.write(f'// Written by tests/adjoint/math_edges.py.\n#include "{support}/check.cuh"\n\n'
                  + "\n".join(kernels))
        out.write('\n#include "math_edges.grad.cuh"\n' + PRELUDE + "\n".join(cases) + "TEST_MAIN\n")


main()
