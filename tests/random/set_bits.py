"""Loops over the bits of a word that a warp has together: the lanes that a vote names give their numbers in
turn, or a chunk of a list's batch is gone through by the bits of what some lane may need."""
from blocks import Blocks
from nests import Nests
from tree import Scalar, Stmt, leaf

BITS_FROM = 318000


def line(text):
    return Stmt(text, fixed=True)


class BitBlocks(Blocks):
    """Kernels whose threads meet in warps."""

    by_bits = True

    def intervals(self, count, depth):
        first = self.lanes_in_turn() if depth == 0 and self.warps else []
        return first + super().intervals(count, depth)

    def across_warp(self):
        if self.random.random() < 0.4:
            return super().across_warp()
        return self.lanes_in_turn()

    def lanes_in_turn(self):
        r, b = self.random, self.threads
        word, name, lane, given = (self.fresh(kind) for kind in ("k", "v", "k", "v"))
        mask = f"0x{(1 << b) - 1:x}u"
        vote = self.condition(2) if r.random() < 0.8 else leaf(f"t % 3 != {r.randint(0, 2)}", "bool", 0, 1)
        e = self.fit(self.real(2), -2 / b, 2 / b)
        kept = r.choice([f"__shfl_sync({mask}, {given}, {lane})",
                         f"(t == {lane} ? 0.5§ : 1) * __shfl_sync({mask}, {given}, {lane})",
                         f"__shfl_sync({mask}, {given} * {given}, {lane}, {b})", self.of_lane(lane, given)])
        clear = r.choice([f"{word} &= {word} - 1", f"{word} = {word} & ({word} - 1)",
                          f"{word} ^= 1u << {lane}", f"{word} &= ~(1u << {lane})"])
        first = r.choice([f"int {lane} = __ffs({word}) - 1;", f"const int {lane} = __ffs((int){word}) - 1;",
                          f"int {lane} = 31 - __clz({word} & -{word});"])
        added = r.choice([f"{name} += {kept};", f"{name} = {name} + {kept};",
                          f"if ({lane} % 2 == 0 || {b} < 8) {name} += {kept};"])
        begin = f"unsigned {word} = __ballot_sync({mask}, "
        made = [Stmt(f"real {given} = ", e, ";", fixed=True), line(f"real {name} = 0;")]
        if lane not in clear and r.random() < 0.5:
            made.append(Stmt(f"for ({begin}", vote, f"); {word}; {clear}) ", [line(first), line(added)],
                             fixed=True))
        else:
            body = [line(first), line(f"{clear};"), line(added)]
            asks = r.choice([f"while ({word}) ", f"while ({word} != 0u) ", f"for (; {word} != 0;) "])
            made += [Stmt(begin, vote, ");", fixed=True), Stmt(asks, body, fixed=True)]
        self.declare(Scalar(name, "real", -3, 3, True, "real"))
        return made

    def of_lane(self, lane, given):
        """A lane's number by its cell, where there is an input with one for each thread."""
        cells = [p.name for p in self.kernel.parameters
                 if p.role == "in" and p.type_name.startswith("const real") and p.cells >= self.n]
        return f"{given} * {self.random.choice(cells)}[{lane}]" if cells else f"{given} * ({lane} + 1) / 32"


class ListedBits(Nests):
    """A batch in chunks of a warp, of which each lane looks at one entry."""

    def splat_loop(self):
        r, b = self.random, self.threads
        loop = super().splat_loop()
        body = next(part for part in loop.parts if isinstance(part, list))
        word, mask = "left", f"0x{(1 << b) - 1:x}u"
        where = r.choice(["0.4§", "0.07§ * (i / 4) + 0.2§", "0.3§"])
        near = f"fabs§(s_x[chunk + lane] - {where}) < {round(r.uniform(0.4, 1.1), 2)}§"
        whole = f"chunk + lane < size && {near}" if r.random() < 0.8 else "chunk + lane < size"
        clear = r.choice([f"{word} &= {word} - 1;", f"{word} = ({word} - 1) & {word};"])
        asks = r.choice([f"!done && {word} != 0u", f"{word} && !done", f"{word} != 0 && !done"])
        inner = [line(f"const int j = chunk + __ffs((int){word}) - 1;"), line(clear), *body]
        vote = f"__ballot_sync({mask}, {whole})"
        chunk = [line(f"unsigned {word} = {vote};")]
        if r.random() < 0.3:
            chunk = [line(f"const unsigned near = {vote};"), line(f"unsigned {word} = near;")]
        chunk.append(Stmt(f"while ({asks}) ", inner, fixed=True))
        size = f"min({b}, (int)(r.y - base))"
        return Stmt("", [line(f"const int size = {size}, lane = t % 32;"),
                         Stmt(f"for (int chunk = 0; chunk < size; chunk += {b}) ", chunk, fixed=True)],
                    fixed=True)
