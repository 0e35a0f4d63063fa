"""Random kernels whose adjoints are gathered: products of tiles in shared memory, by blocks of two dimensions,
and threads whose number is taken apart into a row and a column."""
from blocks import BARRIER, Blocks
from tree import Scalar, Stmt, binary, integer_literal, leaf


class Tiles(Blocks):
    """y[row][column] from a row of x and a column of w."""

    def make_kernel(self):
        r, k = self.random, self.kernel
        self.frames, self.in_body = [[], []], True
        self.arrays_shared, self.adding, self.uniform = [], [], []
        self.stays, self.counts, self.warps = 1, set(), False
        self.rows, self.columns, self.depth_of = r.randint(1, 5), r.randint(1, 5), r.randint(1, 6)
        self.n = self.rows * self.columns
        self.sizes, self.own = {"rows": self.rows, "columns": self.columns,
                                "depth": self.depth_of}, "row * columns + column"
        for name, size in self.sizes.items():
            self.add("int", name, "value", value=size)
            self.declare(Scalar(name, "int", size, size))
        self.add("const real *", "x", "in", cells=self.rows * self.depth_of)
        self.add("const real *", "w", "in", cells=self.depth_of * self.columns)
        self.add("real *", "y", "out", cells=self.n)
        if r.random() < 0.5:
            self.add("real", "p", "value", value=round(r.uniform(0.3, 1.7), 3))
            self.declare(Scalar("p", "real", -2, 2, False, "real"))
        self.draw_split()
        self.add_low()
        r.shuffle(k.parameters)
        k.body = self.in_tiles() if r.random() < 0.6 else self.flat_threads()
        self.make_request()

    def term(self, a, b):
        """What one pair of cells adds."""
        product = binary("*", leaf(a, "real", -2, 2), leaf(b, "real", -2, 2), "real", -4, 4)
        pick = self.random.random()
        if pick < 0.4:
            return self.fit(product, -0.3, 0.3)
        if pick < 0.7:
            return self.fit(binary("*", product, self.real(1), "real", -160, 160), -0.3, 0.3)
        return self.fit(self.mixed_cell(a, b), -0.3, 0.3)

    def finish(self, v):
        place = "y[row * columns + column]"
        e = binary("+", leaf(v, "real", -3, 3), self.fit(self.real(2), -1, 1), "real", -4, 4)
        return [Stmt(place, " = ", e, ";", fixed=True)] + self.low_stores()

    def in_tiles(self):
        r, k = self.random, self.kernel
        t = r.choice([2, 2, 3, 4])
        k.block, k.grid = (t, t), (-(-self.columns // t), -(-self.rows // t))
        a, b, q, v = "a", "b", self.fresh("q"), self.fresh()
        other = self.number().text()
        load = [Stmt(f"{a}[ty][tx] = row < rows && k + tx < depth ? x[row * depth + k + tx] : {other};",
                     fixed=True),
                Stmt(f"{b}[ty][tx] = k + ty < depth && column < columns ? w[(k + ty) * columns + column] : "
                     f"{other};", fixed=True)]
        if r.random() < 0.3:
            load.append(Stmt(f"{b}[ty][tx] *= ", self.fit(leaf(f"{a}[ty][tx]", "real", -2, 2), 0.3, 1.5), ";"))
        self.frames.append([Scalar(q, "int", 0, t - 1), Scalar(v, "real", -3, 3, False, "real")])
        add = [Stmt(f"{v} += ", self.term(f"{a}[ty][{q}]", f"{b}[{q}][tx]"), ";", fixed=True)]
        if r.random() < 0.3:
            add = [Stmt("if (", self.condition(1), ") ", add, prefix="")]
        self.frames.pop()
        inner = Stmt(f"for (int {q} = 0; {q} < {t}; {q}++) ", add, fixed=True)
        body = load + [Stmt(BARRIER, fixed=True), inner, Stmt(BARRIER, fixed=True)]
        made = [Stmt(f"__shared__ real {a}[{t}][{t}], {b}[{t}][{t}];", fixed=True),
                Stmt("int tx = threadIdx.x, ty = threadIdx.y;", fixed=True),
                Stmt("int row = blockIdx.y * blockDim.y + ty, column = blockIdx.x * blockDim.x + tx;",
                     fixed=True),
                Stmt(f"real {v} = ", self.number(), ";", fixed=True),
                Stmt(f"for (int k = 0; k < depth; k += {t}) ", body, fixed=True)]
        self.declare(Scalar("row", "int", 0, self.rows - 1))
        self.declare(Scalar("column", "int", 0, self.columns - 1))
        return made + [Stmt("if (row < rows && column < columns) ", self.finish(v) + self.extremes(),
                            fixed=True)]

    def flat_threads(self):
        r, k = self.random, self.kernel
        block = r.choice([2, 3, 5, 8, 32, 37])
        k.block, k.grid = (block, 1), (-(-self.n // block) + r.randint(0, 1), 1)
        v, j = self.fresh(), "k"
        self.declare(Scalar("row", "int", 0, self.rows - 1))
        self.declare(Scalar("column", "int", 0, self.columns - 1))
        before = self.new_real() if r.random() < 0.5 else []
        self.frames.append([Scalar(j, "int", 0, self.depth_of - 1), Scalar(v, "real", -3, 3, False, "real")])
        add = [Stmt(f"{v} += ", self.term("x[row * depth + k]", "w[k * columns + column]"), ";", fixed=True)]
        if r.random() < 0.3:
            add = [Stmt("if (", self.condition(1), ") ", add, prefix="")]
        self.frames.pop()
        leave = Stmt("if (i >= rows * columns) return;", fixed=True)
        return [Stmt("int i = HERE;", fixed=True), leave,
                Stmt("int row = i / columns, column = i % columns;", fixed=True), *before,
                Stmt(f"real {v} = ", self.number(), ";", fixed=True),
                Stmt("for (int k = 0; k < depth; k++) ", add, fixed=True)] + self.finish(v) + self.extremes()
