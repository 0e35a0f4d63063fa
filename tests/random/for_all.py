"""What a warp or a block has together, and one of its threads stores: a sum of all lanes, the number of one
lane, a sum of what all threads brought to shared memory. The cell stands for the tape of the halves."""
from tree import Stmt, leaf

FOR_ALL_FROM = 240001
STORED = ["if ({who}) {cell} = {v};", "if ({who}) {{ {cell} = {v}; }}",
          "if ({who} && all != nullptr) {cell} = {v};", "if (all != nullptr) if ({who}) {cell} = {v};"]


class ForAll:
    def stores_for_all(self):
        """Kernels that do, all of whose threads come to their end."""
        return self.kernel.seed >= FOR_ALL_FROM and self.kernel.seed % 4 == 1

    def keep(self):
        made = super().keep()
        if not self.stores_for_all() or not self.kernel.split or self.turns:
            return made
        v = self.fresh()
        by_warp = self.threads == 32 and self.random.random() < 0.6
        made += (self.of_lanes if by_warp else self.of_threads)(v)
        lane = self.random.randint(0, 31) if by_warp else 0
        who = self.random.choice([f"t % 32 == {lane}", f"(threadIdx.x & 31) == {lane}"] if by_warp else
                                 ["t == 0", "threadIdx.x == 0"])
        self.warps = self.warps or by_warp
        self.add("real *", "all", "kept", cells=self.kernel.grid[0])
        self.kernel.kept = [*self.kernel.kept, "all"]
        self.due = [*self.due, leaf(f"{v} * {v} * {v}", "real", -8, 8)]
        store = self.random.choice(STORED).format(who=who, cell="all[blockIdx.x]", v=v)
        return [*made, Stmt(store, fixed=True)]

    def of_lanes(self, v):
        r, mask = self.random, "0xffffffffu"
        if r.random() < 0.3:
            e, lane = self.fit(self.real(2), -2, 2), r.randint(0, 31)
            return [Stmt(f"real {v} = __shfl_sync({mask}, ", e, f", {lane});", fixed=True)]
        o = self.fresh("o")
        steps = r.choice([f"for (int {o} = 16; {o} > 0; {o} /= 2)", f"for (int {o} = 1; {o} < 32; {o} *= 2)"])
        e = self.fit(self.real(2), -2 / 32, 2 / 32)
        return [Stmt(f"real {v} = ", e, ";", fixed=True),
                Stmt(f"{steps} {v} += __shfl_xor_sync({mask}, {v}, {o});", fixed=True)]

    def of_threads(self, v):
        b, parts, k = self.threads, self.fresh("s"), self.fresh("k")
        e = self.fit(self.real(2), -2 / b, 2 / b)
        return [Stmt(f"__shared__ real {parts}[{b}];", fixed=True), Stmt(f"{parts}[t] = ", e, ";", fixed=True),
                Stmt("__syncthreads();", fixed=True), Stmt(f"real {v} = {parts}[0];", fixed=True),
                Stmt(f"for (int {k} = 1; {k} < {b}; {k}++) {v} += {parts}[{k}];", fixed=True)]
