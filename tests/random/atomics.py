"""Atomic operations whose outcome no order of the threads changes, and the halves that some of them ask for.

Integers: what all threads together bring to one cell is the same in every order. Floats: sums; in halves
also the largest or the smallest of all, exchanges of which each cell sees one thread's, or all threads' equal
values, and tickets of which nothing is left in the results but that every item was drawn once.
"""
from tree import Scalar, Stmt, binary, leaf

SCOPES = ["", "", "", "_block", "_system"]  # of shared memory
SCOPES_OF_ALL = ["", "", "_system"]
# What the threads under a condition do to a cell: call, what the cell holds before, and the most it may hold
# then.
INTEGER = [("Add", "1", 0, "{b}"), ("Add", "t % 3", 0, "2 * {b}"), ("Sub", "-2", 0, "2 * {b}"),
           ("Or", "1 << t % 5", 0, "31"), ("Xor", "1 << t % 4", 0, "15"), ("And", "~(1 << t % 5)", 31, "31"),
           ("Max", "t * 5 % 7", 1, "6"), ("Min", "t * 3 % 8", 7, "7"), ("Exch", "3", 0, "3"),
           ("CAS", "0, 5", 0, "5"), ("Inc", "2u", 0, "2"),
           ("Dec", "3u", 1, "3")]


