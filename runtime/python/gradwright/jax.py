"""Functions of a module as operations of JAX: gw.jax.op, by XLA's foreign function interface. Imports jax when
it is asked for one."""
import struct

from ._arrays import array_of
from ._functions import Error, null
from ._jax_library import handlers, key_of
from ._packed import Form, dtypes_of
from ._plan import Plan, number_of

_NONE, _STATUS, _NUMBER = 0, 1, 2
_ARGUMENT, _RESULT, _VALUE, _STREAM, _SPACE, _SPACE_BYTES = range(6)


class _Input:
    """A parameter that an operation takes. What `given` makes of its argument is an array, which may be traced,
    or a number, bytes or null, which are known when a call is."""

    def __init__(self, jax, function, p, adjoint):
        self.jax, self.function, self.p, self.name, self.adjoint = jax, function, p, p.name, adjoint
        self.is_struct = p.kind == "value" and p.cell[:1] == "V"
        self.is_number = p.kind == "value" and not self.is_struct
        self.is_whole = self.is_number and p.cell[:1] in "iu"
        types = dtypes_of(jax.numpy, number_of(p)) if p.kind == "pointer" or p.kind == "value" else ()
        self.dtypes = tuple(map(jax.numpy.dtype, types))
        self.place = "gpu" if function._on_gpu else "cpu"

    def fail(self, kind, text):
        raise kind(f"{self.function.name}: argument '{self.name}' {text}")

    def is_array(self, value):
        return isinstance(value, self.jax.Array) or array_of(value) is not None  # in this order: what is traced

    def given(self, value):
        if self.p.type == "cudaStream_t":
            return null if value is null else self.fail(TypeError, "is JAX's own stream: give gradwright.null")
        if self.is_number:
            return self.number(value)
        if self.is_struct:
            return self.struct(value)
        if value is null and not self.adjoint:
            return null
        if value is None:
            self.fail(TypeError, "is None; gradwright.null is a null pointer")
        if not self.is_array(value):
            self.fail(TypeError, f"must be an array, not {type(value).__name__}")
        array = value if isinstance(value, self.jax.Array) else self.jax.numpy.asarray(value)
        self.check(array)
        return array

    def check(self, array):
        if self.dtypes and array.dtype not in self.dtypes:
            wide = "; JAX has it by jax.config.update('jax_enable_x64', True)"
            needs = self.dtypes[0].itemsize == 8 and not self.jax.config.jax_enable_x64
            self.fail(TypeError, f"must be of {self.dtypes[0]}, not {array.dtype}{wide if needs else ''}")
        if not self.is_struct and not isinstance(array, self.jax.core.Tracer):
            if array.is_deleted():
                self.fail(ValueError, "has no memory: it was deleted, or given away (donate_argnums=)")
            places = {device.platform for device in array.devices()}
            if places != {self.place}:
                self.fail(ValueError, f"is an array of {', '.join(places)}, this needs {self.place}'s")
        size, cell = array.size * array.dtype.itemsize, self.p.cell
        if self.p.kind == "pointer" and cell[:1] == "V" and size % int(cell[1:]):
            self.fail(ValueError, f"has {size} bytes, which is no multiple of {cell[1:]}, {self.p.type}'s")

    def number(self, value):
        """Known, and so part of what is compiled, if Python has it as a number; else an array."""
        is_array = self.is_array(value) and hasattr(value, "size")
        if is_array and value.size != 1:
            self.fail(ValueError, f"is a number, the array has {value.size} elements")
        if isinstance(value, self.jax.core.Tracer) or is_array and not self.is_whole:
            if self.is_whole and value.dtype.kind not in "iu":
                self.fail(TypeError, f"must be a whole number ({self.p.type}), not {value.dtype}")
            return self.jax.numpy.asarray(value).reshape(()).astype(self.dtypes[0])
        try:
            plain = value.__index__() if self.is_whole else value.__float__()
        except (AttributeError, TypeError):
            whole = self.is_whole and isinstance(value, float)
            kind = f"a whole number ({self.p.type})" if whole else "a number"
            self.fail(TypeError, f"must be {kind}, not {type(value).__name__}")
        if self.adjoint:
            return self.jax.numpy.asarray(plain, dtype=self.dtypes[0])
        return bool(plain) if self.p.cell[:1] == "b" else plain

    def struct(self, value):
        if not isinstance(value, (bytes, bytearray)):
            try:
                value = self.jax.numpy.asarray(value, dtype=None if hasattr(value, "dtype") else self.dtypes[0])
            except (TypeError, ValueError, IndexError):
                self.fail(TypeError, f"must be numbers or bytes, not {type(value).__name__}")
            self.check(value)
            size, kind = value.size * value.dtype.itemsize, str(value.dtype)
        else:
            size, kind, value = len(value), "bytes", bytes(value)
        own = int(self.p.cell[1:])
        if size != own:
            self.fail(ValueError, f"has {size} bytes of {kind}, {self.p.type} has {own}")
        return value


