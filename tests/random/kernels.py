"""A random kernel: its parameters, helpers, launch, request and text.

Race-free by construction: what a thread writes is its own cells of an output, at an index that no other thread
has (its linear id, a layout of it, or a permutation of it), and it reads no cell that another may write.
"""
import re

from asides import Asides
from atomics import Atomics
from chains import Chains
from choices import Draws, place
from closed import close_struct
from guards import Guards
from integers import Integers
from learnt import Learnt
from loops import Loops
from low_precision import LowPrecision
from marks import Marks
from names import Names, renamed
from packed import Packed
from pitched import Pitched
from promises import Promises
from reals import Reals
from requests import Requests
from spaces import Spaces, in_space
from statements import Statements
from templates import Templates, signature, template_arguments, template_head
from ties import Ties
from tree import ADD, MULTIPLY, POSTFIX, Array, Scalar, Stmt, binary, in_precision


class Parameter:
    """role: how the test fills it: 'out', 'in', 'inout', 'kept' (reals), 'list' (integers), 'ranges' (pairs of
    them), 'value', 'struct'."""

    parts = ()

    def __init__(self, type_name, name, role, cells=0, low=0.5, high=1.5, value=None):
        self.type_name, self.name, self.role = type_name, name, role
        self.cells, self.low, self.high, self.value = cells, low, high, value
        self.made = place()


class Helper:
    def __init__(self, name, parameters, result, cells=0):
        self.name, self.parameters, self.result, self.cells = name, parameters, result, cells


class Kernel:
    """What is printed, compiled and shrunk."""

    def __init__(self, seed):
        self.seed = seed
        self.single = False
        self.low = None  # a row of low_precision.py
        self.groups = False  # cooperative ones
        self.wishes = []  # how the gradient is to be made
        self.facts, self.broken = [], None  # of GW_LAUNCH, and a launch that breaks one of them
        self.promises = []  # of lists: pairs of the promise's name and the list's
        self.kept = []  # outputs behind `with`
        self.drawn = False  # threads draw items
        self.packed, self.records = [], 0  # arrays whose adjoints single precision has in so many records
        self.other = None  # another gradient (requests.py)
        self.new = []  # inputs whose adjoints are `fresh`
        self.positions = 0  # where the last range of a list ends
        self.struct_text, self.struct_cells = "", []
        self.struct_twin = ""  # of a class, whose members nobody may name (closed.py)
        self.record_text, self.record_cells = "", []
        self.helpers, self.body, self.parameters = [], [], []
        self.grid, self.block = (1, 1), (1, 1)
        self.shared_cells = 0  # of dynamic shared memory
        self.outputs, self.inputs = [], []
        self.marked = False
        self.called = {}  # parameters that have other names in the text (names.py)
        self.space = ""  # "named", "unnamed" (spaces.py)
        self.split = ""  # "both": halves beside the joined form; "only": these
        self.typed, self.counts, self.constants = False, [], []  # templates.py
        self.in_memory = []  # numbers that loops are bounded by, where the host does not see them

    def several(self):
        """Whether it is asked for in several directions at once."""
        return self.seed % 4 == 1 and not self.low and self.split != "only"

    def wrt(self, inputs, new=()):
        """A request; the adjoints of `new` are fresh."""
        cells = {p.name: f"[0:{p.cells}]" if p.cells else "" for p in self.parameters}
        words = [f"{name}{cells[name]} fresh" if name in new else name for name in inputs]
        return f"{', '.join(self.outputs)} wrt {', '.join(words)}"

    def text(self, name, real):
        request, gradient = self.wrt(self.inputs), self.wrt(self.inputs, self.new)
        types = in_precision(self.struct_text + self.record_text, name, real)
        text = "".join(h.lines(0) for h in self.helpers)
        kept = f" with {', '.join(self.kept)}" if self.kept else ""
        apart = f'GW_GRADIENT("{gradient}")\nGW_DERIVATIVE("{request}")\n'
        joined = apart if self.new else f'BOTH("{request}")\n'
        joined = joined if self.split != "only" else ""
        joined += f'GW_DERIVATIVES(4, "{request}")\n' if self.several() else ""
        if self.other and joined:
            joined += f'GW_GRADIENT("¶s = {self.wrt(self.other.inputs, self.new)}") {self.other.wish}\n'
        halves = f'GW_SPLIT_GRADIENT("{gradient}{kept}")\n' if self.split else ""
        said = [f"GW_{word}({name})" for word, name in self.promises] + self.wishes
        said += [f'GW_LAUNCH("{", ".join(self.facts)}")'] if self.facts else []
        said += [f"«GW_PACK({', '.join(self.packed)})¦»"] if self.packed else []
        said = " ".join(said) + " " if said else ""
        body = Stmt(self.body).lines(0)
        for number in self.in_memory:
            body = re.sub(rf"(?<![.>\w]){number}\b", f"{number}[0]", body)
        head = f"{template_head(self)}{joined}{halves}{said}__global__ void ¶({signature(self)}) " + body
        text += renamed(re.sub(r"\breal\b", "Real", head) if self.typed else head, self.called)
        arguments = template_arguments(self, "real")
        if arguments:
            text += renamed(f"template __global__ void ¶{arguments}({signature(self)});\n", self.called)
        return types + in_space(self, text, name, real)


