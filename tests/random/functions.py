"""A random function of the host, C or C++: its parameters, helpers, globals, request and text.

Well-defined by construction, as the kernels are (tree.py, integers.py, reals.py). One thread runs it, so it may
read and write its cells in any order and through any pointer; the intervals hold whatever aliases what, because
an alias has its target's interval.
"""
import re

from choices import made_by
from containers import Containers
from cpp_library import CppLibrary
from cpp_statements import CppStatements
from cpp_types import CppTypes
from found_calls import FoundCalls
from holders import Holders
from host_statements import WRITING, HostStatements
from host_types import HostTypes
from kernels import Generator, Helper, Kernel
from names import renamed
from objects import Objects
from owners import Owners
from recursions import Copies, Recursions
from tree import Array, Scalar, Stmt, binary, in_precision, leaf


class Request:
    """What is asked of a function. suffix: of its case's name; one with a suffix has names of its own."""

    def __init__(self, outputs, inputs, suffix=""):
        self.outputs, self.inputs, self.suffix = outputs, inputs, suffix

    def asks(self, name):
        return any(asked == name or asked.startswith(name + ".") for asked in self.outputs + self.inputs)

    def cells(self, name, cells):
        """Those of a struct that are asked for, or all of one that is not named, or named as a whole."""
        members = [asked[len(name) + 1:] for asked in self.inputs if asked.startswith(name + ".")]
        return ([c for c in cells if any(c == m or c.startswith((m + "[", m + ".")) for m in members)]
                if members else cells)

    def names(self, function):
        return tuple(f"{function}_{kind}" + ("_of_some" if self.suffix else "") for kind in ("grad", "jvp"))

    def annotations(self, kinds, result):
        text = f"wrt {', '.join(self.inputs)}"
        text = text if result else f"{', '.join(self.outputs)} {text}"
        names = dict(zip(("GW_GRADIENT", "GW_DERIVATIVE"), self.names("¶")))
        return "".join(f'{kind}("{names[kind] + " = " if self.suffix else ""}{text}")\n' for kind in kinds)


class Function(Kernel):
    """precisions: types of real, narrow and wide in the form that is compared with the one in double. more:
    outputs and inputs of a second request, which has names of its own. space: whether it stands in a namespace;
    template: whether it is one."""

    def __init__(self, seed, language):
        super().__init__(seed)
        self.language, self.result, self.globals_text = language, False, ""
        self.kinds = ["GW_GRADIENT", "GW_DERIVATIVE"]
        self.precisions = ("double", "float", "long double")
        self.more, self.space, self.template = None, False, False

    def requests(self):
        return [Request(self.outputs, self.inputs)] + ([Request(*self.more, "n")] if self.more else [])

    def several(self):
        """Whether it is asked for in several directions at once: not what leads to others or calls itself."""
        text = self.globals_text + self.struct_text + "".join(h.lines(0) for h in self.helpers)
        called = re.findall(r"(\w+¶)\([^()]*\) (?:const )?{(.*?)\n}", text, re.S)
        return (self.seed % 2 == 1 and not any(p.parts for p in self.parameters)
                and not any(name + "(" in body for name, body in called))

    def rows(self):
        """Each parameter with the number of its first argument: what a parameter leads to is an argument by
        itself."""
        found, first = [], 0
        for p in self.parameters:
            found.append((first, p))
            first += len(p.parts) or 1
        return found

    def scope(self, name):
        return f"n{name}::" if self.space else ""

    def template_arguments(self):
        return "<2>" if self.template else ""

    def text(self, name, real):
        const = "const " if self.template else ""  # a copy's own, which is no part of the function's type
        signature = ", ".join(declaration(const + p.type_name if p.name == "n" else p.type_name, p.name)
                              for p in self.parameters)
        text = self.struct_text + self.globals_text + "".join(h.lines(0) for h in self.helpers)
        text += "namespace n¶ {\n" if self.space else ""
        own = "template <int K> " if self.template else ""
        own += "".join(request.annotations(self.kinds, self.result) for request in self.requests())
        if self.several():
            asked = "" if self.result else ", ".join(self.outputs) + " "
            own += f'GW_DERIVATIVES(3, "{asked}wrt {", ".join(self.inputs)}")\n'
        head = f'{"real" if self.result else "void"} ¶'
        own += f"{head}({signature}) " + Stmt(self.body).lines(0)
        own += f"template {head}<2>({signature});\n" if self.template else ""
        text += renamed(own, self.called)
        return self.spelled(text + ("}\n" if self.space else ""), name, real)

    def spelled(self, text, name, real):
        if real == "double":
            return in_precision(text, name, "double")
        return in_precision(text, name, *self.precisions)


