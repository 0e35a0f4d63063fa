"""Statements about types with functions of their own: std::complex, std::pair, a small struct with operators,
templates of types, virtual functions of known objects. The texts of the types are here, and what bounds their
values."""
from tree import Scalar, Stmt

VECTOR = """struct V¶ {
    real x, y;
    V¶ operator+(const V¶ &o) const { return {x + o.x, y + o.y}; }
    V¶ operator*(real s) const { return {x * s, y * s}; }
    real operator*(const V¶ &o) const { return x * o.x + y * o.y; }
    V¶ operator-() const { return {-x, -y}; }
    V¶ &operator+=(const V¶ &o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    real &operator[](int k) { return k ? y : x; }
    explicit operator real() const { return x - 0.5§ * y; }
};
static inline V¶ operator*(real s, const V¶ &o) { return o * s; }
"""
# Statements on vectors a and b of components in -1..1, and the bound of a's components afterwards.
VECTOR_CHANGES = [("{a} = {a} + {b};", 2), ("{a} += 0.5§ * {b};", 1.5), ("{a} = -{a} * {b}.x;", 1),
                  ("{a}[1] = {b} * {b};", 2), ("{a} = {a}.x > 0.1237§ ? {a} : {b};", 1),
                  ("({a} += {b}) += {b};", 3), ("{b}[0] *= {a}[1];", 1)]
# Values of a and b, and the bound as a multiple of a's bound.
VECTOR_VALUES = [("{a} * {b}", 2), ("(real){a}", 1.5), ("{a}[0] * {b}[1]", 1), ("{a}.y", 1),
                 ("(2 * {a} + {b}).x", 3)]

TEMPLATES = """template <class T> static inline T blend¶(T a, T b, T t) { return a + (b - a) * t * t; }
template <class T, int N> struct P¶ {
    T v[N];
    T at(T s) const {
        T sum = 0;
        for (int k = N; k-- > 0;) sum = sum * s + v[k];
        return sum;
    }
    template <class U> P¶<U, N> as() const {
        P¶<U, N> other;
        for (int k = 0; k < N; k++) other.v[k] = (U)v[k];
        return other;
    }
};
"""
VIRTUAL = """struct B¶ {
    real k;
    explicit B¶(real q) : k(q) {}
    virtual real f(real q) const { return k * q; }
    virtual ~B¶() {}
};
struct D¶ : B¶ {
    explicit D¶(real q) : B¶(q * 0.5§) {}
    real f(real q) const override { return B¶::f(q) - k * k; }
};
"""
# Statements on complex numbers z and w of parts in -1..1, and the bound of z's parts afterwards.
COMPLEX_CHANGES = [("{z} = {z} * {w};", 2), ("{z} += {w};", 2), ("{z} -= 0.5§ * {w};", 1.5),
                   ("{z} = std::conj({z}) * {w};", 2), ("{z} /= {w} + std::complex<real>(3);", 1),
                   ("{z} = std::exp({z});", 3), ("{z} *= {w}.imag();", 1), ("{z} = {z} - {z} * {w} * {w};", 5)]
COMPLEX_VALUES = [("{z}.real()", 1, 1), ("{z}.imag()", 1, 1), ("std::norm({z})", 2, 2),
                  ("{z}.real() * {w}.imag()", 1, 1), ("std::real({z} * {w})", 2, 1)]


class CppTypes:
    has_vector = has_templates = has_virtual = False

    def statement(self):
        r = self.random
        if not self.cpp or r.random() < 0.95:
            return super().statement()
        self.left -= 1
        return r.choice([self.complex_value, self.pair_value, self.vector_value, self.template_value,
                         self.virtual_value])()

    def more_types(self):
        """The text of the types that this function has."""
        text = ""
        if self.cpp and self.random.random() < 0.35:
            self.has_vector, text = True, text + VECTOR
        if self.cpp and self.random.random() < 0.35:
            self.has_templates, text = True, text + TEMPLATES
        if self.cpp and self.random.random() < 0.2:
            self.has_virtual, text = True, text + VIRTUAL
        return text

    def parts(self, count, most=1):
        return [self.fit(self.real(2), -most, most) for _ in range(count)]

    def named(self, text, bound, *parts):
        """A new variable of the value."""
        name = self.fresh()
        self.declare(Scalar(name, "real", -bound, bound, bound == 2, "real"))
        return Stmt(f"real {name} = {text}", *parts, ";") if parts else Stmt(f"real {name} = {text};")

    def complex_value(self):
        r, z, w = self.random, self.fresh("z"), self.fresh("z")
        made = []
        for name in (z, w):
            a, b = self.parts(2)
            made.append(Stmt(f"std::complex<real> {name}(", a, ", ", b, ");"))
        change, bound = r.choice(COMPLEX_CHANGES)
        made.append(Stmt(change.format(z=z, w=w)))
        value, times, power = r.choice(COMPLEX_VALUES)
        return made + [self.named(value.format(z=z, w=w), times * bound ** power)]

    def pair_value(self):
        r, name = self.random, self.fresh("g")
        a, b = self.parts(2, 2)
        for member in ("first", "second"):
            self.declare(Scalar(f"{name}.{member}", "real", -2, 2, True, "other"))
        if r.random() < 0.5:
            return [Stmt(f"std::pair<real, {r.choice(['real', 'narrow', 'wide'])}> {name}(", a, ", ", b, ");")]
        return [Stmt(f"auto {name} = std::make_pair((real)(", a, "), (real)(", b, "));")]

    def vector_value(self):
        if not self.has_vector:
            return self.complex_value()
        r, a, b = self.random, self.fresh("e"), self.fresh("e")
        made = [Stmt(f"V¶ {name} = ", self.list_of(self.parts(2)), ";") for name in (a, b)]
        change, bound = r.choice(VECTOR_CHANGES)
        made.append(Stmt(change.format(a=a, b=b)))
        value, times = r.choice(VECTOR_VALUES)
        made.append(self.named(value.format(a=a, b=b), times * bound))
        for member in "xy":
            self.declare(Scalar(f"{a}.{member}", "real", -bound, bound, True, "other"))
        return made

    def template_value(self):
        if not self.has_templates:
            return self.pair_value()
        r = self.random
        if r.random() < 0.5:
            name = self.fresh()
            a, b, t = self.parts(3)
            self.declare(Scalar(name, "real", -1, 1))
            return [Stmt(f"real {name} = (real)blend¶<{r.choice(['real', 'real', 'narrow', 'wide'])}>(", a,
                         ", ", b, ", ", t, ");")]
        name, size = self.fresh("e"), r.randint(2, 3)
        made = [Stmt(f"P¶<real, {size}> {name} = {{", self.list_of(self.parts(size)), "};")]
        s = self.fit(self.real(1), -1, 1)
        out, other = self.fresh(), r.choice(["", "", ".template as<narrow>()", ".template as<wide>()"])
        self.declare(Scalar(out, "real", -size, size))
        return made + [Stmt(f"real {out} = (real){name}{other}.at(", s, ");")]

    def virtual_value(self):
        if not self.has_virtual:
            return self.pair_value()
        d, e, base = self.fresh("e"), self.parts(3), self.fresh("e")
        name = self.fresh()
        self.declare(Scalar(name, "real", -3, 3))
        return [Stmt(f"D¶ {d}(", e[0], ");"), Stmt(f"const B¶ &{base} = {d};"),
                Stmt(f"real {name} = {d}.f(", e[1], f") - {base}.f(", e[2], ");")]