class Generator(Names, Templates, LowPrecision, Asides, Packed, Promises, Requests, Marks, Atomics, Integers,
                Reals, Learnt, Ties, Pitched, Guards, Spaces, Statements, Chains, Loops):
    grow = 0  # how much larger its launches are

    def __init__(self, seed):
        self.random = Draws(seed)
        self.kernel = Kernel(seed)
        self.kernel.single = self.single = self.random.random() < 0.2
        self.draw_precision()
        self.frames, self.helpers, self.struct_values = [[]], [], []
        self.outputs, self.readable = [], []  # cells that are the thread's own; those that it also reads
        self.exits, self.names, self.depth, self.trips, self.left = [[]], 0, 0, 1, 40
        self.struct, self.struct_name = [], "S¶"
        self.in_body, self.result, self.shallow = False, False, self.random.random() < 0.95

    def make(self):
        r = self.random
        if r.random() < 0.35:
            self.make_struct()
        for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
            self.make_helper()
        self.left = r.choice([8, 14, 20, 30])
        self.new_names()
        self.make_kernel()
        self.draw_names()
        self.draw_template()
        self.draw_memory()
        self.draw_launch()
        self.draw_space()
        return self.kernel

    def make_struct(self):
        members = [("a", "real"), ("b", "real"), ("tag", "tag"), ("w", self.random.randint(2, 3)),
                   ("c", "real")]
        self.struct = [m for m in members if m[0] == "a" or self.random.random() < 0.6]
        self.random.shuffle(self.struct)
        lines = []
        for name, kind in self.struct:
            lines.append(f"    int {name};\n" if kind == "tag" else f"    real {name}{self.dimension(kind)};\n")
            members = ([name] if kind == "real" else [f"{name}[{k}]" for k in range(kind)] if kind != "tag"
                       else [])
            self.kernel.struct_cells += members
        self.kernel.struct_text = f"struct {self.struct_name} {{\n{''.join(lines)}}};\n"
        if self.learns() and self.random.random() < 0.4:
            self.closed = True
            close_struct(self.kernel, self.struct_name, self.struct, lines, self.random.randint(0, len(lines)),
                         self.random.choice(["public", "protected", "private"]))

    @staticmethod
    def dimension(kind):
        return f"[{kind}]" if isinstance(kind, int) else ""

    # Helpers
    def make_helper(self):
        r = self.random
        self.result = r.random() < 0.6
        self.new_names()
        name = f"h{len(self.helpers) + 1}¶"
        kinds = ["reference"] if not self.result else []
        kinds += r.choices(["real", "real", "real", "int", "reference", "pointer"], k=r.randint(1, 3))
        helper = Helper(name, kinds, self.result, r.randint(1, 3))
        self.frames, self.left, places = [[]], r.choice([3, 6, 9]), []
        for number, kind in enumerate(kinds):
            places.append(self.helper_parameter(f"q{number}", kind, helper.cells))
        body = self.block(r.randint(1, 4), lambda: [])
        self.frames.append([])
        if self.result:
            body.append(Stmt("return ", self.fit(self.real(2), -2, 2), ";", fixed=True))
        self.frames.pop()
        head = f"__device__ {'real' if self.result else 'void'} {name}({', '.join(places)}) "
        self.kernel.helpers.append(Stmt(head, body))
        self.helpers.append(helper)

    def helper_parameter(self, name, kind, cells):
        if kind == "pointer":
            self.declare(Array(name + "[{}]", [cells], "real", -6, 6, base=name))
            return f"const real *{name}"
        if kind == "int":
            self.declare(Scalar(name, "int", 0, 5, False))
            return f"int {name}"
        writable = kind == "reference" or self.random.random() < 0.5
        self.declare(Scalar(name, "real", -2, 2, writable, "real"))
        return f"real &{name}" if kind == "reference" else f"real {name}"

    # The kernel
    def make_kernel(self):
        r, k = self.random, self.kernel
        self.frames, self.in_body, self.diverges = [[]], True, r.random() < 0.15
        shape = r.choice(["line"] * 6 + ["plane", "plane", "cube", "stride", "stride"])
        self.strides = shape == "stride"
        body, guard_first = self.launch(shape)
        self.draw_split()
        self.make_parameters()
        self.random.shuffle(k.parameters)
        if shape == "stride":
            inner = self.open_block(r.randint(2, 6)) + self.final_stores()
            header = "for (int i = HERE; i < n; i += (int)(gridDim.x * blockDim.x)) "
            k.body = [Stmt(header, inner, fixed=True)]
        elif guard_first:
            k.body = body + self.open_block(r.randint(3, 8)) + self.final_stores()
        else:
            inner = self.open_block(r.randint(3, 8)) + self.final_stores()
            k.body = body[:-1] + [Stmt("if (i < n) ", inner, fixed=True)]
        self.make_request()

    def open_block(self, count):
        """Statements whose names stay visible for what follows."""
        body = self.new_real()
        for _ in range(count):
            body.extend(self.statement())
        return body

    def launch(self, shape):
        """Own index, guard; declares what the body may read of them."""
        r, k = self.random, self.kernel
        if shape == "plane":
            width, height = r.randint(2, 4) + self.grow, r.randint(2, 3) + self.grow
            block = (r.randint(1, 3), r.randint(1, 3))
            k.grid = (-(-width // block[0]) + r.randint(0, 1), -(-height // block[1]))
            k.block = block
            self.n = width * height
            self.sizes = {"width": width, "height": height}
            for name, size in (("column", width), ("row", height)):
                self.declare(Scalar(name, "int", 0, size - 1))
            self.own = "row * width + column"
            return [Stmt("int column = blockIdx.x * blockDim.x + threadIdx.x;", fixed=True),
                    Stmt("int row = blockIdx.y * blockDim.y + threadIdx.y;", fixed=True),
                    Stmt("if (row >= height || column >= width) return;", fixed=True)], True
        if shape == "cube":
            return self.cube(), True
        self.n = r.randint(3, 9) + 3 * self.grow
        self.sizes, self.own = {"n": self.n}, "i"
        self.declare(Scalar("i", "int", 0, self.n - 1))
        block = r.randint(2, 8)
        if r.random() < 0.08:  # whole warps, and one that is not full
            block, self.n = r.choice([32, 40, 64]), r.randint(30, 70)
            self.sizes["n"] = self.n
            self.frames[-1] = [Scalar("i", "int", 0, self.n - 1)]
        grid = r.randint(1, 2) if shape == "stride" else -(-self.n // block) + r.randint(0, 1)
        # nothing stands under a condition that threads fail
        full = shape == "line" and r.random() < (0.7 if self.diverges else 0.2)
        if full:
            grid = r.randint(1, 2) if block < 32 else 1
            self.n = self.sizes["n"] = grid * block
            self.frames[-1] = [Scalar("i", "int", 0, self.n - 1)]
        k.grid, k.block = (grid, 1), (block, 1)
        if r.random() < 0.3:
            self.declare(Scalar("threadIdx.x", "unsigned", 0, block - 1))
        leave = [] if full else [Stmt("if (i >= n) return;", fixed=True)]
        return [Stmt("int i = HERE;", fixed=True)] + leave, full or r.random() < 0.7

    def cube(self):
        """Threads of three dimensions."""
        r, k, names = self.random, self.kernel, ("column", "row", "layer")
        self.sizes = {name: r.randint(1, 3) + self.grow for name in ("width", "height", "layers")}
        sizes = list(self.sizes.values())
        k.block = tuple(r.randint(1, 2) for _ in sizes)
        k.grid = tuple(-(-size // block) + (r.random() < 0.2)
                       for size, block in zip(sizes, k.block, strict=True))
        self.n, self.own = sizes[0] * sizes[1] * sizes[2], "(layer * height + row) * width + column"
        for name, size in zip(names, sizes, strict=True):
            self.declare(Scalar(name, "int", 0, size - 1))
        axes = zip(names, "xyz", strict=True)
        lines = [f"int {name} = blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis};" for name, axis in axes]
        lines.append("if (column >= width || row >= height || layer >= layers) return;")
        return [Stmt(line, fixed=True) for line in lines]

    def add(self, *arguments, **named):
        self.kernel.parameters.append(Parameter(*arguments, **named))

    def make_parameters(self):
        r = self.random
        for name, size in self.sizes.items():
            self.add("int", name, "value", value=size)
            self.declare(Scalar(name, "int", size, size))
        self.add_integers(("idx", "kind"))
        for name in "xwzg"[:r.choice([1, 1, 2, 2, 3])]:
            self.add_input(name)
        if r.random() < 0.3:
            self.add("const real *", "u", "fixed", cells=self.n)
            self.declare(Array("u[{}]", [self.n], "real", 0.5, 1.5, base="u"))
        for name in ("p", "q")[:r.choice([0, 0, 1, 1, 2])]:
            value = round(r.uniform(0.3, 1.7) * r.choice([1, -1]), 3)
            self.add("real", name, "value", value=value)
            self.declare(Scalar(name, "real", -2, 2, r.random() < 0.3, "real"))
        if self.struct:
            self.add_structs()
        for name in ("y", "o", "e")[:r.choice([1, 1, 1, 2, 2, 3])]:
            self.add_output(name, "out")
        if r.random() < 0.25:
            self.add_output("a", "inout")
        self.add_low()
        self.add_promised()
        self.add_packed()
        self.add_tied()
        self.add_pitched()
        self.add_way()

    def add_integers(self, lists):
        """Counts, and lists of indices."""
        r = self.random
        if r.random() < 0.8:
            m = r.choice([0, 1, 2, 3, 3, 4, 5])
            self.add("int", "m", "value", value=m)
            self.declare(Scalar("m", "int", m, m))
        if r.random() < 0.2:
            self.add("unsigned", "count", "value", value=3)
            self.declare(Scalar("count", "unsigned", 3, 3))
        for name in lists:
            if r.random() < 0.4:
                values = [r.randint(0, self.n - 1) for _ in range(self.n)]
                self.add("const int *", name, "list", value=values)
                self.declare(Array(name + "[{}]", [self.n], "int", 0, self.n - 1))

    def add_input(self, name):
        r = self.random
        cells = self.n + r.choice([0, 0, 1, 2])
        low, high = r.choice([(0.5, 1.5), (0.5, 1.5), (-1.5, 1.5)])
        qualifier = "__restrict__ " if r.random() < 0.15 else ""
        self.add(f"const real *{qualifier}", name, "in", cells=cells, low=low, high=high)
        self.declare(Array(name + "[{}]", [cells], "real", low, high, base=name))
        if r.random() < 0.7 and self.n == cells:
            self.declare(Scalar(f"{name}[{self.own}]", "real", low, high))

    def add_structs(self):
        r = self.random
        if r.random() < 0.6:
            value = [r.randint(0, 3) if kind == "tag" else self.away_from_kinks() if kind == "real" else
                     [self.away_from_kinks() for _ in range(kind)] for _, kind in self.struct]
            self.add(self.struct_name, "s", "struct", value=value)
            self.declare_members("s", r.random() < 0.3)
            self.struct_values.append(lambda g: "s")
        if r.random() < 0.6:
            self.add(f"const {self.struct_name} *", "b", "in", cells=self.n)
            self.declare_members("b[{}]", False, [self.n])
            self.struct_values.append(lambda g: f"b[{g.integer_in(0, g.n - 1, 1).text()}]")
        if r.random() < 0.4:
            self.add(f"{self.struct_name} *", "f", "out", cells=self.n)
            self.frames.append([])
            self.declare_members(f"f[{self.own}]", True)
            items = self.frames.pop()
            self.outputs += [item for item in items if item.writable]
            if r.random() < 0.15:
                self.frames[-1] += items
                self.readable += items

    def away_from_kinks(self):
        """A number that is not 0, where whole kernels may have several kinks at once."""
        return round(self.random.uniform(0.05, 1.5), 2) * self.random.choice([1, -1])

    def own_index(self):
        """An index that only this thread has: text, its level."""
        r = self.random
        indirect = [p for p in self.kernel.parameters if p.name == "to"]
        if r.random() < 0.12 and not indirect and not self.turns:
            values = list(range(self.n))
            r.shuffle(values)
            self.add("const int *", "to", "list", value=values)
            return f"to[{self.own}]", POSTFIX
        if self.own == "i" and r.random() < 0.12:
            return "n - 1 - i", ADD
        return self.own, POSTFIX if self.own == "i" else ADD

    def add_output(self, name, role):
        r = self.random
        own, level = self.own_index()
        reads = role == "inout" or r.random() < 0.12
        width = 1 if self.turns or reads and r.random() < 0.8 else r.choice([1, 1, 1, 2, 3])
        cells = self.n * width
        self.add("real *", name, role, cells=cells)
        if width == 1:
            item = Scalar(f"{name}[{own}]", "real", -6, 6, True, "real", budget=3.5)
        else:
            inner = own if level > MULTIPLY else f"({own})"
            total = "n" if "n" in self.sizes else f"({' * '.join(self.sizes)})"
            form = r.choice([f"{name}[{inner} * {width} + {{}}]", f"{name}[{{}} * {total} + {own}]"])
            item = Array(form, [width], "real", -6, 6, True, [MULTIPLY + 1], budget=3.5)
        if reads:
            self.declare(item)
            self.readable.append(item)
        self.outputs.append(item)

    def final_stores(self):
        """Each output takes a sum of what is alive at the end; some only in part."""
        made = self.row_sum() + (self.last_chain() if self.diverges else []) + self.extremes() + self.keep()
        for item in self.outputs:
            live = [v for v in self.scalars() if v.kind == "real" and v.name not in item_name(item)]
            arrays = [a for a in self.arrays() if a.kind == "real"]
            e = self.real(2)
            for v in self.random.sample(live, min(len(live), 3)):
                e = binary("+", e, binary("*", self.number(), v.read(), "real", v.lo * 3, v.hi * 3), "real",
                           e.lo + v.lo * 3, e.hi + v.hi * 3)
            if arrays:
                e = binary("-", e, self.element(self.random.choice(arrays), 1), "real", e.lo - 12, e.hi + 12)
            if item is self.outputs[0]:
                e = self.with_due(e)
            cell = item.read() if isinstance(item, Scalar) else self.element(item, 1)
            store = Stmt(cell, " = ", self.fit(e, -2, 2), ";")
            if self.random.random() < 0.2 and item not in self.readable:
                store = Stmt("if (", self.condition(1), ") ", [store], prefix="")
            made.append(store)
        return made + self.low_stores()

    def make_request(self):
        r, k = self.random, self.kernel
        outputs = [p.name for p in k.parameters if p.role in ("out", "inout")]
        inputs = [p.name for p in k.parameters if p.role in ("in", "inout", "struct") or
                  (p.role == "value" and p.type_name == "real")]
        if r.random() < 0.08 and len(outputs) > 1:
            outputs = r.sample(outputs, len(outputs) - 1)
        k.outputs = outputs
        kept = [name for name in inputs if r.random() < 0.85 or name in ("a", "most", "last")]
        k.inputs = kept or inputs
        k.inputs += [name for name in k.packed if name not in k.inputs]
        self.draw_wishes()
        self.draw_new()


def item_name(item):
    return item.name if isinstance(item, Scalar) else item.form
