"""Statements of host functions about memory that has no type of its own: work arrays of malloc and new,
pointers to pointers, unions, globals that are written, and blocks that are left early."""
from tree import ADD, MULTIPLY, Array, Expr, Scalar, Stmt

UNION = """union U¶ {
    real v[4];
    struct {
        real x, y, z, w;
    } s;
};
"""


class HostTypes:
    held = 0  # blocks around that must be left at their end, because they free what they hold
    has_union = has_state = False

    def statement(self):
        r = self.random
        if r.random() < 0.93:
            return super().statement()
        self.left -= 1
        nested = [self.work_array, self.work_array, self.once] if self.depth < 3 else []
        return r.choice([self.pointer_to_pointer, self.chosen_row, self.union_value, self.state, *nested])()

    def way_out(self):
        return self.random.choice(self.exits[-1]) if self.held else super().way_out()

    def leave(self):
        return self.assign() if self.held and not self.exits[-1] else super().leave()

    def enclosed(self, count):
        """Statements of a block that is left at its end only."""
        self.held, self.depth = self.held + 1, self.depth + 1
        self.exits.append([])
        body = [made for _ in range(count) for made in self.statement()]
        self.exits.pop()
        self.held, self.depth = self.held - 1, self.depth - 1
        return body

    def work_array(self):
        """An array of malloc or new that a block makes, fills, uses and frees."""
        r, name, k = self.random, self.fresh("t"), self.fresh("k")
        counts = [v for v in self.scalars() if v.name in ("n", "m", "count") and v.lo >= 2]
        size, text = (r.choice([(int(v.lo), v.name) for v in counts]) if counts else (3, "3"))
        by_new = self.cpp and r.random() < 0.6
        made = f"new real[{text}]" if by_new else \
            f"{'(real *)' if self.cpp else ''}malloc({text} * sizeof(real))"
        self.frames.append([Scalar(k, "int", 0, size - 1)])
        value = self.fit(self.real(2), -2, 2)
        self.frames[-1] = [Array(name + "[{}]", [size], "real", -6, 6, True, budget=4.0, base=name)]
        body = self.enclosed(r.randint(1, 3)) + self.array_update()
        targets = self.writable_reals()
        if targets:
            v = r.choice(targets)
            body.append(Stmt(v.read(), " = ", self.fit(self.element(self.frames[-1][0], 1), max(v.lo, -2),
                                                       min(v.hi, 2)),
                             ";"))
        self.frames.pop()
        return [Stmt([Stmt(f"real *{name} = {made};", fixed=True),
                      Stmt(f"for (int {k} = 0; {k} < (int){text}; {k}++) ",
                           [Stmt(f"{name}[{k}] = ", value, ";", fixed=True)],
                           fixed=True),
                      *body, Stmt(f"delete[] {name};" if by_new else f"free({name});", fixed=True)])]

    def once(self):
        """A block that a break may leave: do ... while (0), or a loop whose last statement is break."""
        r = self.random
        self.exits.append(["break;"])
        self.depth += 1
        self.frames.append([])
        body = self.statement() + self.leave() + self.statement()
        self.frames.pop()
        self.depth -= 1
        self.exits.pop()
        if r.random() < 0.6:
            return [Stmt("do ", body, " while (0);", prefix="")]
        return [Stmt("for (;;) ", body + [Stmt("break;", fixed=True)])]

    # Pointers to pointers
    def pointer_rows(self):
        """Two arrays that a table of pointers may hold, where each starts, and how many cells both have."""
        usable = self.lines()
        if not usable:
            return None
        a, b = self.random.choice(usable), self.random.choice(usable)
        one, cells = self.pointed(a, 2)
        other, more = self.pointed(b, 2)
        same = (a.lo, a.hi) == (b.lo, b.hi) and self.may_write(a) and self.may_write(b)
        return a, b, one, other, int(min(cells, more)), same

    def chosen_row(self):
        """A table of pointers, read by two subscripts or through a pointer to it."""
        rows = self.pointer_rows()
        if not rows:
            return self.new_real()
        a, b, one, other, cells, same = rows
        name, constant = self.fresh("p"), "" if same else "const "
        made = [Stmt(f"{constant}real *{name}[2] = ", self.list_of([one, other]), ";")]
        used = name
        if self.random.random() < 0.5:
            used = self.fresh("p")
            made.append(Stmt(f"{constant}real **{used} = {name};"))
        self.declare(Array(used + "[{}][{}]", [2, cells], "real", min(a.lo, b.lo), max(a.hi, b.hi), same))
        return made

    def pointer_to_pointer(self):
        """A pointer that is moved through another pointer."""
        rows = self.pointer_rows()
        if not rows:
            return self.new_real()
        a, b, one, other, cells, same = rows
        name, through, constant = self.fresh("p"), self.fresh("p"), "" if same else "const "
        made = [Stmt(f"{constant}real *{name} = ", one, ";"), Stmt(f"{constant}real **{through} = &{name};")]
        if self.random.random() < 0.6:
            made.append(Stmt("if (", self.condition(1), ") ", [Stmt(f"*{through} = ", other, ";")]))
        form = self.random.choice([f"(*{through})[{{}}]", f"{name}[{{}}]"])
        self.declare(Array(form, [cells], "real", min(a.lo, b.lo), max(a.hi, b.hi), same))
        return made

    # Unions and globals
    def union_value(self):
        """A union whose members are names of the same numbers."""
        if not self.has_union:
            return self.cube()
        name = self.fresh("n")
        values = self.list_of([self.fit(self.real(1), -2, 2) for _ in range(4)])
        self.declare(Array(name + ".v[{}]", [4], "real", -2, 2, True))
        self.frames[-1][-1].type_name = "other"
        for member in "xyzw":
            self.declare(Scalar(f"{name}.s.{member}", "real", -2, 2, True, "other"))
        return [Stmt(f"union U¶ {name} = {{", values, "};")]

    def state(self):
        """Globals that the function itself sets before it reads them."""
        if not self.has_state or not self.in_body:
            return self.assign_integer()
        r = self.random
        if r.random() < 0.6:
            return [Stmt(f"mode¶ = ", self.integer_in(0, 5, 1), ";")]
        passive = [a for a in self.arrays() if a.base == "u"]
        value = self.element(r.choice(passive), 1) if passive else self.number()
        return [Stmt("scale¶ = ", Expr("{} * 0.5§", [value], "real", 0, 1.5, MULTIPLY, [ADD + 1]), ";")]

    def more_globals(self):
        """The text of a union and of globals that are written; what may be read of them."""
        r, text = self.random, ""
        if r.random() < 0.3:
            self.has_union, text = True, UNION
        if r.random() < 0.12:
            self.has_state = True
            text += "static int mode¶;\nstatic real scale¶;\n"
        return text

    def entered_state(self):
        """What stands first in the function."""
        if not self.has_state:
            return []
        self.declare(Scalar("mode¶", "int", 0, 5))
        self.declare(Scalar("scale¶", "real", 0, 1.5))
        return [Stmt("mode¶ = 2;", fixed=True), Stmt("scale¶ = 0.75§;", fixed=True)]