class Atomics:
    tickets = False  # of a list in shared memory
    gone = False  # whether threads may have left that others of the block counted on

    def draw_split(self):
        """Two halves beside the joined form; or, with results and winners of atomics, these only."""
        r, k = self.random, self.kernel
        pick = r.random()
        k.split = "only" if pick < 0.1 else "both" if pick < 0.28 or self.stores_for_all() else ""
        self.winners = set()
        # threads take turns by what atomics return: cells are not taken to be apart then because it would be a
        # race
        self.turns = False
        if k.split == "only":
            self.winners = {r.choice(["most", "most", "last" if self.single else "queue", "queue", "list"])}
            self.winners |= {name for name in ("most", "last", "queue") if r.random() < 0.25}
        if not self.single:
            self.winners.discard("last")  # CUDA has no exchange of doubles
        self.turns = k.drawn = bool(self.winners & {"queue", "list"})
        if "most" in self.winners:
            self.add("real *", "most", "inout", cells=2, low=-0.5, high=0.5)
        if "last" in self.winners:
            self.last, self.scope = r.choice(["own", "own", "alike"]), r.choice(SCOPES_OF_ALL)
            where = {"cells": self.n} if self.last == "own" else {"cells": 2, "low": -30, "high": -20}
            self.add("real *", "last", "inout", **where)
        if "queue" in self.winners:
            self.add("real *", "queued", "out", cells=r.randint(2, 6))
            self.add("int *", "next", "list", value=[0])
        if r.random() < 0.12:
            self.add("int *", "tally", "list", value=[1, 2, 3])

    def apart(self):
        """No two values are equal: which one would win is the launch's business, and may be another in the
        next."""
        at = ["blockIdx.x * blockDim.x + threadIdx.x"]
        at += [f"{times} * {name}" for name, times in (("row", 31), ("layer", 97)) if name in self.own]
        return f" + (real)({' + '.join(at)}) / 64);"

    def extremes(self):
        """What is behind a kernel's other work, where every thread is that has an own place."""
        made, r = [], self.random
        if "most" in self.winners:
            word = r.choice(["max", "max", "min"])
            cell = self.integer_in(0, 1, 1)
            value = self.fit(self.real(3), -2, 2)
            made.append(Stmt(f"gw_atomic_{word}(&most[", cell, "], ", value, self.apart()))
        if "last" in self.winners:
            made += self.exchanges()
        if "queue" in self.winners:
            made += self.queue()
        if any(p.name == "tally" for p in self.kernel.parameters):
            kind, value = r.choice([("Add", "2"), ("Max", "5"), ("Or", "4"), ("Exch", "7"), ("Sub", "1"),
                                    ("CAS", "1, 9")])
            made.append(Stmt(f"atomic{kind}{r.choice(SCOPES_OF_ALL)}(&tally[", self.integer_in(0, 2),
                             f"], {value});"))
        return made

    def exchange(self, cell, e, in_double):
        """In double, which has none, what comes to the same."""
        open_call, close = ("", " = ") if in_double == "store" else ("gw_atomic_max(&", ", ")
        end = ";" if in_double == "store" else ");"
        return Stmt(f"«atomicExch{self.scope}(&¦{open_call}»last[{cell}]«, ¦{close}»", e, f"«);¦{end}»")

    def exchanges(self):
        """The last value stays in cells of one thread each; if all threads bring one value, it is more than was
        there, whoever is last."""
        r = self.random
        if self.last == "alike":
            e = self.with_names(self.known_to_all(), lambda: self.fit(self.real(2), -2, 2))
            return [self.exchange(r.randint(0, 1), e, "maximum")]
        made = [self.exchange(self.own, self.fit(self.real(2), -2, 2), "store")]
        if r.random() < 0.5:
            again = self.exchange(self.own, self.fit(self.real(2), -2, 2), "store")
            made.append(Stmt("if (", self.condition(1), ") ", [again], prefix=""))
        return made

    def with_names(self, names, make):
        """What make() makes where only these are visible."""
        kept, self.frames, helpers = self.frames, [names], self.helpers
        self.helpers = []
        made = make()
        self.frames, self.helpers = kept, helpers
        return made

    def known_to_all(self):
        """What is the same for all threads for as long as the kernel runs."""
        words = {p.name for p in self.kernel.parameters if p.role in ("in", "fixed")
                 and p.type_name.startswith("const real")}
        sizes = set(self.sizes)
        return [v for v in self.scalars() if v.name in sizes] + [a for a in self.arrays() if a.base in words]

    def queue(self):
        """Items that threads draw: which thread gets which is another thing in each order, what becomes of them
        is not."""
        r, k, j = self.random, self.fresh("k"), self.fresh("j")
        most = next(p.cells for p in self.kernel.parameters if p.name == "queued")
        item = Scalar(k, "int", 0, most - 1)
        e = self.with_names(self.known_to_all() + [item], lambda: self.fit(self.real(3), -2, 2))
        draw = Stmt(f"int {k} = atomicAdd(next, 1);", fixed=True)
        body = [draw, Stmt(f"if ({k} >= {most}) break;", fixed=True),
                Stmt(f"queued[{k}] = ", e, ";", fixed=True)]
        if r.random() < 0.3:
            body[1:] = [Stmt(f"if ({k} < {most}) ", [body[2]], fixed=True)]
        return [Stmt(f"for (int {j} = 0; {j} < {most}; {j}++) ", body)]

    # In shared memory
    def set_first(self, cell, value):
        """By the first thread, or by all that are there if it may have left."""
        return Stmt(f"atomicExch(&{cell}, {value});" if self.gone else f"if (t == 0) {cell} = {value};",
                    fixed=True)

    def count(self):
        """What the threads that find a condition true bring to one cell; all of them know it then."""
        name, condition = self.fresh("c"), self.condition(1)
        kind, value, before, most = self.random.choice(INTEGER)
        most = int(eval(most.format(b=self.threads)))
        self.counts.add("unsigned" if kind in ("Inc", "Dec") else "int")
        cell = "turns" if kind in ("Inc", "Dec") else "hits"
        self.declare(Scalar(name, "int", 0, most))
        self.uniform.append((name, "count", len(self.frames)))
        call = f"atomic{kind}{self.random.choice(SCOPES)}(&{cell}, {value});"
        return [self.set_first(cell, before), Stmt("__syncthreads();", fixed=True),
                Stmt("if (", condition, f") {call}", fixed=True), Stmt("__syncthreads();", fixed=True),
                Stmt(f"int {name} = {cell};", fixed=True), Stmt("__syncthreads();", fixed=True)]

    def listed(self):
        """A list in shared memory to which threads append; its sums are the same in every order."""
        self.winners.discard("list")
        self.tickets = True
        slot, k, v, barrier = (self.fresh("k"), self.fresh("k"), self.fresh(),
                               Stmt("__syncthreads();", fixed=True))
        entry = leaf(f"list[{k}]", "real", -2, 2)
        term = self.fit(binary("*", entry, entry, "real", -4, 4), -0.05, 0.05)
        add = Stmt(f"{v} += ", term, ";", fixed=True)
        rounds = [Stmt(f"for (int {k} = 0; {k} < held; {k}++) ", [add], fixed=True),
                  Stmt(f"for (int {k} = 0; {k} < {self.threads}; {k}++) ",
                       [Stmt(f"if ({k} < held) ", [add], fixed=True)], fixed=True)]
        append = [Stmt(f"int {slot} = atomicAdd(&held, 1);", fixed=True),
                  Stmt(f"list[{slot}] = ", self.fit(self.real(2), -2, 2), ";", fixed=True)]
        made = [self.set_first("held", 0), barrier, Stmt("if (", self.condition(1), ") ", append, fixed=True),
                barrier, Stmt(f"real {v} = ", self.number(), ";", fixed=True),
                self.random.choice(rounds), barrier]
        self.declare(Scalar(v, "real", -4, 4, True, "real"))
        return made

    def counters(self):
        """Declarations of the cells that these work on."""
        made = [Stmt(f"__shared__ {kind} {'turns' if kind == 'unsigned' else 'hits'};", fixed=True)
                for kind in sorted(self.counts)]
        if self.tickets:
            made += [Stmt("__shared__ int held;", fixed=True),
                     Stmt(f"__shared__ real list[{self.threads}];", fixed=True)]
        return made
