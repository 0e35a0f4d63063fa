"""Ties: numbers drawn from few, and what is smooth of the larger and smaller of them though neither is: half to
each of two equal ones is the only rule by which all of these have the derivative that differences find."""
from tree import Scalar, Stmt, leaf, real_literal

FEW = [(0, 0.5, 1), (0, 0.5), (0, 1), (0.25, 1), (0, 0, 0.5, 1)]
LARGER = ["fmax§({a}, {b})", "fmax§({b}, {a})", "{a} > {b} ? {a} : {b}", "{a} >= {b} ? {a} : {b}",
          "{b} < {a} ? {a} : {b}", "{b} > {a} ? {b} : {a}", "0.5§ * ({a} + {b} + fabs§({a} - {b}))"]
SMALLER = ["fmin§({a}, {b})", "fmin§({b}, {a})", "{a} < {b} ? {a} : {b}", "{b} <= {a} ? {b} : {a}",
           "{a} > {b} ? {b} : {a}", "0.5§ * ({a} + {b} - fabs§({a} - {b}))"]
# The larger and the smaller give the same as the two as they come.
OF_BOTH = ["{h} * {l}", "{h} + {l}", "sin§({h}) + sin§({l})", "{h} * {h} + {l} * {l}",
           "exp§(-{h}) * exp§(-{l})", "log§(1 + {h}) + log§(1 + {l})"]


RUNNING_FROM = 3001  # kernels and functions that have sums with a running maximum
# One step of such a sum s, and of w with it: by the next maximum o, by a branch, with what is left out.
RUNNING = ["{{ real {o} = fmax§({m}, {c}); {s} = {s} * exp§({m} - {o}) + exp§({c} - {o}); "
           "{w} = {w} * exp§({m} - {o}) + {c} * exp§({c} - {o}); {m} = {o}; }}",
           "{{ real {o} = {m}; {m} = {c} > {o} ? {c} : {o}; {s} *= exp§({o} - {m}); {w} *= exp§({o} - {m}); "
           "{s} += exp§({c} - {m}); {w} += {c} * exp§({c} - {m}); }}",
           "{{ if ({c} > {m}) {{ {s} *= exp§({m} - {c}); {w} *= exp§({m} - {c}); {m} = {c}; }} "
           "{s} += exp§({c} - {m}); {w} += exp§({c} - {m}) * {c}; }}",
           "{{ if ({c} > {m}) {{ {s} = {s} * exp§({m} - {c}) + 1; {w} = {w} * exp§({m} - {c}) + {c}; "
           "{m} = {c}; }} else {{ {s} += exp§({c} - {m}); {w} += {c} * exp§({c} - {m}); }} }}"]


