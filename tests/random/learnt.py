"""Kernels and functions that have what their generators learnt last: ties (ties.py), guards around poles
(guards.py), many cells, enumerations, loops whose start wraps around, names that two scopes share, namespaces.

Those of the default run are before that but for a few, and stay as they were.
"""
import re

from tree import Scalar, Stmt

LEARNT_FROM = 2001
OF_ONE_SCOPE = re.compile(r"[vk]\d+")
SIZES = [*range(95, 101), *range(255, 261)]  # around what a fixed limit may be


class Learnt:
    ways, ended, has_many = (), (), False
    enumeration, scoped_enumerations, of_device, on_device = "E¶", True, "__device__", True

    def learns(self):
        return self.kernel.seed >= LEARNT_FROM

    def learnt(self):
        """Statements, as often as each comes."""
        if not self.learns() or not self.in_body:
            return []
        return ([self.tie, self.guard] * 5 if self.few_cells else []) + [self.many] * (self.depth == 0) + (
            [self.by_way] * 2 if self.ways else [])

    # Names
    def new_names(self):
        """A function begins, whose names are those of the others."""
        if self.learns():
            self.names, self.ended = 0, []

    def end_names(self, frame):
        """Names of a scope that has ended, which others may have too."""
        if not self.learns():
            return
        known = {item.name for outer in self.frames for item in outer if isinstance(item, Scalar)}
        self.ended += [item.name for item in frame if isinstance(item, Scalar)
                       and OF_ONE_SCOPE.fullmatch(item.name) and item.name not in known]

    def shared_name(self, letter):
        names = [name for name in self.ended if name[0] == letter]
        if not names or self.random.random() > 0.4:
            return None
        name = self.random.choice(names)
        self.ended = [other for other in self.ended if other != name]
        return name

    def name_of_parameter(self, e):
        """One of a number that the new one hides, in an inner scope."""
        if not self.learns() or not self.in_body or self.depth == 0 or self.random.random() > 0.06:
            return None
        text, here = e.text(), [v.name for v in self.frames[-1] if isinstance(v, Scalar)]
        names = [v.name for v in self.scalars() if v.name in ("p", "q") and v.name not in here
                 and not re.search(rf"\b{v.name}\b", text)]
        return self.random.choice(names) if names else None

    # Many cells
    def many(self):
        """A local array that is read from both ends, or copied."""
        r = self.random
        if self.has_many or self.trips > 1:
            return self.new_real()
        self.has_many = True
        size, t, k, v = r.choice(SIZES), self.fresh("t"), self.fresh("k"), self.fresh()
        self.frames.append([Scalar(k, "int", 0, size - 1)])
        e = self.fit(self.real(2), -2, 2)
        self.frames.pop()
        self.declare(Scalar(v, "real", -4.1, 4.1, True, "real"))
        made = [Stmt(f"real {t}[{size}], {v} = 0;", fixed=True),
                Stmt(f"for (int {k} = 0; {k} < {size}; {k}++) {t}[{k}] = ", e, ";", fixed=True)]
        return made + [Stmt(f"for (int {k} = 0; {k} < {size}; {k}++) {v} += {1 / size:.6f}§ * {t}[{k}] * "
                            f"{t}[{size - 1} - {k}];", fixed=True)]

    # Enumerations
    def add_way(self):
        r = self.random
        if not self.learns() or r.random() > 0.35:
            return
        scoped = self.scoped_enumerations and r.random() < 0.4
        names, values = ["FIRST¶", "SECOND¶", "THIRD¶"], r.choice([(0, 1, 2), (0, 3, 4), (-1, 0, 5)])
        listed = ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
        self.kernel.struct_text += f"enum {'class ' if scoped else ''}E¶ {{ {listed} }};\n"
        value = r.choice(values)
        self.add(self.enumeration, "way", "value", value=value if self.on_device else f"(enum E¶){value}")
        self.declare(Scalar("(int)way", "int", min(values), max(values)))
        self.ways = [("E¶::" if scoped else "") + name for name in names]

    def by_way(self):
        r, v = self.random, self.fresh()
        start, values = self.fit(self.real(1), -2, 2), [self.fit(self.real(2), -2, 2) for _ in range(2)]
        self.declare(Scalar(v, "real", -2, 2, True, "real"))
        made = [Stmt(f"real {v} = ", start, ";", fixed=True)]
        ways = r.sample(list(self.ways), 2)
        if r.random() < 0.5:
            return made + [Stmt(f"if (way == {ways[0]}) {v} = ", values[0], ";", fixed=True)]
        cases = [Stmt(f"case {way}: {v} = ", value, "; break;", fixed=True)
                 for way, value in zip(ways, values, strict=True)]
        return made + [Stmt("switch (way) ", cases + [Stmt("default: break;", fixed=True)], fixed=True)]

    # Loops
    def from_the_end(self, j):
        """A block's stride from the end down or up to it; the start wraps around where the block is larger."""
        r, block = self.random, self.kernel.block[0]
        start = r.choice(["n + threadIdx.x - blockDim.x", "threadIdx.x - blockDim.x + n",
                          "threadIdx.x + (n - blockDim.x)"])
        trips, kind = max(1, -(-self.n // block)), "int"
        if r.random() < 0.7:
            header = f"for (int {j} = {start}; {j} >= 0; {j} -= blockDim.x) "
        else:
            header, kind = f"for (unsigned {j} = {start}; {j} < (unsigned)n; {j} += blockDim.x) ", "unsigned"
        self.trips *= trips
        body = self.body([self.counter(j, 0, self.n - 1, kind)])
        self.trips //= trips
        return [Stmt(header, body, fixed=True)]

    def goes_from_the_end(self):
        block = self.kernel.block
        if not self.learns() or not self.in_body or not self.on_device or self.sizes.keys() != {"n"}:
            return False
        one_row = len(block) == 2 and block[1] == 1
        return one_row and self.trips * (self.n // block[0] + 1) < 60 and self.random.random() < 0.25
