"""What the user says of a random kernel's values and loops."""
from tree import Stmt


class Marks:
    marks = True  # host functions have none of these

    def mark(self):
        """GW_STORE or GW_RECOMPUTE of a number that the function has computed itself."""
        own = [v.name for v in self.scalars() if v.kind == "real" and v.name[0] in "vt"
               and v.name[1:].isdigit()]
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
            r.note()
            loop.parts[0] = f"GW_CHECKPOINT_BINOMIAL({r.randint(1, 4)}) " + header
        elif header.startswith("for ("):
            r.note()
            loop.parts[0] = f"GW_CHECKPOINT({r.randint(1, 4)}) " + header
        return made