class _Plan(Plan):
    framework = "jax"

    def __init__(self, jax, function, *how):
        self.jax = jax
        super().__init__(function, *how)
        self.target = handlers(jax, "cuda" if function._on_gpu else "cpu")
        self.forms, self.made = {}, {}
        for f in (function, self.gradient, *((self.hvp, self.jvp) if self.has_second else ())):
            self._make_form(f)

    def _make_form(self, f):
        if f is None:
            return
        form = self.forms[f.name] = Form(f)
        for p in f.parameters:
            if p.kind in ("reference", "vector"):
                self.refuse(f"{f.name} takes '{p.name}' as {p.type}, an operation of JAX pointers and numbers")
        if not form.fits:
            self.refuse(f"{f.name} has no form that a foreign function could be called by")
        form.key = key_of(f, form.needs_space)
        form.ask = Form(form.asked) if form.asked else None
        form.ask_key = key_of(form.asked, False) if form.asked else ""

    def input_of(self, p, adjoint):
        return _Input(self.jax, self.function, p, adjoint)

    def known(self, what, make):
        """What shapes and launches are made of has to be known."""
        try:
            return make()
        except self.jax.errors.ConcretizationTypeError:
            raise TypeError(f"{self.function.name}: {what} follow from a number that is traced: make it static "
                            f"(static_argnames= of jax.jit), or take it from a shape") from None

    def blank(self, values):
        """Outputs before the call: zero, so that what is not written is not left to chance."""
        arguments, made = self.arguments(values), {}
        for name, given in self.outputs.items():
            shape, dtype = self.known("shapes", lambda: given(arguments) if callable(given) else given)
            p = self.function._all[name]
            made[name] = self.known("shapes", lambda: self.jax.numpy.zeros(shape, dtype))
            _Input(self.jax, self.function, p, None).check(made[name])
        return made

    def invoke(self, f, named, made, values):
        """Calls f: `named` has arguments by the names of its parameters, `made` what stands in those that it
        writes to. The latter as they are then, by name, and the number that it returns."""
        jax, form = self.jax, self.forms[f.name]
        shape = self.known("grid, block and sizes", lambda: self.launch(self.arguments(values), 0))
        call = _Words(form, named, made, shape)
        ask = _Words(form.ask, named, made, shape, call.arrays) if form.ask else None
        shapes = [jax.ShapeDtypeStruct(one.shape, one.dtype) for one in made.values()]
        aliases = {len(call.arrays) + i: i for i in range(len(made))}
        is_status = f.result == "status" or f.form == "primal" and f.result[:1] in ("i", "u")
        kind = _STATUS if is_status else _NONE
        if not self.outputs and f is self.function:
            kind = _NUMBER + len(shapes)
            shapes.append(jax.ShapeDtypeStruct((), {"f4": "float32", "f8": "float64"}[f.result]))
        if not shapes:
            raise Error(f"{f.name}: it has no results")
        results = jax.ffi.ffi_call(self.target, shapes, input_output_aliases=aliases)(
            *call.arrays, *made.values(), key=form.key, call=call.words(kind), ask_key=form.ask_key,
            ask=ask.words(_NONE) if ask else call.none())
        return dict(zip(made, results)), results[-1]


