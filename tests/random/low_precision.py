"""Half and bfloat16, and pairs of them, in random kernels over float: arrays of the caller's, of a thread's and
of a block's, variables, operators, functions, comparisons and conversions.

Over double, a number of low precision is a double that is rounded where it becomes one (random_low.cuh). A
kernel's types of low precision are of one kind. Kinds of expressions: "low" and "pair"; none is without
parentheses that needs them.
"""
from tree import PRIMARY, Array, Expr, Scalar, Stmt

# What differs: type, pair of it, prefixes and names of conversions, the number that random_low.cuh has for it.
HALF = {"type": "half", "pair": "half2", "of_float": "half", "pair_of": "half2", "kind": 1,
        "both": "__half2half2", "two": "__halves2half2",
        "to_float": "__half2float", "low": "__low2half", "high": "__high2half", "floats": "__half22float2"}
BFLOAT = {"type": "__nv_bfloat16", "pair": "__nv_bfloat162", "of_float": "bfloat16", "pair_of": "bfloat162",
          "kind": 2, "both": "__bfloat162bfloat162", "two": "__halves2bfloat162",
          "to_float": "__bfloat162float", "low": "__low2bfloat16",
          "high": "__high2bfloat16", "floats": "__bfloat1622float2"}
# Functions: name behind the h, what it is over double, the argument's and the result's bounds.
FUNCTIONS = [("exp", "exp({})", -3, 1, 0, 3), ("exp2", "exp2({})", -3, 2, 0, 4.1),
             ("exp10", "exp10({})", -2, 0.5, 0, 3.3), ("log", "log({})", 0.3, 4, -1.3, 1.4),
             ("log2", "log2({})", 0.3, 4, -1.8, 2.1), ("log10", "log10({})", 0.3, 4, -0.6, 0.7),
             ("sqrt", "sqrt({})", 0.2, 4, 0.4, 2.1), ("rsqrt", "rsqrt({})", 0.2, 4, 0.4, 2.3),
             ("rcp", "1 / ({})", 0.4, 4, 0.2, 2.6), ("sin", "sin({})", -4, 4, -1, 1),
             ("cos", "cos({})", -4, 4, -1, 1), ("tanh", "tanh({})", -4, 4, -1, 1),
             ("floor", "floor({})", -3, 3, -3, 3), ("ceil", "ceil({})", -3, 3, -3, 3),
             ("trunc", "trunc({})", -3, 3, -3, 3)]
OPERATORS = [("+", "add"), ("-", "sub"), ("*", "mul")]


