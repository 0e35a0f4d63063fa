#!/usr/bin/env python3
"""Writes the test of gradwright/emitted/exact.cuh: sums of floats and doubles, as rational arithmetic has them.

usage: exact.py OUT SUPPORT

A case is what an adjoint holds, what is added to it, and the bits that must come out. tests/support/exact.cuh
runs all of them at once, a thread an addition.
"""
import random
import sys
from fractions import Fraction

MOST = 2**31 - 2  # additions to a cell (GW_EXACT_ADDITIONS)


class Format:
    def __init__(self, name, mantissa, exponents, digits):
        self.name, self.mantissa, self.exponents, self.digits = name, mantissa, exponents, digits
        self.shift = mantissa - 1
        self.sign = (exponents + 1) << self.shift
        self.infinite = exponents << self.shift
        self.one = (exponents >> 1) << self.shift
        self.nan = self.sign - 1
        self.least = Fraction(1, 2 ** ((exponents >> 1) - 2 + mantissa))  # the smallest number above 0

    def value(self, bits):
        exponent, fraction = bits >> self.shift & self.exponents, bits & ((1 << self.shift) - 1)
        assert exponent < self.exponents
        units = (fraction | 1 << self.shift) << (exponent - 1) if exponent else fraction
        return self.least * (-units if bits & self.sign else units)

    def round(self, value):
        """To nearest, ties to even; 0 is +0."""
        units = abs(value) / self.least
        step = 0  # of the place that is rounded to, in units
        while units >= 1 << (self.mantissa + step):
            step += 1
        number = round(units / (1 << step))  # ties to even
        bits = min((step << self.shift) + number, self.infinite)
        return bits | self.sign if value < 0 else bits

    def special(self, bits):
        return bits & self.infinite == self.infinite

    def total(self, bits):
        """The bits of the sum of numbers with these bits."""
        kinds = {b for b in bits if self.special(b)}
        if not kinds:
            return self.round(sum(map(self.value, bits), Fraction(0)))
        return kinds.pop() if kinds in ({self.infinite}, {self.infinite | self.sign}) else self.nan


FORMATS = (Format("float", 24, 255, 9), Format("double", 53, 2047, 66))


def check(double):
    """Format.round is what Python makes a double of."""
    draw = random.Random(5)
    for _ in range(2000):
        value = Fraction(draw.getrandbits(130), 1 << draw.randrange(1, 1200)) * draw.choice((1, -1))
        assert double.round(value) == double.round(Fraction(float(value))), value


# ---- cases: (what the adjoint holds, what is added) ----

def number(draw, f, low, high):
    """A number with an exponent between these."""
    bits = draw.randrange(low, high + 1) << f.shift | draw.getrandbits(f.shift)
    return bits | draw.choice((0, f.sign))


def random_cases(draw, f):
    top = f.exponents - 1
    for _ in range(60):  # from everywhere
        yield number(draw, f, 0, top), [number(draw, f, 0, top) for _ in range(draw.randrange(1, 20))]
    for _ in range(60):  # of about one size
        low = draw.randrange(0, top - 8)
        many = [number(draw, f, low, low + 8) for _ in range(draw.randrange(2, 30))]
        yield many[0], many[1:]
    for _ in range(20):  # subnormal
        yield number(draw, f, 0, 0), [number(draw, f, 0, 1) for _ in range(draw.randrange(1, 30))]
    for _ in range(40):  # much of it cancels
        many = [number(draw, f, 0, top) for _ in range(draw.randrange(1, 12))]
        rest = [number(draw, f, 0, top) for _ in range(draw.randrange(0, 2))]
        yield draw.choice(many) ^ f.sign, many + rest + [b ^ f.sign for b in many[:-1]]


def power(f, exponent):
    """2 ** exponent times the least number."""
    return 1 << exponent if exponent < f.shift else (exponent - f.shift + 1) << f.shift


