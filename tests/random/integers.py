"""Random integer expressions and conditions, with the interval of each.

Kinds: int, unsigned, long (long long), bool. Nothing overflows or goes below zero in unsigned arithmetic,
except where it is meant to wrap and is brought back by % or >>.
"""
from tree import binary, call, cast, choice, integer_literal, leaf, real_literal, unary

LIMIT = 50000


class Integers:
    least, most = "min", "max"

    def small(self, low, high):
        return integer_literal(self.random.randint(low, high))

    def integer_leaf(self):
        r = self.random
        named = [v for v in self.scalars() if v.kind in ("int", "unsigned", "long", "bool") and v.hi <= LIMIT]
        arrays = [a for a in self.arrays() if a.kind == "int"]
        pick = r.random()
        if named and pick < 0.7:
            return r.choice(named).read()
        if arrays and pick < 0.85:
            return self.element(r.choice(arrays), 1)
        return self.small(0, 5)

    def integer(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.25:
            return self.integer_leaf()
        make = r.choice([self.sum_of_integers] * 4 + [self.quotient] * 2 + [self.bits] * 2 +
                        [self.chosen_integer, self.truth, self.extreme, self.wrapped, self.negative,
                         self.widened, self.from_real])
        e = make(depth)
        if e.lo < -LIMIT or e.hi > LIMIT:
            e = self.remainder(e, integer_literal(r.choice([7, 11, 97])))
        return e

    def signed(self, e):
        if e.kind == "unsigned" or e.kind == "bool":
            return cast("int", e, "int", e.lo, e.hi)
        return e

    @staticmethod
    def joint(a, b):
        kinds = (a.kind, b.kind)
        return "long" if "long" in kinds else "unsigned" if "unsigned" in kinds else "int"

    def mixed(self, operator, a, b, lo, hi):
        """a operator b, both made signed if an operand or the result may be negative in unsigned."""
        if self.joint(a, b) == "unsigned" and (a.lo < 0 or b.lo < 0 or lo < 0):
            a, b = self.signed(a), self.signed(b)
        return binary(operator, a, b, self.joint(a, b), lo, hi)

    def sum_of_integers(self, depth):
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        operator = self.random.choice("++-*")
        if operator == "+":
            return self.mixed("+", a, b, a.lo + b.lo, a.hi + b.hi)
        if operator == "-":
            return self.mixed("-", a, b, a.lo - b.hi, a.hi - b.lo)
        corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        if max(map(abs, corners)) > 10 * LIMIT:
            return self.mixed("-", a, b, a.lo - b.hi, a.hi - b.lo)
        return self.mixed("*", a, b, min(corners), max(corners))

    def positive_integers(self):
        return [v for v in self.scalars() if v.kind in ("int", "unsigned") and 1 <= v.lo and v.hi < 100]

    def quotient(self, depth):
        a = self.integer(depth - 1)
        named = self.positive_integers()
        b = self.random.choice(named).read() if named and self.random.random() < 0.4 else self.small(2, 7)
        if self.random.random() < 0.6:
            return self.remainder(a, b)
        lo = min(int(a.lo / b.lo), int(a.lo / b.hi))
        hi = max(int(a.hi / b.lo), int(a.hi / b.hi))
        return self.mixed("/", a, b, lo, hi)

    def remainder(self, a, b):
        lo = 0 if a.lo >= 0 else -(b.hi - 1)
        return self.mixed("%", a, b, lo, 0 if a.hi <= 0 else min(a.hi, b.hi - 1))

    def bits(self, depth):
        a = self.integer(depth - 1)
        operator = self.random.choice(["&", "&", "|", "^", "<<", ">>", "~"])
        if operator == "&":
            mask = self.random.choice([1, 3, 5, 7])
            return binary("&", a, integer_literal(mask), self.joint(a, a), 0, mask)
        a = self.signed(a)
        if operator == "~":
            return unary("~", a, a.kind, -a.hi - 1, -a.lo - 1)
        if a.lo < 0:
            return binary("&", a, integer_literal(7), a.kind, 0, 7)
        if operator in "<<>>":
            by = self.random.randint(0, 2)
            lo, hi = (a.lo << by, a.hi << by) if operator == "<<" else (a.lo >> by, a.hi >> by)
            return binary(operator, a, integer_literal(by), a.kind, lo, hi)
        b = self.small(0, 7)
        top = (1 << max(int(a.hi).bit_length(), int(b.hi).bit_length())) - 1
        return binary(operator, a, b, a.kind, 0, top)

    def chosen_integer(self, depth):
        a, b = self.signed(self.integer(depth - 1)), self.signed(self.integer(depth - 1))
        return choice(self.condition(depth - 1), a, b, self.joint(a, b))

    def truth(self, depth):
        e = self.condition(depth - 1)
        return e if self.random.random() < 0.5 else cast("int", e, "int", 0, 1)

    def extreme(self, depth):
        a, b = self.small(0, 6), self.integer(depth - 1)
        b = cast("int", b, "int", b.lo, b.hi)
        if self.random.random() < 0.5:
            return call(self.least, [a, b], "int", min(a.lo, b.lo), min(a.hi, b.hi))
        return call(self.most, [a, b], "int", max(a.lo, b.lo), max(a.hi, b.hi))

    def wrapped(self, depth):
        a = cast("unsigned", self.integer(depth - 1), "unsigned", 0, 2**32 - 1)
        if self.random.random() < 0.5:
            times = binary("*", a, leaf("2654435761u", "unsigned", 0, 2**32 - 1), "unsigned", 0, 2**32 - 1)
            return binary(">>", times, integer_literal(29), "unsigned", 0, 7)
        by = self.random.randint(3, 9)
        return binary("%", a, integer_literal(by, "unsigned"), "unsigned", 0, by - 1)

    def negative(self, depth):
        a = self.signed(self.integer(depth - 1))
        return unary("-", a, self.joint(a, a), -a.hi, -a.lo)

    def widened(self, depth):
        a = self.integer(depth - 1)
        return cast("long long", a, "long", a.lo, a.hi)

    def from_real(self, depth):
        """An integer, mostly of passive data: an active value jumps here, and differences may not see it."""
        passive = [a for a in self.arrays() if a.kind == "real" and a.base == "u"]
        a = self.element(self.random.choice(passive), 1) if passive else self.small(1, 3)
        a = binary("*", a, real_literal(self.random.uniform(1.1, 4.7)), "real", a.lo * 4.7 - 1, a.hi * 4.7 + 1)
        return cast("int", a, "int", min(0, int(a.lo) - 1), int(a.hi) + 1)

    def integer_in(self, lo, hi, depth=1):
        """An expression whose values lie in lo..hi."""
        r = self.random
        if lo == hi:
            return integer_literal(lo)
        fitting = [v for v in self.scalars() if v.kind in ("int", "unsigned", "long") and lo <= v.lo and v.hi
                   <= hi]
        if fitting and r.random() < 0.55:
            return r.choice(fitting).read()
        if r.random() < 0.15:
            return self.small(lo, hi)
        e = self.integer(depth)
        return e if e.within(lo, hi) else self.brought_into(e, lo, hi)

    def brought_into(self, e, lo, hi):
        span = hi - lo + 1
        equal = [v for v in self.positive_integers() if v.lo == v.hi == span]
        width = (self.random.choice(equal).read() if equal and self.random.random() < 0.7
                 else integer_literal(span))
        pick = self.random.random()
        if e.lo < 0 and pick < 0.3:
            e = cast("unsigned", e, "unsigned", 0, 2**32 - 1)
            if width.kind == "int":
                width = cast("unsigned", width, "unsigned", span, span)
        elif e.lo < 0 and pick < 0.6:
            e = call("abs", [cast("int", e, "int", e.lo, e.hi)], "int", 0, max(-e.lo, e.hi))
        elif e.lo < 0:
            e = binary("+", self.remainder(self.signed(e), width), width, "int", 0, 2 * span)
        e = self.remainder(e, width)
        e.hi = min(e.hi, span - 1)
        return e if lo == 0 else self.mixed("+", e, integer_literal(lo), e.lo + lo, e.hi + lo)

    def condition(self, depth):
        r, pick = self.random, self.random.random()
        flags = [v for v in self.scalars() if v.kind == "bool"]
        if depth > 0 and pick < 0.2:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return binary(r.choice(["&&", "||"]), a, b, "bool", 0, 1)
        if depth > 0 and pick < 0.25:
            return unary("!", self.condition(depth - 1), "bool", 0, 1)
        if flags and pick < 0.35:
            return r.choice(flags).read()
        if pick < 0.6:
            return self.real_comparison(depth)
        a = self.integer(min(depth, 1))
        if pick < 0.7:
            a = a if a.kind != "bool" else self.integer_leaf()
            return binary("==", binary("&", a, integer_literal(1), a.kind, 0, 1), self.small(0, 1), "bool", 0,
                          1)
        b = integer_literal(r.randint(int(a.lo), int(a.hi))) if a.hi - a.lo < 1000 else self.small(0, 9)
        if r.random() < 0.4:
            b = self.integer_leaf()
        if "unsigned" in (a.kind, b.kind):
            a, b = self.signed(a), self.signed(b)
        operator = r.choice(["<", "<=", ">", ">=", "!=", "=="])
        # where they are never equal, gcc would warn of what is computed as if they were
        if a.hi < b.lo or b.hi < a.lo:
            operator = {"!=": "<", "==": ">"}.get(operator, operator)
        return binary(operator, a, b, "bool", 0, 1)

    def real_comparison(self, depth):
        """Against a number with many digits, so that no input is at the jump."""
        a = self.real(min(depth, 1))
        middle, half = (a.lo + a.hi) / 2, min(a.hi - a.lo, 4) / 2
        limit = real_literal(self.random.uniform(middle - 0.6 * half, middle + 0.6 * half))
        if self.random.random() < 0.15:
            limit = self.real_leaf()
        operator = self.random.choice(["<", "<=", ">", ">="])
        return binary(operator, *((a, limit) if self.random.random() < 0.8 else (limit, a)), "bool", 0, 1)