class LowPrecision:
    low, low_outputs = None, ()

    def draw_precision(self):
        """Before anything is made: whether the kernel has numbers of low precision, and which."""
        self.exchanged = []
        self.kernel.low = self.low = self.random.choice([HALF, BFLOAT]) if self.random.random() < 0.16 else None
        if self.low:
            self.kernel.single = self.single = True

    def add_low(self):
        """Parameters: inputs, outputs, and which rounding there is over double."""
        if not self.low:
            return
        r = self.random
        low, pair = self.low_types()
        self.add("int", "rounding", "value", value=0)
        self.declare(Scalar("rounding", "kind", 0, 2))
        self.add(f"const {low} *", "hx", "in", cells=self.n, low=-1.5, high=1.5)
        self.declare(Array("hx[{}]", [self.n], "low", -1.5, 1.5))
        if r.random() < 0.5:
            self.add(f"const {pair} *", "gx", "in", cells=2 * self.n, low=0.5, high=1.5)
            self.declare(Array("gx[{}]", [self.n], "pair", 0.5, 1.5))
        self.low_outputs = []
        if r.random() < 0.7:
            self.add(f"{low} *", "hy", "out", cells=self.n)
            self.low_outputs.append((f"hy[{self.own}]", self.low_in))
        if r.random() < 0.3 or not self.low_outputs:
            self.add(f"{pair} *", "gy", "out", cells=2 * self.n)
            self.low_outputs.append((f"gy[{self.own}]", self.pair_in))

    def low_types(self):
        return f"«{self.low['type']}¦double»", f"«{self.low['pair']}¦double2»"

    # Expressions
    @staticmethod
    def chosen(narrow, wide, args, kind, lo, hi):
        """The arguments' places in both texts are the same."""
        parts = [f"«{a}¦{b}»" for a, b in zip(narrow.split("{}"), wide.split("{}"), strict=True)]
        return Expr("{}".join(parts), args, kind, lo, hi, PRIMARY)

    def rounded(self, narrow, wide, args, lo, hi):
        margin = 0.01 * max(abs(lo), abs(hi))
        return self.chosen(narrow, f"low_of({wide}, rounding)", args, "low", lo - margin, hi + margin)

    def low_leaf(self):
        named = [v for v in self.scalars() if v.kind == "low"]
        arrays = [a for a in self.arrays() if a.kind == "low"]
        pick = self.random.random()
        if named and pick < 0.4:
            return self.random.choice(named).read()
        if arrays and pick < 0.75:
            return self.element(self.random.choice(arrays), 1)
        if pick < 0.85:
            return self.low_member()
        return self.low_from_real(-2, 2)

    def low_from_real(self, lo, hi):
        e, name = self.fit(self.real(1), lo, hi), self.low["of_float"]
        word = self.random.choice([f"__float2{name}", f"__float2{name}_rn", f"({self.low['type']})(float)"])
        return self.rounded(word + "({})", "{}", [e], lo, hi)

    def low_member(self):
        """One number of a pair."""
        p, r = self.pair(1), self.random
        if r.random() < 0.5:
            form = r.choice(["({}).x", "({}).y"])
            return self.chosen(form, form, [p], "low", p.lo, p.hi)
        which = r.choice(["low", "high"])
        return self.chosen(self.low[which] + "({})", f"({{}}).{'x' if which == 'low' else 'y'}", [p], "low",
                           p.lo, p.hi)

    def low_number(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.15:
            return self.low_leaf()
        pick = r.random()
        if pick < 0.45:
            a, b = self.low_number(depth - 1), self.low_number(depth - 1)
            operator, name = r.choice(OPERATORS)
            narrow = (f"({{}} {operator} {{}})" if r.random() < 0.6
                      else f"__h{name}{r.choice(['', '_rn'])}({{}}, {{}})")
            return self.rounded(narrow, f"{{}} {operator} {{}}", [a, b], *self.bounds_of(operator, a, b))
        if pick < 0.55:
            a, b = self.low_number(depth - 1), self.low_from_real(0.6, 3)
            size = 2 * max(abs(a.lo), abs(a.hi))
            return self.rounded(r.choice(["({} / {})", "__hdiv({}, {})"]), "{} / {}", [a, b], -size, size)
        if pick < 0.65:
            a, b, c = (self.low_number(depth - 1) for _ in range(3))
            lo, hi = self.bounds_of("*", a, b)
            return self.rounded("__hfma({}, {}, {})", "{} * {} + {}", [a, b, c], lo + c.lo, hi + c.hi)
        if pick < 0.85:
            name, wide, lo, hi, least, most = r.choice(FUNCTIONS)
            return self.rounded(f"h{name}({{}})", wide, [self.low_in(lo, hi)], least, most)
        a = self.low_number(depth - 1)
        size = max(abs(a.lo), abs(a.hi))
        if pick < 0.93:
            narrow, wide = r.choice([("__hneg({})", "(-({}))"), ("(-{})", "(-{})"), ("__habs({})", "fabs({})")])
            return self.chosen(narrow, wide, [a], "low", -size, size)
        b, word = self.low_number(depth - 1), r.choice(["max", "min"])
        return self.chosen(f"__h{word}({{}}, {{}})", f"f{word}({{}}, {{}})", [a, b], "low", min(a.lo, b.lo),
                           max(a.hi, b.hi))

    @staticmethod
    def bounds_of(operator, a, b):
        if operator == "+":
            return a.lo + b.lo, a.hi + b.hi
        if operator == "-":
            return a.lo - b.hi, a.hi - b.lo
        corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return min(corners), max(corners)

    def low_in(self, lo, hi):
        """A number of low precision within the bounds: brought into them in single precision where it may leave
        them."""
        e = self.low_number(2)
        if e.within(lo, hi):
            return e
        margin = 0.02 * (hi - lo)
        e = self.fit(self.to_real(e), lo + margin, hi - margin)
        return self.rounded(f"__float2{self.low['of_float']}({{}})", "{}", [e], lo + margin, hi - margin)

    def to_real(self, e):
        if self.random.random() < 0.5:
            return self.chosen(f"{self.low['to_float']}({{}})", "({})", [e], "real", e.lo, e.hi)
        return self.chosen("(float)({})", "(double)({})", [e], "real", e.lo, e.hi)

    def pair(self, depth):
        r, named = self.random, [v for v in self.scalars() if v.kind == "pair"]
        arrays = [a for a in self.arrays() if a.kind == "pair"]
        pick = r.random()
        if named and pick < 0.3:
            return r.choice(named).read()
        if arrays and (pick < 0.6 or depth <= 0):
            return self.element(r.choice(arrays), 1)
        if depth <= 0 or pick < 0.75:
            return self.made_pair()
        a, b = self.pair(depth - 1), self.pair(depth - 1)
        if pick < 0.9:
            operator, name = r.choice(OPERATORS)
            narrow = f"({{}} {operator} {{}})" if r.random() < 0.5 else f"__h{name}2({{}}, {{}})"
            return self.pair_form(narrow, f"pair_{name}({{}}, {{}}, rounding)", [a, b],
                                  *self.bounds_of(operator, a, b))
        if pick < 0.95:
            lo, hi = self.bounds_of("*", a, b)
            return self.pair_form("__hfma2({}, {}, {})", "pair_fma({}, {}, {}, rounding)", [a, b, a], lo + a.lo,
                                  hi + a.hi)
        name, narrow = r.choice([("sin", "h2sin"), ("cos", "h2cos"), ("tanh", "h2tanh"), ("neg", "__hneg2"),
                                 ("abs", "__habs2")])
        size = 1 if narrow[1] == "2" else max(abs(a.lo), abs(a.hi))
        return self.pair_form(narrow + "({})", f"pair_{name}({{}}, rounding)", [a], -size, size)

    def pair_form(self, narrow, wide, args, lo, hi):
        margin = 0.01 * max(abs(lo), abs(hi))
        return self.chosen(narrow, wide, args, "pair", lo - margin, hi + margin)

    def made_pair(self):
        r, name = self.random, self.low["pair_of"]
        if r.random() < 0.4:
            a, b = (self.fit(self.real(1), -2, 2) for _ in range(2))
            return self.pair_form(f"__floats2{name}_rn({{}}, {{}})", "pair_of({}, {}, rounding)", [a, b], -2, 2)
        a, b = self.plain_low(), self.plain_low()
        if r.random() < 0.4:
            return self.pair_form(self.low["both"] + "({})", "pair_twice({})", [a], a.lo, a.hi)
        return self.pair_form(self.low["two"] + "({}, {})", "make_double2({}, {})", [a, b], min(a.lo, b.lo),
                              max(a.hi, b.hi))

    def plain_low(self):
        named = [v for v in self.scalars() if v.kind == "low"]
        return (self.random.choice(named).read() if named and self.random.random() < 0.6
                else self.low_from_real(-2, 2))

    def pair_in(self, lo, hi):
        p = self.pair(2)
        if p.within(lo, hi):
            return p
        return self.pair_form(f"__floats2{self.low['pair_of']}_rn({{}}, {{}})", "pair_of({}, {}, rounding)",
                              [self.fit(self.to_real(self.low_leaf()), lo, hi), self.fit(self.real(1), lo, hi)],
                              lo, hi)

    # The places that use them
    def real(self, depth):
        if self.low_is_visible() and self.random.random() < 0.15:
            return self.tamed(self.to_real(self.low_number(min(depth, 2))))
        return super().real(depth)

    def low_is_visible(self):
        return self.low and self.in_body and any(v.name == "rounding" for v in self.scalars())

    def real_comparison(self, depth):
        if self.low_is_visible() and self.random.random() < 0.2:
            sign, name = self.random.choice([("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge")])
            narrow = f"({{}} {sign} {{}})" if self.random.random() < 0.5 else f"__h{name}({{}}, {{}})"
            return self.chosen(narrow, f"({{}} {sign} {{}})", [self.low_number(1), self.low_from_real(-1, 1)],
                               "bool", 0, 1)
        return super().real_comparison(depth)

    def statement(self):
        if not self.low_is_visible() or self.random.random() > 0.25:
            return super().statement()
        self.left -= 1
        return self.random.choice([self.new_low, self.new_low, self.new_low_pair, self.new_low_array,
                                   self.change_low, self.change_low, self.change_low])()

    def new_low(self):
        e, name = self.low_in(-2, 2), self.fresh()
        self.declare(Scalar(name, "low", -6, 6, True, "low", 3.5))
        return [Stmt(f"{self.low_types()[0]} {name} = ", e, ";")]

    def new_low_pair(self):
        e, name = self.pair_in(-2, 2), self.fresh()
        self.declare(Scalar(name, "pair", -2, 2, True, "pair"))
        return [Stmt(f"{self.low_types()[1]} {name} = ", e, ";")]

    def new_low_array(self):
        name, k, size = self.fresh("t"), self.fresh("k"), self.random.randint(2, 4)
        self.frames.append([Scalar(k, "int", 0, size - 1)])
        body = [Stmt(f"{name}[{k}] = ", self.low_in(-2, 2), ";")]
        self.frames.pop()
        self.declare(Array(name + "[{}]", [size], "low", -2, 2, True))
        return [Stmt(f"{self.low_types()[0]} {name}[{size}];", fixed=False),
                Stmt(f"for (int {k} = 0; {k} < {size}; {k}++) ", body, fixed=False)]

    def change_low(self):
        r = self.random
        targets = [v for v in self.scalars() if v.kind in ("low", "pair") and v.writable]
        arrays = [a for a in self.arrays() if a.kind == "low" and a.writable]
        if arrays and r.random() < 0.3:
            return [Stmt(self.element(r.choice(arrays), 1), " = ", self.low_in(-2, 2), ";")]
        if not targets:
            return self.new_low()
        v = r.choice(targets)
        if v.kind == "pair":
            return [Stmt(v.name, " = ", self.pair_in(-2, 2), ";")]
        size = min(v.budget / self.trips, 1)
        if size < 0.05 or r.random() < 0.4:
            return [Stmt(v.name, " = ", self.low_in(-2, 2), ";")]
        v.budget -= size * self.trips
        sign = r.choice("+-")
        return [Stmt(f"{v.name}« {sign}= ¦ = low_of({v.name} {sign} »", self.low_in(-size, size),
                     "«¦, rounding)»;")]

    def low_stores(self):
        return [Stmt(f"{cell} = ", make(-2, 2), ";") for cell, make in self.low_outputs]

    def low_rooms(self):
        return [Stmt(f"__shared__ {self.low_types()[0]} {name}[{self.threads}];", fixed=True)
                for name in self.exchanged]

    def low_exchange(self):
        """An exchange in a block: each thread leaves a number, and takes another's."""
        s, v, barrier = self.fresh("low"), self.fresh(), Stmt("__syncthreads();", fixed=True)
        self.exchanged.append(s)
        place = "t" if self.late or self.gone else f"(t + {self.random.randint(1, 5)}) % {self.live}"
        e = self.low_in(-2, 2)
        self.declare(Scalar(v, "low", -2, 2, True, "low"))
        return [Stmt(f"{s}[t] = ", e, ";", fixed=True), barrier,
                Stmt(f"{self.low_types()[0]} {v} = {s}[{place}];", fixed=True), barrier]
