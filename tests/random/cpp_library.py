"""Statements about the standard library's other types and algorithms, functors, and arrays by reference."""
from tree import Array, Scalar, Stmt

FUNCTOR = """struct F¶ {
    real k;
    int n;
    real operator()(real q) const {
        real sum = 0;
        for (int j = 0; j < n; j++) sum = sum * q + k;
        return sum;
    }
};
template <class F> static inline real twice¶(const F &f, real q) { return f(0.5§ * f(q)); }
template <int N> static inline real total¶(const real (&a)[N]) {
    real sum = 0;
    for (int k = 0; k < N; k++) sum += a[k] * (k + 1);
    return sum;
}
template <int N> static inline void scaled¶(real (&a)[N], real by) {
    for (real &v : a) v *= by;
}
"""
# A row at `at` with `count` cells has its value in a new variable, and the bound as a multiple of count * most
# and of its square.
SUMS = [("std::accumulate({at}, {at} + {count}, (real)0)", 1, 0),
        ("std::inner_product({at}, {at} + {count}, {at}, (real)0)", 0, 1),
        ("std::accumulate({at}, {at} + {count}, (real)0, [](real a, real b) {{ return a + b * b; }})", 0, 1),
        ("*std::max_element({at}, {at} + {count})", 1, 0)]


class CppLibrary:
    has_functor = False

    def statement(self):
        r = self.random
        if not self.cpp or r.random() < 0.96:
            return super().statement()
        self.left -= 1
        return r.choice([self.bound_tuple, self.tied, self.least_or_most, self.summed, self.transformed,
                         self.functor, self.by_array])()

    def more_types(self):
        text = super().more_types()
        if self.cpp and self.random.random() < 0.3:
            self.has_functor, text = True, text + FUNCTOR
        return text

    def bound_tuple(self):
        """Names for the parts of a pair or a tuple."""
        r, count = self.random, self.random.randint(2, 3)
        values, names = self.parts(count, 2), [self.fresh() for _ in range(count)]
        for name in names:
            self.declare(Scalar(name, "real", -2, 2, True, "other"))
        made = f"std::make_{'pair' if count == 2 and r.random() < 0.5 else 'tuple'}("
        parts = [part for value in values for part in (", (real)(", value, ")")]
        return [Stmt(f"auto [{', '.join(names)}] = {made}(real)(", *parts[1:], ");")]

    def tied(self):
        targets = [v for v in self.writable_reals() if v.name[0] == "v" and v.type_name == "real"
                   and (v.lo, v.hi) == (-2, 2)]
        if len(targets) < 2:
            return self.bound_tuple()
        v, w = self.random.sample(targets, 2)
        a, b = self.parts(2, 2)
        return [Stmt(f"std::tie({v.name}, {w.name}) = std::make_tuple((real)(", a, "), (real)(", b, "));")]

    def least_or_most(self):
        name, (a, b) = self.fresh(), self.parts(2, 2)
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        word = self.random.choice(["std::min<real>(", "std::max<real>(", "std::clamp<real>(",
                                   "std::min<real>({", "std::max<real>({"])
        more = [", -1.1§, 1.3§"] if "clamp" in word else [", ", b, ", 1.7§}"] if "{" in word else [", ", b]
        return [Stmt(f"real {name} = {word}", a, *more, ");")]

    def short_line(self):
        usable = [a for a in self.lines() if a.sizes[0] <= 6]
        return self.random.choice(usable) if usable else None

    def summed(self):
        a = self.short_line()
        if not a or self.trips * a.sizes[0] > 60:
            return self.least_or_most()
        text, once, twice = self.random.choice(SUMS)
        count, most = int(a.sizes[0]), max(abs(a.lo), abs(a.hi))
        bound = count * (once * most + twice * most * most)
        return [self.named(text.format(at=a.base, count=count), bound)]

    def transformed(self):
        a = self.short_line()
        if not a or self.trips * a.sizes[0] > 60:
            return self.least_or_most()
        name, size, most = self.fresh("t"), int(a.sizes[0]), max(abs(a.lo), abs(a.hi))
        scale = self.fit(self.real(1), -1, 1)
        item = Array(name + "[{}]", [size], "real", -most - 1, most + 1, True, base=name)
        item.type_name = "array"
        self.declare(item)
        how = self.random.choice(["std::transform({1}, {1} + {2}, {0}, [&](real q) {{ return q * {3}; }});",
                                  "std::transform({1}, {1} + {2}, {1}, {0}, [&](real q, real o) {{ return 0.5§ "
                                  "* (q + o) * {3}; }});"])
        factor = self.fresh()
        return [Stmt(f"const real {factor} = ", scale, ";"), Stmt(f"real {name}[{size}];", fixed=True),
                Stmt(how.format(name, a.base, size, factor))]

    def functor(self):
        if not self.has_functor:
            return self.tied()
        r, f, (k, q) = self.random, self.fresh("f"), self.parts(2)
        made = [Stmt(f"const F¶ {f} = {{", self.fit(k, -0.5, 0.5), f", {r.randint(1, 3)}}};")]
        name = self.fresh()
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        return made + [Stmt(f"real {name} = {f}(" if r.random() < 0.5 else f"real {name} = twice¶({f}, ", q,
                            ");")]

    def by_array(self):
        usable = [a for a in self.lines() if a.type_name == "array" and a.base == a.form.split("[")[0]]
        if not self.has_functor or not usable:
            return self.summed()
        a, r = self.random.choice(usable), self.random
        if self.may_write(a) and r.random() < 0.5:
            return [Stmt(f"scaled¶({a.base}, ", self.fit(self.real(1), -1, 1), ");")]
        size, most = int(a.sizes[0]), max(abs(a.lo), abs(a.hi))
        return [self.named(f"total¶({a.base})", most * size * (size + 1) / 2)]
