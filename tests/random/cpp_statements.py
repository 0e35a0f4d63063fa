"""Statements and expressions that only C++ has: lambdas, methods, range-for, auto, if constexpr, std::array and
std::vector, structured bindings."""
from tree import Array, Scalar, Stmt

# What stands behind "std::vector<real> name" so that it has `size` elements.
VECTORS = [lambda name, size: f"({size})", lambda name, size: f"; {name}.resize({size})",
           lambda name, size: f"({size} + 1); {name}.pop_back()",
           lambda name, size: "; " + f"{name}.push_back(0); " * (size - 1) + f"{name}.emplace_back()",
           lambda name, size: f"; for (int {name}k = 0; {name}k < {size}; {name}k++) {name}.push_back(0.5§ * "
                              f"{name}k)",
           lambda name, size: f", {name}o({size}); {name}.swap({name}o)"]


class CppStatements:
    cpp = False

    def statement(self):
        r = self.random
        if not self.cpp or r.random() < 0.85:
            return super().statement()
        self.left -= 1
        return r.choice([self.lambda_value, self.automatic, self.range_for, self.constant_branch,
                         self.standard_array] * 6 + [self.bindings])()

    def methods(self):
        """Two methods of the struct: one that reads, one that writes."""
        if not self.cpp or self.random.random() < 0.4:
            return ""
        self.has_methods = True
        return ("    real scaled(real q) const { return a * q * 0.5§; }\n"
                "    void shift(real q) { a = 0.6§ * a + 0.4§ * q; }\n")

    def automatic(self):
        name = self.fresh()
        e = self.fit(self.real(3), -2, 2)
        structs = [v.name for v in self.scalars() if v.kind == "struct"]
        if structs and getattr(self, "has_methods", False):
            s = self.random.choice(structs)
            if self.random.random() < 0.4:
                return [Stmt(f"{s}.shift(", e, ");")]
            self.declare(Scalar(name, "real", -2, 2, True, "real"))
            return [Stmt(f"real {name} = {s}.scaled(", e, ");")]
        self.declare(Scalar(name, "real", -2, 2, False))
        return [Stmt(f"{self.random.choice(['auto', 'const auto'])} {name} = ", e, ";")]

    def lambda_value(self):
        """A lambda and its value; what it captures by reference it may assign."""
        r, f, v, q = self.random, self.fresh("f"), self.fresh(), self.fresh("g")
        capture = r.choice(["&", "&", "="])
        kept = self.exits, self.result, self.in_body
        self.exits, self.result, self.in_body = [[]], True, True
        self.frames.append([Scalar(q, "real", -2, 2)])
        hidden = [item for frame in self.frames for item in frame if getattr(item, "writable", False)] \
            if capture == "=" else []
        for item in hidden:
            item.writable = False
        inner = self.fresh()
        body = [Stmt(f"real {inner} = ", self.fit(self.real(2), -2, 2), ";")]
        self.declare(Scalar(inner, "real", -2, 2))
        if capture == "&" and r.random() < 0.6:
            body += self.assign()
        body.append(Stmt("return ", self.fit(self.real(2), -2, 2), ";", fixed=True))
        for item in hidden:
            item.writable = True
        self.frames.pop()
        self.exits, self.result, self.in_body = kept
        one, other = self.fit(self.real(1), -2, 2), self.fit(self.real(1), -2, 2)
        self.declare(Scalar(v, "real", -4, 4, True, "real"))
        return [Stmt(f"auto {f} = [{capture}](real {q}) -> real ", body, ";"),
                Stmt(f"real {v} = {f}(", one, ");"), Stmt(f"{v} = {f}(", other, f") - {v};")]

    def range_for(self):
        usable = [a for a in self.arrays() if a.type_name == "array" and a.kind == "real" and len(a.sizes) == 1]
        if not usable or self.trips * 5 > 60 or self.depth >= 3:
            return self.standard_array()
        a, q, v = self.random.choice(usable), self.fresh("g"), self.fresh()
        if self.may_write(a) and self.random.random() < 0.4:
            return [Stmt(f"for (real &{q} : {a.base}) {q} *= ", self.fit(self.real(1), -1, 1), ";")]
        bound = 1 + a.sizes[0] * max(abs(a.lo), abs(a.hi)) * 0.25
        first = self.fit(self.real(1), -1, 1)
        self.declare(Scalar(v, "real", -bound, bound))
        return [Stmt(f"real {v} = ", first, ";"),
                Stmt(f"for ({self.random.choice(['real ', 'const real &', 'auto '])}{q} : {a.base}) ",
                     [Stmt(f"{v} += 0.25§ * {q} * {q} / (1 + {q} * {q});")])]

    def constant_branch(self):
        self.depth += 1
        then, other = self.block(self.random.randint(1, 2)), self.block(1)
        self.depth -= 1
        return [Stmt("if constexpr (sizeof(int) == 4) ", then, " else ", other, prefix="")]

    def standard_array(self):
        r, name, size = self.random, self.fresh("t"), self.random.randint(2, 4)
        values = [self.fit(self.real(2), -2, 2) for _ in range(size)]
        array = Array(name + "[{}]", [size], "real", -6, 6, True, budget=4.0)
        if r.random() < 0.85:
            made = [Stmt(f"std::array<real, {size}> {name} = ", self.list_of(values), ";")]
        else:
            made = [Stmt(f"std::vector<real> {name}{r.choice(VECTORS)(name, size)};")]
            made += [Stmt(f"{name}[{k}] = ", value, ";") for k, value in enumerate(values)]
        self.declare(array)
        return made

    def bindings(self):
        a, b, t = self.fresh(), self.fresh(), self.fresh("t")
        values = [self.fit(self.real(2), -2, 2) for _ in range(2)]
        for name in (a, b):
            self.declare(Scalar(name, "real", -2, 2, True, "other"))
        return [Stmt(f"real {t}[2] = ", self.list_of(values), ";"),
                Stmt(f"auto {self.random.choice(['', '&'])}[{a}, {b}] = {t};")]
