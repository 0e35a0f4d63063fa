"""What random kernels say beside what they compute: loads by __ldg and its kin, printf and assert, and lanes
that count themselves by __activemask."""
from tree import Expr, Stmt, binary, real_literal

LOADS = ["__ldg", "__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"]


class Asides:
    # whole, gone: whether all threads of a block are there, and still are (blocks.py)
    asides, whole, gone = True, True, False

    def element(self, array, depth):
        """A cell of what nobody writes, now and then by a load of its own kind."""
        e = super().element(array, depth)
        if not self.asides:
            return e
        name = array.form.split("[")[0]
        constant = any(p.name == name and p.type_name.startswith("const ") for p in self.kernel.parameters)
        if not constant or not self.in_body or array.kind not in ("real", "int") or self.random.random() > 0.1:
            return e
        return Expr(self.random.choice(LOADS) + "(&{})", [e], e.kind, e.lo, e.hi)

    def aside(self):
        """Prints what never happens, or asserts what always does."""
        r = self.random
        if not self.in_body:
            return self.assign()
        if (r.random() < 0.3 and any(p.name == "tally" for p in self.kernel.parameters) and self.own == "i"
            and self.whole and not self.gone):
            return self.counted_lanes()
        e = self.real(1)
        never = binary(">", e, real_literal(e.hi + 900), "bool", 0, 1)
        if r.random() < 0.3:
            return [Stmt("assert(!(", never, "));")]
        said = [Stmt('printf("%g of %d\\n", (double)(', self.real(2), "), (int)(", self.integer(1), "));")]
        return [Stmt("if (", never, ") ", said)]

    def counted_lanes(self):
        """However many lanes come at once, together they are all."""
        m = self.fresh("k")
        add = [Stmt(f"unsigned {m} = __activemask();", fixed=True),
               Stmt(f"if ((int)(threadIdx.x % 32) == __ffs((int){m}) - 1) atomicAdd(&tally[2], __popc({m}));",
                    fixed=True)]
        return [Stmt("if (", self.condition(1), ") ", add)]
