"""Random programs: functions of the host that launch kernels, with their memory, copies, loops, pointers and
streams. Whatever is drawn, a program reads no memory that was not written, a launch's pointers lead to memory
of its own each (but for what is only read), and streams wait for each other where one uses what another wrote.

A family is a set of pointers that are swapped with each other: streams wait for the family, and no launch takes
two pointers that might be the same.
"""
import copy
import random as randoms

import foreign
import wider
from launched import ANY_ORDER, HERE, ONE_BLOCK, OPERANDS, SAME_CELL, SHARED, OwnKernel

REACHED = ("DEVICE", "MANAGED", "PINNED")
FEW_FROM = 60001  # from this program on requests name few of the inputs and outputs, often
COUNTED = "n * sizeof(double)"


class Line:
    def __init__(self, text):
        self.text_lines = text.split("\n")

    def lines(self):
        return self.text_lines

    def bodies(self):
        return []


class Block:
    """parts: (head, list of statements) each; the first head opens it."""

    def __init__(self, *parts, tail="}"):
        self.parts, self.tail = [list(part) for part in parts], tail

    def lines(self):
        made = []
        for head, body in self.parts:
            made.append(head)
            for statement in body:
                made += ["    " + line for line in statement.lines()]
        return made + [self.tail]

    def bodies(self):
        return [part[1] for part in self.parts]


class Pointer:
    def __init__(self, name, lies, cells=1, writable=True, family=None, owner=None, element="double"):
        self.name, self.lies, self.cells, self.writable = name, lies, cells, writable
        self.family, self.owner, self.element = family or name, owner, element


class Parameter:
    """role, lies: as random_program.cuh names them; cells: how many times n, 0 for one."""

    def __init__(self, name, role, lies="DEVICE", cells=1, const=False, element="double"):
        self.name, self.role, self.lies, self.cells, self.const, self.element = (name, role, lies, cells, const,
                                                                                 element)

    def text(self):
        return f"{'const ' if self.const else ''}{self.element} *{self.name}"

    def row(self):
        kept = self.role in ("INPUT", "BOTH_WAYS", "INDEX") or (self.role == "NOT_ASKED" and self.const)
        cells = {0: "1", 1: "CELLS", 2: "2 * CELLS"}[self.cells]
        return f"{{{self.role}, {self.lies}, {cells}, {str(kept).lower()}}}"


class Program:
    """A finished one."""
    single = False
    forward = False  # asked for its forward derivative too
    twice = False  # and for its Hessian times a vector

    def __init__(self, seed):
        self.seed, self.parameters, self.numbers, self.asked, self.streams = seed, [], [], [], []
        self.kernels, self.helpers, self.body, self.returns = [], [], [], False
        self.steps, self.mode = 0, 0

    def roles(self, role):
        return [p for p in self.parameters if p.role == role]

    def function(self, name):
        made = []
        for k, kernel in enumerate(self.kernels):
            text = f"__global__ void {name}_own{k}({kernel.parameters}) {{\n    {HERE}\n    {kernel.text}\n}}"
            made += text.split("\n")
        for helper in self.helpers:
            made += helper.lines()
        outputs = [p.name for p in self.parameters if p.role in ("OUTPUT", "BOTH_WAYS")]
        inputs = [p.name for p in self.parameters if p.role in ("INPUT", "BOTH_WAYS")] + self.asked
        asks = f'"{", ".join(outputs)} wrt {", ".join(inputs)}"'
        made.append(f"GW_GRADIENT({asks})" + f" GW_DERIVATIVE({asks})" * self.forward +
                    f" GW_HVP({asks})" * self.twice)
        parameters = [p.text() for p in self.parameters] + [f"double {a}" for a in self.numbers]
        parameters += ["int n", "int steps", "int mode"] + [f"cudaStream_t {s}" for s in self.streams]
        made.append(f"{'cudaError_t' if self.returns else 'void'} {name}({', '.join(parameters)}) {{")
        for statement in self.body:
            made += ["    " + line for line in statement.lines()]
        if self.returns:
            made.append("    return cudaGetLastError();")
        return [line.replace("¶", name) for line in made + ["}"]]

    def text(self, name, _real):
        return "\n".join(self.function(name)) + "\n"

    def calls(self, name):
        given = [f"c.index({k})" if p.role == "INDEX" else f"c.at[{k}]" for k, p in enumerate(self.parameters)]
        given += [f"c.number[{k}]" for k in range(len(self.numbers))] + ["c.n", "c.steps", "c.mode"]
        given += ["c.first", "c.second"][:len(self.streams)]
        adjoints = [f"c.d[{k}]" for k, p in enumerate(self.parameters)
                    if p.role in ("INPUT", "OUTPUT", "BOTH_WAYS")]
        numbers = [f"c.d_number[{self.numbers.index(a)}]" for a in self.numbers if a in self.asked]
        along = [f"static gw_status {name}_along(gw_pool *pool, call &c) {{",
                 f"    return {name}_jvp_in(pool, {', '.join(given + adjoints + numbers)});", "}"]
        moved = [text.replace("c.d", "c.t") for text in adjoints + numbers]
        adjoints += [f"&{number}" for number in numbers]
        beside = [text.replace("c.d", "c.t_d") for text in adjoints]
        twice = [f"static gw_status {name}_twice(gw_pool *pool, call &c) {{",
                 f"    return {name}_hvp_in(pool, {', '.join(given + moved + adjoints + beside)});", "}"]
        return [*twice * self.twice, *along * self.forward,
                f"static void {name}_run(call &c) {{ {name}({', '.join(given)}); }}",
                f"static gw_status {name}_back(gw_pool *pool, call &c) {{",
                f"    return {name}_grad_in(pool, {', '.join(given + adjoints)});", "}"]

    def keeps_order(self):
        """No kernel of it adds by atomics of its own, whose sums come out in any order."""
        text = "\n".join(self.function("f"))
        return "atomicAdd" not in text and not any(f"{kernel}<<<" in text for kernel in ANY_ORDER)

    def row(self, name):
        rows = ", ".join(p.row() for p in self.parameters)
        asked = sum(1 << k for k, a in enumerate(self.numbers) if a in self.asked)
        return (f"    {{\"{name}\", {self.seed}, {self.steps}, {self.mode}, {len(self.numbers)}, {asked}, "
                f"{str(self.keeps_order()).lower()}, {{{rows}}}, {name}_run, {name}_back, "
                f"{f'{name}_along' if self.forward else 'nullptr'}, "
                f"{f'{name}_twice' if self.twice else 'nullptr'}}},")


