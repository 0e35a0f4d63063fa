"""Random kernels in which neighbours read one cell, at shifts of their own number: adjoints that one thread can
gather."""
from kernels import Generator
from tree import Stmt, binary, leaf


class Stencils(Generator):
    """y[i] from st[i + s] for a few s, inside of a border; what a kernel has beside that is little."""
    grow = 2

    def make_struct(self):
        """None."""

    def make_helper(self):
        """None."""

    def make_kernel(self):
        r, k = self.random, self.kernel
        self.frames, self.in_body = [[]], True
        shape = r.choice(["line", "line", "plane", "cube", "stride"])
        body, _ = self.launch(shape)
        self.draw_split()
        for name, size in self.sizes.items():
            self.add("int", name, "value", value=size)
        self.add_input("st")
        if r.random() < 0.5:
            self.add_input("w")
        if r.random() < 0.3:
            self.add("real", "p", "value", value=round(r.uniform(0.3, 1.7), 3))
        self.add("real *", "y", "out", cells=self.n)
        r.shuffle(k.parameters)
        inner = self.inner(1 if "width" in self.sizes else r.choice([1, 1, 2]))
        if shape == "stride":
            k.body = [Stmt("for (int i = HERE; i < n; i += (int)(gridDim.x * blockDim.x)) ", inner, fixed=True)]
        else:
            k.body = body + inner
        self.make_request()

    def axes(self):
        """The axes of a cell: its number along one, how long that is, and how far apart its neighbours are."""
        if "layers" in self.sizes:
            return [("column", "width", "1"), ("row", "height", "width"), ("layer", "layers", "width * height")]
        if "width" in self.sizes:
            return [("column", "width", "1"), ("row", "height", "width")]
        return [("i", "n", "1")]

    def inner(self, reach):
        """A sum over neighbours that all are there: under a condition, or for others another value."""
        r, axes = self.random, self.axes()
        bounds = [f"{name} >= {reach} && {name} < {size} - {reach}" for name, size, _ in axes]
        shifts = {tuple(r.choice([0, r.randint(-reach, reach)]) for _ in axes) for _ in range(r.randint(2, 6))}
        e = None
        for shift in sorted(shifts):
            steps = "".join(f" + {s} * ({step})" for s, (_, _, step) in zip(shift, axes, strict=True) if s)
            cell = leaf(f"st[{self.own}{steps}]", "real", -1.5, 1.5)
            factor = self.number() if r.random() < 0.7 else self.coefficient()
            term = binary("*", cell, factor, "real", -4.5, 4.5)
            if r.random() < 0.2:
                term = binary("*", cell, cell, "real", 0, 2.25)
            e = term if e is None else binary("+", e, term, "real", e.lo - 4.5, e.hi + 4.5)
        v = self.fresh()
        how = r.choice(["only", "else", "plain"])
        result = leaf(v, "real", e.lo, e.hi)
        made = [Stmt(f"real {v} = ", e, ";", fixed=True)]
        store = Stmt(f"y[{self.own}] = ", result if how == "plain" else self.fit(result, -2, 2), ";",
                     fixed=True)
        other = [Stmt(f"y[{self.own}] = ", self.fit(binary("*", leaf(f"st[{self.own}]", "real", -1.5, 1.5),
                                                           self.number(), "real", -4.5, 4.5), -2, 2),
                      ";", fixed=True)]
        whole = ["if (", leaf(" && ".join(bounds), "bool", 0, 1), ") ", made + [store]]
        return [Stmt(*whole, *([" else ", other] if how == "else" else []))]

    def coefficient(self):
        names = [p.name for p in self.kernel.parameters if p.name in ("w", "p")]
        if not names:
            return self.number()
        name = self.random.choice(names)
        return leaf("p" if name == "p" else f"w[{self.own}]", "real", -2, 2)

    def draw_wishes(self):
        if "st" in self.kernel.inputs and self.random.random() < 0.3:
            self.kernel.wishes.append("GW_ACCUMULATE(st, gather)")
        super().draw_wishes()
