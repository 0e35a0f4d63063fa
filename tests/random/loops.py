"""Random loops of every form, and switches. Each ends by construction; its counter is never written inside."""
from tree import Scalar, Stmt


class Loops:
    diverges = False  # whether threads mostly run loops differently often

    def bound(self):
        """A trip count: text, and the least and largest value."""
        r, pick = self.random, self.random.random()
        if self.diverges and pick < 0.6:
            own = [v.name for v in self.scalars() if v.kind == "int"
                   and (v.name in ("i", "row", "column") or v.name.startswith("j") and v.lo >= 0)]
            most = [v for v in self.scalars() if v.kind in ("int", "unsigned") and v.name in ("m", "count")]
            if own:
                which, by = " + ".join(r.sample(own, min(len(own), 2))), r.randint(2, 4)
                if most and r.random() < 0.7:  # no constant bounds what such loops record
                    v = r.choice(most)
                    return f"(({which}) % {by} + (int){v.name})", int(v.lo), int(v.hi) + by - 1
                return f"({which}) % {by}", 0, by - 1
        if pick < 0.35:
            count = r.randint(1, 4)
            return str(count), count, count
        dynamic = [v for v in self.scalars() if v.kind in ("int", "unsigned")
                   and v.name in ("m", "steps", "count")]
        if dynamic and pick < 0.8:
            v = r.choice(dynamic)
            return v.name, int(v.lo), int(v.hi)
        counters = [v for v in self.scalars() if v.kind == "int" and v.name.startswith("j") and v.hi <= 5]
        if counters and pick < 0.92:
            v = r.choice(counters)
            if r.random() < 0.6:
                return v.name, int(v.lo), int(v.hi)
            return f"{v.name} + 1", int(v.lo) + 1, int(v.hi) + 1
        own = [v for v in self.scalars() if v.name in ("i", "row", "column") and v.kind == "int"]
        if own:
            by = r.randint(2, 4)
            return f"{r.choice(own).name} % {by}", 0, by - 1
        return "3", 3, 3

    def loop(self):
        r = self.random
        if self.goes_from_the_end():
            return self.leaving(lambda: self.from_the_end(self.fresh("j")))
        limit, least, most = self.bound()
        if self.trips * max(most, 1) > 60:
            return self.branch()
        make = r.choice([self.counted] * 6 + [self.falling, self.strided, self.while_loop, self.while_loop,
                                             self.do_loop, self.endless, self.two_counters, self.outer_counter])
        self.trips *= max(most, 1)
        made = self.leaving(lambda: make(self.fresh("j"), limit, least, most))
        self.trips //= max(most, 1)
        return self.in_segments(made) if self.marks else made

    def leaving(self, make):
        self.exits.append(["break;", "break;", "continue;"])
        made = make()
        self.exits.pop()
        return made

    def body(self, counters, count=None, first=()):
        def make():
            for c in counters:
                self.declare(c)
            return [Stmt(line, fixed=True) for line in first]
        return self.block(count or self.random.randint(1, 4), make)

    @staticmethod
    def counter(name, lo, hi, kind="int"):
        return Scalar(name, kind, lo, max(lo, hi), False)

    def counted(self, j, limit, least, most):
        r = self.random
        start = r.choice([0, 0, 0, 0, 1])
        operator = "<"
        kind = "unsigned" if r.random() < 0.1 and limit.isdigit() else "int"
        last = most - 1
        if r.random() < 0.15:
            operator, last = "<=", most
        header = (f"for ({kind} {j} = {start}; {j} {operator} {limit}; "
                  f"{r.choice([j + '++', '++' + j, j + ' += 1'])}) ")
        body = self.body([self.counter(j, start, last, kind)])
        if r.random() < 0.06:
            body.append(Stmt("if (", self.condition(1), f") {j}++;"))
        return [Stmt(header, body, prefix=f"{kind} {j} = {start};")]

    def falling(self, j, limit, least, most):
        if self.random.random() < 0.5:
            header = f"for (int {j} = {limit} - 1; {j} >= 0; {j}--) "
        else:
            header = f"for (int {j} = {limit}; {j}-- > 0;) "
        return [Stmt(header, self.body([self.counter(j, 0, most - 1)]), prefix=f"int {j} = 0;")]

    def strided(self, j, limit, least, most):
        header = f"for (int {j} = 0; {j} < 2 * ({limit}); {j} += 2) "
        return [Stmt(header, self.body([self.counter(j, 0, 2 * most - 1)]), prefix=f"int {j} = 0;")]

    def two_counters(self, j, limit, least, most):
        other = self.fresh("j")
        header = f"for (int {j} = 0, {other} = 5; {j} < {limit}; {j}++, {other}--) "
        counters = [self.counter(j, 0, most - 1), self.counter(other, 5 - max(most - 1, 0), 5)]
        return [Stmt(header, self.body(counters), prefix=f"int {j} = 0, {other} = 5;")]

    def outer_counter(self, j, limit, least, most):
        """The counter is declared before the loop and read after it."""
        header = f"for (; {j} < {limit}; {j}++) "
        body = self.body([self.counter(j, 0, most - 1)])
        self.declare(self.counter(j, 0, max(most, 0)))
        return [Stmt(f"int {j} = 0;"), Stmt(header, body, prefix="")]

    def while_loop(self, j, limit, least, most):
        condition = [f"while ({j} < {limit}"]
        if self.random.random() < 0.4:
            condition += [" && (", self.condition(1), ")"]
        body = self.body([self.counter(j, 1, most)], first=[f"{j}++;"])
        self.declare(self.counter(j, 0, max(most, 0)))
        return [Stmt(f"int {j} = 0;"), Stmt(*condition, ") ", body, prefix="")]

    def do_loop(self, j, limit, least, most):
        body = self.body([self.counter(j, 1, most)], first=[f"{j}++;"])
        self.declare(self.counter(j, 1, max(most, 1)))
        return [Stmt(f"int {j} = 0;"), Stmt("do ", body, f" while ({j} < {limit});", prefix="")]

    def endless(self, j, limit, least, most):
        body = self.body([self.counter(j, 1, most)], first=[f"if ({j}++ >= {limit}) break;"])
        self.declare(self.counter(j, 1, max(most, 0) + 1))
        header = self.random.choice(["for (;;) ", "while (true) "])
        return [Stmt(f"int {j} = 0;"), Stmt(header, body)]

    def switch(self):
        r = self.random
        subject = self.integer_in(0, 4, 2)
        in_loop = "continue;" in self.exits[-1]
        self.exits.append(["break;", "continue;"] if in_loop else ["break;"])
        cases = []
        for value in sorted(r.sample(range(5), r.randint(2, 4))):
            body = self.block(r.randint(1, 2))
            labels = f"case {value}: "
            if r.random() < 0.7:
                body.append(Stmt("break;"))
            if subject.lo <= value <= subject.hi:  # else compilers warn of indices that this value would make
                cases.append(Stmt(labels, body))
        if r.random() < 0.6:
            cases.insert(r.choice([len(cases), len(cases), 0]),
                         Stmt("default: ", self.block(1) + [Stmt("break;")]))
        self.exits.pop()
        return [Stmt("switch (", subject, ") ", cases)]
