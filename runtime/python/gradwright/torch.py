"""Functions of a module as operations of PyTorch: gw.torch.op. Imports torch when it is asked for one."""
import ctypes
import itertools
import re

from ._arrays import array_of
from ._functions import Error, null
from ._packed import Packed, dtypes_of
from ._plan import Plan, number_of
from ._steps import register

_COUNT = itertools.count()


class _Input:
    """A parameter that an operation takes: what is done with its argument, and its type in the schema."""

    def __init__(self, torch, function, p, adjoint):
        self.torch, self.function, self.p, self.name, self.adjoint = torch, function, p, p.name, adjoint
        self.is_struct = p.kind == "value" and p.cell[:1] == "V"
        self.is_number = p.kind == "value" and not self.is_struct
        self.dtypes = dtypes_of(torch, number_of(p))
        self.dtype = self.dtypes[0] if self.dtypes else None
        symbols = [getattr(torch, name) for name in ("SymInt", "SymFloat") if hasattr(torch, name)]
        self.kinds = (int, float, *symbols)
        self.place = "cuda" if function._on_gpu else "cpu"
        if self.is_number and not adjoint:
            self.type = {"f": "float", "h": "float", "b": "bool"}.get(p.cell[:1], "SymInt")
        else:
            self.type = "Tensor" if adjoint or self.is_struct else "Tensor?"
        self.is_tensor = self.type.startswith("Tensor")

    def fail(self, kind, text):
        raise kind(f"{self.function.name}: argument '{self.name}' {text}")

    def given(self, value):
        """As the schema has it."""
        if isinstance(value, self.torch.Tensor):
            return self.tensor(value)
        if type(value) is int and self.type == "SymInt":
            return value
        if self.is_struct:
            return self.struct(value)
        if self.is_number:
            return self.number(value)
        if value is null and not self.adjoint:
            return None
        if value is None:
            self.fail(TypeError, "is None; gradwright.null is a null pointer")
        self.fail(TypeError, f"must be a tensor, not {type(value).__name__}")

    def tensor(self, value):
        if not self.adjoint and value.requires_grad:
            self.fail(TypeError, "requires a gradient, and there is none with respect to it: ask for it in "
                                 "load, or detach it")
        if value.layout is not self.torch.strided:
            self.fail(TypeError, f"must be a dense tensor, not {value.layout}")
        if self.is_number:
            if value.numel() != 1:
                self.fail(ValueError, f"is a number, the tensor has {value.numel()} elements")
            return value if self.adjoint else value.item()
        if self.dtypes and not self.is_struct and value.dtype not in self.dtypes:
            self.fail(TypeError, f"must be of {str(self.dtype)[6:]}, not {str(value.dtype)[6:]}")
        if not self.is_struct and value.device.type != self.place:
            self.fail(ValueError, f"is a tensor of {value.device.type}, this needs {self.place}'s")
        return value

    def number(self, value):
        if not isinstance(value, self.kinds):
            try:
                value = value.__index__() if self.type == "SymInt" else value.__float__()
            except AttributeError:
                self.fail(TypeError, f"must be a number, not {type(value).__name__}")
        if self.type == "SymInt" and isinstance(value, float):
            self.fail(TypeError, f"must be a whole number ({self.p.type}), not float")
        if self.adjoint:
            return self.torch.tensor(float(value), dtype=self.dtype)
        return value if self.type == "SymInt" else (bool(value) if self.type == "bool" else float(value))

    def struct(self, value):
        array = array_of(value)
        if array is not None:
            value = self.torch.frombuffer(bytearray(value), dtype=self.torch.uint8)
            return value.view(self.dtype) if self.dtype and self.adjoint else value
        try:
            return self.torch.tensor(list(value), dtype=self.dtype)
        except (TypeError, ValueError):
            self.fail(TypeError, f"must be numbers or bytes, not {type(value).__name__}")

    def plain(self, value):
        """As the function takes it."""
        if value is None or not self.is_tensor:
            return value
        if self.is_number:
            return value.item()
        if self.is_struct:
            return self.bytes_of(value.cpu().contiguous())
        return value if value.is_contiguous() else value.contiguous()

    def bytes_of(self, value):
        size, own = value.numel() * value.element_size(), int(self.p.cell[1:])
        if size != own or self.p.number and value.dtype not in (*self.dtypes, self.torch.uint8):
            self.fail(ValueError, f"has {size} bytes of {str(value.dtype)[6:]}, {self.p.type} has {own}")
        return ctypes.string_at(value.data_ptr(), size)

    def zeros(self, value, device):
        """The adjoint, before additions."""
        return self.torch.zeros(value.shape, dtype=self.dtype or value.dtype, device=device)

    def room(self, value, device):
        """The adjoint, before a launch that stores to all of it."""
        return self.torch.empty(value.shape, dtype=self.dtype or value.dtype, device=device)