class Ties:
    few_cells = 0  # cells of the array of them

    def add_tied(self):
        r = self.random
        if not self.learns() or self.low:
            return
        cells, few = r.choice([4, 5, 8, self.n]), r.choice(FEW)
        self.few_cells = cells
        self.add("const real *", "tie", "in", cells=cells, value=[r.choice(few) for _ in range(cells)])

    def tied_cell(self):
        return f"tie[{self.integer_in(0, self.few_cells - 1, 1).text()}]"

    def cell_of_thread(self):
        """Mostly another one than a neighbour's."""
        at = self.integer_in(0, self.few_cells - 1, 1).text()
        return f"tie[(threadIdx.x + ({at})) % {self.few_cells}]" if self.random.random() < 0.8 else f"tie[{at}]"

    def smooth(self, text, lo, hi):
        """A new number of it, which no other one is equal to."""
        r, name = self.random, self.fresh()
        factor, more = (real_literal(r.uniform(0.3, 0.99)) for _ in range(2))
        e = leaf(f"({factor.text()} * ({text}) - {more.text()})", "real", min(lo, 0) - 1, max(hi, 0) + 1)
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        return [Stmt(f"real {name} = ", self.fit(e, -2, 2), ";")]

    def tie(self):
        return self.random.choice([self.both, self.both, self.sorted, self.two_spellings, self.log_sum])()

    def two(self):
        a, b = self.fresh("f"), self.fresh("f")
        return a, b, [Stmt(f"real {a} = {self.tied_cell()}, {b} = {self.tied_cell()};", fixed=True)]

    def spelled(self, forms, name, a, b):
        """A number that is the larger or the smaller, as a choice or by a branch."""
        r, less = self.random, forms is SMALLER
        if r.random() < 0.25:
            sign = "<" if less else ">"
            return [Stmt(f"real {name} = {a};", fixed=True),
                    Stmt(f"if ({b} {sign} {name}) {name} = {b};", fixed=True)]
        form = r.choice([*forms, f"{self.least if less else self.most}({{a}}, {{b}})"])
        return [Stmt(f"real {name} = {form.format(a=a, b=b)};", fixed=True)]

    def both(self):
        a, b, made = self.two()
        h, l = self.fresh("f"), self.fresh("f")
        made += self.spelled(LARGER, h, a, b) + self.spelled(SMALLER, l, a, b)
        return made + self.smooth(self.random.choice(OF_BOTH).format(h=h, l=l), 0, 2)

    def two_spellings(self):
        """The larger by two of them, whose difference is 0 wherever one stands."""
        a, b, made = self.two()
        names, forms = (self.fresh("f"), self.fresh("f")), self.random.choice([LARGER, SMALLER])
        for name in names:
            made += self.spelled(forms, name, a, b)
        e = self.fit(self.real(1), -2, 2).text()
        return made + self.smooth(f"({names[0]} - {names[1]}) * 3 + ({e})", -2, 2)

    def sorted(self):
        """Three by a network: a sum over them."""
        f = [self.fresh("f") for _ in range(3)]
        made = [Stmt(f"real {name} = {self.tied_cell()};", fixed=True) for name in f]
        for a, b in ((0, 1), (1, 2), (0, 1)):
            o = self.fresh("f")
            made += self.spelled(SMALLER, o, f[a], f[b])
            larger = self.random.choice(LARGER).format(a=f[a], b=f[b])
            made.append(Stmt(f"{f[b]} = {larger}; {f[a]} = {o};", fixed=True))
        term = self.random.choice(["sin§({})", "{0} * {0}", "exp§(-{})"])
        return made + self.smooth(" + ".join(term.format(name) for name in f), 0, 3)

    def log_sum(self):
        """A log-sum-exp, one of its shares, or a mean by them."""
        r, count = self.random, self.random.randint(2, max(2, min(5, self.few_cells)))
        m, s, k, w = self.fresh("f"), self.fresh("f"), self.fresh("k"), self.fresh("f")
        cell = f"tie[(({self.integer_in(0, self.few_cells - 1, 1).text()}) + {k}) % {self.few_cells}]"
        if self.kernel.seed >= RUNNING_FROM and r.random() < 0.6:
            begins = r.choice([f"{cell.replace(f' + {k})', ')')}, {s} = 1, {w} = {m}", f"-9, {s} = 0, {w} = 0"])
            step = r.choice(RUNNING).format(m=m, s=s, w=w, c=cell, o=self.fresh("f"))
            made = [Stmt(f"real {m} = {begins};", fixed=True),
                    Stmt(f"for (int {k} = {int('= 1' in begins)}; {k} < {count}; {k}++) {step}", fixed=True)]
            return made + self.smooth(*self.of_log_sum(m, s, w, self.tied_cell(), count))
        first, every = cell.replace(f" + {k})", ")"), f"for (int {k} = 0; {k} < {count}; {k}++) "
        step = r.choice([f"{m} = fmax§({m}, {cell});", f"{m} = {cell} > {m} ? {cell} : {m};",
                         f"if ({cell} > {m}) {m} = {cell};"])
        made = [Stmt(f"real {m} = {first};", fixed=True), Stmt(every.replace("= 0", "= 1") + step, fixed=True),
                Stmt(f"real {s} = 0, {w} = 0;", fixed=True),
                Stmt(every + f"{{ {s} += exp§({cell} - {m}); {w} += {cell} * exp§({cell} - {m}); }}",
                     fixed=True)]
        return made + self.smooth(*self.of_log_sum(m, s, w, self.tied_cell(), count))

    def of_log_sum(self, m, s, w, cell, count):
        return self.random.choice([(f"{m} + log§({s})", 0, 4.6), (f"{m} + log§({s})", 0, 4.6),
                                   (f"exp§({cell} - {m}) / {s}", 0, 2.8), (f"{w} / {s}", 0, 1.1)])

    # Ties of a warp's lanes, all of which are there, and of a block's threads
    def tied_lanes(self, mask):
        """A butterfly: each lane compares its own with another's."""
        r, threads = self.random, self.threads
        x, m, s, o, w = (self.fresh("f") for _ in range(5))
        every = f"for (int {o} = {threads // 2}; {o} > 0; {o} /= 2) "

        def other(name):
            return f"__shfl_xor_sync({mask}, {name}, {o}, {threads})"
        forms = [f"{every}{m} = fmax§({m}, {other(m)});", f"{every}{m} = fmax§({other(m)}, {m});",
                 f"{every}{{ real {w} = {other(m)}; {m} = {w} > {m} ? {w} : {m}; }}",
                 f"{every}{{ real {w} = {other(m)}; if ({m} < {w}) {m} = {w}; }}"]
        if threads in self.tiles:
            group = "cooperative_groups"
            forms += [f"{m} = {group}::reduce(tile{threads}, {m}, {group}::greater<real>());"] * 3
        made = [f"real {x} = {self.cell_of_thread()};", f"real {m} = {x};", r.choice(forms),
                f"real {s} = exp§({x} - {m});", f"{every}{s} += {other(s)};"]
        text = r.choice([f"{m} + log§({s})", f"exp§({x} - {m}) / {s}"])
        return [Stmt(line, fixed=True) for line in made] + self.smooth(text, 0, 4.6)

    def tied_tree(self):
        """Through shared memory, with barriers: the largest, then the sum."""
        r, b = self.random, self.threads
        if not self.few_cells or not self.flat() or b not in (2, 4, 8, 32) or self.gone or not self.whole:
            return self.uniform_branch(0)
        g, x, m, s, o = (self.fresh(letter) for letter in "gffff")
        barrier = "__syncthreads();"

        def rounds(step):
            return f"for (int {o} = {b // 2}; {o} > 0; {o} /= 2) {{ if (t < {o}) {step} {barrier} }}"
        left, right = f"{g}[t]", f"{g}[t + {o}]"
        larger = r.choice([f"{left} = fmax§({left}, {right});", f"if ({right} > {left}) {left} = {right};",
                           f"{left} = {left} < {right} ? {right} : {left};"])
        made = [f"__shared__ real {g}[{b}];", f"real {x} = {self.cell_of_thread()};", f"{g}[t] = {x};", barrier,
                rounds(larger), f"real {m} = {g}[0];", barrier, f"{g}[t] = exp§({x} - {m});", barrier,
                rounds(f"{left} += {right};"), f"real {s} = {g}[0];", barrier]
        text = r.choice([f"{m} + log§({s})", f"exp§({x} - {m}) / {s}"])
        return [Stmt(line, fixed=True) for line in made] + self.smooth(text, 0, 4.6)
