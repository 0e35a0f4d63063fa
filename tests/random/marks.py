"""What the user says of a random kernel's values and loops, and the requests beside the joined gradient."""
from tree import Stmt


class Marks:
    marks = True  # host functions have none of these

    def mark(self):
        """GW_STORE or GW_RECOMPUTE of a number that the function has computed itself."""
        own = [v.name for v in self.scalars() if v.kind == "real" and v.name[0] in "vt" and v.name[1:].isdigit()]
        if not own or not self.in_body or self.kernel.marked:
            return self.assign()
        self.kernel.marked = True  # one is enough to see whether something is lost
        word = "GW_STORE" if self.random.random() < 0.7 else "GW_RECOMPUTE"
        return [Stmt(f"{word}({self.random.choice(own[-4:])});")]

    def in_segments(self, made):
        """The loop at the end of `made` with a mark for its states."""
        loop, r = made[-1], self.random
        header, text = loop.parts[0], loop.lines(0)
        if not isinstance(header, str) or not header.startswith(("for (", "while (")) or r.random() > 0.12:
            return made
        simple = header.startswith("for (int") and " < " in header and header.count(",") == 0
        counted = simple and not any(word in text for word in ("break", "return", "while", "GW_"))
        counter = header[len("for (int "):].split(" ")[0]
        if counted and f"{counter}++;" not in text and r.random() < 0.5:
            loop.parts[0] = f"GW_CHECKPOINT_BINOMIAL({r.randint(1, 4)}) " + header
        elif header.startswith("for ("):
            loop.parts[0] = f"GW_CHECKPOINT({r.randint(1, 4)}) " + header
        return made

    def draw_split(self):
        """Two halves beside the joined form; or, with a maximum by atomics, these only."""
        r, k = self.random, self.kernel
        pick = r.random()
        k.split = "only" if pick < 0.06 else "both" if pick < 0.25 else ""
        if k.split == "only":
            self.add("real *", "most", "inout", cells=2, low=-0.5, high=0.5)

    def extremes(self):
        """Each thread's value, where no two are alike but those of one expression."""
        if self.kernel.split != "only":
            return []
        word = self.random.choice(["max", "max", "min"])
        cell = self.integer_in(0, 1, 1)
        return [Stmt(f"gw_atomic_{word}(&most[", cell, "], ", self.fit(self.real(3), -2, 2), ");")]