class _Plan(Plan):
    framework = "torch"

    def __init__(self, torch, function, *how):
        self.torch, self.cpu = torch, torch.device("cpu")
        super().__init__(function, *how)
        self.tensors = [i for i, one in enumerate(self.inputs) if one.is_tensor]
        self.run, self.run_gradient = Packed(torch, function), Packed(torch, self.gradient)
        if self.has_second:
            self.run_hvp = Packed(torch, self.hvp)
            self.run_jvp = Packed(torch, self.jvp) if self.outputs else None

    def input_of(self, p, adjoint):
        return _Input(self.torch, self.function, p, adjoint)

    def device(self, values):
        if not self.function._on_gpu:
            return self.cpu
        for value in values:
            if isinstance(value, self.torch.Tensor) and value.is_cuda:
                return value.device
        return self.torch.device("cuda")

    def made(self, arguments, device, make):
        """Outputs: zero before the call, so that what is not written is not left to chance."""
        outputs = {}
        for name, given in self.outputs.items():
            shape, dtype = given(arguments) if callable(given) else given
            outputs[name] = make(shape, dtype=dtype, device=device)
        return outputs

    def shape(self, arguments, device):
        on_gpu = self.launches and device is not self.cpu
        return self.launch(arguments, self.torch.cuda.current_stream(device).cuda_stream if on_gpu else 0)

    def call(self, values, fill):
        """`fill` runs one of the functions on named arguments and outputs, on the values' own device."""
        device, arguments = self.device(values), self.arguments(values)
        outputs = self.made(arguments, device, self.torch.zeros)
        shape = self.shape(arguments, device)
        named = {one.name: one.plain(v) for one, v in zip(self.inputs, values)}
        named.update(outputs)
        if device is not self.cpu and device.index not in (None, self.torch.cuda.current_device()):
            with self.torch.cuda.device(device):
                return fill(named, shape, device, outputs)
        return fill(named, shape, device, outputs)

    def seeds(self, named, f, given):
        """The function consumes them: they are copies."""
        names = self.named(f, "adjoint")
        for name, seed in zip(self.seeded, given):
            named[names[name]] = seed.clone(memory_format=self.torch.contiguous_format)

    def zeros(self, named, f, role, values, device):
        names, made = self.named(f, role), []
        for i in self.active:
            one, value = self.inputs[i], values[i]
            size = value.numel() * value.element_size()
            stored = f is self.gradient and self.is_stored(one.adjoint, named, size)
            made.append((one.room if stored else one.zeros)(value, device))
            named[names[self.inputs[i].name]] = made[-1]
        return made

    def blank(self, named, f, role, outputs):
        """What the outputs have in that role: zeros."""
        names, made = self.named(f, role), {}
        for name, value in outputs.items():
            if name in names:
                named[names[name]] = made[name] = self.torch.zeros_like(value)
        return made

    def tangents(self, named, f, role, given, outputs):
        """Those of the inputs are given; what the outputs' are before the call."""
        names = self.named(f, role)
        for i, tangent in zip(self.active, given):
            named[names[self.inputs[i].name]] = self.inputs[i].plain(tangent)
        return self.blank(named, f, role, outputs)


