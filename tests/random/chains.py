"""Loops in loops that carry a value which formulas of the reverse sweep need: so each of its values is
recorded, or made again from one that is. No update makes a small change larger."""
from tree import Scalar, Stmt, binary, leaf


class Chains:
    def chain(self):
        """A chain from a value that later statements may read."""
        if not self.in_body or self.trips > 4:
            return self.assign()
        v, start = self.fresh(), self.fit(self.real(2), -2, 2)
        loops = self.chain_loop(v, self.random.randint(1, 3))
        self.declare(Scalar(v, "real", -2, 2, True, "real"))
        return [Stmt(f"real {v} = ", start, ";", fixed=True)] + loops

    def last_chain(self):
        """One whose value the first output needs."""
        made = self.chain()
        self.due = [*self.due, self.scalars()[-1].read()]
        return made

    def chain_loop(self, v, depth):
        r, j = self.random, self.fresh("j")
        limit, least, most = self.bound()
        if self.trips * max(most, 1) > 40:
            limit, most = "2", 2
        self.trips *= max(most, 1)
        self.frames.append([Scalar(j, "int", 0, max(most, 1))])
        body = []
        for _ in range(r.randint(1, 3)):
            pick = r.random()
            if pick < 0.35 and depth > 1:
                body += self.chain_loop(v, depth - 1)
            elif pick < 0.5:
                body.append(Stmt("if (", self.condition(1), ") ", [self.link(v)], prefix=""))
            elif pick < 0.58:
                body.append(Stmt("if (", self.condition(1), f") {r.choice(['break', 'continue'])};"))
            else:
                body.append(self.link(v))
        body.append(self.link(v))
        self.frames.pop()
        self.trips //= max(most, 1)
        limit = f"(int)({limit})"
        up = Stmt(f"for (int {j} = 0; {j} < {limit}; {j}++) ", body, prefix=f"int {j} = 0;")
        down = Stmt(f"for (int {j} = {limit}; {j}-- > 0;) ", body, prefix=f"int {j} = 0;")
        stops = Stmt(f"for (int {j} = 0; {j} < {limit} && {v} > ", self.random_limit(), f"; {j}++) ", body,
                     prefix=f"int {j} = 0;")
        return [stops] if r.random() < 0.25 else self.in_segments([r.choice([up, up, down])])

    def random_limit(self):
        return leaf(f"{round(self.random.uniform(-1.9, 0.5), 3)}§", "real", -2, 0.5)

    def link(self, v):
        """v stays within -2 to 2."""
        r, own = self.random, leaf(v, "real", -2, 2)
        pick = r.random()
        if pick < 0.4:
            return Stmt(f"{v} *= ", self.fit(self.real(2), -1, 1), ";", fixed=True)
        more = self.fit(self.real(2), -1, 1)
        if pick < 0.7:
            return Stmt(f"{v} = ", binary("+", leaf(f"{v} * {v} * 0.25§", "real", 0, 1), more, "real", -1, 2),
                        ";", fixed=True)
        return Stmt(f"{v} = ", binary("+", leaf(f"0.9§ * sin§({own.text()})", "real", -0.9, 0.9), more, "real",
                                      -1.9, 1.9), ";", fixed=True)
