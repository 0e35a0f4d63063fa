"""Statements about classes that hold memory, expression templates and exceptions, in C++ functions from seed
FIRST on: those before it are as they were."""
from tree import Scalar, Stmt

FIRST = 1000000

EXPRESSIONS = """template <class D> struct Lazy¶ {
    const D &derived() const { return *static_cast<const D *>(this); }
    D &derived() { return *static_cast<D *>(this); }
    real dot(const auto_of¶ &) const;
    real sum() const {
        real s = 0;
        for (int k = 0; k < 3; k++) s += derived().at(k);
        return s;
    }
    template <int k> real part() const { return derived().at(k); }
};
struct Row¶ : Lazy¶<Row¶> {
    real v[3];
    Row¶(real a, real b, real c) : v{a, b, c} {}
    template <class S> Row¶(const Lazy¶<S> &e) { take(e.derived()); }
    template <class S> Row¶ &operator=(const Lazy¶<S> &e) { return take(e.derived()); }
    template <class S> Row¶ &take(const S &e) {
        for (int k = 0; k < 3; k++) v[k] = e.at(k);
        return *this;
    }
    real at(int k) const { return v[k]; }
};
struct Adds¶ {
    static real of(real a, real b) { return a + b; }
};
struct Times¶ {
    static real of(real a, real b) { return a * b; }
};
template <class S> struct Nested¶ { typedef const S type; };
template <> struct Nested¶<Row¶> { typedef const Row¶ &type; };
template <class F, class A, class B> struct Both¶ : Lazy¶<Both¶<F, A, B>> {
    typename Nested¶<A>::type a;
    typename Nested¶<B>::type b;
    Both¶(const A &l, const B &r) : a(l), b(r) {}
    real at(int k) const { return F::of(a.at(k), b.at(k)); }
};
template <class A, class B> Both¶<Adds¶, A, B> operator+(const Lazy¶<A> &a, const Lazy¶<B> &b) {
    return {a.derived(), b.derived()};
}
template <class A, class B> Both¶<Times¶, A, B> operator*(const Lazy¶<A> &a, const Lazy¶<B> &b) {
    return {a.derived(), b.derived()};
}
""".replace("    real dot(const auto_of¶ &) const;\n", "")
# Statements on a and b of components in -1..1, and the bound of a's components afterwards.
LAZY = [("{a} = {a} + {b};", 2), ("{a} = {a} * {b} + {a};", 2), ("{a} = {b} * ({a} + {b} * {b});", 2),
        ("if ({b}.v[1] > 0.1237§) {a} = {a} * {a}; else {a} = {b} + {b};", 2),
        ("for (int {n} = 0; {n} < 2; {n}++) {a} = {a} * {b} + {b};", 3)]
LAZY_VALUES = [("({a} + {b}).sum()", 3, 3), ("({a} * {b}).sum()", 3, 0),
               ("{a}.part<1>() * ({b} * {b} + {b}).part<0>()", 2, 0),
               ("({a} * {b} + {a}).template part<2>()", 2, 0)]

OWNER = """struct Own¶ {
    real *p;
    int n;
    explicit Own¶(int m) : p(new real[m]), n(m) {
        for (int k = 0; k < n; k++) p[k] = 0.5§;
    }
    Own¶(const Own¶ &o) : p(new real[o.n]), n(o.n) {
        for (int k = 0; k < n; k++) p[k] = o.p[k];
    }
    Own¶ &operator=(const Own¶ &o) {
        for (int k = 0; k < n; k++) p[k] = o.p[k];
        return *this;
    }
    ~Own¶() { delete[] p; }
    real &operator[](int k) { return p[k]; }
    real operator[](int k) const { return p[k]; }
    real mean() const {
        real s = 0;
        for (int k = 0; k < n; k++) s += p[k];
        return s / n;
    }
};
static inline Own¶ halved¶(const Own¶ &of) {
    Own¶ w(of.n);
    for (int k = 0; k < of.n; k++) w[k] = 0.5§ * of[k];
    return w;
}
struct Held¶ {
    std::vector<real> w;
    real scale;
    real at(real q) const {
        real s = 0;
        for (real each : w) s = s * q * 0.5§ + each;
        return s * scale;
    }
};
"""
# Statements on two Own¶ with values in -1..1, which stay there.
OWNED = ["{a}[{k}] *= {b}[{m}];", "{a} = {b};", "Own¶ {n}({a}); {n}[{k}] *= {n}[{m}]; {b} = {n};",
         "Own¶ {n} = halved¶({a}); {a}[{k}] = {n}[{m}];", "{b}[{m}] = {a}.mean();",
         "if ({a}[{k}] > 0.1237§) {b} = {a}; else {a}[{m}] = -{b}[{k}];"]

