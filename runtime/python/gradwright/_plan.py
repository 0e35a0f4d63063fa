"""What an operation of a framework is made of: the function, its derivatives, which parameters are outputs and
inputs, and how it is launched."""
import re
import types


def value_of(given, arguments):
    return given(arguments) if callable(given) else given


def number_of(p):
    """The code of the numbers in a parameter: of a struct that of its members, where they have one."""
    return p.number or p.cell


class Plan:
    """`framework` names it, input_of(p, adjoint) makes what stands for an input: it has `name`, `adjoint`, and
    given(value), which checks an argument."""

    framework = ""

    def __init__(self, function, grid, block, shared_bytes, outputs, reads, sizes):
        self.roles, self.extents = {}, {}
        self.function, self.reads, self.sizes = function, reads, dict(sizes or {})
        self.grid, self.block, self.shared_bytes = grid, block, shared_bytes
        self.module, self.outputs = function._owner, dict(outputs or {})
        if function.form != "primal":
            self.refuse(f"{function.name} is a {function.form}: give the function itself")
        self.launches = function._launches
        if self.launches and (grid is None or block is None):
            self.refuse(f"{function.name} is a kernel: it needs grid= and block=")
        self.gradient = self._derivative("gradient", "allocating")
        if self.gradient is None:
            self.refuse(f"there is no gradient of {function.function}: ask for it in load")
        self.adjoints = {p.of: p for p in self.gradient.parameters if p.role == "adjoint"}
        self._sort_parameters()
        self._find_second()
        self.names = [one.name for one in self.inputs]
        given = (grid, block, shared_bytes, *self.outputs.values(), *self.sizes.values())
        self.asks = any(map(callable, given))

    def refuse(self, text):
        raise TypeError(f"gradwright.{self.framework}.op: {text}")

    def _sort_parameters(self):
        function = self.function
        inputs = [p for p in function._positions if p.role not in ("grid", "block")]
        names = [p.name for p in inputs]
        for name in [*self.outputs, *self.reads]:
            if name not in names:
                self.refuse(f"{function.name} has no parameter '{name}'")
        for p in inputs:
            written = p.kind in ("pointer", "reference", "vector") and not p.is_const
            if written and p.name not in self.outputs and p.name not in self.reads:
                self.refuse(f"{function.name} may write to '{p.name}': name it in outputs=, or in reads= if it "
                            f"does not")
        for p in self.gradient.parameters:
            if p.role == "size" and p.name not in self.sizes:
                self.refuse(f"{self.gradient.name} takes '{p.name}': give it in sizes=")
        self.inputs = [self.input_of(p, self.adjoints.get(p.name)) for p in inputs
                       if p.name not in self.outputs]
        self.active = [i for i, one in enumerate(self.inputs) if one.adjoint]
        self.seeded = [name for name in self.outputs if name in self.adjoints]
        is_value = function.result[:1] == "f"
        if not self.outputs and not is_value:
            self.refuse(f"{function.name} returns nothing: name its outputs=")
        if self.outputs and is_value:
            self.refuse(f"{function.name} returns a number, beside its outputs, that would be lost")

    def _derivative(self, *forms):
        found = [f for form in forms for f in self.module.functions.values()
                 if f.form == form and f.function == self.function.function and not f.is_part]
        of = {f.derivative for f in found}
        if len(of) > 1:
            self.refuse(f"{self.function.function} has several of form {forms[0]}: {', '.join(sorted(of))}")
        return found[-1] if found else None

    def _find_second(self):
        """f_hvp, and f_jvp where there are seeds: what the gradient is with respect to these."""
        self.hvp, self.jvp = self._derivative("hvp", "allocating hvp"), self._derivative("forward")
        active = {self.inputs[i].name for i in self.active}
        of = lambda f, role: {p.of for p in f.parameters if p.role == role and p.of not in self.outputs}
        self.has_second = self.hvp is not None and of(self.hvp, "tangent") == active and (
            not self.outputs or self.jvp is not None and of(self.jvp, "adjoint") == active)

    def no_second(self):
        own = "hvps= and derivatives=" if self.outputs else "hvps="
        raise TypeError(f"{self.function.name}: its second derivatives need {own} in load, with respect to the "
                        f"same as its gradient")

    def is_stored(self, p, named, size):
        """A call stores to all `size` bytes of the adjoint, so that it need not be zero before."""
        if not p.fresh or p.kind != "pointer":
            return False
        if p.name not in self.extents:  # as C has it, of numbers that are not negative
            try:
                self.extents[p.name] = compile(p.fresh.replace("/", "//"), "<extent>", "eval")
            except SyntaxError:  # C that Python cannot read: zeros are right, too
                self.extents[p.name] = compile("-1", "<extent>", "eval")
        try:
            cells = eval(self.extents[p.name], {"__builtins__": {}}, named)
        except (ArithmeticError, AttributeError, NameError, TypeError):
            return False
        return cells * int(re.search(r"\d+$", p.cell)[0]) == size

    def named(self, f, role):
        """The parameters of that role, by what they are of."""
        if (f.name, role) not in self.roles:
            self.roles[f.name, role] = {p.of: p.name for p in f.parameters if p.role == role}
        return self.roles[f.name, role]

    # ---- calls ----
    def bind(self, given, named):
        inputs = self.inputs
        if len(given) == len(inputs) and not named:
            return [one.given(value) for one, value in zip(inputs, given)]
        if len(given) > len(inputs):
            raise TypeError(f"{self.function.name} takes {len(inputs)} arguments, {len(given)} are given")
        values = list(given)
        for one in inputs[len(given):]:
            if one.name not in named:
                raise TypeError(f"{self.function.name}: argument '{one.name}' is missing")
            values.append(named[one.name])
        if len(given) + len(named) > len(inputs):
            known = [one.name for one in inputs[len(given):]]
            wrong = next(name for name in named if name not in known)
            raise TypeError(f"{self.function.name}: argument '{wrong}' is given twice, or is not its own")
        return [one.given(value) for one, value in zip(inputs, values)]

    def arguments(self, values):
        return types.SimpleNamespace(**dict(zip(self.names, values))) if self.asks else None

    def _lengths(self, name, given):
        if type(given) is int and 0 <= given < 1 << 32:
            return [given, 1, 1]
        lengths = given if isinstance(given, (tuple, list)) else (given,)
        if not 1 <= len(lengths) <= 3 or not all(0 <= int(one) < 1 << 32 for one in lengths):
            raise ValueError(f"{self.function.name}: argument '{name}' is {given}: one to three lengths")
        return [*map(int, lengths), 1, 1][:3]

    def launch(self, arguments, stream):
        """What a call takes besides its source's parameters, by role, sizes by their names."""
        if not self.launches:
            return {}
        shape = {"grid": self._lengths("grid", value_of(self.grid, arguments)),
                 "block": self._lengths("block", value_of(self.block, arguments)),
                 "shared_bytes": value_of(self.shared_bytes, arguments), "stream": stream}
        for name, given in self.sizes.items():
            shape[name] = value_of(given, arguments)
        return shape
