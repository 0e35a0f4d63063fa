"""What the threads of a warp or of a tile of it do together, in blocks of one warp of which all threads are
there."""
from tree import Scalar, Stmt, cast, integer_literal

SIZES = (2, 4, 8, 16, 32)
CHOSEN_FROM = 1000


class Warps:
    tiles = ()  # of cooperative groups, by size

    def across_warp(self):
        r = self.random
        if self.few_cells and r.random() < 0.35:
            return self.tied_lanes(f"0x{(1 << self.threads) - 1:x}u")
        if self.tiles and r.random() < 0.45:
            return self.across_tile(r.choice(self.tiles))
        mask, name = f"0x{(1 << self.threads) - 1:x}u", self.fresh()
        pick = r.random()
        if pick < 0.2:
            kind = r.choice(["any", "all", "ballot"])
            vote = Stmt(f"int {name} = __{kind}_sync({mask}, ", self.condition(1), ");")
            self.declare(Scalar(name, "int", 0, (1 << self.threads) - 1 if kind == "ballot" else 1))
            return [vote]
        if pick < 0.45:
            return self.of_integers(mask, name)
        if self.packs() and r.random() < 0.5:
            return self.exchanged_bits(mask, name)
        # kernels up to CHOSEN_FROM are those of the default run, as they were before there was this
        if pick < 0.6 and self.kernel.seed > CHOSEN_FROM:
            return self.in_step(name)
        if pick < 0.65:
            o, e = self.fresh("o"), self.fit(self.real(2), -0.25, 0.25)
            self.declare(Scalar(name, "real", -2, 2, True, "real"))
            rounds = Stmt(f"for (int {o} = {self.threads // 2}; {o} > 0; {o} /= 2) {name} += "
                          f"__shfl_{r.choice(['down', 'xor'])}_sync({mask}, {name}, {o}, {self.threads});",
                          fixed=True)
            return [Stmt(f"real {name} = ", e, ";"), rounds]
        kind, e = r.choice(["xor", "down", "up", ""]), self.fit(self.real(2), -2, 2)
        lane = self.integer_in(0, self.threads - 1) if kind == "" else integer_literal(r.choice([1, 2]))
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        # lanes behind the block's are not there
        width = r.choice([self.threads, self.threads, self.threads // 2])
        return [Stmt(f"real {name} = __shfl_{kind + '_' if kind else ''}sync({mask}, ", e, ", ", lane,
                     f", {width});")]

    def of_integers(self, mask, name):
        """Sums, extremes and bits of all lanes' integers, the lanes with one number, and a neighbour's
        number."""
        r, value = self.random, self.integer_in(0, 3)
        value = cast("int", value, "int", value.lo, value.hi)
        kind = r.choice(["add", "min", "max", "and", "or", "xor", "any", "all", "shuffle"])
        self.declare(Scalar(name, "int", 0, {"add": 3 * self.threads, "any": self.threads,
                                             "all": self.threads}.get(kind, 3)))
        if kind == "any":
            return [Stmt(f"int {name} = __popc(__match_any_sync({mask}, ", value, "));")]
        if kind == "shuffle":
            return [Stmt(f"int {name} = __shfl_xor_sync({mask}, ", value, f", 1, {self.threads});")]
        if kind == "all":
            alike = self.fresh("k")
            self.declare(Scalar(alike, "int", 0, 1))
            return [Stmt(f"int {alike};", fixed=True), Stmt(f"int {name} = __popc(__match_all_sync({mask}, ",
                                                            value, f", &{alike}));", fixed=True)]
        if kind in ("and", "or", "xor"):
            value = cast("unsigned", value, "unsigned", value.lo, value.hi)
        return [Stmt(f"int {name} = __reduce_{kind}_sync({mask}, ", value, ");")]

    def in_step(self, name):
        """Lanes meet in volatile shared memory, with no __syncwarp: a sum by rounds, of all or half of the
        lanes, or the number of another lane."""
        r, n, s, o = self.random, self.threads, self.fresh("s"), self.fresh("o")
        rounds, half = r.random() < 0.5, r.random() < 0.5
        low = -0.25 if rounds else -2
        store = [Stmt(f"__shared__ volatile real {s}[{n}];", fixed=True),
                 Stmt(f"{s}[threadIdx.x] = ", self.fit(self.real(2), low, -low), ";")]
        most = -low * (n if rounds else 1)
        self.declare(Scalar(name, "real", -most, most, True, "real"))
        if not rounds:
            return store + [Stmt(f"real {name} = {s}[(threadIdx.x + {r.randint(1, n)}) % {n}];")]
        add = f"{s}[threadIdx.x] += {s}[threadIdx.x + {o}];"
        if half:
            loop = f"for (int {o} = {n // 2}; {o} > 0; {o} /= 2) if (threadIdx.x < {o}) {add}"
        else:
            add = f"{s}[threadIdx.x] += {s}[(threadIdx.x + {o}) % {n}];"
            loop = f"for (int {o} = {n // 2}; {o} > 0; {o} /= 2) {add}"
        return store + [Stmt(loop, fixed=True), Stmt(f"real {name} = {s}[0];")]

    # Cooperative groups
    def make_tiles(self):
        """Declares the block and tiles of it."""
        if not self.warps or self.random.random() < 0.5:
            return []
        sizes = [size for size in SIZES if size <= self.threads]
        self.tiles = self.random.sample(sizes, min(len(sizes), 2))
        self.kernel.groups = True
        lines = ["auto block = cooperative_groups::this_thread_block();"]
        lines += [f"auto tile{size} = cooperative_groups::tiled_partition<{size}>(block);"
                  for size in self.tiles]
        return [Stmt(line, fixed=True) for line in lines]

    def across_tile(self, size):
        r, name, tile, group = self.random, self.fresh(), f"tile{size}", "cooperative_groups"
        kind = r.choice(["vote", "count", "sum", "most", "shuffle", "shuffle", "sync"])
        if kind == "sync":
            return [Stmt(r.choice([f"{tile}.sync();", f"{group}::sync({tile});", "__syncwarp();"]))]
        if kind == "vote":
            word = r.choice(["any", "all", "ballot"])
            vote = Stmt(f"int {name} = {tile}.{word}(", self.condition(1), ");")
            self.declare(Scalar(name, "int", 0, (1 << size) - 1 if word == "ballot" else 1))
            return [vote]
        if kind == "count":
            value = self.integer_in(0, 3)
            value = cast("int", value, "int", value.lo, value.hi)
            self.declare(Scalar(name, "int", 0, 3 * size))
            return [Stmt(f"int {name} = {group}::reduce({tile}, ", value, f", {group}::plus<int>());")]
        if kind == "shuffle":
            how = r.choice([f"shfl_xor({{}}, {size // 2})", "shfl_up({}, 1)", "shfl_down({}, 1)",
                            f"shfl({{}}, {r.randint(0, size - 1)})"])
            before, after = how.split("{}")
            e = self.fit(self.real(2), -2, 2)
            self.declare(Scalar(name, "real", -2, 2, True, "real"))
            return [Stmt(f"real {name} = {tile}.{before}(real)(", e, f"){after};")]
        most, e = ((0.25 * size, self.fit(self.real(2), -0.25, 0.25)) if kind == "sum"
                   else (2, self.fit(self.real(2), -2, 2)))
        self.declare(Scalar(name, "real", -most, most, True, "real"))
        word = "plus" if kind == "sum" else r.choice(["greater", "less"])
        return [Stmt(f"real {name} = {group}::reduce({tile}, (real)(", e, f"), {group}::{word}<real>());")]
