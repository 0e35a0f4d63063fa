"""A random kernel whose threads meet: shared memory, barriers, votes of a block, atomic additions and counts,
sums of a warp, loops in segments.

Race-free by construction. Between two barriers an array is in one mode: each thread has cells of its own (its
number, reversed, turned or swapped with its neighbour's), or all cells are only read, or all are only added to
by atomics. A barrier draws new modes. A loop or branch around barriers starts and ends in the modes of the
interval that it stands in, so that its first part, its last part and what surrounds it are one interval. Every
cell is written before a thread may leave or the first barrier comes.
"""
from for_all import ForAll
from kernels import Generator
from rooms import OwnArray, OwnScalar, Rooms
from tree import MULTIPLY, Array, Scalar, Stmt, binary, integer_literal, leaf
from warps import Warps

BARRIER = "__syncthreads();"


class Blocks(Rooms, Warps, ForAll, Generator):
    by_bits = False  # whether lanes give their numbers in turn (set_bits.py)

    def make_kernel(self):
        r, k = self.random, self.kernel
        self.frames, self.in_body = [[], []], True
        self.arrays_shared, self.adding, self.uniform, self.stays, self.counts = [], [], [], 0, set()
        self.threads = r.choice([2, 3, 4, 4, 8, 8] * 3 + [32])
        if self.stores_for_all():
            self.threads = r.choice([4, 8, 32, 32])
        blocks = r.choice([1, 2, 2]) if self.threads < 32 or self.stores_for_all() else 1
        style = "all" if self.stores_for_all() or self.by_bits else r.choice(["all", "all", "guard", "late"])
        self.late, self.whole, self.diverges = style == "late", style == "all", r.random() < 0.15
        self.warps = style == "all" and self.threads > 3 and (r.random() < 0.4 or self.by_bits)
        self.stays += self.warps or self.stores_for_all()
        self.n = self.threads * blocks - (0 if style == "all" else r.randint(1, self.threads - 1))
        k.grid, k.block = (blocks + (style == "guard" and r.random() < 0.3), 1), (self.threads, 1)
        self.sizes, self.own = {"n": self.n}, "i"
        self.declare(Scalar("t", "int", 0, self.threads - 1))
        self.declare(Scalar("(int)blockIdx.x", "int", 0, k.grid[0] - 1))
        outer = list(self.frames[1])
        self.declare(Scalar("i", "int", 0, self.n - 1))
        self.draw_split()
        self.make_parameters()
        if r.random() < 0.35:
            self.add("real *", "sum", "inout", cells=3)
        r.shuffle(k.parameters)
        self.live = str(self.threads)
        declared = self.make_tiles() + self.make_arrays()
        k.body = [Stmt("int i = HERE, t = threadIdx.x;", fixed=True)] + declared
        leave = [Stmt("if (i >= n) return;", fixed=True)]
        if style == "guard":
            k.body += leave + [Stmt(f"int live = min(n - (int)(blockIdx.x * blockDim.x), {self.threads});",
                                    fixed=True)]
            self.live = "live"
        if style == "late":
            k.body += self.first_stores(outer) + [Stmt(BARRIER, fixed=True)] + leave
        else:
            k.body += self.first_stores(None) + [Stmt(BARRIER, fixed=True)]
        self.draw_modes()
        k.body += self.open_block(r.randint(0, 2)) + self.intervals(r.randint(1, 3), 0)
        k.body += self.final_stores() + (self.add_to_sum() if self.sums() else [])
        k.body = self.counters() + self.low_rooms() + k.body
        self.make_request()

    def place(self):
        """A thread's place in its block: text that is another number for every thread."""
        r, b, live = self.random, self.threads, self.live
        forms = ["t"] if self.turns else ["t"] * 5 + [f"{live} - 1 - t",
                                                      f"(t + {r.randint(1, b - 1)}) % {live}"]
        if not self.turns and b % 2 == 0 and live != "live":
            forms.append("(t ^ 1)")
        return r.choice(forms)

    def first_stores(self, visible):
        """visible: names that a thread has before its number is known to be below n."""
        kept = self.frames[1]
        if visible is not None:
            self.frames[1] = visible + [a for a in kept if isinstance(a, Array) and a.base
                                        and "i" not in a.base]
            self.live = str(self.threads)
        made = []
        for array in self.arrays_shared:
            item = OwnArray(array, self.place()) if array.inner else OwnScalar(array, self.place())
            if not array.inner:
                made.append(Stmt(item.name, " = ", self.fit(self.real(2), -2, 2), ";", fixed=True))
                continue
            for k in range(array.inner):
                cell = item.cell([integer_literal(k)])
                made.append(Stmt(cell.text(), " = ", self.fit(self.real(2), -2, 2), ";", fixed=True))
        self.frames[1] = kept
        return made

    def draw_modes(self):
        r = self.random
        self.adding, items = [], []
        for array in self.arrays_shared:
            pick = r.random()
            if pick < 0.45:
                whole = array.readable()
                if self.live == "live":  # cells behind those of the live threads hold nothing
                    whole = self.live_cells(array)
                items.append(whole)
            elif pick < 0.9 or array.inner or array.budget < 0.2:
                place = self.place()
                items.append(OwnArray(array, place) if array.inner else OwnScalar(array, place))
            else:
                self.adding.append(array)
        self.frames[0] = items

    def live_cells(self, array):
        """Cells of threads that are there: places t, and others modulo live."""
        place = self.random.choice(["t", f"(t + {self.random.randint(1, 5)}) % live", "live - 1 - t", "0",
                                    "live - 1"])
        if array.inner:
            return Array(array.own.format(place), [array.inner], "real", -6, 6, needs=[MULTIPLY + 1])
        return Array(array.name + "[({}) % live]", [self.threads + 3], "real", -6, 6)

    # Intervals
    def part(self):
        """Statements between two barriers."""
        r, made = self.random, []
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            made += self.statement()
        for item in self.frames[0]:
            if item.writable and r.random() < 0.7:
                target = item.read() if isinstance(item, Scalar) else self.element(item, 1)
                change = self.change(target, -6, 6, item)
                made += (change if r.random() < 0.7
                         else [Stmt("if (", self.condition(1), ") ", change, prefix="")])
            elif not item.writable and r.random() < 0.5:
                name = self.fresh()
                e = binary("*", self.element(item, 1), self.number(), "real", -12, 12)
                made.append(Stmt(f"real {name} = ", self.fit(e, -2, 2), ";"))
                self.declare(Scalar(name, "real", -2, 2, True, "real"))
        for array in self.adding:
            made += self.shared_add(array)
        if r.random() < 0.3 and self.sums():
            made += self.add_to_sum()
        if r.random() < 0.6 and self.warps:
            made += self.across_warp()
        return made

    def sums(self):
        return any(p.name == "sum" for p in self.kernel.parameters)

    def add_to_sum(self):
        scope = self.random.choice(["", "", "_system", "_block" if self.kernel.grid[0] == 1 else ""])
        return [Stmt(f"atomicAdd{scope}(&sum[", self.integer_in(0, 2), "], ", self.fit(self.real(2), -2, 2),
                     ");")]

    def way_out(self):
        """A thread that leaves a loop around barriers would run it less often than the others of its block."""
        if self.in_body and self.stays:
            return self.exits[-1][0] if self.exits[-1] else ";"
        self.gone = self.gone or self.in_body
        return super().way_out()

    def shared_add(self, array):
        size = min(array.budget / (self.trips * self.threads), 0.5)
        if size < 1e-3:
            return []
        array.budget -= size * self.trips * self.threads
        index = self.integer_in(0, self.threads - 1, 2).text()
        index = f"({index}) % live" if self.live == "live" else index
        e = self.fit(self.real(2), -size, size)
        add = Stmt(f"atomicAdd(&{array.name}[{index}], ", e, ");")
        return ([add] if self.random.random() < 0.6
                else [Stmt("if (", self.condition(1), ") ", [add], prefix="")])

    def barrier(self):
        """A barrier, or a vote of the block, which is one too; new modes but where the caller sets them."""
        r = self.random
        if r.random() < 0.75:
            words = ([BARRIER] * 3 + ["block.sync();", "cooperative_groups::sync(block);"] if self.tiles
                     else [BARRIER])
            return [Stmt(r.choice(words), fixed=True)]
        name = self.fresh("c")
        kind = r.choice(["count", "count", "or", "and"])
        vote = Stmt(f"int {name} = __syncthreads_{kind}(", self.condition(1), ");", fixed=True)
        self.declare(Scalar(name, "int", 0, self.threads) if kind == "count" else Scalar(name, "bool", 0, 1))
        self.uniform.append((name, kind, len(self.frames)))
        return [vote]

    def intervals(self, count, depth):
        made = self.part()
        if "list" in self.winners and depth == 0:
            made += self.barrier() + self.listed()
            self.draw_modes()
        for _ in range(count):
            pick = self.random.random()
            if pick < 0.4 or depth >= 2 or self.trips > 12:
                made += self.barrier()
                if depth == 0 or pick < 0.25:
                    self.draw_modes()
                made += self.part()
            elif pick < 0.65:
                made += self.uniform_loop(depth)
            elif pick < 0.8:
                made += self.uniform_branch(depth)
            else:
                made += self.random.choice([self.staged, self.tree, self.scan, self.ping_pong, self.count] +
                                           [self.low_exchange] * (3 if self.low else 0) +
                                           [self.tied_tree] * (2 if self.few_cells else 0))()
        return made

    def around(self, depth, leave=False):
        """A body with barriers that starts and ends in the modes of here."""
        items, adding, seen = self.frames[0], self.adding, len(self.uniform)
        self.frames.append([])
        self.exits.append([])
        self.depth += 1
        self.stays += 1
        body = self.part()
        body += self.barrier()
        for _ in range(self.random.choice([0, 1, 1, 2])):
            self.draw_modes()
            body += self.intervals(self.random.choice([0, 0, 1]), depth + 1) + self.barrier()
        if leave and self.random.random() < 0.3:
            body.append(Stmt("if (__syncthreads_count(", self.condition(1),
                             f") {self.random.choice(['== 0', '> 1'])}) "
                             "break;", fixed=True))
        self.frames[0], self.adding = items, adding
        body += self.part() if self.random.random() < 0.4 else []
        self.stays -= 1
        self.depth -= 1
        self.exits.pop()
        self.frames.pop()
        del self.uniform[seen:]
        return body

    def uniform_loop(self, depth):
        r, j = self.random, self.fresh("j")
        limit, most = r.choice([("2", 2), ("3", 3), *[(v.name, int(v.hi)) for v in self.scalars()
                                                     if v.name in ("m", "steps", "count")]])
        if self.trips * max(most, 1) > 30:
            return self.uniform_branch(depth)
        self.trips *= max(most, 1)
        self.frames.append([Scalar(j, "int", 0, max(most - 1, 0))])
        self.uniform.append((j, "counter", len(self.frames)))
        body = self.around(depth, True)
        self.uniform.pop()
        self.frames.pop()
        self.trips //= max(most, 1)
        header = r.choice([f"for (int {j} = 0; {j} < (int){limit}; {j}++) ",
                           f"for (int {j} = (int){limit}; {j}-- > 0;) "])
        if r.random() < 0.15:
            header = f"GW_CHECKPOINT({r.randint(1, 3)}) " + header
        return [Stmt(header, body, prefix=f"int {j} = 0;")]

    def uniform_branch(self, depth):
        r = self.random
        forms = ["blockIdx.x % 2 == 0", "n > 3", "gridDim.x > 1"]
        forms += [f"{name} > 0" if kind != "counter" else f"{name} % 2 == 0" for name, kind, _ in self.uniform]
        condition = leaf(r.choice(forms), "bool", 0, 1)
        then = self.around(depth)
        if r.random() < 0.7:
            return [Stmt("if (", condition, ") ", then, prefix="")]
        return [Stmt("if (", condition, ") ", then, " else ", self.around(depth), prefix="")]

    # Loops whose state is in shared memory. Each starts and ends with a barrier; the modes behind it are new.
    def flat(self):
        """An array with a cell for each thread, all of which are there."""
        usable = [a for a in self.arrays_shared if not a.inner]
        return self.random.choice(usable).name if usable and self.live != "live" else None

    def state_loop(self, array, header, steps):
        """The array's own mode is away meanwhile."""
        self.frames[0] = [item for item in self.frames[0] if not item_of(item, array)]
        self.exits.append([])
        self.depth += 1
        body = steps()
        self.depth -= 1
        self.exits.pop()
        self.draw_modes()
        return [Stmt(BARRIER, fixed=True), Stmt(header, body, fixed=True), Stmt(BARRIER, fixed=True)]

    def mixed_cell(self, *cells):
        """A value of -2..2 of all of these."""
        e = self.real(1)
        for cell in cells:
            term = binary("*", leaf(cell, "real", -6, 6), self.number(), "real", -18, 18)
            e = binary(self.random.choice("+-*"), self.fit(e, -2, 2), term, "real", -36, 36)
        return self.fit(e, -2, 2)

    def staged(self):
        """Load, barrier, use, barrier."""
        s = self.flat()
        inputs = [a for a in self.arrays() if a.base in ("x", "w", "z") and a.kind == "real"]
        if not s or not inputs:
            return self.uniform_branch(0)
        x, k, j, v = self.random.choice(inputs), self.fresh("k"), self.fresh("j"), self.fresh()
        b, cells = self.threads, x.sizes[0]

        def steps():
            load = Stmt(f"{s}[t] = {k} + t < {cells} ? {x.base}[{k} + t] : ", self.number(), ";", fixed=True)
            use = Stmt(f"{v} += ", self.fit(self.mixed_cell(f"{s}[{j}]"), -0.1, 0.1), ";")
            inner = Stmt(f"for (int {j} = 0; {j} < {b}; {j}++) ", [use])
            return [load, Stmt(BARRIER, fixed=True), inner, Stmt(BARRIER, fixed=True)]
        made = self.state_loop(s, f"for (int {k} = 0; {k} < {cells}; {k} += {b}) ", steps)
        self.declare(Scalar(v, "real", -3, 3, True, "real"))
        return [Stmt(f"real {v} = ", self.number(), ";", fixed=True)] + made

    def tree(self):
        s, o = self.flat(), self.fresh("o")
        if not s or self.threads not in (2, 4, 8, 32):
            return self.uniform_branch(0)

        def steps():
            step = Stmt(f"{s}[t] = ", self.mixed_cell(f"{s}[t]", f"{s}[t + {o}]"), ";")
            return [Stmt(f"if (t < {o}) ", [step]), Stmt(BARRIER, fixed=True)]
        return self.state_loop(s, f"for (int {o} = {self.threads // 2}; {o} > 0; {o} /= 2) ", steps)

    def scan(self):
        s, o, v = self.flat(), self.fresh("o"), self.fresh()
        if not s:
            return self.uniform_branch(0)

        def steps():
            load = Stmt(f"real {v} = t >= {o} ? {s}[t - {o}] : ", self.number(), ";")
            store = Stmt(f"{s}[t] = ", self.mixed_cell(v, f"{s}[t]"), ";")
            return [load, Stmt(BARRIER, fixed=True), store, Stmt(BARRIER, fixed=True)]
        return self.state_loop(s, f"for (int {o} = 1; {o} < {self.threads}; {o} *= 2) ", steps)

    def ping_pong(self):
        usable = [a for a in self.arrays_shared if a.inner == 2 and len(a.sizes) == 1]
        if not usable or self.live == "live":
            return self.scan()
        s, side, j, b = self.random.choice(usable).name, self.fresh("k"), self.fresh("j"), self.threads

        def steps():
            e = self.mixed_cell(f"{s}[{side} * {b} + (t + 1) % {b}]", f"{s}[{side} * {b} + t]")
            return [Stmt(f"{s}[(1 - {side}) * {b} + t] = ", e, ";"), Stmt(f"{side} = 1 - {side};", fixed=True),
                    Stmt(BARRIER, fixed=True)]
        made = self.state_loop(s, f"for (int {j} = 0; {j} < {self.random.randint(2, 4)}; {j}++) ", steps)
        return [Stmt(f"int {side} = 0;", fixed=True)] + made


def item_of(item, name):
    text = item.name if isinstance(item, Scalar) else item.form
    return text.startswith(name + "[")