class _Operation:
    """The plan's three steps as functions of flat arguments, as PyTorch wants them: each with its likeness (its
    result's shapes, without the call) and how its backward calls the next."""

    def __init__(self, plan):
        self.plan, torch = plan, plan.torch
        name = re.sub(r"\W", "_", plan.function.function) + f"_{next(_COUNT)}"
        types_of = ", ".join(f"{one.type} a{i}" for i, one in enumerate(plan.inputs))
        seeds = "".join(f"Tensor s{i}, " for i in range(len(plan.seeded)))
        tangents = "".join(f"Tensor t{i}, " for i in range(len(plan.active)))
        several = lambda n: "Tensor" if n == 1 else f"({', '.join(['Tensor'] * n)})"
        count, outs = len(plan.active), len(plan.seeded)
        self.last = self.gradient = None
        if plan.has_second:
            self.last = register(torch, self, "second", f"{name}_second",
                                 f"({tangents}{seeds}{types_of}) -> {several(count + outs)}")
        self.gradient = register(torch, self, "gradient", f"{name}_gradient",
                                 f"({seeds}{types_of}) -> {several(count)}")
        self.forward = register(torch, self, "forward", name,
                                f"({types_of}) -> {several(len(plan.outputs) or 1)}")

    @staticmethod
    def one_or_all(made):
        made = tuple(made)
        return made if len(made) != 1 else made[0]

    # ---- forward ----
    def run_forward(self, *values):
        plan, torch = self.plan, self.plan.torch

        def fill(named, shape, device, outputs):
            result = plan.run(named, shape, device)
            if outputs:
                if result:  # of a program: what CUDA says
                    raise Error(f"{plan.function.name}: it returns {result}", 3)
                return self.one_or_all(outputs.values())
            return torch.tensor(result, dtype=self.result_dtype())

        return plan.call(values, fill)

    def result_dtype(self):
        return self.plan.torch.float32 if self.plan.function.result == "f4" else self.plan.torch.float64

    def like_forward(self, *values):
        plan, torch = self.plan, self.plan.torch
        if not plan.outputs:
            return torch.empty((), dtype=self.result_dtype())
        return self.one_or_all(plan.made(plan.arguments(values), plan.device(values), torch.empty).values())

    def save_forward(self, ctx, inputs, output):
        plan = self.plan
        self.save(ctx, inputs, plan.tensors)
        if len(plan.seeded) < len(plan.outputs):
            made = output if isinstance(output, tuple) else (output,)
            ctx.mark_non_differentiable(*(one for name, one in zip(plan.outputs, made)
                                          if name not in plan.seeded))

    def back_forward(self, ctx, *seeds):
        plan = self.plan
        seeds = [s for name, s in zip(plan.outputs, seeds) if name in plan.seeded] if plan.outputs else seeds
        values = self.saved(ctx)
        made = self.gradient(*(seeds if plan.outputs else ()), *values)
        made = made if isinstance(made, tuple) else (made,)
        if not plan.outputs:
            made = [one * seeds[0].to(one.device) for one in made]
        return self.spread(made, values)

    # ---- the gradient ----
    def run_gradient(self, *given):
        plan = self.plan
        seeds, values = given[:len(plan.seeded)], given[len(plan.seeded):]

        def fill(named, shape, device, outputs):
            plan.seeds(named, plan.gradient, seeds)
            made = plan.zeros(named, plan.gradient, "adjoint", values, device)
            plan.run_gradient(named, shape, device)
            return self.one_or_all(made)

        return plan.call(values, fill)

    def like_inputs(self, values):
        plan = self.plan
        return [plan.inputs[i].zeros(values[i], plan.device(values)) for i in plan.active]

    def like_gradient(self, *given):
        return self.one_or_all(self.like_inputs(given[len(self.plan.seeded):]))

    def save_gradient(self, ctx, inputs, output):
        seeds = len(self.plan.seeded)
        self.save(ctx, inputs, [*range(seeds), *(seeds + i for i in self.plan.tensors)])

    def back_gradient(self, ctx, *tangents):
        plan = self.plan
        if not plan.has_second:
            plan.no_second()
        given = self.saved(ctx)
        made = self.last(*tangents, *given)
        made = made if isinstance(made, tuple) else (made,)
        count, seeds = len(plan.active), len(plan.seeded)
        return (*made[count:], *self.spread(made[:count], given[seeds:]))

    # ---- the gradient's gradient ----
    def run_second(self, *given):
        plan, count, outs = self.plan, len(self.plan.active), len(self.plan.seeded)
        tangents, seeds, values = given[:count], given[count:count + outs], given[count + outs:]

        def fill(named, shape, device, outputs):
            pushed = {**named, **{name: plan.torch.zeros_like(v) for name, v in outputs.items()}}
            plan.tangents(named, plan.hvp, "tangent", tangents, outputs)
            plan.seeds(named, plan.hvp, seeds)
            plan.blank(named, plan.hvp, "second", outputs)
            plan.zeros(named, plan.hvp, "adjoint", values, device)
            made = plan.zeros(named, plan.hvp, "second", values, device)
            plan.run_hvp(named, shape, device)
            if plan.outputs:
                moved = plan.tangents(pushed, plan.jvp, "adjoint", tangents, outputs)
                plan.run_jvp(pushed, shape, device)
                made += [moved[name] for name in plan.seeded]
            return self.one_or_all(made)

        return plan.call(values, fill)

    def like_second(self, *given):
        count, outs = len(self.plan.active), len(self.plan.seeded)
        return self.one_or_all([*self.like_inputs(given[count + outs:]),
                                *map(self.plan.torch.empty_like, given[count:count + outs])])

    back_second = save_second = None

    # ---- what a backward needs ----
    @staticmethod
    def save(ctx, inputs, places):
        """Tensors are saved, of the rest the values kept."""
        plain = list(inputs)
        for i in places:
            plain[i] = None
        ctx.places, ctx.plain = places, plain
        ctx.save_for_backward(*[inputs[i] for i in places])

    def saved(self, ctx):
        values = list(ctx.plain)
        for i, value in zip(ctx.places, ctx.saved_tensors):
            values[i] = value
        return values

    def spread(self, made, values):
        """A gradient for every argument: None where there is none."""
        at, all_of = dict(zip(self.plan.active, made)), [None] * len(values)
        for i, one in at.items():
            all_of[i] = one.to(values[i])
        return tuple(all_of)


def op(function, *, grid=None, block=None, shared_bytes=0, outputs=None, reads=(), sizes=None):
    """A function of a module as an operation of PyTorch's autograd.

    function   the function itself, m.f or of a kernel m.k; its gradient is in the same module
    grid, block, shared_bytes   of a kernel: numbers, or functions of the arguments, as a.name
    outputs    name to (shape, dtype), or to a function of the arguments that gives them; the operation makes
               these, zero at first, and returns them
    reads      parameters that are not const, and that it only reads all the same
    sizes      of a gradient that takes how many cells there are: name to number, or to a function
    """
    import torch
    plan = _Plan(torch, function, grid, block, shared_bytes, outputs, reads, sizes)
    forward = _Operation(plan).forward

    def call(*given, **named):
        return forward(*plan.bind(given, named))

    call.__doc__ = f"{plan.function.function}({', '.join(one.name for one in plan.inputs)})"
    return call
