"""Shared arrays of a random kernel: static, of rows, and several that are carved out of one dynamic buffer."""
from tree import MULTIPLY, Array, Scalar, Stmt


class SharedArray:
    """read: form and sizes of all cells; own: forms of a thread's cells, by its place; budget: what sums may
    add."""

    def __init__(self, name, read, sizes, own, inner):
        self.name, self.read, self.sizes, self.own, self.inner = name, read, sizes, own, inner
        self.budget = 3.5

    def readable(self):
        return Array(self.read, self.sizes, "real", -6, 6, needs=[MULTIPLY + 1] * len(self.sizes))


class Owned:
    """A thread's cells; what may be added to them is the array's, whatever the mode."""
    budget = property(lambda self: self.array.budget, lambda self, value: setattr(self.array, "budget", value))


class OwnScalar(Owned, Scalar):
    """No name may be bound to it (its type is none that references take), so that none outlives the
    interval."""

    def __init__(self, array, place):
        self.array = array
        super().__init__(array.own.format(place), "real", -6, 6, True, "shared", array.budget)


class OwnArray(Owned, Array):
    def __init__(self, array, place):
        self.array = array
        super().__init__(array.own.format(place), [array.inner], "real", -6, 6, True, [MULTIPLY + 1],
                         array.budget)
        self.type_name = "shared"


class Rooms:
    def make_arrays(self):
        """Declares them; the buffer's pieces lie behind each other, at distances that are written, counted or
        passed."""
        r, b = self.random, self.threads
        declared, self.used, self.piece = [], 0, None
        pool = r.choice([0, 0.3, 1]) if not self.turns else 0  # how many of the arrays are in the buffer
        for number in range(r.choice([1, 1, 2, 2, 3])):
            name, pick, width = f"sh{number + 1}", r.random(), r.randint(2, 3)
            if pick < 0.15 and pool < 1 and not self.turns:
                self.arrays_shared.append(SharedArray(name, name + "[{}][{}]", [b, width], name + "[{}][{{}}]",
                                                      width))
                declared.append(Stmt(f"__shared__ real {name}[{b}][{width}];", fixed=True))
                continue
            cells = b * width if pick < 0.4 and not self.turns else b
            if r.random() < pool:
                if not self.used:
                    declared.append(Stmt("extern __shared__ real dynamic¶[];", fixed=True))
                name, lines = self.carved(name, cells)
                declared += [Stmt(line, fixed=True) for line in lines]
            else:
                declared.append(Stmt(f"__shared__ real {name}[{cells}];", fixed=True))
            own = (r.choice([f"{name}[{{{{}}}} * {b} + {{}}]", f"{name}[({{}}) * {width} + {{{{}}}}]"])
                   if cells > b else name + "[{}]")
            self.arrays_shared.append(SharedArray(name, name + "[{}]", [cells], own, width if cells > b else 0))
        self.kernel.shared_cells = self.used
        return declared

    def carved(self, name, cells):
        """The next piece of the buffer: its name, and the lines that bind it."""
        r, buffer = self.random, "dynamic¶"
        if r.random() < 0.2:
            self.used += r.randint(1, 3)  # that nobody uses
            self.piece = None
        counts = [v for v in self.scalars() if v.name in ("m", "n") and v.lo == v.hi]
        at = self.used
        self.used += cells
        before, self.piece = self.piece, (name, cells)
        if at == 0 and r.random() < 0.3:
            self.piece = (buffer, cells)
            return buffer, []
        forms = [[f"real *{name} = {buffer} + {at};"], [f"real *{name} = &{buffer}[{at}];"],
                 [f"real *{name} = {buffer};", f"{name} += {at};"]]
        if before:
            size = r.choice([str(before[1]), "(int)blockDim.x" if before[1] == self.threads
                             else f"{before[1]}"])
            forms += [[f"real *{name} = {before[0]} + {size};"],
                      [f"real *const {name} = &{before[0]}[{size}];"]] * 2
        if counts and r.random() < 0.3:
            v = r.choice(counts)
            self.used += 2 * int(v.hi)
            forms = [[f"real *{name} = {buffer} + {at} + 2 * {v.name};"]]
        return name, r.choice(forms)
