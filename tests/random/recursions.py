"""Functions that call themselves on parts of an array, and pointers to functions; memory that is copied."""
from tree import ADD, MULTIPLY, Array, Expr, Scalar, Stmt, binary


class Recursions:
    folds = scans = False

    def statement(self):
        r = self.random
        if r.random() < 0.97 or not (self.folds or self.scans):
            return super().statement()
        self.left -= 1
        return r.choice([self.fold_value] * self.folds + [self.scanned] * self.scans)()

    def make_recursions(self):
        if self.random.random() < 0.12:
            self.make_fold()
        if self.random.random() < 0.1:
            self.make_scan()

    def opened(self, *scalars):
        """The scope of a helper's body."""
        self.frames, self.left, self.result = [list(getattr(self, "global_frame", [])), list(scalars)], 0, True

    def make_fold(self):
        """The halves of an array, put together."""
        self.opened(Scalar("q[0]", "real", -6, 6))
        least = self.fit(self.real(2), -2, 2)
        self.opened(Scalar("a", "real", -2, 2), Scalar("b", "real", -2, 2), Scalar("q[0]", "real", -6, 6))
        both = binary("+", self.real(2), binary("-", Scalar("a", "real", -2, 2).read(),
                                                Scalar("b", "real", -2, 2).read(), "real", -4, 4),
                      "real", -44, 44)
        self.kernel.helpers.append(Stmt("static real h8¶(const real *q, int count) ", [
            Stmt("if (count <= 1) return ", least, ";", fixed=True), Stmt("int half = count / 2;", fixed=True),
            Stmt("real a = h8¶(q, half), b = h8¶(q + half, count - half);", fixed=True),
            Stmt("return ", self.fit(both, -2, 2), ";", fixed=True)]))
        self.folds = True

    def make_scan(self):
        """Each cell from the one before it."""
        self.opened(Scalar("q[0]", "real", -6, 6), Scalar("q[1]", "real", -6, 6))
        self.kernel.helpers.append(Stmt("static void h9¶(real *q, int count) ", [
            Stmt("if (count < 2) return;", fixed=True),
            Stmt("q[1] = ", self.fit(self.real(3), -2, 2), ";", fixed=True),
            Stmt("h9¶(q + 1, count - 1);", fixed=True)]))
        self.scans = True

    def stretch(self, usable):
        a = self.random.choice(usable)
        count = self.random.randint(1, int(min(a.sizes[0], 5)))
        start = self.integer_in(0, a.sizes[0] - count, 1)
        return a, Expr(a.base + " + {}", [start], "pointer", 0, 0, ADD, [MULTIPLY]), count

    def fold_value(self):
        usable = self.lines()
        if not usable or self.trips * 5 > 60:
            return self.new_real()
        _, at, count = self.stretch(usable)
        name = self.fresh()
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        return [Stmt(f"real {name} = h8¶(", at, f", {count});")]

    def scanned(self):
        usable = [a for a in self.lines() if self.may_write(a) and a.lo <= -2 and a.hi >= 2]
        if not usable or self.trips * 5 > 60:
            return self.array_update()
        _, at, count = self.stretch(usable)
        return [Stmt("h9¶(", at, f", {count});")]


class Copies:
    """Whole arrays that are copied."""

    def statement(self):
        if self.random.random() < 0.985:
            return super().statement()
        self.left -= 1
        return self.random.choice([self.copied, self.cast_to_rows, self.without_name])()

    def cast_to_rows(self):
        """Another name for a line: rows of two."""
        usable = [a for a in self.lines() if a.sizes[0] >= 4]
        if not usable:
            return self.copied()
        a, name = self.random.choice(usable), self.fresh("p")
        self.declare(Array(name + "[{}][{}]", [int(a.sizes[0]) // 2, 2], "real", a.lo, a.hi))
        return [Stmt(f"const real (*{name})[2] = (const real (*)[2]){a.base};")]

    def without_name(self):
        """An array that is made where its address is taken."""
        if self.cpp:
            return self.copied()
        size, name = self.random.randint(2, 4), self.fresh("p")
        values = self.list_of([self.fit(self.real(2), -2, 2) for _ in range(size)])
        self.declare(Array(name + "[{}]", [size], "real", -2, 2, True, base=name))
        return [Stmt(f"real *{name} = (real[])", values, ";")]

    def copied(self):
        usable = [a for a in self.lines() if a.sizes[0] <= 6]
        if not usable:
            return self.new_array()
        r, a, name = self.random, self.random.choice(usable), self.fresh("t")
        size = int(a.sizes[0])
        item = Array(name + "[{}]", [size], "real", min(a.lo, -2), max(a.hi, 2), True, base=name)
        item.type_name = "array"
        self.declare(item)
        how = r.choice(["memcpy({0}, {1}, sizeof {0});", "memcpy({0}, {1}, {2} * sizeof(real));",
                        "memmove({0}, {1}, sizeof({0}));"] +
                       ["std::copy({1}, {1} + {2}, {0});", "std::copy_n({1}, {2}, {0});"] * self.cpp)
        return [Stmt(f"real {name}[{size}];", fixed=True), Stmt(how.format(name, a.base, size))]