class Scope:
    """What may be used in a block. order: streams that may still be at work on a family, writers and
    readers."""

    def __init__(self, pointers, numbers, counters):
        self.pointers, self.numbers, self.counters = list(pointers), list(numbers), list(counters)
        self.body = []
        self.local = []  # numbers that may change

    def inner(self):
        return Scope(self.pointers, self.numbers, self.counters)


class Launches(wider.Wider, foreign.Foreign):
    """The generator of program `seed`."""

    def __init__(self, seed):
        self.random, self.p = randoms.Random(f"program {seed}"), Program(seed)
        # What came later: programs are otherwise what they were before.
        self.marks = randoms.Random(f"marks {seed}")
        self.count, self.writers, self.readers, self.depth = 0, {}, {}, 0
        self.kernels = {}
        self.left = self.random.choice((6, 10, 16, 24))

    # ---- what is drawn ----
    def chance(self, share):
        return self.random.random() < share

    def pick(self, items):
        return self.random.choice(items)

    def fresh(self, word):
        self.count += 1
        return f"{word}{self.count}"

    def add(self, scope, text):
        scope.body.append(Line(text))

    def stream(self):
        return self.pick(self.streams)

    # ---- streams ----
    def wait(self, scope, on, written, read):
        """What is used on the stream next was written, or is read, by others."""
        others = set()
        for family in written:
            others |= self.writers.get(family, set()) | self.readers.get(family, set())
        for family in read:
            others |= self.writers.get(family, set())
        others -= {on}
        if self.legacy:
            others = set() if on == "0" else others - {"0"}
        if others and self.chance(0.4):
            self.settle(scope)
        busy = {s for used in (*self.writers.values(), *self.readers.values()) for s in used}
        for other in sorted(others & busy):
            if self.marks.random() < 0.4:  # who else waits for it does so again
                self.event(scope, on, other)
                continue
            self.add(scope, f"cudaStreamSynchronize({other});")
            for used in (*self.writers.values(), *self.readers.values()):
                used.discard(other)
        for family in written:
            self.writers.setdefault(family, set()).add(on)
        for family in read:
            self.readers.setdefault(family, set()).add(on)

    def event(self, scope, on, other):
        name = self.fresh("event")
        self.add(scope, f"cudaEvent_t {name};\ncudaEventCreateWithFlags(&{name}, cudaEventDisableTiming);\n"
                        f"cudaEventRecord({name}, {other});\ncudaStreamWaitEvent({on}, {name}, 0);\n"
                        f"cudaEventDestroy({name});")

    def settle(self, scope):
        if any(self.writers.values()) or any(self.readers.values()):
            self.add(scope, "cudaDeviceSynchronize();")
        self.writers, self.readers = {}, {}

    def border(self, scope):
        """The begin or end of a block: what comes before it is not known there."""
        used = set().union(*self.writers.values(), *self.readers.values())
        if len(self.streams) > 1 and used:
            self.settle(scope)
        else:
            self.writers, self.readers = {}, {}

    # ---- operands ----
    def pointers(self, scope, writable=False, cells=1, lies=REACHED, element="double"):
        return [p for p in scope.pointers if (p.writable or not writable) and p.cells >= cells
                and p.lies in lies and p.element == element]

    def part(self, p):
        """n cells of it, and what tells them from others."""
        if p.cells < 2:
            return p.name, (p.name, 0)
        half = self.pick((0, 1))
        return (f"{p.name} + n" if half else p.name), (p.name, half)

    def number(self, scope):
        names = scope.numbers
        if not names or self.chance(0.2):
            return self.pick(("0.4", "0.7", "0.2 + 0.1 * mode", *(f"0.1 * {t}" for t in scope.counters)))
        a, b = self.pick(names), self.pick(names)
        rows = [a, a, f"0.5 * {a}", f"{a} * {b}", f"sin({a})", f"{a} / (1 + {b} * {b})", f"rate({a}, mode)"]
        rows += [f"rate({a}, {t})" for t in scope.counters]
        return self.pick(rows)

    def integer(self, scope):
        return self.pick(("mode", "1", "steps", *scope.counters, *scope.counters))

    def condition(self, scope):
        rows = ["mode > 1", "steps % 2 == 0", "mode == 1", "n > 3"]
        for t in scope.counters:
            rows += [f"{t} % 2 == 0", f"{t} == 1", f"{t} + 1 < steps", f"{t} % 3 != mode"]
        return self.pick(rows)

    # ---- launches ----
    def operands(self, scope, letters, in_place=False):
        """Texts, families written and read; None if something is missing."""
        in_place = in_place and self.chance(0.08)
        texts, taken, written, read = [], {}, [], []
        for letter in letters:
            if letter in "wms":
                rows = self.pointers(scope, True, 0 if letter == "s" else 1)
                row = self.take(rows, taken, True)
            elif letter == "r":
                row = self.take(self.pointers(scope), taken, False)
                if in_place and written:
                    row, in_place = (texts[0], written[0]), False
            elif letter in "ij":
                row = self.take(self.pointers(scope, letter == "j", 1, REACHED, "int"), taken, letter == "j")
            else:
                make = {"a": self.number, "t": self.integer, "e": self.way, "n": lambda _: "n"}[letter]
                texts.append(make(scope))
                continue
            if row is None:
                return None
            text, family = row
            texts.append(f"{text} + {self.pick((0, 2, 5))}" if letter == "s" and self.last_cells else text)
            (written if letter in "wmsj" else read).append(family)
        return texts, written, read

    def take(self, rows, taken, writes):
        rows = list(rows)
        self.random.shuffle(rows)
        for p in rows:
            text, key = self.part(p)
            again = key in taken
            if again and (writes or taken[key] or not self.chance(0.25)):
                continue
            taken[key] = writes
            self.last_cells = p.cells
            return text, p.family
        return None

    def launch(self, scope, names=None):
        for _ in range(8):
            name = self.pick(names or list(self.kernels) * 3 + [*OPERANDS, *self.wider_operands(),
                                                                *self.foreign_operands()])
            letters = self.kernels.get(name) or OPERANDS.get(name) or {**wider.KERNELS,
                                                                       **foreign.KERNELS}[name][0]
            found = self.operands(scope, letters, not names and name in SAME_CELL)
            if found:
                break
        else:
            return
        texts, written, read = found
        on = self.stream()
        self.wait(scope, on, written, read)
        one = name in ONE_BLOCK or name in wider.ONE_BLOCK or name in foreign.KERNELS
        shape = "1, 8" if one else self.pick(("1, 32", "2, 4", "(n + 3) / 4, 4", "dim3(n), dim3(1)",
                                              "dim3(1, 1), dim3(8)"))
        if on != "0" or name in SHARED or self.chance(0.1):
            shape += f", {SHARED.get(name, '0')}" + (f", {on}" if on != "0" else "")
        self.add(scope, f"{name}<<<{shape}>>>({', '.join(texts)});")

    # ---- memory ----
    def direction(self, to, source):
        sides = "To".join("Host" if p.lies == "HOST" else "Device" for p in (source, to))
        if self.chance(0.3) or "PINNED" in (to.lies, source.lies):
            return "cudaMemcpyDefault"
        return "cudaMemcpy" + sides

    def copy(self, scope, to=None):
        every = REACHED + ("HOST",)
        targets = [to] if to else self.pointers(scope, True, 1, every)
        if not targets:
            return False
        to = self.pick(targets)
        sources = [p for p in self.pointers(scope, False, 1, every) if p.family != to.family]
        if not sources:
            return False
        source = self.pick(sources)
        first, _ = self.part(to)
        second, _ = self.part(source)
        whole = not self.chance(0.3) or to.cells < 1
        size = COUNTED
        if not whole:
            size = self.pick(("n / 2 * sizeof(double)", "(n - 2) * sizeof(double)", "sizeof(double)"))
            first += self.pick(("", " + 1", " + n / 3"))
            second += self.pick(("", " + 2", " + n / 3"))
        host = to.lies == "HOST" and source.lies == "HOST"
        on = "0" if host or self.chance(0.2) else self.stream()
        if host:
            self.settle(scope)
        self.wait(scope, on, [to.family], [source.family])
        how = f"{first}, {second}, {size}, {self.direction(to, source)}"
        if on == "0" and (host or self.chance(0.6)):
            self.add(scope, f"cudaMemcpy({how});")
        else:
            self.add(scope, f"cudaMemcpyAsync({how}{', ' + on if on != '0' else ''});")
        return True

    def fill(self, scope, to=None):
        targets = [to] if to else self.pointers(scope, True, 0)
        if not targets:
            return
        to = self.pick(targets)
        text, size, byte = to.name, {0: "sizeof(double)", 1: COUNTED, 2: "2 * " + COUNTED}[to.cells], "0"
        if to.element == "int":
            size = "n * sizeof(int)"
        elif to.cells and self.chance(0.3):
            text = f"{to.name} + {self.pick((1, 2))}"
            size = self.pick(("sizeof(double)", "n / 2 * sizeof(double)"))
        elif self.chance(0.2):
            byte = "0x3f"
        on = self.stream()
        self.wait(scope, on, [to.family], [])
        if on == "0" and self.chance(0.5):
            self.add(scope, f"cudaMemset({text}, {byte}, {size});")
        else:
            self.add(scope, f"cudaMemsetAsync({text}, {byte}, {size}{', ' + on if on != '0' else ''});")

    def allocate(self, scope, element="double"):
        cells = 2 if element == "double" and self.chance(0.2) else 1
        size = ("2 * " if cells == 2 else "") + f"n * sizeof({element})"
        name = self.fresh("b" if element == "double" else "index")
        lies = self.pick(("DEVICE", "DEVICE", "DEVICE", "MANAGED", "PINNED", "ASYNC"))
        on = self.stream()
        call = {"DEVICE": "cudaMalloc(&{0}, {1})", "MANAGED": "cudaMallocManaged(&{0}, {1})",
                "PINNED": self.pick(("cudaMallocHost(&{0}, {1})",
                                     "cudaHostAlloc(&{0}, {1}, cudaHostAllocDefault)")),
                "ASYNC": "cudaMallocAsync(&{0}, {1}, " + on + ")"}[lies].format(name, size)
        if lies == "DEVICE" and cells == 1 and element == "double" and self.chance(0.15):
            call = f"{name} = made(n)"
        elif self.p.returns and not self.depth and not self.owned and self.chance(0.5):
            call = f"if ({call} != cudaSuccess) return cudaErrorMemoryAllocation"
        p = Pointer(name, "DEVICE" if lies == "ASYNC" else lies, cells, True, None, scope, element)
        p.freed = {"PINNED": "cudaFreeHost({0});",
                   "ASYNC": "cudaFreeAsync({0}, {1});"}.get(lies, "cudaFree({0});")
        inner = Scope(scope.pointers, scope.numbers, scope.counters)
        if lies == "ASYNC":  # no other stream has it before its stream gives it
            self.wait(inner, on, [p.family], [])
        self.first_contents(inner, p)
        lines = [f"{element} *{name}{' = nullptr' if self.chance(0.3) else ''};", call + ";"]
        scope.body.append(Line("\n".join(lines + [line for s in inner.body for line in s.lines()])))
        scope.pointers.append(p)
        self.owned.append(p)
        return p

    def first_contents(self, scope, p):
        if p.element == "int":
            inner = Scope([p], [], scope.counters)
            self.launch(inner, ["renumber"])
            scope.body += inner.body
        elif p.cells == 2 or self.chance(0.4):
            self.fill_whole(scope, p)
        elif self.chance(0.5) or not self.copy_whole(scope, p):
            rest = [q for q in scope.pointers if not q.writable or self.chance(0.3)]
            inner = Scope([p] + [self.reading(q) for q in rest], scope.numbers, scope.counters)
            self.launch(inner, ["map", "scale", "fill", "fill_with", "mix", "gather", "powers<2>", "sums"])
            scope.body += inner.body
            if not inner.body:
                self.fill_whole(scope, p)

    @staticmethod
    def reading(q):
        p = copy.copy(q)
        p.writable = False
        return p

    def fill_whole(self, scope, p):
        on = self.stream()
        self.wait(scope, on, [p.family], [])
        size = ("2 * " if p.cells == 2 else "") + COUNTED
        byte = self.pick(("0", "0", "0x3f"))
        self.add(scope, f"cudaMemsetAsync({p.name}, {byte}, {size}{', ' + on if on != '0' else ''});")

    def copy_whole(self, scope, p):
        sources = [q for q in self.pointers(scope, False, 1, REACHED + ("HOST",))]
        if not sources:
            return False
        source, on = self.pick(sources), self.stream()
        self.wait(scope, on, [p.family], [source.family])
        self.add(scope, f"cudaMemcpyAsync({p.name}, {self.part(source)[0]}, {COUNTED}, "
                        f"{self.direction(p, source)}{', ' + on if on != '0' else ''});")
        return True

    def free(self, scope, p):
        scope.pointers = [q for q in scope.pointers if q is not p]
        self.owned = [q for q in self.owned if q is not p]
        on = self.stream()
        if "Async" in p.freed:
            self.wait(scope, on, [p.family], [])
        elif len(self.streams) > 1 and self.chance(0.3):  # cudaFree waits for the device itself
            self.wait(scope, "0", [p.family], [])
        self.add(scope, p.freed.format(p.name, on))

    def free_owned(self, scope, before):
        owned = [p for p in self.owned if p not in before]
        self.random.shuffle(owned)
        for p in owned:
            self.free(scope, p)

    # ---- several buffers, and parts of one ----
    def levels(self, scope):
        """An array of buffers, each made of the one before it."""
        name, k, on = self.fresh("level"), self.fresh("l"), self.stream()
        every = f"for (int {k} = 0; {k} < 3; {k}++)"
        first = Scope([q for q in scope.pointers], scope.numbers, scope.counters)
        p = Pointer(f"{name}[0]", "DEVICE", owner=scope, family=name)
        self.first_contents(first, p)
        self.wait(first, on, [name], [])
        inner = Scope([], scope.numbers, [k])
        to, source = Pointer(f"{name}[{k}]", "DEVICE", family=name), Pointer(
            f"{name}[{k} - 1]", "DEVICE", writable=False, family=name)
        inner.pointers = [to, source]
        kept, self.streams = self.streams, [on]
        self.launch(inner, ["map", "scale", "powers<3>", "sums"])
        self.streams = kept
        self.add(scope, f"double *{name}[3];\n{every}\n    cudaMalloc(&{name}[{k}], {COUNTED});")
        scope.body += first.body
        scope.body.append(Block((f"for (int {k} = 1; {k} < 3; {k}++) {{", inner.body)))
        whole = Pointer(name, "DEVICE", family=name, owner=scope)
        whole.freed = f"{every}\n    cudaFree({name}[{k}]);"
        self.owned.append(whole)
        for index in range(3):
            scope.pointers.append(Pointer(f"{name}[{index}]", "DEVICE", family=name, owner=scope))

    def walk(self, scope):
        """A pointer that goes through a long buffer."""
        name, p, t, on = self.fresh("long"), self.fresh("at"), self.fresh("t"), self.stream()
        first = Scope(scope.pointers, scope.numbers, scope.counters)
        self.add(scope, f"double *{name}, *{p};\ncudaMalloc(&{name}, 4 * {COUNTED});\n{p} = {name};")
        self.first_contents(first, Pointer(p, "DEVICE", family=name))
        self.wait(first, on, [name], [])
        inner = Scope([Pointer(f"{p} + n", "DEVICE", family=name),
                       Pointer(p, "DEVICE", writable=False, family=name)], scope.numbers, [t])
        kept, self.streams = self.streams, [on]
        self.launch(inner, ["map", "scale", "powers<2>", "reverse"])
        self.streams = kept
        self.add(inner, f"{p} += n;")
        scope.body += first.body
        count = self.pick(("3", "mode"))
        scope.body.append(Block((f"for (int {t} = 0; {t} < {count}; {t}++) {{", inner.body)))
        whole = Pointer(name, "DEVICE", owner=scope)
        whole.freed = "cudaFree({0});"
        self.owned.append(whole)
        scope.pointers.append(Pointer(p, "DEVICE", family=name))

    # ---- pointers ----
    def swappable(self, scope):
        groups = {}
        for p in self.pointers(scope, True):
            if p.owner is scope and p.element == "double":
                groups.setdefault((p.cells, p.lies, getattr(p, "freed", "")), []).append(p)
        return [group for group in groups.values() if len(group) > 1]

    def swap(self, scope):
        groups = self.swappable(scope)
        if not groups:
            return
        a, b = self.random.sample(self.pick(groups), 2)
        self.merge(scope, (a, b))
        if self.chance(0.2) and "." not in a.name and a.cells == 1:
            on = self.stream()
            self.wait(scope, on, [a.family], [])
            self.add(scope, f"turn_over({a.name}, {b.name}, {self.number(scope)}, n, {on});")
        elif self.chance(0.7) or "." in a.name:
            self.add(scope, f"std::swap({a.name}, {b.name});")
        else:
            name = self.fresh("held")
            self.add(scope, f"double *{name} = {a.name};\n{a.name} = {b.name};\n{b.name} = {name};")

    def merge(self, scope, pointers):
        """They are one family from here on."""
        families, kept = {p.family for p in pointers}, pointers[0].family
        for p in scope.pointers:
            if p.family in families:
                p.family = kept
        for used in (self.writers, self.readers):
            used[kept] = set().union(*(used.pop(family, set()) for family in sorted(families)))

    def alias(self, scope):
        """Two pointers to two buffers, which of them decided when the program runs."""
        rows = [p for p in self.pointers(scope, True) if p.cells == 1]
        if len(rows) < 2 or self.depth > 2:
            return
        a, b = self.random.sample(rows, 2)
        inner, c = scope.inner(), self.condition(scope)
        p, q = self.fresh("p"), self.fresh("q")
        self.border(scope)
        way = self.random.random()
        if way < 0.4:
            head = f"double *{p} = {c} ? {a.name} : {b.name}, *{q} = {c} ? {b.name} : {a.name};"
        elif way < 0.7:
            head = f"double *{p} = {a.name}, *{q} = {b.name};\nif ({c}) {p} = {b.name}, {q} = {a.name};"
        else:
            state = self.fresh("f")
            head = f"fields {state} = {{{a.name}, {b.name}}};"
            p, q = state + ".now", state + ".next"
        family = self.fresh("family")
        inner.pointers = [x for x in inner.pointers if x.family not in (a.family, b.family)]
        for name in (p, q):
            inner.pointers.append(Pointer(name, "MANAGED", 1, True, family, inner))
        for x in inner.pointers[-2:]:
            x.freed = ""
        inner.body.append(Line(head))
        self.inside(inner, self.random.randint(1, 4))
        scope.body.append(Block(("{", inner.body)))

    def maybe(self, scope):
        """A pointer that may be null."""
        rows = self.pointers(scope)
        if not rows:
            return
        p, name, inner = self.pick(rows), self.fresh("maybe"), scope.inner()
        self.border(scope)
        inner.pointers = [x for x in inner.pointers if x.family != p.family]
        inner.pointers.append(Pointer(name, p.lies, 1, False, p.family))
        self.inside(inner, 1)
        self.add(scope, f"const double *{name} = nullptr;\nif ({self.condition(scope)}) {name} = {p.name};")
        scope.body.append(Block((f"if ({name}) {{", inner.body)))

    # ---- control ----
    def inside(self, scope, count):
        self.depth += 1
        before = list(self.owned)
        self.statements(scope, count)
        self.free_owned(scope, before)
        self.border(scope)
        self.depth -= 1

    def loop(self, scope):
        inner, t = scope.inner(), self.fresh("t")
        inner.counters.append(t)
        self.border(scope)
        swaps = self.swappable(scope)
        head, last = self.pick((
            (f"for (int {t} = 0; {t} < steps; {t}++) {{", ""),
            (f"for (int {t} = 0; {t} < steps; ++{t}) {{", ""),
            (f"for (int {t} = steps; {t} > 0; {t}--) {{", ""), (f"for (int {t} = 0; {t} < mode; {t}++) {{", ""),
            (f"for (int {t} = 1; {t} < steps; {t} += 2) {{", ""), (f"for (int {t} = 0; {t} < 2; {t}++) {{", ""),
            (f"while ({t} < steps) {{", f"{t}++;"), ("do {", f"{t}++;")))
        tail = f"}} while ({t} < steps);" if head == "do {" else "}"
        if last:
            self.add(scope, f"int {t} = 0;")
        elif self.p.returns and not self.owned and self.chance(0.15):
            self.add(inner, f"if ({t} == 1 + mode) return cudaGetLastError();")
        elif self.chance(0.15):
            self.add(inner, self.pick((f"if ({t} == 1) continue;", f"if ({t} == 2 + mode) break;")))
        swap = None
        if swaps and self.chance(0.6):
            swap = tuple(self.random.sample(self.pick(swaps), 2))
            self.merge(scope, swap)
        if scope.local and self.chance(0.5):
            self.update(inner, scope.local)
        self.inside(inner, self.random.randint(1, 4))
        if swap:
            self.add(inner, f"std::swap({swap[0].name}, {swap[1].name});")
        if last:
            self.add(inner, last)
        scope.body.append(Block((self.mark(bool(last)) + head, inner.body), tail=tail))

    def mark(self, uncounted=False):
        """A mark of a loop with that body. The second kind takes counted loops only."""
        if self.marks.random() < 0.6:
            return ""
        second = "GW_CHECKPOINT" if uncounted else "GW_CHECKPOINT_BINOMIAL"
        name = self.marks.choice(("GW_CHECKPOINT", second))
        return f"{name}({self.marks.choice((1, 2, 3))}) "

    def ping_pong(self, scope):
        """Two buffers that change places at every step. The second has no contents before the first one."""
        u, v, t, on = self.fresh("now"), self.fresh("next"), self.fresh("t"), self.stream()
        self.add(scope, f"double *{u}, *{v};\ncudaMalloc(&{u}, {COUNTED});\ncudaMalloc(&{v}, {COUNTED});")
        now = Pointer(u, "DEVICE", family=u)
        for name in (u, v):
            p = Pointer(name, "DEVICE", family=u, owner=scope)
            p.freed = "cudaFree({0});"
            self.owned.append(p)
        self.first_contents(scope, now)
        self.border(scope)
        inner = Scope([Pointer(v, "DEVICE", family=u), self.reading(now)], scope.numbers, [t])
        inner.pointers += [self.reading(p) for p in self.pointers(scope) if p.cells == 1]
        self.wait(inner, on, [u], [])
        self.add(inner, f"scale<<<1, 8, 0, {on}>>>({v}, {u}, {self.number(inner)}, n);" if self.chance(0.3) else
                 f"{self.pick(('map', 'powers<2>', 'sums', 'reverse'))}<<<1, 8, 0, {on}>>>({v}, {u}, n);")
        self.inside(inner, self.random.randint(0, 2))
        self.add(inner, f"std::swap({u}, {v});")
        head = self.mark() + f"for (int {t} = 0; {t} < steps; {t}++) {{"
        scope.body.append(Block((head, inner.body)))
        scope.pointers.append(now)

    def branch(self, scope):
        first, second = scope.inner(), scope.inner()
        self.border(scope)
        self.inside(first, self.random.randint(1, 3))
        parts = [(f"if ({self.condition(scope)}) {{", first.body)]
        if self.chance(0.4):
            self.inside(second, self.random.randint(1, 2))
            parts.append(("} else {", second.body))
        scope.body.append(Block(*parts))

    def switch(self, scope):
        parts = []
        self.border(scope)
        for k in range(self.random.randint(1, 3)):
            inner = scope.inner()
            self.inside(inner, 1)
            self.add(inner, "break;")
            parts.append((("switch (mode) {\n    " if not k else "") + f"case {k}: {{", inner.body))
            parts.append(("}", []))
        scope.body.append(Block(*parts[:-1], tail="}\n}"))

    def declare(self, scope):
        if not scope.numbers:
            return
        name = self.fresh("s")
        self.add(scope, f"double {name} = 0.2 + 0.5 * {self.number(scope)};" if self.chance(0.7)
                 else f"double {name} = {self.condition(scope)} ? {self.pick(scope.numbers)} : 0.5;")
        scope.numbers.append(name)
        scope.local.append(name)

    def update(self, scope, names):
        name = self.pick(names)
        self.add(scope, self.pick((f"{name} = 0.8 * {name} + 0.1 * {self.pick(scope.numbers)};",
                                   f"{name} *= 0.9;", f"{name} = sin({name});")))

    # ---- functions ----
    @staticmethod
    def to_and_from():
        return [Pointer("to", "MANAGED"), Pointer("from", "MANAGED", writable=False)]

    def helper(self, scope):
        """A function that works on two buffers, called once or twice."""
        name, outer, count = f"¶_helper{len(self.p.helpers)}", self.stream(), self.count
        self.count = 0 if self.learns() else count  # names are those of the others
        kept = self.streams, self.writers, self.readers, self.owned
        inner = Scope(self.to_and_from(), ["a"], ["t"])
        self.streams, self.writers, self.readers, self.owned = ["0" if outer == "0" else "on"], {}, {}, []
        own, self.kernels = self.kernels, {}
        self.inside(inner, self.random.randint(1, 3))
        self.kernels, (self.streams, self.writers, self.readers, self.owned) = own, kept
        self.count = max(self.count, count)
        unused = Line("(void)t, (void)steps, (void)mode, (void)on, (void)a, (void)from;")
        head = (f"static void {name}(double *to, const double *from, double a, int t, int n, int steps, "
                "int mode, cudaStream_t on) {")
        self.p.helpers.append(Block((head, [unused, *inner.body])))
        for _ in range(self.random.randint(1, 2)):
            self.call(scope, lambda texts, n=name: f"{n}({', '.join(texts)}, {self.number(scope)}, "
                      f"{self.integer(scope)}, n, steps, mode, {outer});", outer)

    def call(self, scope, text, on):
        found = self.operands(scope, "mr")
        if found:
            self.wait(scope, on, found[1], found[2])
            self.add(scope, text(found[0]))

    def function_object(self, scope):
        name, inner, on = self.fresh("go"), Scope(self.to_and_from(), scope.numbers, ["t"]), self.stream()
        kept, self.streams = (self.streams, self.writers, self.readers), [on]
        self.writers, self.readers = {}, {}
        self.launch(inner)
        self.streams, self.writers, self.readers = kept
        if not inner.body:
            return
        scope.body.append(Block((f"auto {name} = [&](double *to, const double *from, int t) {{",
                                 [Line("(void)t, (void)from;"), *inner.body]), tail="};"))
        for _ in range(self.random.randint(1, 3)):
            self.call(scope, lambda texts: f"{name}({', '.join(texts)}, {self.integer(scope)});", on)

    # ---- statements ----
    def rows(self, deep):
        """What a statement may be, and how often."""
        rows = [(self.launch, 12), (self.copy, 4), (self.fill, 1.2), (self.swap, 1.5), (self.allocate, 1.5),
                (self.declare, 1), (self.early, 0.7), (lambda s: self.allocate(s, "int"), 0.4),
                (self.known, 0.8), (self.levels, 0.4), (self.walk, 0.4), (self.passing, 0.6)]
        if deep:
            rows += [(self.loop, 4), (self.branch, 2), (self.alias, 1), (self.maybe, 0.6), (self.switch, 0.4)]
        rows += self.wider_rows() + self.foreign_rows()
        if deep and self.depth < 2 and not self.in_helper:
            rows += [(self.function_object, 0.8)]
            if len(self.p.helpers) < 2:
                rows += [(self.outer_helper, 0.8)]
        return rows

    def statements(self, scope, count):
        for _ in range(count):
            self.left -= 1
            rows = self.rows(self.depth < 3 and self.left > 0)
            self.random.choices([row[0] for row in rows], [row[1] for row in rows])[0](scope)

    def known(self, scope):
        """A call of one of the library's functions."""
        on = self.stream()
        function = self.pick(("both", "copied"))
        check = function == "copied" and self.p.returns and not self.in_helper and self.chance(0.6)
        self.call(scope, lambda texts: (f"if ({function}({', '.join(texts)}, n, {on}) != cudaSuccess) "
                                        "return cudaErrorUnknown;" if check
                                        else f"{function}({', '.join(texts)}, n, {on});"), on)

    def outer_helper(self, scope):
        self.in_helper = True
        self.helper(scope)
        self.in_helper = False

    def passing(self, scope):
        """A buffer that no reverse needs, and another one that may get its memory, on another stream."""
        sources, targets = self.pointers(scope), self.pointers(scope, True)
        pairs = [(a, b) for a in sources for b in targets if a.family != b.family]
        if not pairs:
            return
        (source, to), name, on = self.pick(pairs), self.fresh("pass"), self.stream()
        self.wait(scope, on, [to.family], [source.family])
        queued = f"cudaMemcpyDefault{', ' + on if on != '0' else ''});"
        self.add(scope, f"double *{name};\ncudaMalloc(&{name}, {COUNTED});\n"
                        f"cudaMemcpyAsync({name}, {self.part(source)[0]}, {COUNTED}, {queued}\n"
                        f"cudaMemcpyAsync({self.part(to)[0]}, {name}, {COUNTED}, {queued}\ncudaFree({name});")
        self.allocate(scope)

    def early(self, scope):
        """A buffer that nobody needs any more."""
        rows = [p for p in self.owned if p.owner is scope and p in scope.pointers
                and sum(q.family == p.family for q in scope.pointers) == 1]
        if len(rows) > 1:
            self.free(scope, self.pick(rows))

    def add_parameters(self):
        p, roll = self.p.parameters, self.chance
        way = lambda: self.pick(("DEVICE", "DEVICE", "DEVICE", "MANAGED", "PINNED"))
        if roll(0.7):
            p.append(Parameter("loss", "OUTPUT", way(), 0))
        if roll(0.5) or not p:
            p.append(Parameter("out", "OUTPUT", way()))
        if roll(0.15):
            p.append(Parameter("h_out", "OUTPUT", "HOST"))
        p.append(Parameter("x", "INPUT", way(), 2 if roll(0.15) else 1, const=roll(0.8)))
        if roll(0.6):
            p.append(Parameter("y", "INPUT", way(), const=roll(0.8)))
        if roll(0.2):
            p.append(Parameter("h_in", "INPUT", "HOST", const=True))
        if roll(0.3):
            p.append(Parameter("u", "BOTH_WAYS", way()))
        if roll(0.3):
            p.append(Parameter("w", "NOT_ASKED", way(), const=True))
        if roll(0.2):
            p.append(Parameter("work", "NOT_ASKED", way()))
        if roll(0.3):
            p.append(Parameter("list", "INDEX", "DEVICE", const=True, element="int"))
        self.random.shuffle(p)
        self.p.numbers = ["a", "b"][:self.pick((0, 1, 1, 2))]
        self.p.asked = [a for a in self.p.numbers if roll(0.8)]
        self.p.streams = self.pick(([], ["s"], ["s"], ["s", "r"], ["s", "r"]))

    def make(self):
        self.add_parameters()
        p = self.p
        p.returns, p.steps, p.mode = self.chance(0.5), self.pick((0, 1, 2, 3, 3, 4, 5)), self.pick((0, 1, 2, 3))
        self.legacy, self.owned, self.in_helper = self.chance(0.4), [], False
        self.streams = list(p.streams) if p.streams and self.chance(0.7) else ["0", *p.streams]
        for k in range(self.pick((0, 1, 2))):
            p.kernels.append(OwnKernel(self.random))
            self.kernels[f"¶_own{k}"] = p.kernels[k].operands
        scope = Scope([Pointer(q.name, q.lies, q.cells, not q.const, element=q.element) for q in p.parameters],
                      p.numbers, [])
        for q in list(scope.pointers):
            if q.lies in REACHED and self.role(q) == "OUTPUT" and self.chance(0.7):
                self.fill(scope, q)
        for _ in range(self.random.randint(0, 2)):
            self.allocate(scope)
        if p.returns and not self.owned and self.chance(0.1):
            self.add(scope, "if (n < 1) return cudaErrorInvalidValue;")
        self.statements(scope, self.random.randint(3, 7))
        if self.marks.random() < 0.4:
            self.ping_pong(scope)
        self.give_out(scope)
        self.free_owned(scope, [])
        if any(q.lies == "HOST" and q.role == "OUTPUT" for q in p.parameters) or self.chance(0.4):
            self.add(scope, "cudaDeviceSynchronize();")
        p.body = scope.body
        used = "\n".join(line for s in (*p.body, *p.helpers) for line in s.lines())
        unused = [q.name for q in p.parameters if q.name not in used] + [a for a in p.numbers if a not in used]
        unused += [s for s in (*p.streams, "steps", "mode") if s not in used]
        if unused:
            p.body.insert(0, Line(" ".join(f"(void){name};" for name in unused)))
        return p

    def role(self, pointer):
        return next(q.role for q in self.p.parameters if q.name == pointer.name)

    def give_out(self, scope):
        """Each output gets something that was computed."""
        for q in list(scope.pointers):
            if not any(r.name == q.name and r.role in ("OUTPUT", "BOTH_WAYS") for r in self.p.parameters):
                continue
            rest = [self.reading(r) for r in scope.pointers if r is not q]
            inner = Scope([q, *rest], scope.numbers, [])
            if q.lies == "HOST":
                self.copy(inner, q)
            elif q.cells == 0:
                self.launch(inner, ["total", "misfit"])
            elif self.chance(0.7):
                self.launch(inner, ["map", "more", "scatter", "mix", "decay", "evens", "product", "smooth"])
            scope.body += inner.body


def ask_few(p, random):
    """Others are data and results that nobody asks about; what the host is given is as before."""
    both = len(p.roles("BOTH_WAYS"))
    inputs, outputs = p.roles("INPUT") + p.asked, p.roles("OUTPUT")
    for q in random.sample(inputs, random.randint(0, len(inputs) - (not both))):
        if q in p.asked:
            p.asked.remove(q)
        else:
            q.role = "NOT_ASKED"
    for q in random.sample(outputs, random.randint(0, len(outputs) - (not both))):
        q.role = "NOT_ASKED"


def few_from(seed, program):
    if seed >= FEW_FROM:
        ask_few(program, randoms.Random(f"few {seed}"))
    return program


def make_program(seed):
    return few_from(seed, Launches(seed).make())
