"""Random real expressions, each with an interval that keeps every function inside its domain."""
import math

from tree import binary, call, cast, choice, real_literal, unary

LARGE = 40.0

# Monotone functions and their safe domains.
MONOTONE = [("atan", -LARGE, LARGE, math.atan), ("tanh", -20, 20, math.tanh),
            ("asinh", -LARGE, LARGE, math.asinh), ("erf", -6, 6, math.erf), ("exp", -4, 2, math.exp),
            ("exp2", -4, 3, lambda a: 2.0 ** a), ("exp10", -2, 1, lambda a: 10.0 ** a),
            ("expm1", -3, 2, math.expm1), ("log", 0.2, LARGE, math.log),
            ("log2", 0.2, LARGE, math.log2), ("log10", 0.2, LARGE, math.log10),
            ("log1p", -0.7, LARGE, math.log1p), ("sqrt", 0.1, LARGE, math.sqrt),
            ("cbrt", 0.2, LARGE, lambda a: a ** (1 / 3)),
            ("tan", -1.1, 1.1, math.tan), ("asin", -0.9, 0.9, math.asin), ("sinh", -3, 3, math.sinh),
            ("atanh", -0.85, 0.85, math.atanh), ("acosh", 1.2, LARGE, math.acosh)]
FALLING = [("acos", -0.9, 0.9, math.acos), ("rsqrt", 0.2, LARGE, lambda a: a ** -0.5),
           ("erfc", -3, 3, math.erfc)]
STEPS = ["floor", "ceil", "trunc", "round", "rint"]