class _Words:
    """A call of a function as the foreign function takes it (_jax.c): its arguments packed, and fixes."""

    def __init__(self, form, named, made, shape, arrays=None):
        self.form, self.arrays, self.fixes = form, [] if arrays is None else arrays, []
        self.at = {id(one): i for i, one in enumerate(self.arrays)}
        self.order, flat = list(made), []
        for row, offset in zip(form.rows, form.offsets):
            value = self.value(row, offset, named, shape)
            flat += value if row.letters == "III" else [value]
        self.room = bytearray(form.result_at + 32 + -form.result_at % 8)
        form.pack_into(self.room, flat)

    def fix(self, what, offset, index=0, size=8):
        self.fixes += [what, index, offset, size]
        return 0

    def argument(self, value):
        if id(value) not in self.at:
            self.at[id(value)] = len(self.arrays)
            self.arrays.append(value)
        return self.at[id(value)]

    def value(self, row, offset, named, shape):
        """What is packed: the value, or nothing where a fix puts it later."""
        special = {"workspace": _SPACE, "workspace_bytes": _SPACE_BYTES}.get(row.role)
        if row.role == "stream" or row.p.type == "cudaStream_t":
            return self.fix(_STREAM, offset)
        if special:
            return self.fix(special, offset)
        if row.is_of_launch or row.letters == "III":
            return shape[row.role]
        if row.name in self.order:
            return self.fix(_RESULT, offset, self.order.index(row.name))
        value = named.get(row.name, null)
        if value is null:
            return 0
        if row.is_array:
            return self.fix(_ARGUMENT, offset, self.argument(value))
        if isinstance(value, (int, float, bytes)):
            return value
        self.fix(_VALUE, offset, self.argument(value), row.size)
        return b"" if row.letters[-1] == "s" else 0

    def words(self, kind):
        import numpy
        form, room = self.form, self.room
        whole = bytes(room) + bytes(-len(room) % 8)
        head = [len(form.rows), len(whole) // 8, len(self.fixes) // 4, form.result_at, kind]
        return numpy.array([*head, *form.offsets, *struct.unpack(f"={len(whole) // 8}q", whole), *self.fixes],
                           "int64")

    @staticmethod
    def none():
        import numpy
        return numpy.zeros(1, "int64")


class _Steps:
    """An operation for one choice of what is known: the call, its gradient, and that one's, each by
    jax.custom_vjp. They take those of the values that are arrays, `traced` are their places."""

    def __init__(self, plan, known, traced):
        self.plan, self.jax, self.known, self.traced = plan, plan.jax, known, traced
        self.count, self.outs = len(plan.active), len(plan.seeded)
        self.gradient = self.step(self.run_gradient, self.back_gradient, self.outs)
        self.forward = plan.jax.jit(self.step(self.run_forward, self.back_forward, 0))

    def values(self, arrays):
        values = list(self.known)
        for i, array in zip(self.traced, arrays):
            values[i] = array
        return values

    def step(self, run, back, before):
        """`before`: arrays in front of the values'."""
        jax = self.jax
        alone = jax.custom_batching.custom_vmap(run)
        alone.def_vmap(self.refuse_vmap)
        whole = jax.custom_vjp(lambda *given: alone(*given))

        def ahead(*given):
            self.check_perturbed(given[before:])
            given = [one.value for one in given]
            return whole(*given), given  # again, for who differentiates that

        def behind(kept, seeds):
            seeds = seeds if isinstance(seeds, (tuple, list)) else (seeds,)
            zero = lambda one: isinstance(one, jax.custom_derivatives.SymbolicZero)
            return tuple(back(kept, [jax.numpy.zeros(s.shape, s.dtype) if zero(s) else s for s in seeds]))

        whole.defvjp(ahead, behind, symbolic_zeros=True)
        return whole

    def refuse_vmap(self, *_):
        raise NotImplementedError(f"{self.plan.function.name}: a kernel has no vmap: give it a dimension more, "
                                  f"or call it in a loop (jax.lax.map)")

    def check_perturbed(self, given):
        for i, one in zip(self.traced, given):
            own = self.plan.inputs[i]
            if one.perturbed and not own.adjoint:
                own.fail(TypeError, "requires a gradient, and there is none with respect to it: ask for it in "
                                    "load, or use jax.lax.stop_gradient")

    @staticmethod
    def one_or_all(made):
        made = tuple(made)
        return made if len(made) != 1 else made[0]

    def spread(self, made):
        """A gradient for every array: None where there is none."""
        at = dict(zip(self.plan.active, made))
        return [at.get(i) for i in self.traced]

    def inputs(self, values):
        return {one.name: v for one, v in zip(self.plan.inputs, values)}

    def like(self, f, role, values):
        """Zeros of what the active inputs have in that role, by the names of these parameters."""
        names, zeros = self.plan.named(f, role), self.jax.numpy.zeros_like
        return {names[self.plan.inputs[i].name]: zeros(values[i]) for i in self.plan.active}

    def blank(self, f, role, outputs):
        names, zeros = self.plan.named(f, role), self.jax.numpy.zeros_like
        return {names[name]: zeros(one) for name, one in outputs.items() if name in names}

    def seeds(self, f, given):
        """The function consumes them: XLA copies what is still needed."""
        names = self.plan.named(f, "adjoint")
        return {names[name]: seed for name, seed in zip(self.plan.seeded, given)}

    # ---- the call ----
    def run_forward(self, *arrays):
        plan, values = self.plan, self.values(arrays)
        made, number = plan.invoke(plan.function, self.inputs(values), plan.blank(values), values)
        if not plan.outputs:
            return number
        return self.one_or_all(one if name in plan.seeded else self.jax.lax.stop_gradient(one)
                               for name, one in made.items())

    def back_forward(self, arrays, seeds):
        plan = self.plan
        kept = [s for name, s in zip(plan.outputs, seeds) if name in plan.seeded]
        made = self.gradient(*kept, *arrays)
        made = made if isinstance(made, tuple) else (made,)
        return self.spread(made if plan.outputs else [one * seeds[0].astype(one.dtype) for one in made])

    # ---- the gradient ----
    def run_gradient(self, *given):
        plan, f, values = self.plan, self.plan.gradient, self.values(given[self.outs:])
        adjoints = self.like(f, "adjoint", values)
        made, _ = plan.invoke(f, self.inputs(values),
                              {**plan.blank(values), **self.seeds(f, given[:self.outs]), **adjoints}, values)
        return self.one_or_all(made[name] for name in adjoints)

    def back_gradient(self, given, tangents):
        if not self.plan.has_second:
            self.plan.no_second()
        made = self.run_second(tangents, given[:self.outs], self.values(given[self.outs:]))
        return [*made[self.count:], *self.spread(made[:self.count])]

    # ---- the gradient's gradient ----
    def run_second(self, tangents, seeds, values):
        plan, f, outputs = self.plan, self.plan.hvp, self.plan.blank(values)
        pushed = lambda f, role: {plan.named(f, role)[plan.inputs[i].name]: t
                                  for i, t in zip(plan.active, tangents)}
        seconds = self.like(f, "second", values)
        made, _ = plan.invoke(f, {**self.inputs(values), **pushed(f, "tangent")}, {
            **outputs, **self.blank(f, "tangent", outputs), **self.seeds(f, seeds),
            **self.blank(f, "second", outputs), **self.like(f, "adjoint", values), **seconds}, values)
        found = [made[name] for name in seconds]
        if plan.outputs:
            f = plan.jvp
            moved = self.blank(f, "adjoint", outputs)
            named = {**self.inputs(values), **pushed(f, "adjoint")}
            made, _ = plan.invoke(f, named, {**outputs, **moved}, values)
            names = plan.named(f, "adjoint")
            found += [made[names[name]] for name in plan.seeded]
        return found


def op(function, *, grid=None, block=None, shared_bytes=0, outputs=None, reads=(), sizes=None):
    """A function of a module as an operation of JAX, for jit, grad and vjp. What is given is what gw.torch.op
    takes, with dtypes of JAX."""
    import jax
    plan = _Plan(jax, function, grid, block, shared_bytes, outputs, reads, sizes)

    def call(*given, **named):
        values = plan.bind(given, named)
        traced = tuple(i for i, value in enumerate(values) if isinstance(value, jax.Array))
        known = tuple(None if i in traced else value for i, value in enumerate(values))
        if (known, traced) not in plan.made:
            plan.made[known, traced] = _Steps(plan, known, traced)
        return plan.made[known, traced].forward(*(values[i] for i in traced))

    call.__doc__ = f"{plan.function.function}({', '.join(one.name for one in plan.inputs)})"
    return call