THROWS = """static inline real checked¶(real q) {
    if (q > 1000) throw std::runtime_error("too much");
    if (q < -1000) throw -1;
    return 0.5§ * q;
}
"""


class Owners:
    has_lazy = has_owner = has_throws = False

    def statement(self):
        r = self.random
        if not self.cpp or self.kernel.seed < FIRST or r.random() < 0.8:
            return super().statement()
        self.left -= 1
        return r.choice([self.lazy_value, self.owned_value, self.held_value, self.thrown])()

    def more_types(self):
        text = super().more_types()
        if not self.cpp or self.kernel.seed < FIRST:
            return text
        r = self.random
        self.has_lazy, self.has_owner, self.has_throws = (r.random() < 0.6 for _ in range(3))
        return (text + (EXPRESSIONS if self.has_lazy else "") + (OWNER if self.has_owner else "") +
                (THROWS if self.has_throws else ""))

    def lazy_value(self):
        if not self.has_lazy:
            return self.owned_value()
        r, a, b = self.random, self.fresh("xe"), self.fresh("xe")
        made = []
        for name in (a, b):
            parts = [part for value in self.parts(3) for part in (", ", value)]
            made.append(Stmt(f"Row¶ {name}(", *parts[1:], ");"))
        change, bound = r.choice(LAZY)
        made.append(Stmt(change.format(a=a, b=b, n=self.fresh("k")), fixed=True))
        value, times, more = r.choice(LAZY_VALUES)
        return made + [self.named(value.format(a=a, b=b), times * bound + more)]

    def owned_value(self):
        if not self.has_owner:
            return self.thrown()
        r, a, b, size = self.random, self.fresh("w"), self.fresh("w"), self.random.randint(2, 4)
        made = [Stmt(f"Own¶ {a}({size}), {b}({size});", fixed=True)]
        made += [Stmt(f"{r.choice([a, b])}[{k}] = ", value, ";") for k, value in enumerate(self.parts(size))]
        for change in r.sample(OWNED, r.randint(1, 3)):
            k, m = r.randint(0, size - 1), r.randint(0, size - 1)
            names = {"a": a, "b": b, "n": self.fresh("w"), "k": k, "m": m}
            made.append(Stmt(change.format(**names), fixed=True))
        return made + [self.named(f"{a}[{r.randint(0, size - 1)}] * {b}.mean() + {a}.mean()", 2)]

    def held_value(self):
        if not self.has_owner:
            return self.lazy_value() if self.has_lazy else self.thrown()
        r, name, size = self.random, self.fresh("l"), self.random.randint(2, 4)
        values, (scale, q) = self.parts(size), self.parts(2)
        if r.random() < 0.5:
            made = [Stmt(f"Held¶ {name}{{", self.list_of(values), ", ", scale, "};")]
        else:
            made = [Stmt(f"Held¶ {name}; {name}.scale = ", scale, ";", fixed=True)]
            made += [Stmt(f"{name}.w.push_back(", value, ");") for value in values]
        if r.random() < 0.5:
            made.append(Stmt(f"{name}.w[{r.randint(0, size - 1)}] *= {name}.w.back();"))
        return made + [self.named("", 2, f"{name}.at(", q, ")")]

    def thrown(self):
        """An exception that is not thrown."""
        if not self.has_throws:
            return self.assign()
        (e,) = self.parts(1, 2)
        if self.random.random() < 0.5:
            return [self.named("", 1, "checked¶(", e, ")")]
        return [Stmt("if ((", e, ') > 1000) throw std::runtime_error("never");')]
