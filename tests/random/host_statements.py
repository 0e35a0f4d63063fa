"""Statements and expressions of host functions: pointers that walk, are chosen and reassigned, addresses of
members, side effects inside conditions, arrays of more dimensions and of structs."""
from tree import (ADD, CHOICE, MULTIPLY, OR, POSTFIX, PRIMARY, UNARY, Array, Expr, Scalar, Stmt, call, leaf,
                  real_literal)

WRITING = {"reference", "struct pointer"}  # parameters through which a helper changes its caller's values


class HostStatements:
    def statement(self):
        r = self.random
        if r.random() < 0.8:
            return super().statement()
        self.left -= 1
        make = r.choice([self.walk, self.walk, self.chosen_pointer, self.moved_pointer, self.member_address,
                         self.comma, self.chosen_effect, self.cube, self.struct_array, self.struct_copy,
                         self.other_precision, self.cleared, self.call_value, self.call_value,
                         self.sized_array] + [self.effect_condition] * (self.depth < 3))
        return make()

    # References and pointers
    def referenced(self, name, cell, lo, hi, writable=True):
        """`name` becomes another name of the cell."""
        constant = "" if writable else "const "
        if self.cpp and self.random.random() < 0.6:
            self.declare(Scalar(name, "real", lo, hi, writable, "real"))
            return [Stmt(f"{constant}real &{name} = ", cell, ";")]
        self.declare(Scalar(f"(*{name})", "real", lo, hi, writable, "real"))
        return [Stmt(f"{constant}real *{name} = &", cell, ";")]

    def new_reference(self):
        targets = [v for v in self.scalars() if v.kind == "real" and self.may_write(v) and v.type_name
                   == "real"]
        arrays = [a for a in self.arrays() if a.base and self.may_write(a)]
        name = self.fresh("r")
        if targets and (not arrays or self.random.random() < 0.5):
            v = self.random.choice(targets)
            return self.referenced(name, v.read(), v.lo, v.hi)
        if not arrays:
            return self.new_real()
        a = self.random.choice(arrays)
        return self.referenced(name, self.element(a, 1), a.lo, a.hi)

    def member_address(self):
        usable = [a for a in self.arrays() if a.kind == "real" and "." in a.form and a.type_name == "real"]
        if not usable:
            return self.chosen_pointer()
        a = self.random.choice(usable)
        return self.referenced(self.fresh("r"), self.element(a, 1), a.lo, a.hi, a.writable
                               and self.may_write(a))

    def lines(self):
        """Arrays of reals that lie in one row behind a pointer."""
        return [a for a in self.arrays() if a.base and len(a.sizes) == 1 and a.sizes[0] > 1 and a.kind
                == "real"]

    def pointed(self, a, least):
        """A pointer into a, and how many cells are from there on."""
        start = self.integer_in(0, a.sizes[0] - least, 1)
        if self.random.random() < 0.5:
            return Expr("&" + a.base + "[{}]", [start], "pointer", 0, 0, UNARY), a.sizes[0] - start.hi
        return Expr(a.base + " + {}", [start], "pointer", 0, 0, ADD, [MULTIPLY]), a.sizes[0] - start.hi

    def chosen_pointer(self):
        usable = self.lines()
        if not usable:
            return self.new_real()
        a, b = self.random.choice(usable), self.random.choice(usable)
        one, cells = self.pointed(a, 2)
        other, more = self.pointed(b, 2)
        choice = Expr("{} ? {} : {}", [self.condition(1), one, other], "pointer", 0, 0, CHOICE,
                      [OR, CHOICE, CHOICE])
        return self.new_pointer_to(a, b, min(cells, more), [choice])

    def moved_pointer(self):
        """A pointer that another one is assigned to under a condition."""
        usable = self.lines()
        if not usable:
            return self.new_real()
        a, b = self.random.choice(usable), self.random.choice(usable)
        one, cells = self.pointed(a, 2)
        other, more = self.pointed(b, 2)
        condition, name = self.condition(1), f"p{self.names + 1}"
        if a is b and self.random.random() < 0.5 and cells > 1:
            move, more = Stmt(f"{name}++;"), cells - 1
        else:
            move = Stmt(f"{name} = ", other, ";")
        made = self.new_pointer_to(a, b, min(cells, more), [one])
        return made + [Stmt("if (", condition, ") ", [move])]

    def new_pointer_to(self, a, b, cells, start):
        same = (a.lo, a.hi) == (b.lo, b.hi) and self.may_write(a) and self.may_write(b)
        name = self.fresh("p")
        made = [Stmt(f"{'' if same else 'const '}real *{name} = ", *start, ";")]
        self.declare(Array(name + "[{}]", [int(cells)], "real", min(a.lo, b.lo), max(a.hi, b.hi), same,
                           base=name))
        return made

    def walk(self):
        """A pointer that goes over cells, which are read or written."""
        r, usable = self.random, self.lines()
        if not usable:
            return self.new_real()
        a, p, v, j = r.choice(usable), self.fresh("p"), self.fresh(), self.fresh("j")
        count = r.randint(1, int(min(a.sizes[0], 4)))
        if self.trips * count > 60:
            return self.new_real()
        start = self.integer_in(0, a.sizes[0] - count, 1)
        at = Expr(a.base + " + {}", [start], "pointer", 0, 0, ADD, [MULTIPLY])
        if self.may_write(a) and r.random() < 0.3:
            e = self.fit(self.real(2), max(a.lo, -2), min(a.hi, 2))
            return [Stmt(f"real *{p} = ", at, ";"),
                    Stmt(f"for (int {j} = 0; {j} < {count}; {j}++) ", [Stmt(f"*{p}++ = ", e, ";")])]
        first = self.fit(self.real(1), -1, 1)
        size = max(abs(a.lo), abs(a.hi))
        forms = [
            (at, f"for (int {j} = 0; {j} < {count}; {j}++) ", f"{v} += 0.25§ * *{p}++;"),
            (at, f"for (const real *{j} = {p}; {j} != {p} + {count}; ++{j}) ",
             f"{v} = {v} * 0.5§ + 0.25§ * *{j};"),
            (Expr("{} + " + str(count), [at], "pointer", 0, 0, ADD, [ADD]),
             f"for (int {j} = {count}; {j} > 0; {j}--) ", f"{v} -= 0.25§ * *--{p} * {v};"),
            (at, f"for (int {j} = 0; {j} < {count}; ) ", f"{v} = 0.25§ * {p}[{j}++] - {v} * 0.5§;")]
        begin, header, body = r.choice(forms)
        bound = 1 + count * size * 0.25
        if "-= " in body:
            bound = (1 + size * 0.25) ** count
        self.declare(Scalar(v, "real", -bound - 1, bound + 1))
        return [Stmt(f"real {v} = ", first, ";"), Stmt(f"const real *{p} = ", begin, ";"),
                Stmt(header, [Stmt(body)])]

    # Side effects
    def writable_reals(self):
        return [v for v in self.scalars() if v.kind == "real" and self.may_write(v)]

    def writable_integers(self):
        return [v for v in self.scalars() if v.kind in ("int", "unsigned", "long") and v.writable]

    def comma(self):
        targets, counters = self.writable_reals(), self.writable_integers()
        if not targets or not counters:
            return self.new_integer()
        v, k = self.random.choice(targets), self.random.choice(counters)
        first = self.integer_in(k.lo, k.hi, 1)
        return [Stmt(v.read(), " = (", k.read(), " = ", first, ", ",
                     self.fit(self.real(2), max(v.lo, -2), min(v.hi, 2)), ");")]

    def effect(self, v):
        """An assignment to v as an expression in parentheses."""
        r = self.random
        if v.lo == -v.hi and r.random() < 0.4:
            e = Expr("({} *= {})", [v.read(), self.fit(self.real(1), -1, 1)], "real", v.lo, v.hi, PRIMARY)
        else:
            e = Expr("({} = {})", [v.read(), self.fit(self.real(2), max(v.lo, -2), min(v.hi, 2))], "real", v.lo,
                     v.hi, PRIMARY)
        return e

    def chosen_effect(self):
        targets = [v for v in self.writable_reals() if v.name[0] == "v"]  # no other names of one cell
        if len(targets) < 2:
            return self.new_real()
        v, w = self.random.sample(targets, 2)
        one = self.effect(w)
        if not one.within(v.lo, v.hi):
            return [Stmt("(void)(", self.condition(1), f" {self.random.choice(['&&', '||'])} ", one, " != 0);")]
        other = self.fit(self.real(2), max(v.lo, -2), min(v.hi, 2))
        return [Stmt(v.read(), " = ", self.condition(1), " ? ", one, " : ", other, ";")]

    def effect_condition(self):
        """if (a && (v = e) > c): v is assigned only if a holds."""
        targets = self.writable_reals()
        if not targets:
            return self.new_real()
        v = self.random.choice(targets)
        e = self.effect(v)
        limit = real_literal(self.random.uniform(e.lo * 0.5, e.hi * 0.5))
        operator = self.random.choice(["&&", "||"])
        condition = self.condition(1)
        self.depth += 1
        body = self.block(self.random.randint(1, 2))
        self.depth -= 1
        return [Stmt("if ((", condition, f") {operator} ", e, " > ", limit, ") ", body, prefix="")]

    # Types
    def other_precision(self):
        name = self.fresh()
        lo, hi = self.bounds()
        e = self.fit(self.real(2), lo, hi)
        self.declare(Scalar(name, "real", lo, hi, True, "other"))
        return [Stmt(f"{self.random.choice(['narrow', 'wide'])} {name} = ", e, ";")]

    def cube(self):
        r, name = self.random, self.fresh("t")
        sizes = [r.randint(2, 3) for _ in range(r.choice([2, 3, 3]))] if r.random() < 0.9 else [2] * 4
        names = [self.fresh("k") for _ in sizes]
        self.frames.append([Scalar(k, "int", 0, size - 1) for k, size in zip(names, sizes)])
        e = self.fit(self.real(2), -2, 2)
        self.frames.pop()
        cell = name + "".join(f"[{k}]" for k in names)
        body = [Stmt(f"{cell} = ", e, ";")]
        for k, size in reversed(list(zip(names, sizes))):
            body = [Stmt(f"for (int {k} = 0; {k} < {size}; {k}++) ", body, fixed=False)]
        self.declare(Array(name + "[{}]" * len(sizes), sizes, "real", -6, 6, True, budget=4.0))
        return [Stmt(f"real {name}{''.join(f'[{s}]' for s in sizes)};")] + body

    def sized_array(self):
        """A local array whose size is known at run time only."""
        sizes = [v for v in self.scalars() if v.name == "n" and v.kind == "int"]
        if not sizes or self.cpp:
            return self.new_array()
        name, k, size = self.fresh("t"), self.fresh("k"), sizes[-1]
        self.frames.append([Scalar(k, "int", 0, int(size.lo) - 1)])
        e = self.fit(self.real(2), -2, 2)
        self.frames.pop()
        self.declare(Array(name + "[{}]", [int(size.lo)], "real", -6, 6, True, budget=4.0, base=name))
        return [Stmt(f"real {name}[n];"), Stmt(f"for (int {k} = 0; {k} < n; {k}++) ",
                                               [Stmt(f"{name}[{k}] = ", e, ";")])]

    def struct_array(self):
        if not self.struct:
            return self.cube()
        name, size = self.fresh("s"), self.random.randint(2, 3)
        rows = [self.struct_list(self.struct) for _ in range(size)]
        self.declare_members(name + "[{}]", True, [size])
        return [Stmt(f"{self.struct_name} {name}[{size}] = ", self.list_of(rows), ";")]

    def struct_list(self, members):
        return self.list_of([
            self.struct_list(kind) if isinstance(kind, tuple) else self.fit(self.real(2), -2, 2) if kind
            == "real" else
            self.list_of([self.fit(self.real(1), -2, 2) for _ in range(kind)]) if isinstance(kind, int) else
            self.integer_in(0, 3) for _, kind in members])

    def new_struct(self):
        if not self.struct:
            return self.new_real()
        name, source = self.fresh("s"), self.random.choice(self.struct_values + [None])
        e = leaf(source(self), "struct", 0, 0) if source else self.struct_list(self.struct)
        self.declare_members(name, True)
        self.declare(Scalar(name, "struct", 0, 0, True))
        return [Stmt(f"{self.struct_name} {name} = ", e, ";")]

    def struct_copy(self):
        targets = [v for v in self.scalars() if v.kind == "struct"]
        if not targets or not self.struct_values:
            return self.new_struct()
        source = leaf(self.random.choice(self.struct_values)(self), "struct", 0, 0)
        return [Stmt(self.random.choice(targets).read(), " = ", source, ";")]

    def declare_members(self, name, writable, sizes=()):
        dot = "" if name.endswith("->") else "."
        for member, kind in self.struct:
            self.declare_member(f"{name}{dot}{member}", kind, writable, sizes)

    def declare_member(self, path, kind, writable, sizes):
        if isinstance(kind, tuple):
            for member, inner in kind:
                self.declare_member(f"{path}.{member}", inner, writable, sizes)
        elif isinstance(kind, int):
            self.declare_cells(Array(path + "[{}]", list(sizes) + [kind], "real", -2, 2, writable))
        elif sizes and kind == "real":
            self.declare_cells(Array(path, sizes, kind, -2, 2, writable))
        elif kind == "real":
            self.declare(Scalar(path, kind, -2, 2, writable, "other"))
        elif not sizes:
            self.declare(Scalar(path, kind, 0, 3, False))

    def declare_cells(self, array):
        member = array.form.replace("[{}]", "").replace("->", ".").rsplit(".", 1)[-1]
        array.type_name = "real" if member in self.exact else "other"
        self.declare(array)

    def cleared(self):
        """memset of a local array."""
        usable = [a for a in self.arrays() if a.base and a.base.startswith("t") and a.writable and a.kind
                  == "real" and
                  a.lo < 0 and a.type_name == "array"]
        if not usable:
            return self.new_array()
        a = self.random.choice(usable)
        return [Stmt(f"memset({a.base}, 0, sizeof {a.base});")]

    # Calls
    def helper_value(self, depth):
        """In an expression whose other operands may be evaluated later: of a helper that changes nothing."""
        usable = [h for h in self.helpers if h.result and not set(h.parameters) & WRITING]
        if not usable or depth <= 0:
            return self.wave(depth)
        return self.helper_call(self.random.choice(usable), depth - 1)

    def call_value(self):
        usable = [h for h in self.helpers if h.result]
        if not usable:
            return self.void_call()
        name = self.fresh()
        made = self.helper_call(self.random.choice(usable), 2)
        self.declare(Scalar(name, "real", made.lo, made.hi, False, "real"))
        return [Stmt(f"real {name} = ", made, ";")]

    def helper_call(self, helper, depth):
        args = [self.helper_argument(kind, helper, depth) for kind in helper.parameters]
        if any(a is None for a in args):
            return self.wave(depth)
        places = [a.text() for a, kind in zip(args, helper.parameters) if kind in WRITING]
        if len(set(places)) < len(places):
            return self.wave(depth)
        if helper.recursive:
            args.append(leaf("deep - 1", "int", 0, 4) if self.calls_itself(helper) else
                        leaf(str(self.random.randint(0, 3)), "int", 0, 3))
        name = helper.name + (f"<{self.random.randint(1, 3)}>" if helper.template else "")
        return call(name, args, "real", -2, 2)

    def calls_itself(self, helper):
        return not self.in_body and len(self.kernel.helpers) == self.helpers.index(helper)

    def helper_argument(self, kind, helper, depth):
        if kind == "real":
            return self.fit(self.real(depth), -2, 2)
        if kind == "int":
            return self.integer_in(0, 5, 1)
        if kind == "pointer":
            return self.pointer_argument(helper.cells)
        if kind in ("struct", "struct pointer"):
            named = [v.name for v in self.scalars() if v.kind == "struct"]
            if kind == "struct" and self.struct_values and self.random.random() < 0.6:
                return leaf(self.random.choice(self.struct_values)(self), "struct", 0, 0)
            if not named:
                return None
            name = self.random.choice(named)
            return leaf(name if kind == "struct" else "&" + name, "struct", 0, 0)
        target = self.reference_argument()
        if target is None or self.cpp:
            return target
        return Expr("&{}", [target], "pointer", 0, 0, UNARY, [POSTFIX])

    def way_out(self):
        if not self.result:
            return "return;"
        return f"return {self.fit(self.real_leaf(), -2, 2).text()};"