class Reals:
    absent = ()  # functions that the language does not have

    def element(self, array, depth):
        return array.cell([self.integer_in(0, size - 1, depth) for size in array.sizes])

    def real_leaf(self):
        r, pick = self.random, self.random.random()
        named = [v for v in self.scalars() if v.kind == "real"]
        arrays = [a for a in self.arrays() if a.kind == "real"]
        if named and pick < 0.55:
            recent = named[-6:] if r.random() < 0.6 else named
            return r.choice(recent).read()
        if arrays and pick < 0.9:
            return self.element(r.choice(arrays), r.choice([0, 1, 1, 2]))
        return self.number()

    def number(self):
        return real_literal(self.random.choice([0.5, 2, 0.25, 1.5, 3, self.random.uniform(0.1, 1.9)]))

    def real(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.12:
            return self.real_leaf()
        make = r.choice([self.arithmetic] * 7 + [self.divided] * 2 + [self.function] * 4 + [self.wave] * 2 +
                        [self.two_arguments, self.kinked, self.chosen_real, self.with_integer,
                         self.with_integer, self.signs, self.helper_value, self.helper_value])
        return self.tamed(make(depth))

    def tamed(self, e):
        size = max(abs(e.lo), abs(e.hi))
        if size <= LARGE:
            return e
        scale = real_literal(LARGE / size * 0.9)
        return binary("*", e, scale, "real", e.lo * scale.lo, e.hi * scale.lo)

    def arithmetic(self, depth):
        a, b = self.real(depth - 1), self.real(depth - 1)
        operator = self.random.choice("++-***")
        if operator == "+":
            return binary("+", a, b, "real", a.lo + b.lo, a.hi + b.hi)
        if operator == "-":
            return binary("-", a, b, "real", a.lo - b.hi, a.hi - b.lo)
        corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return binary("*", a, b, "real", min(corners), max(corners))

    def divided(self, depth):
        a, b = self.real(depth - 1), self.away_from_zero(self.real(depth - 1))
        corners = [x / y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return binary("/", a, b, "real", min(corners), max(corners))

    def away_from_zero(self, e, least=0.4):
        if e.lo >= least or e.hi <= -least:
            return e
        e = self.fit(e, -3, 3)
        if self.random.random() < 0.5:
            return binary("+", real_literal(4), e, "real", 4 + e.lo, 4 + e.hi)
        return binary("+", call("fabs§", [e], "real", 0, 3), real_literal(0.6), "real", 0.6, 3.6)

    def function(self, depth):
        table = self.random.choice([MONOTONE, MONOTONE, MONOTONE, FALLING])
        name, lo, hi, value = self.random.choice([row for row in table if row[0] not in self.absent])
        a = self.fit(self.real(depth - 1), lo, hi)
        ends = sorted((value(max(a.lo, lo)), value(min(a.hi, hi))))
        margin = 1e-5 * (1 + max(map(abs, ends)))
        return call(f"{name}§", [a], "real", ends[0] - margin, ends[1] + margin)

    def wave(self, depth):
        names = ["sin", "cos", "sin", "cos", "normcdf", "cosh"]
        name = self.random.choice([name for name in names if name not in self.absent])
        if name == "cosh":
            return call("cosh§", [self.fit(self.real(depth - 1), -2, 2)], "real", 1, 3.8)
        a = self.fit(self.real(depth - 1), -8, 8)
        return call(f"{name}§", [a], "real", 0 if name == "normcdf" else -1, 1)

    def two_arguments(self, depth):
        name = self.random.choice(["pow", "pow", "square", "hypot", "atan2", "fma"])
        a = self.real(depth - 1)
        if name == "square":
            a = self.fit(a, -3, 3)
            return call("pow§", [a, real_literal(self.random.choice([2, 3]))], "real", -27, 27)
        b = self.real(depth - 1)
        if name == "fma":
            a, b, c = self.fit(a, -3, 3), self.fit(b, -3, 3), self.real_leaf()
            return call("fma§", [a, b, c], "real", c.lo - 9, c.hi + 9)
        if name == "pow":
            return call("pow§", [self.fit(a, 0.4, 3), self.fit(b, -2, 2)], "real", 0.1, 9.1)
        if name == "hypot":
            return call("hypot§", [self.fit(a, 0.3, 4), self.fit(b, -3, 3)], "real", 0.3, 5.1)
        return call("atan2§", [self.fit(a, -3, 3), self.fit(b, 0.3, 3)], "real", -1.6, 1.6)

    def kinked(self, depth):
        r = self.random
        name = r.choice(["fabs", "fmin", "fmax", "fmin", "fmax", "fdim", "copysign", "fmod", "step"])
        a = self.real(depth - 1)
        largest = max(abs(a.lo), abs(a.hi))
        if name == "fabs":
            return call("fabs§", [a], "real", 0, largest)
        if name == "step":
            return call(r.choice(STEPS) + "§", [a], "real", math.floor(a.lo), math.ceil(a.hi))
        if name == "fmod":
            return call("fmod§", [a, self.fit(self.real(depth - 1), 0.7, 3)], "real", -3, 3)
        b = self.real(depth - 1)
        if name == "fmin":
            return call("fmin§", [a, b], "real", min(a.lo, b.lo), min(a.hi, b.hi))
        if name == "fmax":
            return call("fmax§", [a, b], "real", max(a.lo, b.lo), max(a.hi, b.hi))
        if name == "fdim":
            return call("fdim§", [a, b], "real", 0, max(0, a.hi - b.lo))
        return call("copysign§", [a, b], "real", -largest, largest)

    def chosen_real(self, depth):
        a, b = self.real(depth - 1), self.real(depth - 1)
        return choice(self.condition(1), a, b, "real")

    def with_integer(self, depth):
        a, k = self.real(depth - 1), self.integer(1)
        k = k if k.within(-9, 9) else self.brought_into(k, 0, 4)
        if self.random.random() < 0.5 or k.kind == "bool":
            k = cast(self.random.choice(["real", "double"]), k, "real", k.lo, k.hi)
        if self.random.random() < 0.5:
            return binary("+", a, k, "real", a.lo + k.lo, a.hi + k.hi)
        corners = [x * y for x in (a.lo, a.hi) for y in (k.lo, k.hi)]
        return binary("*", a, k, "real", min(corners), max(corners))

    def signs(self, depth):
        a = self.real(depth - 1)
        if self.random.random() < 0.7:
            return unary("-", a, "real", -a.hi, -a.lo)
        return cast(self.random.choice(["real", "double"]), a, "real", a.lo, a.hi)

    def helper_value(self, depth):
        usable = [h for h in self.helpers if h.result]
        if not usable or depth <= 0:
            return self.wave(depth)
        return self.helper_call(self.random.choice(usable), depth - 1)

    def fit(self, e, lo, hi):
        """e if its interval lies in lo..hi, otherwise something smooth of it that does."""
        if e.within(lo, hi):
            return e
        e = self.tamed(e)
        middle, half = (lo + hi) / 2, (hi - lo) / 2 * 0.96
        size = max(abs(e.lo), abs(e.hi))
        if -lo == hi and self.random.random() < 0.4:
            factor = real_literal(half / size)
            return binary("*", e, factor, "real", *sorted((e.lo * factor.lo, e.hi * factor.lo)))
        if size > 8:
            factor = real_literal(8 / size)
            e = binary("*", e, factor, "real", e.lo * factor.lo, e.hi * factor.lo)
        name, bound = self.random.choice([("sin", 1), ("cos", 1), ("tanh", 1), ("atan", 1.5), ("erf", 1)])
        factor = real_literal(half / bound * 0.98)
        squashed = call(f"{name}§", [e], "real", -bound, bound)
        if factor.lo != 1:
            squashed = binary("*", factor, squashed, "real", -factor.lo * bound, factor.lo * bound)
        if middle == 0:
            return squashed
        middle = real_literal(middle)
        return binary("+", middle, squashed, "real", middle.lo + squashed.lo, middle.lo + squashed.hi)