def edges(f):
    greatest, all_powers = f.infinite - 1, range(f.exponents - 1 + f.shift)
    for k in all_powers:  # a one that borrows from all digits below; a carry through all of them
        if k % 32 in (0, 31) or k % 97 == 0:
            yield 0, [power(f, k), 1 | f.sign]
            yield 0, [power(f, k) | f.sign, 1]
        if k % 256 == 95:
            yield 1, [power(f, j) for j in range(k)]
    half = power(f, all_powers[-1] - f.mantissa)  # of the greatest number's last place
    for sign in (0, f.sign):  # to infinity and just not
        for last in ([], [1], [1 | f.sign]):
            yield 0, [b ^ sign for b in [greatest, half, *last]]
            yield 0, [b ^ sign for b in [greatest - 1, half, *last]]
            yield f.one, [b ^ sign for b in [greatest, greatest, greatest, *last]]
        yield 0, [b ^ sign for b in [greatest, greatest, greatest | f.sign]]  # and back
    for base in (f.one, f.one + 1, f.one + (1 << f.shift) - 1, (f.mantissa << f.shift) + 2,
                 (f.mantissa << f.shift) + 3):
        exponent = (base >> f.shift) + f.shift - 1
        beside = [power(f, exponent - k) for k in range(f.mantissa + 5, exponent, 11)]
        for last in ([], [1], [1 | f.sign], *[[b] for b in beside]):  # ties, and beside them
            for sign in (0, f.sign):
                yield 0, [b ^ sign for b in [base, power(f, exponent - f.mantissa), *last]]
                yield base ^ sign, [b ^ sign for b in [power(f, exponent - f.mantissa), *last]]
    for bits in ((1 << f.shift) - 1, 1 << f.shift):  # where subnormal numbers end
        yield 0, [bits, 1]
        yield bits, [1 | f.sign]
    infinite, nan = f.infinite, f.infinite | 1 << (f.shift - 1) | 5
    for special in ([infinite], [infinite | f.sign], [infinite, infinite | f.sign], [nan], [nan, infinite],
                    [infinite, infinite], [nan | f.sign, infinite | f.sign]):
        yield 0, [*special, f.one, greatest]
        yield f.one, special
        yield special[0], [f.one, 1]
        yield special[0], special
    for untouched in (0, f.sign, f.one, nan, infinite | 1, infinite | f.sign, 1 | f.sign):
        yield untouched, []
        yield untouched, [0, f.sign, f.sign]
        yield untouched, [f.one, f.one | f.sign]


def made(f):
    """What comes out of each case: of the adjoint, and of what is added alone."""
    draw = random.Random(7)
    cases = [*random_cases(draw, f), *edges(f)]
    cases.append((f.one, [number(draw, f, 100, 140) for _ in range(1000)]))  # 1,000 threads at one cell
    for also, bits in cases:
        untouched = all(not b & ~f.sign for b in bits) or bits == [f.one, f.one | f.sign]
        yield also, bits, also if untouched else f.total([also, *bits]), f.total(bits)


def whole(f):
    """Words as so many additions leave them as there may be."""
    draw = random.Random(11)
    limit = MOST * (2**32 - 1)
    rows = [[limit] * f.digits, [-limit] * f.digits, ([limit, -limit] * f.digits)[:f.digits]]
    rows += [[0] * (f.digits - 1) + [top] for top in (1 << 40, -1 << 40, (1 << 40) + 1)]  # nothing but a carry
    for length in list(range(1, f.digits)) + [f.digits] * 8:
        rows.append([draw.randrange(-limit, limit + 1) for _ in range(length)] + [0] * (f.digits - length))
    for words in rows:
        also = number(draw, f, 0, f.exponents - 1)
        value = sum(w << 32 * k for k, w in enumerate(words)) * f.least
        yield also, words, f.round(value + f.value(also)), f.round(value)


# ---- the text ----

def array(kind, name, values, suffix):
    text, line = [], ""
    for value in values:
        item = f"{value}{suffix},"
        if len(line) + len(item) > 110:
            text.append(line)
            line = ""
        line += item
    return f"static const {kind} {name}[] = {{\n" + "\n".join([*text, line]) + "\n};\n"


def table(f):
    cases, raw = list(made(f)), list(whole(f))
    added = [(cell, b) for cell, case in enumerate(cases) for b in case[1]]
    text = array("int", f"{f.name}_cells", [cell for cell, _ in added], "")
    text += array("uint64_t", f"{f.name}_values", [hex(b) for _, b in added], "u")
    for part, rows in (("", cases), ("raw_", raw)):
        for name, column in (("also", 0), ("want", 2), ("alone", 3)):
            text += array("uint64_t", f"{f.name}_{part}{name}", [hex(row[column]) for row in rows], "u")
    text += array("uint64_t", f"{f.name}_raw_words", [hex(w % 2**64) for row in raw for w in row[1]], "u")
    names = ["cells", "values", *[part + name for part in ("", "raw_") for name in ("also", "want", "alone")],
             "raw_words"]
    return text + f"static const exact::table<{f.name}> of_{f.name} = {{\n" + ",\n".join(
        f"    exact::list({f.name}_{name})" for name in names) + "};\n\n"


def main():
    out, support = sys.argv[1:]
    check(FORMATS[1])
    with open(out, "w", encoding="utf-8") as file:
        file.write("// Written by tests/contract/exact.py.\n"
                   f'#include "{support}/exact.cuh"\n\n' + "".join(map(table, FORMATS))
                   + "EXACT_TESTS(of_float, of_double)\nTEST_MAIN\n")


if __name__ == "__main__":
    main()
