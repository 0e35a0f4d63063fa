"""What is asked of a random kernel's gradient: which way of the ladder additions take, one thread for several,
records, outputs that stand for the tape of the halves, and another gradient of the same kernel."""
from tree import Array, Stmt, binary, leaf

RUNGS = ["atomic", "atomic", "atomic", "warp", "warp", "match", "warp-butterfly", "warp-serial", "grid",
         "posted", "gather", "copies", "slots", "block"]


NEW_FROM = 220001


class Other:
    """Another gradient of the same outputs: its inputs, and what is asked of it alone."""

    def __init__(self, inputs, wish):
        self.inputs, self.wish = inputs, wish


class Requests:
    ends = ""  # what a loop ends with that the first output needs, and another output holds
    due = ()  # cells and values that the first output needs
    warps = False  # lanes exchange values
    strides = False  # all of the kernel is in a loop over the grid

    def stores_for_all(self):
        """One thread stores what others have (for_all.py)."""
        return False

    def draw_wishes(self):
        """When outputs and inputs are known."""
        r, k = self.random, self.kernel
        threads = k.block[2 if "layer" in self.own else 1 if "row" in self.own else 0]
        numbers = [number for number in (2, 3, 4) if threads % number == 0]
        arrays = [p.name for p in k.parameters if p.name in k.inputs and p.name in ("x", "w", "z", "c")]
        asked = r.choice(arrays) if arrays and r.random() < 0.08 else ""
        coarse = r.choice(numbers) if numbers and not self.low and not self.warps and r.random() < (
            0.03 if k.split else 0.9 if self.diverges else 0.3) else 0
        if asked:
            r.note()
            k.wishes.append(f"GW_ACCUMULATE({asked}, {r.choice(RUNGS)})")
        if k.split != "only" and r.random() < 0.15:
            bound = {p.name for p in k.parameters if p.role in ("inout", "out")} | {asked, *k.packed}
            inputs = [name for name in k.inputs if name in bound or r.random() < 0.7]
            r.note()
            k.other = Other(inputs or k.inputs, f"GW_COARSEN({coarse}, ¶s)" if coarse and r.random() < 0.7
                            else "")
        if coarse and not (k.other and k.other.wish):
            r.note()
            k.wishes.append(f"GW_COARSEN({coarse})")

    def draw_new(self):
        """Adjoints of inputs that the caller does not clear."""
        k = self.kernel
        if k.seed < NEW_FROM or self.low:
            return
        k.new = [p.name for p in k.parameters if p.name in k.inputs and p.name not in k.packed and
                 p.role in ("in", "value") and p.type_name.replace("const ", "").split()[0] == "real" and
                 self.random.random() < 0.7]

    # Outputs that stand for the tape
    def keep(self):
        """An output that holds what a loop ends with, of which the halves need the end."""
        r, k = self.random, self.kernel
        if not k.split or self.turns or self.strides or r.random() > 0.3:
            return []
        v, j = self.fresh(), self.fresh("j")
        start = self.fit(self.real(2), -2, 2)
        limit = self.bound()[0]
        step = binary(r.choice("+*"), leaf(v, "real", -2, 2), self.fit(self.real(2), -2, 2), "real", -4, 4)
        body = [Stmt(f"{v} = ", self.fit(step, -2, 2), ";", fixed=True)]
        self.add("real *", "ends", "kept", cells=self.n)
        k.kept, self.ends = ["ends"], v
        return [Stmt(f"real {v} = ", start, ";", fixed=True),
                Stmt(f"for (int {j} = 0; {j} < (int)({limit}); {j}++) ", body, fixed=True),
                Stmt(f"ends[{self.own}] = {v};", fixed=True)]

    def with_due(self, e):
        """What the first output is, with all that it needs beside."""
        ends = leaf(f"{self.ends} * {self.ends} * {self.ends}", "real", -8, 8)
        for more in ([ends] if self.ends else []) + list(self.due):
            more = self.fit(more, -0.9, 0.9)
            e = binary("+", e, more, "real", e.lo + more.lo, e.hi + more.hi)
        return e

    # Records
    def whole_record(self, members):
        """A record that neighbouring threads have, all members in one sum."""
        at = f"rec[({self.own}) / {self.random.randint(1, 3)}]"
        squares = " + ".join(f"{at}.{a} * {at}.{b}"
                             for a, b in zip(members, members[1:] + members[0], strict=True))
        return leaf(f"({squares})", "real", 0, 2.25 * len(members))

    def add_packed(self):
        """Arrays whose adjoints are packed in single precision: elements of one struct, of three numbers side
        by side, of one."""
        r, k = self.random, self.kernel
        if not self.single or self.low or r.random() > 0.3:
            return
        at = f"min((int)({{}}), {' * '.join(self.sizes)} - 1)"
        k.records, self.due = self.n, list(self.due)
        packs = r.random() < 0.75
        for name in r.sample(["rec", "rgb", "one"], r.randint(1, 3)):
            forms = [f"{name}[{at}]"]
            if name == "rec":
                members = "abcde"[:r.randint(2, 5)]
                k.record_text = "struct R¶ {\n" + "".join(f"    real {m};\n" for m in members) + "};\n"
                k.record_cells = list(members)
                forms = [f"rec[{at}].{m}" for m in members]
            if name == "rgb":
                forms = [f"rgb[3 * {at} + {c}]" for c in range(3)]
            k.packed += [name] if packs else []
            self.add("const R¶ *" if name == "rec" else "const real *", name, "in", cells=self.n
                     * (3 if name == "rgb" else 1))
            arrays = [Array(form, [self.n], "real", 0.5, 1.5) for form in forms]
            for array in arrays:
                self.declare(array)
            self.due.append(binary("*", r.choice(arrays).cell([leaf(self.own, "int", 0, self.n - 1)]),
                                   leaf(f"{len(self.due) + 1}", "int", 1, 3), "real", 0.5, 4.5))
            if name == "rec":
                self.due.append(self.whole_record(members))
