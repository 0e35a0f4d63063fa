"""The rows of intrin.def, ops.def and deriv.def, as the tests of the mathematical functions and
docs/reference/math.md read them, and where each function is smooth. A new row needs a change here only if its
function is not smooth on [0.5, 1.5] in each operand."""
import re

# The arguments, one range for each operand, lie inside the domain, away from kinks and jumps.
RANGES = {
    "ASIN": [(-0.9, 0.9)], "ACOS": [(-0.9, 0.9)], "ATANH": [(-0.8, 0.8)], "ACOSH": [(1.2, 3.0)],
    "TAN": [(-1.2, 1.2)], "FDIM": [(1.6, 2.5), (0.5, 1.5)], "FMOD": [(4.7, 4.9), (1.1, 1.15)],
    "REMAINDER": [(4.7, 4.9), (1.1, 1.15)], "FMAX": [(0.5, 1.0), (1.1, 1.5)], "FMIN": [(1.1, 1.5), (0.5, 1.0)],
    "ERFC": [(-1.0, 1.0)], "NORMCDF": [(-2.0, 2.0)], "COPYSIGN": [(0.5, 1.5), (-1.5, -0.5)],
    "SATURATE": [(0.1, 0.9)], "FABS": [(-1.5, -0.5)], "LOG": [(1.5, 4.0)], "LOG2": [(1.5, 4.0)],
    "LOG10": [(1.5, 4.0)], "FLOOR": [(1.1, 1.4)], "CEIL": [(1.1, 1.4)], "TRUNC": [(1.1, 1.4)],
    "ROUND": [(1.1, 1.4)], "RINT": [(1.1, 1.4)], "LOGB": [(2.1, 3.9)], "ILOGB": [(2.1, 3.9)],
    "MANTISSA": [(1.1, 1.9)], "EXPONENT": [(1.1, 1.9)], "FRACTION": [(1.1, 1.9)],
    "QUOTIENT": [(4.7, 4.9), (1.1, 1.15)], "ERFINV": [(-0.9, 0.9)], "ERFCINV": [(0.2, 1.8)],
    "NORMCDFINV": [(0.1, 0.9)], "ERFCX": [(-1.0, 2.0)],
    "LGAMMA": [(-1.8, -1.2)], "TGAMMA": [(-0.8, 3.5)], "BESSELI0": [(-2.0, 2.0)], "BESSELI1": [(0.2, 2.0)],
    "J0": [(0.5, 5.0)], "J1": [(0.5, 5.0)], "JN": [(0.5, 5.0)], "Y0": [(0.5, 5.0)], "Y1": [(0.5, 5.0)],
    "YN": [(0.5, 5.0)], "SINPI": [(-0.9, 0.9)], "COSPI": [(-0.9, 0.9)],
}
# Operations without a double spelling in intrin.def: what they mean.
MEANING = {"FDIVIDE": "({0}) / ({1})", "SATURATE": "fmin(fmax({0}, 0.0), 1.0)", "ADD": "({0}) + ({1})",
           "SUB": "({0}) - ({1})", "MUL": "({0}) * ({1})", "DIV": "({0}) / ({1})", "RCP": "1 / ({0})"}
# The integer operand in a test.
INTEGER = {"JN": "2", "YN": "2", "LDEXP": "3", "SCALBLN": "3L"}


class Op:
    def __init__(self, name, text, operands, typing, adjoint, spelling):
        self.name, self.text, self.typing, self.adjoint, self.spelling = name, text, typing, adjoint, spelling
        self.operands = int(operands)
        self.floats = 1 if typing == "SHIFT" else self.operands  # operands that have a derivative
        self.formulas = {}

    def ranges(self):
        ranges = RANGES.get(self.name, [(0.5, 1.5)])
        return ranges * self.floats if len(ranges) == 1 else ranges


def read_ops(ops_path, deriv_path=None):
    pattern = r'^GW_OP\((\w+), "(\w+)", (-?\d), (\w+), \w+, \w+, (\w+), (\w+), ".*"\)'
    ops = {row[0]: Op(*row) for row in re.findall(pattern, open(ops_path).read(), re.M)}
    if deriv_path:
        for name, operand, formula in re.findall(r'^GW_DERIV\((\w+), (\d), "(.*)"\)', open(deriv_path).read(),
                                                 re.M):
            ops[name].formulas[int(operand)] = formula
    return ops


def device_rows(path):
    """Those of functions that kernels call, in float or double; std's own are in tests/language, as are those
    in long double, and integers steer indices (math_calls.cu)."""
    return (row for row in read_rows(path) if row[2] in ("F32", "F64") and not row[0].startswith("std::"))


def read_rows(path):
    """Rows (spelling, op, type, fast, place) of intrin.def, in order, expanded; place is None for a plain
    function."""
    pattern = (r'^GW_INTRIN_(C|CUDA|BOTH|STD)\((\w+), (?:(\d), )?(\w+)\)'
               r'|^GW_INTRIN(?:_RESULT)?\("(\w+)", (?:(\d), )?(\w+), (\w+), (\d)\)')
    for kind, name, place, op, spelled, at, spelled_op, width, fast in re.findall(pattern, open(path).read(),
                                                                                  re.M):
        if kind == "STD":
            for each in ("F64", "F32", "F80"):
                yield "std::" + name, op, each, False, None
        elif kind:
            place = int(place) if place else None
            yield name, op, "F64", False, place
            yield name + "f", op, "F32", False, place
            if kind == "C":
                yield name + "l", op, "F80", False, place
        else:
            yield spelled, spelled_op, width, fast == "1", int(at) if at else None


def expression(name, op, width, place, cells):
    """Statements and the value of one row's function on `cells`."""
    scalar = "double" if width == "F64" else "float"
    if place is None:
        arguments = list(cells)
        if op.typing == "SHIFT":
            arguments.insert(0 if op.spelling == "EXCHANGED" else 1, INTEGER[op.name])
        return "", f"{name}({', '.join(arguments)})"
    results = 3 if name.startswith(("sincos", "__sincos", "remquo")) else 2
    outputs = {k: f"out{k}" for k in range(op.operands, results)}
    integer = "frexp" in name or "remquo" in name
    declared = f"{'int' if integer else scalar} {', '.join(f'{v} = 0' for v in outputs.values())}; "
    call = f"{name}({', '.join(list(cells) + ['&' + v for v in outputs.values()])})"
    if place:
        return declared + call + "; ", f"({scalar})out{place}"
    return declared + f"{scalar} returned = {call}; ", "returned"
