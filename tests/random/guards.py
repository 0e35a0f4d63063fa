"""Guards around poles: a root, logarithm or quotient that is infinite where its operand is 0, and a branch or
an early way out that has no use for it there. The operand is made of numbers drawn from few, 0 among them: at
the pole or far from it, so that what the guard decides does not change beside it."""
from tree import Scalar, Stmt

# Poles by z, which is 0 or at least 0.06, and guards that keep their values: at a pole the other side runs.
POLES = [("sqrt§({z})", "{l} > 0.1§", "{w} / {l}"), ("sqrt§({z})", "{l} > 0.1§", "sin§({l}) / {l}"),
         ("log§({z})", "{z} > 0.03§", "{z} * {l}"), ("{w} / {z}", "{z} > 0.03§", "0.05§ * {l}"),
         ("1 / {z}", "{z} >= 0.03§", "{w} * atan§({l})"), ("pow§({z}, 0.5§)", "{l} > 0.1§", "{w} * {l}"),
         ("cbrt§({z})", "{l} > 0.2§", "{l} * {w}"), ("acos§(1 - {z} / (1 + {z}))", "{z} > 0.03§", "{l} * {w}"),
         ("sqrt§({z}) * {w}", "{z} > 0.03§", "{l} / (1 + {z})"),
         ("log1p§(sqrt§({z}))", "{z} > 0.03§", "{l} * {w}"), ("hypot§({z}, sqrt§({z}))", "{z} > 0.03§", "{l}")]


class Guards:
    held = False  # in what is no function of its own

    def guard(self):
        r = self.random
        return r.choice([self.guarded, self.guarded, self.guarded_in_function, self.guarded_trips,
                         self.guarded_return])()

    def pole(self):
        """What z is, and how it reads."""
        a, b = self.tied_cell(), self.tied_cell()
        return self.random.choice([f"{a} * {a} + {b} * {b}", f"({a} - {b}) * ({a} - {b})", f"{a} * {a}", a])

    def weight(self):
        return self.fit(self.real(1), -1, 1).text()

    def of_pole(self, z, l, w):
        return (text.format(z=z, l=l, w=w) for text in self.random.choice(POLES))

    def bounded(self, text):
        """Nothing is large of what a guard lets pass."""
        return f"{self.random.choice(['sin§', 'atan§'])}({text})"

    def guarded(self):
        r = self.random
        z, l, w, v = self.fresh("f"), self.fresh("f"), self.fresh("f"), self.fresh()
        value, condition, use = self.of_pole(z, l, w)
        use, other = self.bounded(use), self.number().text()
        made = [f"real {z} = {self.pole()}, {w} = {self.weight()};", f"real {l} = {value};"]
        forms = [[f"real {v} = {condition} ? {use} : {other};"],
                 [f"real {v} = {other};", f"if ({condition}) {v} = {use};"],
                 [f"real {v};", f"if (!({condition})) {v} = {other}; else {v} = {use};"]]
        self.declare(Scalar(v, "real", -3, 3, True, "real"))
        return [Stmt(line, fixed=True) for line in made + r.choice(forms)]

    def guarded_in_function(self):
        """An early return."""
        name, v = f"h{20 + len(self.kernel.helpers)}¶", self.fresh()
        value, condition, use = self.of_pole("z", "l", "w")
        body = [f"real l = {value};", f"if (!({condition})) return {self.number().text()};",
                f"return {self.bounded(use)};"]
        self.kernel.helpers.append(Stmt(f"{self.of_device} real {name}(real z, real w) ",
                                        [Stmt(line, fixed=True) for line in body], fixed=True))
        made = [Stmt(f"real {v} = {name}({self.pole()}, {self.weight()});", fixed=True)]
        self.declare(Scalar(v, "real", -3, 3, True, "real"))
        return made

    def guarded_trips(self):
        """A loop that goes on."""
        v, k, z, l, w = self.fresh(), self.fresh("k"), self.fresh("f"), self.fresh("f"), self.fresh("f")
        count = self.random.randint(2, 4)
        value, condition, use = self.of_pole(z, l, w)
        cell = f"tie[(({self.integer_in(0, self.few_cells - 1, 1).text()}) + {k}) % {self.few_cells}]"
        lines = [f"real {z} = {cell} * {cell}, {w} = {self.weight()};", f"real {l} = {value};",
                 f"if (!({condition})) continue;", f"{v} += 0.25§ * {self.bounded(use)};"]
        loop = Stmt(f"for (int {k} = 0; {k} < {count}; {k}++) ", [Stmt(line, fixed=True) for line in lines],
                    fixed=True)
        first = Stmt(f"real {v} = 0;", fixed=True)
        self.declare(Scalar(v, "real", -2, 2, True, "real"))
        return [first, loop]

    def guarded_return(self):
        """The way out of a loop or of the function."""
        if self.held and not self.exits[-1]:
            return self.guarded()
        words = self.exits[-1] or [self.way_out()]
        if ";" in words:
            return self.guarded()
        z, l, w, v = self.fresh("f"), self.fresh("f"), self.fresh("f"), self.fresh()
        value, condition, use = self.of_pole(z, l, w)
        made = [f"real {z} = {self.pole()}, {w} = {self.weight()};", f"real {l} = {value};",
                f"if (!({condition})) {self.random.choice(words)}", f"real {v} = {self.bounded(use)};"]
        self.declare(Scalar(v, "real", -2, 2, True, "real"))
        return [Stmt(line, fixed=True) for line in made]
