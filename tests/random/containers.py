"""Statements about containers whose size changes, memory of branches, pointers that are shared, and exceptions
that are caught, in C++ functions from seed FIRST on: those before it are as they were."""
from tree import Scalar, Stmt

FIRST = 2000000
FIRST_TABLES = 2500000 # and of vectors of vectors, and of optionals

TYPES = """struct Shape¶ {
    real by = 0.5§;
    virtual ~Shape¶() = default;
    virtual real f(real q) const { return by * q; }
    virtual real g(real q) const { return f(q) * 0.5§; }
};
struct Bent¶ : Shape¶ {
    real k;
    explicit Bent¶(real v) : k(v) {}
    real f(real q) const override { return by * k * q; }
};
struct Room¶ {
    real *p = nullptr;
    real *q = nullptr;
    void begin(int m) { p = (real *)malloc((size_t)m * sizeof(real)), q = new real[m](); }
    void end() { free(p), delete[] q, p = nullptr, q = nullptr; }
};
static inline real thrower¶(real q, real most) {
    if (q > most) throw q;
    if (q < -most) throw std::runtime_error("low");
    return q * 0.5§;
}
"""
# Changes of a vector or deque {a} with values in -1..1, which stay there; {v}: a value, {k}: below 3.
VECTOR = ["{a}.resize({k} + 1);", "{a}.resize({k} + 4, {v});", "{a}.assign(3, {v});", "{a}.push_back({v});",
          "{a}.erase({a}.begin());", "{a}.insert({a}.begin() + 1, {v});", "{a}.pop_back();", "{a}.clear();",
          "if ({v} > 0.1237§) {a}.resize(5); else {a}.back() = {v};", "{a}.front() *= {v};",
          "for (int {n} = 0; {n} < 3; {n}++) {a}.resize({n} + 1), {a}[{n}] = {v};",
          "for (real &{n} : {a}) {n} *= {v};", "{a}.swap({b});", "std::swap({a}, {b});"]
DEQUE = ["{a}.push_back({v});", "{a}.pop_front();", "{a}.pop_back();", "{a}.front() *= {v};", "{a}.swap({b});",
         "if ({v} > 0.1237§) {a}.push_back({v}), {a}.pop_front();", "{a}.emplace_back({v});",
         "real &{n} = {a}.back(); {a}.push_back({v}); {n} *= {v};",
         "for (int {n} = 0; {n} < 2; {n}++) {a}.push_back({a}.front() * {v}), {a}.pop_front();"]
SHARED = ["*{a} *= {v};", "{a} = {b};", "{b} = std::make_shared<real>({v});", "std::swap({a}, {b});",
          "if ({v} > 0.1237§) {a} = {b};", "const auto {n} = {a}; *{n} = {v};", "{a}.swap({b});",
          "auto {n} = std::move({a}); {a} = {n}; if ({a} == {n}) *{n} *= {v};"]

# Changes of a vector of {rows} vectors of {length}, or of its copy {b}.
ROWS = ["{a}[{i}] = {b}[{k}];", "for (auto &{n} : {a}) {n}[{j}] *= {v};", "{b} = {a};",
        "{a}[{i}].front() += {v};",
        "auto &{n} = {a}[{k}]; {n}[{j}] = {v}; {a}[{i}] = {n};", "{a}.back().at({j}) = {v};",
        "std::swap({a}[{i}][0], {b}[{k}][{j}]);",
        "std::vector<real> {n} = {a}[{i}]; {n}.push_back({v}); {b}[{k}][0] = {n}.back() * {n}[{j}];",
        "if ({v} > 0.1237§) {a}[{i}] = {a}[{k}]; else {b}[{i}][{j}] = {v};",
        "for (int {n} = 0; {n} < {length}; {n}++) {a}[{i}][{n}] = {b}[{k}][{n}] * {v};"]

