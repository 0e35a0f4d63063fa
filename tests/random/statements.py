"""Random statements: declarations, assignments, stores, branches, calls, early exits."""
from tree import (ASSIGN, ADD, MULTIPLY, POSTFIX, Array, Expr, Scalar, Stmt, binary, call, integer_literal,
                  leaf, real_literal)

INTEGER_TYPES = [("int", "int", -30, 30), ("int", "int", 0, 7), ("unsigned", "unsigned", 0, 15),
                 ("long long", "long", -20, 20), ("short", "int", -9, 9), ("unsigned char", "int", 0, 12)]


class Statements:
    marks = asides = False  # of the user, as marks.py and asides.py make them
    packing = False  # of bits, as packed.py does

    # Scopes: what is visible, innermost last; an inner name hides an outer one.
    def visible(self, kind):
        found = {}
        for frame in self.frames:
            for item in frame:
                name = item.name if isinstance(item, Scalar) else item.form
                found.pop(name, None)
                found[name] = item
        return [item for item in found.values() if isinstance(item, kind)]

    def scalars(self):
        return self.visible(Scalar)

    def arrays(self):
        return self.visible(Array)

    def may_write(self, item):
        """Own cells that are also read are refused where a branch or loop writes them: mostly, none does."""
        return item.writable and not (self.shallow and self.depth > 0 and item in self.readable)

    def declare(self, item):
        self.frames[-1].append(item)

    def fresh(self, letter="v"):
        name = self.shared_name(letter)
        if name:
            return name
        self.names += 1
        return f"{letter}{self.names}"

    def block(self, count, make=None):
        """A body of about count statements in a scope of its own."""
        self.frames.append([])
        body = make() if make else []
        for _ in range(count):
            body.extend(self.statement())
        self.end_names(self.frames.pop())
        return body

    def statement(self):
        self.left -= 1
        r = self.random
        outer = self.depth == 0
        simple = [self.new_real] * (6 if outer else 2) + [self.assign] * 9 + [self.new_integer] * 2 + [
            self.assign_integer] * 2 + [self.store] * 2 + [self.array_update] * 4 + [self.new_array] * (
            2 if outer else 1) + [self.new_pointer, self.new_reference, self.swap, self.new_struct,
                                  self.void_call, self.void_call]
        simple += [self.mark] if self.marks else []
        simple += [self.aside] if self.asides else []
        simple += [self.packed] * 3 if self.packing and self.packs() else []
        simple += self.learnt()
        nested = ([self.branch] * 5 + [self.loop] * (15 if self.diverges else 5)
                  + [self.switch, self.inner_scope, self.leave, self.leave])
        nested += [self.chain] * (6 if self.diverges else 1) if self.asides else []
        if self.depth >= 3 or self.left < 0 or r.random() < 0.66:
            return r.choice(simple)()
        self.depth += 1
        made = r.choice(nested)()
        self.depth -= 1
        return made

    # Declarations
    def bounds(self):
        return self.random.choice([(-2, 2), (-2, 2), (-2, 2), (0.3, 3), (-1, 1)])

    def new_real(self):
        r = self.random
        lo, hi = self.bounds()
        e = self.fit(self.real(3), lo, hi)
        type_name, name, budget = "real", self.fresh(), 0.0
        pick = r.random()
        if pick < 0.15:
            type_name = "const real"
        elif pick < 0.25 and self.single:
            type_name = "double"
        elif pick < 0.4:
            lo, hi, budget = -12, 12, 8.0
        if r.random() < 0.05 and self.in_body:
            hidden = [v.name for v in self.scalars() if v.kind == "real" and v.name.startswith("v")]
            if hidden and hidden[-1] not in e.text() and hidden[-1] not in [
                    v.name for v in self.frames[-1] if isinstance(v, Scalar)]:
                name = hidden[-1]
        name = self.name_of_parameter(e) or name
        self.declare(Scalar(name, "real", lo, hi, pick >= 0.15, type_name, budget))
        return [Stmt(f"{type_name} {name} = ", e, ";")]

    def new_integer(self):
        name = self.fresh("k")
        if self.random.random() < 0.25:
            e = self.condition(2)
            self.declare(Scalar(name, "bool", 0, 1, True))
            return [Stmt(f"bool {name} = ", e, ";")]
        type_name, kind, lo, hi = self.random.choice(INTEGER_TYPES)
        e = self.integer_in(lo, hi, 2)
        self.declare(Scalar(name, kind, lo, hi, True, type_name))
        return [Stmt(f"{type_name} {name} = ", e, ";")]

    def new_array(self):
        r, name, size = self.random, self.fresh("t"), self.random.randint(2, 5)
        if r.random() < 0.2:
            values = [self.integer_in(0, 6, 1) for _ in range(size)]
            self.declare(Array(name + "[{}]", [size], "int", 0, 6, True))
            return [Stmt(f"int {name}[{size}] = ", self.list_of(values), ";")]
        if r.random() < 0.2:
            rows = [self.list_of([self.fit(self.real(1), -2, 2) for _ in range(size)]) for _ in range(2)]
            self.declare(Array(name + "[{}][{}]", [2, size], "real", -2, 2, True))
            return [Stmt(f"real {name}[2][{size}] = ", self.list_of(rows), ";")]
        array = Array(name + "[{}]", [size], "real", -6, 6, True, budget=4.0, base=name)
        array.type_name = "array"
        if r.random() < 0.5:
            values = [self.fit(self.real(2), -2, 2) for _ in range(r.choice([1, size, size]))]
            self.declare(array)
            return [Stmt(f"real {name}[{size}] = ", self.list_of(values), ";")]
        k = self.fresh("k")
        self.frames.append([Scalar(k, "int", 0, size - 1)])
        e = self.fit(self.real(2), -2, 2)
        self.frames.pop()
        self.declare(array)
        body = [Stmt(f"{name}[{k}] = ", e, ";")]
        return [Stmt(f"real {name}[{size}];", fixed=False),
                Stmt(f"for (int {k} = 0; {k} < {size}; {k}++) ", body, fixed=False)]

    @staticmethod
    def list_of(values):
        return Expr("{{" + ", ".join(["{}"] * len(values)) + "}}", values, "list", 0, 0)

    def new_pointer(self):
        """A pointer into an array, from a random cell on."""
        usable = [a for a in self.arrays() if a.base and len(a.sizes) == 1 and a.sizes[0] > 1 and a.kind
                  == "real"]
        if not usable:
            return self.new_real()
        a, name = self.random.choice(usable), self.fresh("p")
        start = self.integer_in(0, a.sizes[0] - 2, 1)
        if self.random.random() < 0.5:
            at = Expr("&" + a.base + "[{}]", [start], "pointer", 0, 0)
        else:
            at = Expr(a.base + " + {}", [start], "pointer", 0, 0, ADD, [MULTIPLY])
        self.declare(Array(name + "[{}]", [a.sizes[0] - start.hi], "real", a.lo, a.hi, a.writable, base=name))
        return [Stmt(f"{'' if a.writable else 'const '}real *{name} = ", at, ";")]

    def new_reference(self):
        targets = [v for v in self.scalars() if v.kind == "real" and self.may_write(v) and v.type_name
                   == "real"]
        arrays = [a for a in self.arrays() if a.kind == "real" and self.may_write(a)
                  and a.type_name != "shared"]
        name = self.fresh("r")
        if targets and (not arrays or self.random.random() < 0.5):
            v = self.random.choice(targets)
            self.declare(Scalar(name, "real", v.lo, v.hi, True, "real"))
            return [Stmt(f"real &{name} = ", v.read(), ";")]
        if not arrays:
            return self.new_real()
        a = self.random.choice(arrays)
        cell = self.element(a, 1)
        self.declare(Scalar(name, "real", a.lo, a.hi, True, "real"))
        return [Stmt(f"real &{name} = ", cell, ";")]

    def new_struct(self):
        if not self.struct:
            return self.new_real()
        name = self.fresh("s")
        source = self.random.choice(self.struct_values + [None])
        if source:
            e = leaf(source(self), "struct", 0, 0)
        else:
            e = self.list_of([self.fit(self.real(2), -2, 2) if kind == "real" else
                              self.list_of([self.fit(self.real(1), -2, 2) for _ in range(kind)])
                              if isinstance(kind, int) else self.integer_in(0, 3)
                              for _, kind in self.struct])
        self.declare_members(name, True)
        return [Stmt(f"{self.struct_name} {name} = ", e, ";")]

    closed = False  # the struct is a class (closed.py)

    def declare_members(self, name, writable, sizes=()):
        """The members of name; sizes: of the array that name's places index, if it is a form of one."""
        for member, kind in self.struct:
            member += "_of()" if self.closed else ""
            if isinstance(kind, int):
                self.declare(Array(f"{name}.{member}[{{}}]", list(sizes) + [kind], "real", -2, 2, writable))
            elif sizes:
                if kind == "real":
                    self.declare(Array(f"{name}.{member}", sizes, kind, -2, 2, writable))
            elif kind == "real":
                self.declare(Scalar(f"{name}.{member}", kind, -2, 2, writable, "real"))
            else:
                self.declare(Scalar(f"{name}.{member}", kind, 0, 3, False))

    # Assignments
    def change(self, target, lo, hi, item, weak=False):
        """Statements that write the cell `target` and keep it in lo..hi."""
        r, pick = self.random, self.random.random()
        most = self.trips * 0.1
        if item.budget >= most and pick < 0.45:
            size = min(item.budget / self.trips, 1)
            item.budget -= size * self.trips
            operator = r.choice(["+=", "+=", "-="])
            return [Stmt(target, f" {operator} ", self.fit(self.real(3), -size, size), ";")]
        if lo == -hi and pick < 0.6:
            if r.random() < 0.3:
                return [Stmt(target, " /= ", self.fit(self.real(2), 1.05, 3), ";")]
            return [Stmt(target, " *= ", self.fit(self.real(2), -1, 1), ";")]
        if lo == -hi and pick < 0.75:
            keep = binary("*", target, real_literal(0.6), "real", lo * 0.6, hi * 0.6)
            more = self.fit(self.real(2), lo * 0.38, hi * 0.38)
            return [Stmt(target, " = ", binary("+", keep, more, "real", lo, hi), ";")]
        e = self.fit(self.real(3), max(lo, -2), min(hi, 2))
        others = [v for v in self.scalars() if v.kind == "real" and self.may_write(v) and e.within(v.lo, v.hi)]
        if others and r.random() < 0.08:
            e = Expr("{} = {}", [r.choice(others).read(), e], "real", e.lo, e.hi, ASSIGN, [POSTFIX, ASSIGN])
        return [Stmt(target, " = ", e, ";")]

    def assign(self):
        targets = [v for v in self.scalars() if v.kind == "real" and self.may_write(v)]
        if not targets:
            return self.new_real()
        local = [v for v in targets if v not in self.outputs and "." not in v.name]
        v = self.random.choice(local if local and self.random.random() < 0.85 else targets)
        return self.change(v.read(), v.lo, v.hi, v)

    def array_update(self):
        targets = [a for a in self.arrays() if a.kind == "real" and self.may_write(a)]
        if not targets:
            return self.new_array()
        a = self.random.choice(targets)
        if len(a.sizes) == 1 and a.sizes[0] > 1 and self.random.random() < 0.12:
            counters = [v for v in self.scalars() if v.kind in ("int", "unsigned") and v.lo == 0 and v.writable
                        and
                        v.type_name in ("int", "unsigned")]
            if counters:
                v = self.random.choice(counters)
                bump = Expr("{}++", [v.read()], v.kind, 0, 1000, POSTFIX, [POSTFIX])
                cell = a.cell([self.remainder(bump, integer_literal(a.sizes[0]))])
                e = self.fit(self.real(2), max(a.lo, -2), min(a.hi, 2))
                names = [x.text() for x in e.walk()]
                if v.name not in names:
                    return [Stmt(cell, " = ", e, ";"),
                            Stmt(v.read(), " %= ", integer_literal(v.hi + 1), ";", fixed=True)]
        return self.change(self.element(a, self.random.choice([0, 1, 2])), a.lo, a.hi, a)

    def store(self):
        targets = [a for a in self.outputs if self.may_write(a)]
        if not targets or not self.in_body:
            return self.assign()
        a = self.random.choice(targets)
        cell = a.read() if isinstance(a, Scalar) else self.element(a, 1)
        if a not in self.readable:
            return [Stmt(cell, " = ", self.fit(self.real(3), -2, 2), ";")]
        return self.change(cell, a.lo, a.hi, a)

    def assign_integer(self):
        targets = [v for v in self.scalars() if v.kind in ("int", "unsigned", "long", "bool") and v.writable]
        cells = [a for a in self.arrays() if a.kind == "int" and a.writable]
        if cells and self.random.random() < 0.4:
            a = self.random.choice(cells)
            return [Stmt(self.element(a, 1), " = ", self.integer_in(int(a.lo), int(a.hi), 2), ";")]
        if not targets:
            return self.new_integer()
        v = self.random.choice(targets)
        if v.kind == "bool":
            return [Stmt(v.read(), self.random.choice([" = ", " ^= "]), self.condition(2), ";")]
        if v.lo == 0 and self.random.random() < 0.3:
            step = self.random.choice([f"{v.name}++;", f"++{v.name};", f"{v.name} += 3;"])
            if v.hi >= 10:
                return [Stmt(step + f" {v.name} %= {v.hi - 2};", fixed=False)]
        return [Stmt(v.read(), " = ", self.integer_in(v.lo, v.hi, 2), ";")]

    def swap(self):
        by_bounds = {}
        for v in self.scalars():
            if v.kind == "real" and self.may_write(v) and not v.budget and v.type_name == "real":
                by_bounds.setdefault((v.lo, v.hi), []).append(v)
        pairs = [vs for vs in by_bounds.values() if len(vs) > 1]
        if not pairs:
            return self.assign()
        a, b = self.random.sample(self.random.choice(pairs), 2)
        old = self.fresh("o")
        return [Stmt([Stmt(f"real {old} = {a.name};"), Stmt(f"{a.name} = {b.name};"),
                      Stmt(f"{b.name} = {old};")])]

    # Calls and branches
    def helper_call(self, helper, depth):
        args = []
        for kind in helper.parameters:
            if kind == "real":
                args.append(self.fit(self.real(depth), -2, 2))
            elif kind == "int":
                args.append(self.integer_in(0, 5, 1))
            elif kind == "pointer":
                args.append(self.pointer_argument(helper.cells))
            else:
                args.append(self.reference_argument())
        if any(a is None for a in args):
            return self.wave(depth)
        text = [a.text() for a, kind in zip(args, helper.parameters) if kind == "reference"]
        if len(set(text)) < len(text):
            return self.wave(depth)
        return call(helper.name, args, "real", -2, 2)

    def pointer_argument(self, cells):
        usable = [a for a in self.arrays() if a.base and len(a.sizes) == 1 and a.sizes[0] >= cells and
                  a.kind == "real" and a.hi - a.lo <= 12]
        if not usable:
            return None
        a = self.random.choice(usable)
        start = self.integer_in(0, a.sizes[0] - cells, 1)
        return Expr(a.base + " + {}", [start], "pointer", 0, 0, ADD, [MULTIPLY])

    def reference_argument(self):
        usable = [v for v in self.scalars() if v.kind == "real" and self.may_write(v) and v.type_name == "real"
                  and
                  (v.lo, v.hi) == (-2, 2)]
        return self.random.choice(usable).read() if usable else None

    def void_call(self):
        usable = [h for h in self.helpers if not h.result]
        if not usable:
            return self.assign()
        made = self.helper_call(self.random.choice(usable), 2)
        if made.form.startswith("h"):
            return [Stmt(made, ";")]
        return self.assign()

    def branch(self):
        r, condition = self.random, self.condition(2)
        then = self.block(r.randint(1, 3))
        if r.random() < 0.5:
            return [Stmt("if (", condition, ") ", then, prefix="")]
        if r.random() < 0.3:
            other = self.condition(1)
            middle, last = self.block(r.randint(1, 2)), self.block(r.randint(0, 2))
            return [Stmt("if (", condition, ") ", then, " else if (", other, ") ", middle, " else ", last,
                         prefix="")]
        return [Stmt("if (", condition, ") ", then, " else ", self.block(r.randint(1, 2)), prefix="")]

    def inner_scope(self):
        return [Stmt(self.block(self.random.randint(2, 3)), prefix="")]

    def leave(self):
        """An early way out under a condition: of the loop, or of the function."""
        r = self.random
        words = self.exits[-1]
        if not words or r.random() < 0.25:
            words = [self.way_out()]
        word = Stmt(r.choice(words))
        before = self.block(r.randint(0, 2))
        return [Stmt("if (", self.condition(2), ") ", before + [word], prefix=None)]

    def way_out(self):
        if self.in_body:
            return "return;"
        return "return;" if not self.result else f"return {self.fit(self.real_leaf(), -2, 2).text()};"
