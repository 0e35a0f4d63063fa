"""Structs that hold pointers and tables of rows, as parameters by value and by pointer, in helpers and in local
copies. What their members lead to is filled and compared like parameters of its own (Held.parts)."""
from kernels import Parameter
from tree import ADD, MULTIPLY, Array, Expr, Scalar, Stmt, leaf

LAYERS, ROWS = 2, 3
WALKER = """struct W¶ {
    const real *at;
    int left;
    real sum;
};
static inline real next¶(struct W¶ *w) {
    w->left--;
    return *w->at++;
}
"""


class Held(Parameter):
    """A parameter that leads to others. before, constants: statements of the test that make HELD, the second
    for the values only; places: for each part, the statement that lets HELD lead to its memory AT, and what
    takes it back from there or None."""

    def __init__(self, type_name, name, parts, places, before, constants, passed):
        super().__init__(type_name, name, "held")
        self.parts, self.places, self.before = parts, places, before
        self.constants, self.passed = constants, passed


def pointer_place(path):
    return f"HELD.{path} = POINTER(AT);", None


class Holders:
    holder = ()  # members of the struct M¶ of this function: name, kind, cells
    has_walker = False

    def statement(self):
        r = self.random
        if r.random() < 0.96:
            return super().statement()
        self.left -= 1
        return r.choice([self.walker, self.holder_copy, self.holder_copy])()

    def more_types(self):
        """The text of the types that this function has."""
        text = super().more_types()
        if self.random.random() < 0.15:
            self.has_walker, text = True, text + WALKER
        if self.random.random() < 0.25:
            text += self.make_holder()
        return text

    def make_holder(self):
        r, n, text = self.random, self.n, ""
        members = [("grid", "in", n)]
        for member, share, cells in (("out", 0.6, n), ("poles", 0.5, r.randint(2, 4)), ("index", 0.3, n),
                                     ("scale", 0.4, 0), ("count", 0.6, r.randint(0, 4)),
                                     ("next", 0.25, r.randint(2, 3)), ("layers", 0.25, r.randint(2, 3))):
            if r.random() < share:
                members.append((member, member, cells))
        if self.struct and r.random() < 0.3:
            members.append(("list", "list", n))
        r.shuffle(members)
        self.holder = members
        texts = {"in": "const real *", "out": "real *", "poles": "const real *", "index": "const int *",
                 "scale": "real ", "count": "int ", "next": "struct L¶ ", "layers": "const struct L¶ *",
                 "list": f"const {self.struct_name} *"}
        if any(kind in ("next", "layers") for _, kind, _ in members):
            text = "struct L¶ {\n    const real *weight;\n    real bias;\n};\n"
        return (text + "struct M¶ {\n" + "".join(f"    {texts[kind]}{name};\n" for name, kind, _ in members)
                + "};\n")

    # As a parameter of the function
    def add_holder(self):
        if not self.holder:
            return
        r, parts, places, before, constants = (self.random, [], [],
                                               "struct M¶ HELD; memset(&HELD, 0, sizeof HELD);", "")
        by_pointer = r.random() < 0.5
        for name, kind, cells in self.holder:
            path = f"d.{name}"
            if kind in ("in", "poles", "out"):
                role = "in" if kind != "out" else "fixed" if self.result else "out"
                parts.append(Parameter("real *" if kind == "out" else "const real *", path, role, cells=cells))
                places.append(pointer_place(name))
            elif kind == "index":
                parts.append(Parameter("const int *", path, "list",
                                       value=[r.randint(0, self.n - 1) for _ in range(cells)]))
                places.append(pointer_place(name))
            elif kind == "list":
                parts.append(Parameter(f"const {self.struct_name} *", path, "in", cells=cells, low=-1.5,
                                       high=1.5))
                places.append(pointer_place(name))
            elif kind == "scale":
                parts.append(Parameter("real", path, "number", value=round(r.uniform(-1.7, 1.7), 3)))
                places.append(("HELD.scale = *(real *)AT;", "*(real *)AT = HELD.scale;"))
            elif kind == "count":
                constants += f" HELD.count = {cells};"
            elif kind == "next":
                parts.append(Parameter("const real *", path + ".weight", "in", cells=cells))
                places.append(pointer_place("next.weight"))
                constants += " HELD.next.bias = 0.25§;"
            else:
                before += (f" struct L¶ HELD_l[{LAYERS}]; memset(HELD_l, 0, sizeof HELD_l); HELD.layers = "
                           f"HELD_l;")
                parts.append(Parameter("const real *", path + ".weight", "in", cells=LAYERS * cells))
                places.append((" ".join(f"HELD_l[{k}].weight = (const real *)POINTER(AT) + {k * cells};"
                                        for k in range(LAYERS)),
                               None))
                constants += "".join(f" HELD_l[{k}].bias = {0.5 - k}§;" for k in range(LAYERS))
        type_name = "const struct M¶ *" if by_pointer else "struct M¶"
        self.kernel.parameters.append(Held(type_name, "d", parts, places, before, constants, "pointer"
                                           if by_pointer else "value"))
        name = "(*d)" if by_pointer else "d"
        self.declare(Scalar(name, "holder", 0, 0))
        self.declare_held("d->" if by_pointer else "d.", not by_pointer, True)

    def declare_held(self, prefix, own, top):
        """own: its numbers may be written; top: in the function itself, whose outputs are written for good."""
        for name, kind, cells in self.holder:
            at = prefix + name
            if kind in ("in", "poles"):
                self.declare(Array(at + "[{}]", [cells], "real", 0.5, 1.5, base=at))
            elif kind == "index":
                self.declare(Array(at + "[{}]", [cells], "int", 0, self.n - 1))
            elif kind == "list":
                self.declare_members(at + "[{}]", False, [cells])
            elif kind == "scale":
                self.declare(Scalar(at, "real", -2, 2, own and self.random.random() < 0.3, "other"))
            elif kind == "count":
                self.declare(Scalar(at, "int", cells, cells))
            elif kind == "next":
                self.declare(Array(at + ".weight[{}]", [cells], "real", 0.5, 1.5, base=at + ".weight"))
                self.declare(Scalar(at + ".bias", "real", 0.25, 0.25))
            elif kind == "layers":
                self.declare(Array(at + "[{}].weight[{}]", [LAYERS, cells], "real", 0.5, 1.5))
                self.declare(Array(at + "[{}].bias", [LAYERS], "real", -0.5, 0.5))
            elif top and not self.result:
                self.outputs.append(Array(at + "[{}]", [cells], "real", -6, 6, True, budget=3.5, base=at))
            elif not top and not self.result:
                self.declare(Array(at + "[{}]", [cells], "real", -6, 6, True, base=at))

    def held_names(self):
        """Inputs and outputs that the struct leads to, for the request."""
        r, outputs, inputs = self.random, [], []
        for part in [part for p in self.kernel.parameters for part in p.parts]:
            if part.role == "out":
                outputs.append(part.name)
            elif part.role in ("in", "number") and r.random() < (0.85 if part.role == "in" else 0.5):
                inputs.append(part.name)
        return outputs, inputs

    # Tables of rows
    def add_table(self):
        r, width, written = self.random, self.n, self.random.random() < 0.3 and not self.result
        constant = "" if written else "const "
        name, cells = "written" if written else "table", ROWS * width
        part = Parameter(f"{constant}real *", name, "out" if written else "in", cells=cells)
        place = f"for (int j = 0; j < {ROWS}; j++) HELD[j] = ({constant}real *)POINTER(AT) + j * {width};"
        self.kernel.parameters.append(Held("real **" if written else "const real *const *", name, [part],
                                           [(place, None)], f"{constant}real *HELD[{ROWS}];", "", "table"))
        item = Array(name + "[{}][{}]", [ROWS, width], "real", -6 if written else 0.5, 6 if written else 1.5,
                     written, budget=3.5 if written else 0.0)
        if written:
            self.outputs.append(item)
        else:
            self.declare(item)

    # In helpers and statements
    def helper_parameter(self, name, kind, cells):
        if kind not in ("holder", "holder pointer"):
            return super().helper_parameter(name, kind, cells)
        by_pointer = kind == "holder pointer"
        self.declare(Scalar(f"(*{name})" if by_pointer else name, "holder", 0, 0))
        self.declare_held(name + ("->" if by_pointer else "."), not by_pointer, False)
        return f"{'const ' if by_pointer else ''}struct M¶ {'*' if by_pointer else ''}{name}"

    def helper_argument(self, kind, helper, depth):
        if kind not in ("holder", "holder pointer"):
            return super().helper_argument(kind, helper, depth)
        named = [v.name for v in self.scalars() if v.kind == "holder"]
        if not named:
            return None
        name = self.random.choice(named)
        return leaf(name if kind == "holder" else name[2:-1] if name[0] == "(" else "&" + name, "holder", 0, 0)

    def holder_copy(self):
        """A local struct whose pointers start elsewhere in the same memory."""
        named = [v.name for v in self.scalars() if v.kind == "holder"]
        moved = [(name, cells) for name, kind, cells in self.holder if kind in ("in", "poles") and cells > 2]
        if not named or not moved:
            return self.walker()
        r, copy = self.random, self.fresh("d")
        name, cells = r.choice(moved)
        step = self.integer_in(0, cells - 2, 1)
        self.declare(Array(f"{copy}.{name}[{{}}]", [int(cells - step.hi)], "real", 0.5, 1.5,
                           base=f"{copy}.{name}"))
        at = Expr(f"{copy}.{name} + {{}}", [step], "pointer", 0, 0, ADD, [MULTIPLY])
        move = Stmt(f"{copy}.{name} = ", at, ";") if r.random() < 0.5 else Stmt(f"{copy}.{name} += ", step, ";")
        return [Stmt(f"struct M¶ {copy} = {r.choice(named)};"), move]

    def walker(self):
        """A struct that holds a place in an array and what is left of it."""
        r, usable = self.random, self.lines() if self.has_walker else []
        if not usable:
            return self.walk()
        a, w, bound = r.choice(usable), self.fresh("w"), 0
        count = r.randint(1, int(min(a.sizes[0], 4)))
        if self.trips * count > 60:
            return self.new_real()
        start = self.integer_in(0, a.sizes[0] - count, 1)
        at = Expr(a.base + " + {}", [start], "pointer", 0, 0, ADD, [MULTIPLY])
        first, bound = self.fit(self.real(1), -1, 1), 1 + 0.5 * max(abs(a.lo), abs(a.hi))
        self.declare(Scalar(f"{w}.sum", "real", -bound, bound, True, "other"))
        return [Stmt(f"struct W¶ {w} = {{", at, f", {count}, ", first, "};"),
                Stmt(f"while ({w}.left > 0) ",
                     [Stmt(f"{w}.sum = {w}.sum * 0.5§ + 0.25§ * next¶(&{w});", fixed=True)])]