def declaration(type_name, name):
    if "(*)" in type_name:
        return type_name.replace("(*)", f"(*{name})")
    return f"{type_name}{'' if type_name[-1] == '*' else ' '}{name}"


class FunctionGenerator(FoundCalls, Containers, Owners, Objects, Holders, Recursions, Copies, CppLibrary,
                        CppTypes, CppStatements, HostTypes, HostStatements, Generator):
    absent = ("exp10", "rsqrt", "normcdf")
    least, most = "LEAST", "MOST"
    asides = packing = False
    enumeration, of_device, on_device = "enum E¶", "static", False

    def __init__(self, seed, language):
        super().__init__(seed)
        r = self.random
        self.kernel = Function(seed, language)
        self.cpp = self.scoped_enumerations = language == "cpp"
        self.kernel.single = self.single = r.random() < 0.25
        if self.single:
            self.kernel.precisions = r.choice([("float", "float", "double"), ("double", "float", "long double"),
                                               ("double", "float", "double")])
        elif r.random() < 0.12:
            self.kernel.kinds = ["GW_DERIVATIVE"]
        self.struct_name, self.shallow = "struct S¶", r.random() < 0.8
        self.sizes, self.own, self.exact = {}, "0", set()

    def make(self):
        r = self.random
        self.n = r.randint(3, 7)
        if r.random() < 0.4:
            self.make_struct()
        if r.random() < 0.35:
            self.make_globals()
        self.kernel.globals_text += self.more_types() + self.more_globals()
        for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
            self.make_helper()
        self.make_recursions()
        self.left = r.choice([6, 10, 16, 24])
        self.new_names()
        self.make_function()
        self.draw_names()
        return self.kernel

    # Types and globals
    def make_struct(self):
        r, inner = self.random, []
        text = ""
        if r.random() < 0.5:
            inner = [("p", "real"), ("q", r.choice(["real", 2, 3]))]
            text = self.struct_lines("struct I¶", inner, "")
        members = [("a", "real"), ("b", "real"), ("tag", "tag"), ("w", r.randint(2, 3)), ("c", "real")]
        members += [("in", tuple(inner))] if inner else []
        self.struct = [m for m in members if m[0] in ("a", "in") or r.random() < 0.6]
        r.shuffle(self.struct)
        self.kernel.struct_text = text + self.struct_lines(self.struct_name, self.struct, self.methods())
        self.kernel.struct_cells = self.cells(self.struct, "")

    def struct_lines(self, name, members, more):
        lines = ""
        for member, kind in members:
            type_name = "int" if kind == "tag" else "struct I¶" if isinstance(kind, tuple) else \
                self.random.choice(["real", "real", "real", "narrow", "wide"])
            if type_name == "real":
                self.exact.add(member)
            lines += f"    {type_name} {member}{self.dimension(kind)};\n"
        return f"{name} {{\n{lines}{more}}};\n"

    def cells(self, members, prefix):
        found = []
        for member, kind in members:
            if isinstance(kind, tuple):
                found += self.cells(kind, f"{prefix}{member}.")
            elif isinstance(kind, int):
                found += [f"{prefix}{member}[{k}]" for k in range(kind)]
            elif kind == "real":
                found.append(prefix + member)
        return found

    def make_globals(self):
        r, text = self.random, ""
        for number in range(r.randint(1, 2)):
            if r.random() < 0.5:
                size = r.randint(2, 5)
                values = [round(r.uniform(-1.5, 1.5), 2) for _ in range(size)]
                listed = ", ".join(f"{v}§" for v in values)
                text += f"static {r.choice(['', 'const '])}real table{number}¶[{size}] = {{{listed}}};\n"
                self.declare(Array(f"table{number}¶[{{}}]", [size], "real", -1.5, 1.5))
            elif r.random() < 0.3:
                text += f"static const int limit{number}¶ = 3;\n"
                self.declare(Scalar(f"limit{number}¶", "int", 3, 3))
            else:
                value = round(r.uniform(-1.5, 1.5), 2)
                text += f"static real weight{number}¶ = {value}§;\n"
                self.declare(Scalar(f"weight{number}¶", "real", -1.5, 1.5))
        self.kernel.globals_text = text
        self.global_frame = self.frames[0]

    # Helpers
    def make_helper(self):
        r = self.random
        self.result = r.random() < 0.6
        self.new_names()
        name = f"h{len(self.helpers) + 1}¶"
        kinds = ["reference"] if not self.result else []
        kinds += r.choices(["real", "real", "real", "int", "reference", "pointer"], k=r.randint(1, 3))
        if self.struct and r.random() < 0.4:
            kinds.append(r.choice(["struct", "struct pointer"]))
        if self.holder and r.random() < 0.5:
            kinds.append(r.choice(["holder", "holder pointer"]))
        recursive = self.result and not set(kinds) & WRITING and r.random() < 0.08
        template = self.cpp and not recursive and r.random() < 0.2
        helper = Helper(name, kinds, self.result, r.randint(1, 3))
        helper.recursive, helper.template = recursive, template
        self.frames, self.left, places = [list(getattr(self, "global_frame", []))], r.choice([3, 6, 9]), []
        for number, kind in enumerate(kinds):
            places.append(self.helper_parameter(f"q{number}", kind, helper.cells))
        first = []
        if recursive:
            places.append("int deep")
            first = [Stmt("if (deep <= 0) return ", self.fit(self.real_leaf(), -2, 2), ";", fixed=True)]
        if template:
            self.declare(Scalar("N", "int", 1, 3))
        body = first + self.block(r.randint(1, 4), lambda: [])
        self.frames.append([])
        if recursive:
            self.helpers.append(helper)
            again = self.helper_call(helper, 1)
            self.helpers.pop()
            body.append(Stmt("return ", self.fit(binary("-", again, self.real_leaf(), "real", -8, 8), -2, 2),
                             ";", fixed=True))
        elif self.result:
            body.append(Stmt("return ", self.fit(self.real(2), -2, 2), ";", fixed=True))
        self.frames.pop()
        head = f"static {'real' if self.result else 'void'} {name}({', '.join(places)}) "
        self.kernel.helpers.append(Stmt(("template <int N> " if template else "") + head, body))
        self.helpers.append(helper)

    def helper_parameter(self, name, kind, cells):
        if kind == "struct":
            self.declare_members(name, True)
            return f"{self.struct_name} {name}"
        if kind == "struct pointer":
            self.declare_members(f"{name}->", True)
            return f"{self.struct_name} *{name}"
        if kind == "reference" and not self.cpp:
            self.declare(Scalar(f"(*{name})", "real", -2, 2, True, "real"))
            return f"real *{name}"
        return super().helper_parameter(name, kind, cells)

    # The function
    def make_function(self):
        r, k = self.random, self.kernel
        self.frames, self.in_body = [list(getattr(self, "global_frame", []))], True
        self.result = k.result = r.random() < 0.3
        self.make_parameters()
        if self.cpp:
            k.space, k.template = r.random() < 0.1, r.random() < 0.06
        if k.template:
            self.declare(Scalar("K", "int", 2, 2))
        r.shuffle(k.parameters)
        body = self.entered_state() + self.open_block(r.randint(2, 6))
        if r.random() < 0.7:
            self.frames.append([Scalar("i", "int", 0, self.n - 1)])
            self.depth, self.trips = self.depth + 1, self.trips * self.n
            inner = self.open_block(r.randint(1, 5)) + self.row_stores()
            self.depth, self.trips = self.depth - 1, self.trips // self.n
            self.frames.pop()
            body.append(Stmt("for (int i = 0; i < n; i++) ", inner, prefix="int i = 0;"))
            body += self.open_block(r.randint(0, 2))
        k.body = body + ([Stmt("return ", self.fit(self.all_alive(), -2, 2), ";", fixed=True)] if self.result
                         else
                         self.final_stores())
        self.make_request()

    def all_alive(self):
        """A sum of what is alive."""
        live = [v for v in self.scalars() if v.kind == "real"]
        e = self.real(2)
        for v in self.random.sample(live, min(len(live), 4)):
            e = binary("+", e, binary("*", self.number(), v.read(), "real", v.lo * 3, v.hi * 3), "real",
                       e.lo + v.lo * 3, e.hi + v.hi * 3)
        return e

    def row_stores(self):
        """Outputs at i, as loops over arrays do."""
        made = []
        for item in self.outputs:
            if len(item.sizes) == 1 and item.sizes[0] >= self.n and self.random.random() < 0.7:
                made.append(Stmt(item.cell([leaf("i", "int", 0, self.n - 1)]), " = ",
                                 self.fit(self.all_alive(), -2, 2), ";"))
        return made

    def make_parameters(self):
        r = self.random
        self.add("int", "n", "value", value=self.n)
        self.declare(Scalar("n", "int", self.n, self.n))
        self.add_integers(("idx",))
        for name in "xwzg"[:r.choice([1, 1, 2, 2, 3])]:
            self.add_input(name)
        if r.random() < 0.05:
            width = r.randint(2, 3)
            self.add(f"const real (*)[{width}]", "rows", "in", cells=self.n * width)
            self.declare(Array("rows[{}][{}]", [self.n, width], "real", 0.5, 1.5))
        if r.random() < 0.25:
            self.add("const real *", "u", "fixed", cells=self.n)
            self.declare(Array("u[{}]", [self.n], "real", 0.5, 1.5, base="u"))
        for name in ("p", "q")[:r.choice([0, 0, 1, 1, 2])]:
            value = round(r.uniform(0.3, 1.7) * r.choice([1, -1]), 3)
            self.add(r.choice(["real", "real", "narrow", "wide"]), name, "value", value=value)
            self.declare(Scalar(name, "real", -2, 2, r.random() < 0.3, "other"))
        if self.struct:
            self.add_structs()
        self.add_holder()
        if r.random() < 0.06:
            self.add_table()
        if not self.result:
            for name in ("y", "o", "e")[:r.choice([1, 1, 1, 2, 2, 3])]:
                self.add_output(name, "out")
            if r.random() < 0.15:
                self.add_output("a", "inout")
        self.add_tied()
        self.add_way()

    def add_input(self, name):
        r = self.random
        cells = self.n + r.choice([0, 0, 1, 2])
        low, high = r.choice([(0.5, 1.5), (0.5, 1.5), (-1.5, 1.5)])
        type_name = "real" if r.random() < 0.85 else "narrow"
        self.add(f"const {type_name} *", name, "in", cells=cells, low=low, high=high)
        self.declare(Array(name + "[{}]", [cells], "real", low, high, base=name if type_name == "real"
                           else None))

    def struct_value(self, members):
        r = self.random
        return [r.randint(0, 3) if kind == "tag" else self.struct_value(kind) if isinstance(kind, tuple) else
                round(r.uniform(-1.5, 1.5), 2) if kind == "real" else
                [round(r.uniform(-1.5, 1.5), 2) for _ in range(kind)] for _, kind in members]

    def add_structs(self):
        r = self.random
        if r.random() < 0.5:
            self.add(self.struct_name, "s", "struct", value=self.struct_value(self.struct))
            self.declare_members("s", r.random() < 0.3)
            self.struct_values.append(lambda g: "s")
        if r.random() < 0.4:
            self.add(f"const {self.struct_name} *", "one", "in", cells=1, low=-1.5, high=1.5)
            self.declare_members("one->", False)
            self.struct_values.append(lambda g: "*one")
        if r.random() < 0.5:
            self.add(f"const {self.struct_name} *", "b", "in", cells=self.n, low=-1.5, high=1.5)
            self.declare_members("b[{}]", False, [self.n])
            self.struct_values.append(lambda g: f"b[{g.integer_in(0, g.n - 1, 1).text()}]")
        if r.random() < 0.25 and not self.result:
            self.add(f"{self.struct_name} *", "f", "out", cells=self.n)
            frames, self.frames = self.frames, [[]]
            self.declare_members("f[{}]", True, [self.n])
            self.outputs += [item for item in self.frames[0] if item.writable]
            self.frames = frames

    def add_output(self, name, role):
        r = self.random
        cells = self.n * r.choice([1, 1, 2])
        self.add("real *", name, role, cells=cells)
        reads = role == "inout" or r.random() < 0.06
        item = Array(name + "[{}]", [cells], "real", -6, 6, True, budget=3.5, base=name)
        if reads:
            self.declare(item)
            self.readable.append(item)
        self.outputs.append(item)

    def extremes(self):
        return []  # atomics are a kernel's

    def final_stores(self):
        return super().final_stores() if self.outputs else []

    def draw_wishes(self):
        """A mark of a kernel's gradient, which functions have none of."""

    def make_request(self):
        k = self.kernel
        super().make_request()
        reals = ("real", "narrow", "wide")
        more = [p.name for p in k.parameters if p.role == "value" and p.type_name in reals[1:]]
        k.inputs += [name for name in more if self.random.random() < 0.85]
        outputs, inputs = self.held_names()
        k.outputs, k.inputs = k.outputs + outputs, k.inputs + inputs
        if self.random.random() < 0.2 and "s" in k.inputs:
            self.name_members("s")
        if self.random.random() < 0.12 and not self.single:
            k.more = self.some(k.outputs), self.some(k.inputs)

    def name_members(self, name):
        """The request names members of a struct, not all of it."""
        members = [member for member, kind in self.struct if kind != "tag"]
        at = self.kernel.inputs.index(name)
        self.kernel.inputs[at:at + 1] = [f"{name}.{member}" for member in self.some(members)]

    def some(self, names):
        """In their order: adjoint parameters are in the order of the parameters."""
        kept = self.random.sample(names, self.random.randint(1, len(names))) if names else []
        return [name for name in names if name in kept]


def make_function(seed, language):
    return made_by(FunctionGenerator(seed, language))
