"""Lists of a random kernel of which something is promised that holds: no two entries alike (GW_INJECTIVE), none
smaller than the one before (GW_SORTED), ranges that do not overlap (GW_DISJOINT_RANGES); and what is read
through them."""
from tree import Array, Scalar, Stmt, binary, leaf


class Promises:
    rows = None  # text of where a thread's part of c begins, where it ends, its step, and the cell at {}

    def add_promised(self):
        r = self.random
        if r.random() < 0.3:
            self.due = list(self.due)
            r.choice([self.distinct, self.sorted_rows, self.ranges, self.ranges])()

    def promise(self, word, name):
        self.kernel.promises.append((word, name))

    def cells(self, count):
        self.add("const real *", "c", "in", cells=max(count, 1))

    def distinct(self):
        """Cells that a list leads to; some kernels also read those of other threads, or all."""
        r, width = self.random, self.random.choice([1, 1, 2, 3])
        cells = self.n + r.choice([0, 0, 1, 4])
        self.add("const int *", "perm", "list", value=r.sample(range(cells), self.n))
        self.promise("INJECTIVE", "perm")
        self.cells(cells * width)
        forms = ["c[perm[{}]]"] if width == 1 else [f"c[{width} * perm[{{}}] + {k}]" for k in range(width)]
        own = [form.format(self.own) for form in forms]
        for text in own:
            self.declare(Scalar(text, "real", 0.5, 1.5))
        if r.random() < 0.3:
            self.declare(Array(r.choice(forms + ["c[{}]"]), [self.n], "real", 0.5, 1.5))
        self.due.append(binary("*", leaf(own[0], "real", 0.5, 1.5), leaf(own[-1], "real", 0.5, 1.5), "real",
                               0.25, 2.25))

    def sorted_rows(self):
        r, rows = self.random, [self.random.choice([0, 0, 1])]
        for _ in range(self.n):
            rows.append(rows[-1] + r.choice([0, 1, 1, 2, 3]))
        self.add("const int *", "rows", "list", value=rows)
        self.promise("SORTED", "rows")
        self.cells(rows[-1])
        self.kernel.positions = rows[-1]
        self.rows = (f"rows[{self.own}]", f"rows[{self.own} + 1]", "++", "c[{}]", "int")

    def ranges(self):
        """A row of each thread, or of each block: its threads take turns, or go through all of it, mostly by a
        list."""
        r, k = self.random, self.kernel
        lines = len(k.block) == 2 and k.block[1] == 1 and k.grid[1] == 1
        of = r.choice(["thread", "turns", "all", "all"]) if lines else "thread"
        count, at = (self.n, self.own) if of == "thread" else (k.grid[0], "blockIdx.x")
        spans, end = [], 0
        for _ in range(count):
            start = end + r.choice([0, 0, 0, 1, 2])
            end = start + (r.choice([0, 1, 2, 3]) if of == "thread" else r.randint(0, 7))
            spans.append((start, end))
        r.shuffle(spans)
        kind = r.choice(["int", "int", "unsigned int"])
        self.add("const int2 *" if kind == "int" else "const uint2 *", "span", "ranges", value=spans)
        self.promise("DISJOINT_RANGES", "span")
        k.positions = max(end, 1)
        cell, cells = "c[{}]", end
        if of == "all" and r.random() < 0.7:
            cells = r.randint(2, 6)
            self.add("const int *", "ids", "list", value=[r.randint(0, cells - 1) for _ in range(max(end, 1))])
            cell = "c[ids[{}]]"
        self.cells(cells)
        first = f"span[{at}].x" + (" + threadIdx.x" if of == "turns" else "")
        self.rows = (first, f"span[{at}].y", " += blockDim.x" if of == "turns" else "++", cell, kind)

    def row_sum(self):
        """A sum over a thread's part. No formula needs what it was before."""
        if not self.rows or not self.in_body:
            return []
        first, end, step, cell, kind = self.rows
        r, j, v = self.random, self.fresh("j"), self.fresh()
        self.frames.append([Scalar(cell.format(j), "real", 0.5, 1.5)])
        self.depth += 1
        term = binary("*", leaf(cell.format(j), "real", 0.5, 1.5), self.fit(self.real(2), -2, 2), "real", -3, 3)
        add = [Stmt(f"{v} += ", self.fit(term, -0.3, 0.3), ";", fixed=True)]
        if r.random() < 0.3:
            add = [Stmt("if (", self.condition(1), ") ", add, prefix="")]
        self.depth -= 1
        self.frames.pop()
        made = [Stmt(f"real {v} = ", self.number(), ";", fixed=True),
                Stmt(f"for ({kind} {j} = {first}; {j} < {end}; {j}{step}) ", add, prefix=None)]
        self.declare(Scalar(v, "real", -6, 6, True, "real"))
        return made