OPTIONAL = ["{a} = {v};", "{a} = {b};", "{b} = std::nullopt;", "if ({a}) *{a} *= {v};", "{a}.reset();",
            "{b}.emplace({v} * 0.5§);", "if ({v} > 0.1237§) {a} = {v}; else {a}.reset();",
            "const auto {n} = {a}; if ({n}.has_value()) {b} = *{n} * {v};", "{b} = {a}.value_or({v});"]


class Containers:
    has_containers = False

    def statement(self):
        r = self.random
        if not self.has_containers or r.random() < 0.75:
            return super().statement()
        self.left -= 1
        return r.choice(self.kinds())()

    def kinds(self):
        known = [self.grown, self.queued, self.shared, self.shapes, self.rooms, self.caught]
        return known + [self.tables, self.tables, self.options] if self.kernel.seed >= FIRST_TABLES else known

    def more_types(self):
        text = super().more_types()
        self.has_containers = self.cpp and self.kernel.seed >= FIRST
        return text + TYPES if self.has_containers else text

    def changed(self, kind, rows, count):
        """Two of them, changed by some rows; elements are counted, so that none is missing."""
        r, a, b = self.random, self.fresh("c"), self.fresh("c")
        made = []
        for name in (a, b):
            made.append(Stmt(f"{kind} {name};", fixed=True))
            made += [Stmt(f"{name}.push_back(", value, ");") for value in self.parts(count)]
        for row in r.sample(rows, r.randint(1, 4)):
            value, (e,) = self.fresh(), self.parts(1)
            names = {"a": a, "b": b, "n": self.fresh("n"), "k": r.randint(0, 2), "v": value}
            made.append(Stmt(f"const real {value} = ", e, ";"))
            text = row.format(**names)
            least = 2 if any(word in text for word in ("pop", "erase", "front", "back()", "insert")) else 0
            made.append(Stmt(f"if ({a}.size() >= {least}) {{ {text} }}", fixed=True))
        sums = f"std::accumulate({a}.begin(), {a}.end(), (real)0) * 0.1§ + {b}.size() * 0.01§"
        ends = f"({a}.empty() ? (real)0 : {a}.back() * {a}[0])"
        return made + [self.named(f"{sums} + {ends}", 4)]

    def grown(self):
        return self.changed("std::vector<real>", VECTOR, 3)

    def tables(self):
        """A vector of vectors, and a copy."""
        r, a, b = self.random, self.fresh("c"), self.fresh("c")
        rows, length, one, value = r.randint(2, 3), r.randint(1, 3), self.fresh(), self.parts(2)
        made = [Stmt(f"const real {one} = ", value[0], ";"),
                Stmt(f"std::vector<std::vector<real>> {a}({rows}, std::vector<real>({length}, ", value[1],
                     "));"), Stmt(f"std::vector<std::vector<real>> {b};", fixed=True)]
        filled = r.choice([f"{b} = {a};", f"{b}.resize({rows}, std::vector<real>({length}, {one}));"])
        made.append(Stmt(filled, fixed=True))
        for row in r.sample(ROWS, r.randint(2, 5)):
            v, (e,) = self.fresh(), self.parts(1)
            names = {"a": a, "b": b, "n": self.fresh("n"), "v": v, "length": length}
            names |= {"i": r.randint(0, rows - 1), "k": r.randint(0, rows - 1), "j": r.randint(0, length - 1)}
            made.append(Stmt(f"const real {v} = ", e, ";"))
            made.append(Stmt("{ " + row.format(**names) + " }", fixed=True))
        cell = f"{a}[{rows - 1}][0] * {b}[0][{length - 1}]"
        sums = f"std::accumulate({a}[0].begin(), {a}[0].end(), (real)0) * 0.1§"
        return made + [self.named(f"{sums} + {cell} + {b}.size() * 0.01§", 4)]

    def options(self):
        r, a, b = self.random, self.fresh("o"), self.fresh("o")
        made = [Stmt(f"std::optional<real> {a} = ", *self.parts(1), f", {b};")]
        for row in r.sample(OPTIONAL, r.randint(2, 5)):
            v, (e,) = self.fresh(), self.parts(1)
            made.append(Stmt(f"const real {v} = ", e, ";"))
            made.append(Stmt("{ " + row.format(a=a, b=b, n=self.fresh("n"), v=v) + " }", fixed=True))
        return made + [self.named(f"{a}.value_or(0.5§) * {b}.value_or(-0.25§) + ({b} ? *{b} : (real)0)", 4)]

    def queued(self):
        return self.changed("std::deque<real>", DEQUE, 3)

    def shared(self):
        r, a, b = self.random, self.fresh("p"), self.fresh("p")
        made = [Stmt(f"auto {name} = std::make_shared<real>(", value, ");") for name, value in
                zip((a, b), self.parts(2))]
        for row in r.sample(SHARED, r.randint(1, 3)):
            value, (e,) = self.fresh(), self.parts(1)
            made.append(Stmt(f"const real {value} = ", e, ";"))
            made.append(Stmt("{ " + row.format(a=a, b=b, n=self.fresh("n"), v=value) + " }", fixed=True))
        return made + [self.named(f"*{a} * *{b} + *{a}", 2)]

    def shapes(self):
        """A virtual call of an object that a pointer to its base leads to."""
        r, p, (k, by, q) = self.random, self.fresh("s"), self.parts(3)
        owner, maker = r.choice([("shared_ptr", "make_shared"), ("unique_ptr", "make_unique")])
        made = [Stmt(f"std::{owner}<Shape¶> {p} = std::{maker}<", r.choice(["Bent¶>(", "Bent¶>("]), k, ");"),
                Stmt(f"{p}->by = ", by, ";")]
        return made + [self.named("", 2, f"{p}->{r.choice('fg')}(", q, ")")]

    def rooms(self):
        """Memory of a branch, used and freed in another one."""
        r, p, room, value, n = self.random, self.fresh("m"), self.fresh("r"), self.fresh(), self.fresh("n")
        (e,), size = self.parts(1), r.randint(2, 4)
        test = r.choice([f"{value} > 0.1237§", f"{value} < 0.4321§"])
        made = [Stmt(f"const real {value} = ", e, ";"), Stmt(f"real *{p} = nullptr;", fixed=True),
                Stmt(f"if ({test}) {p} = (real *)malloc({size} * sizeof(real));", fixed=True),
                Stmt(f"Room¶ {room};", fixed=True), Stmt(f"{room}.begin({size});", fixed=True),
                Stmt(f"for (int {n} = 0; {n} < {size}; {n}++) {{ {room}.p[{n}] = {value} * ({n} + 1) * 0.25§; "
                     f"if ({test}) {p}[{n}] = {room}.p[{n}] * {value}; {room}.q[{n}] += {room}.p[{n}]; }}",
                     fixed=True)]
        cell = f"{room}.q[{r.randint(0, size - 1)}]"
        named = self.named(f"{cell} * {value} + ({test} ? {p}[{size - 1}] : {value})", 2)
        return made + [named, Stmt(f"if ({test}) free({p});", fixed=True), Stmt(f"{room}.end();", fixed=True)]

    def caught(self):
        r, name, (e, most) = self.random, self.fresh(), self.parts(2)
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        handlers = ["catch (real q) {{ {0} = q * 0.25§; }}",
                    "catch (const std::runtime_error &) {{ {0} = 0.75§; }}", "catch (...) {{ {0} *= 0.5§; }}"]
        text = " ".join(handlers if r.random() < 0.7 else handlers[2:]).format(name)
        return [Stmt(f"real {name} = 0.5§;", fixed=True),
                Stmt(f"try {{ {name} = thrower¶(", e, ", 0.5§ * ", most, f" * 0.5§ + 0.5§); }} {text}")]
