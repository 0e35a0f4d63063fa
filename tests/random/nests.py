"""Random kernels that go through a list in batches and leave it when they have seen enough, as splatting does:
each block its range, staged in shared memory; each thread a product that falls until it stops. Some differ in
one thing from what docs/internals/undone.md asks of a nest, and keep their tape or are refused."""
from blocks import BARRIER, Blocks
from learnt import LEARNT_FROM
from tree import Scalar, Stmt, binary, leaf


class Nests(Blocks):
    counts_them = False  # the splats it has come to, and which was the last that counted

    def make_struct(self):
        """None."""

    def make_helper(self):
        """None."""

    def make_kernel(self):
        r, k = self.random, self.kernel
        self.frames, self.in_body = [[], []], True
        self.arrays_shared, self.adding, self.uniform = [], [], []
        self.stays, self.counts, self.warps = 1, set(), False
        self.low = k.low = None
        self.threads = r.choice([2, 4, 4, 8, 8, 32])
        blocks = r.choice([1, 2, 3])
        self.n = self.threads * blocks - r.choice([0, 0, r.randint(0, self.threads - 1)])
        k.grid, k.block, self.sizes, self.own = (blocks, 1), (self.threads, 1), {"n": self.n}, "i"
        self.splats, self.colours = r.randint(2, 7), r.choice([1, 1, 3])
        k.split = r.choice(["", "", "both", "both", "only"])
        self.winners, self.turns = set(), False
        self.listed_by = r.random() < 0.8
        end = self.make_list(blocks)
        self.make_inputs(end)
        r.shuffle(k.parameters)
        k.body = self.declared() + [self.batches(), Stmt("if (i < n) ", self.stores(), fixed=True)]
        self.make_request()

    def make_list(self, blocks):
        """Each block's range; how long the list is."""
        r, spans, end = self.random, [], 0
        for _ in range(blocks):
            start = end + r.choice([0, 0, 1, 3])
            end = start + r.choice([0, 1, self.threads, r.randint(1, 3 * self.threads), r.randint(1, 9)])
            spans.append((start, end))
        r.shuffle(spans)
        self.kind = r.choice(["int", "int", "unsigned int"])
        self.add("const int2 *" if self.kind == "int" else "const uint2 *", "span", "ranges", value=spans)
        if r.random() < 0.8:
            self.promise("DISJOINT_RANGES", "span")
        self.kernel.positions = max(end, 1)
        return max(end, 1)

    def make_inputs(self, end):
        r, k = self.random, self.kernel
        cells = self.splats if self.listed_by else end
        if self.listed_by:
            self.add("const int *", "ids", "list", value=[r.randint(0, self.splats - 1) for _ in range(end)])
        self.add("int", "n", "value", value=self.n)
        self.add("const real *", "x", "in", cells=cells, low=-0.5, high=1.5)
        self.add("const real *", "w", "in", cells=cells, low=0.2, high=1.4)
        self.add("const real *", "z", "in", cells=cells * self.colours)
        self.add("real *", "y", "out", cells=self.n * self.colours)
        if r.random() < 0.5:
            self.add("const real *", "at", "in", cells=self.n)
        if k.split and r.random() < 0.7:
            self.add("real *", "ends", "kept", cells=self.n)
            self.add("int *", "lasts", "list", value=[0] * self.n)
            k.kept = ["ends", "lasts"]
        if self.single and r.random() < 0.4 and self.listed_by:
            k.packed, k.records = ["x", "w", "z"], cells

    def declared(self):
        r, b = self.random, self.threads
        self.staged = ["s_x", "s_w"] + [f"s_z{c}" for c in range(self.colours) if r.random() < 0.4]
        lines = [f"__shared__ real {name}[{b}];" for name in self.staged]
        lines += [f"__shared__ int s_id[{b}];"] if self.listed_by else []
        where = ("at[i < n ? i : 0]" if any(p.name == "at" for p in self.kernel.parameters)
                 else f"{round(r.uniform(0, 0.5), 2)}§ + 0.07§ * i")
        lines += ["int i = HERE, t = threadIdx.x;", f"real p = {where}, T = 1;", "bool done = i >= n;",
                  "auto r = span[blockIdx.x];", "real " + ", ".join(f"sum{c} = 0" for c in range(self.colours))
                  + ";"]
        if self.kernel.kept or r.random() < 0.6:
            self.counts_them = True
            lines.append("int count = 0, last = 0;")
        return [Stmt(line, fixed=True) for line in lines]

    def load(self, what, at):
        """Text: a number of the splat at the list's place."""
        return f"{what}[ids[{at}]]" if self.listed_by else f"{what}[{at}]"

    def batches(self):
        r, b = self.random, self.threads
        place, sources = "base + t", {"s_x": "x", "s_w": "w"}
        stage = [Stmt(f"{name}[t] = {self.load(sources[name], place)};", fixed=True) for name in self.staged
                 if name in sources]
        for name in self.staged[2:]:
            which = (f"{self.colours} * ids[{place}] + {name[3:]}" if self.listed_by
                     else f"{self.colours} * ({place}) + {name[3:]}")
            stage.append(Stmt(f"{name}[t] = z[{which}];", fixed=True))
        if self.listed_by:
            stage.append(Stmt(f"s_id[t] = ids[{place}];", fixed=True))
        asks = r.choice([f"__syncthreads_count(done) == {b}", f"__syncthreads_count(done) == {b}",
                         "__syncthreads_and(done)"])
        body = [Stmt(f"if ({asks}) break;", fixed=True), Stmt(f"if ({place} < r.y) ", stage, fixed=True),
                Stmt(BARRIER, fixed=True)]
        if r.random() < 0.15:
            body[0] = Stmt(BARRIER, fixed=True)
        body.append(self.splat_loop())
        if self.kernel.seed >= LEARNT_FROM and r.random() < 0.4:  # counted by the length of the range
            body.insert(1, Stmt(f"{self.kind} base = r.x + {b} * k;", fixed=True))
            most = f"(unsigned int)(r.y - r.x + {b - 1}) / {b}"
            return Stmt(f"for (unsigned int k = 0, most = {most}; k < most; k++) ", body, fixed=True)
        return Stmt(f"for ({self.kind} base = r.x; base < r.y; base += {b}) ", body, fixed=True)

    def splat_loop(self):
        r, b = self.random, self.threads
        stop = r.choice(["done = true; continue;", "done = true; continue;", "done = true; break;"])
        power = r.choice(["real d = s_x[j] - p;", "const real d = p - s_x[j];"])
        forms = ["fmin§(0.99§, s_w[j] * exp§(-0.5§ * d * d))"] * 4 + ["fmin§(0.95§, s_w[j] / (1 + d * d))"] * 4
        alpha = r.choice(forms + ["0.9§ * tanh§(s_w[j] + 0.1§ * d)"])  # of which no bound is known
        behind = False
        if self.kernel.seed >= LEARNT_FROM:
            alpha = r.choice([alpha, "s_w[j] * exp§(-0.5§ * d * d)"])  # bounded by the stop alone
            behind = r.random() < 0.4
        least, limit = round(r.uniform(0.15, 0.5), 3), round(r.uniform(0.03, 0.4), 3)
        self.frames.append([Scalar("alpha", "real", 0, 1), Scalar("p", "real", -1, 2),
                            Scalar("d", "real", -2.5, 2.5)])
        body = [Stmt("count++;", fixed=True)] if self.counts_them else []
        body += [Stmt(power, fixed=True), Stmt(f"real alpha = {alpha};", fixed=True)]
        if r.random() < 0.7:
            body.append(Stmt(f"if (alpha < {least}§) continue;", fixed=True))
        if not behind:
            body += [Stmt("real next = T * (1 - alpha);", fixed=True),
                     Stmt(f"if (next < {limit}§) ", [Stmt(stop, fixed=True)], fixed=True)]
        for c in range(self.colours):
            name, number = f"s_z{c}", "s_id[j]" if self.listed_by else "(base + j)"
            colour = f"{name}[j]" if name in self.staged else f"z[{self.colours} * {number} + {c}]"
            term = binary("*", leaf(f"{colour} * alpha", "real", -1.5, 1.5), leaf("T", "real", 0, 1), "real",
                          -1.5, 1.5)
            body.append(Stmt(f"sum{c} += ", term if r.random() < 0.7 else self.fit(term, -1, 1), ";",
                             fixed=True))
        body.append(Stmt("T *= 1 - alpha;" if behind else "T = next;", fixed=True))
        body += [Stmt("last = count;", fixed=True)] if self.counts_them else []
        if behind:
            body.append(Stmt(f"if (T < {limit}§) ", [Stmt(stop, fixed=True)], fixed=True))
        self.frames.pop()
        count = f"min({b}, (int)(r.y - base))" if self.kind != "int" else f"min({b}, r.y - base)"
        return Stmt(f"for (int j = 0; !done && j < {count}; j++) ", body, fixed=True)

    def stores(self):
        r, c = self.random, self.colours
        background = r.choice(["0.3§ * T", "T * T", "0"])
        made = [Stmt(f"y[{c} * i + {k}] = sum{k} + {background};", fixed=True) for k in range(c)]
        if self.kernel.kept:
            made += [Stmt("ends[i] = T;", fixed=True), Stmt("lasts[i] = last;", fixed=True)]
        return made
