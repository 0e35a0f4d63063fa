"""Functions of a module as operations of PyTorch: gw.torch.op. Imports torch when it is asked for one."""
import types


def _value(given, arguments):
    return given(arguments) if callable(given) else given


class _Plan:
    """What an operation is made of: the function, its gradient, which parameters are outputs and inputs."""

    def __init__(self, function, grid, block, shared_bytes, outputs, reads):
        self.function, self.grid, self.block, self.shared_bytes = function, grid, block, shared_bytes
        self.module, self.outputs = function._owner, dict(outputs or {})
        if function.form != "primal":
            raise TypeError(f"gradwright.torch.op: {function.name} is a {function.form}: "
                            f"give the function itself")
        self.launches = function._launches
        if self.launches and (grid is None or block is None):
            raise TypeError(f"gradwright.torch.op: {function.name} is a kernel: it needs grid= and block=")
        self.gradient = self._gradient()
        inputs = [p for p in function._positions if p.role not in ("grid", "block")]
        names = [p.name for p in inputs]
        for name in [*self.outputs, *reads]:
            if name not in names:
                raise TypeError(f"gradwright.torch.op: {function.name} has no parameter '{name}'")
        for p in inputs:
            written = p.kind in ("pointer", "reference", "vector") and not p.is_const
            if written and p.name not in self.outputs and p.name not in reads:
                raise TypeError(f"gradwright.torch.op: {function.name} may write to '{p.name}': "
                                f"name it in outputs=, or in reads= if it does not")
        self.inputs = [p for p in inputs if p.name not in self.outputs]
        self.adjoints = {p.of: p for p in self.gradient.parameters if p.role == "adjoint"}
        if not self.outputs and not function.result:
            raise TypeError(f"gradwright.torch.op: {function.name} returns nothing: name its outputs=")

    def _gradient(self):
        for form in ("allocating", "gradient"):
            for f in self.module.functions.values():
                if f.form == form and f.function == self.function.function:
                    return f
        raise TypeError(f"gradwright.torch.op: there is no gradient of {self.function.function}: "
                        f"ask for it in load")

    def bind(self, given, named):
        names = [p.name for p in self.inputs]
        if len(given) > len(names):
            raise TypeError(f"{self.function.name} takes {len(names)} arguments, {len(given)} are given")
        bound = dict(zip(names, given))
        for name, value in named.items():
            if name not in names or name in bound:
                raise TypeError(f"{self.function.name}: argument '{name}' is given twice, or is not its own")
            bound[name] = value
        for name in names:
            if name not in bound:
                raise TypeError(f"{self.function.name}: argument '{name}' is missing")
        return [bound[name] for name in names]

    def shape(self, arguments):
        if not self.launches:
            return {}
        words = {"grid": _value(self.grid, arguments), "block": _value(self.block, arguments),
                 "shared_bytes": _value(self.shared_bytes, arguments)}
        if self.module.device == "cuda":
            import torch
            words["stream"] = torch.cuda.current_stream()
        return words

    def plain(self, values):
        """Arguments of the function: tensors of pointers as they are, of numbers as numbers."""
        import torch
        number = lambda p, v: p.kind == "value" and p.cell[:1] != "V" and isinstance(v, torch.Tensor)
        return {p.name: v.item() if number(p, v) else v for p, v in zip(self.inputs, values)}

    def empty(self, values, like):
        """Outputs before the call: zero, so that what is not written is not left to chance."""
        import torch
        arguments, made = types.SimpleNamespace(**dict(zip([p.name for p in self.inputs], values))), {}
        for name, given in self.outputs.items():
            shape, dtype = _value(given, arguments)
            made[name] = torch.zeros(shape, dtype=dtype, device=like)
        return arguments, made


def _make(plan):
    import torch
    from torch.autograd.function import once_differentiable

    def device_of(values):
        for value in values:
            if isinstance(value, torch.Tensor) and value.device.type == "cuda":
                return value.device
        return torch.device("cuda" if plan.module.device == "cuda" and plan.launches else "cpu")

    class Operation(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *values):
            ctx.is_tensor = [isinstance(v, torch.Tensor) for v in values]
            values = [v.detach().contiguous() if isinstance(v, torch.Tensor) else v for v in values]
            ctx.plain = [None if isinstance(v, torch.Tensor) else v for v in values]
            ctx.save_for_backward(*(v for v in values if isinstance(v, torch.Tensor)))
            arguments, outputs = plan.empty(values, device_of(values))
            result = plan.function(**plan.shape(arguments), **plan.plain(values), **outputs)
            if not plan.outputs:
                tensors = [v for v in values if isinstance(v, torch.Tensor) and v.is_floating_point()]
                return torch.tensor(result, dtype=torch.float32 if plan.function.result == "f4" else
                                    (torch.float64 if plan.function.result == "f8" else None),
                                    device=tensors[0].device if tensors else "cpu")
            made = tuple(outputs.values())
            return made if len(made) > 1 else made[0]

        @staticmethod
        @once_differentiable
        def backward(ctx, *seeds):
            saved = iter(ctx.saved_tensors)
            values = [next(saved) if is_tensor else v for is_tensor, v in zip(ctx.is_tensor, ctx.plain)]
            arguments, outputs = plan.empty(values, device_of(values))
            words = {**plan.shape(arguments), **plan.plain(values), **outputs}
            for name, seed in zip(plan.outputs, seeds):
                if name in plan.adjoints:
                    words[plan.adjoints[name].name] = seed.clone(memory_format=torch.contiguous_format)
            made = []
            for p, v in zip(plan.inputs, values):
                adjoint = plan.adjoints.get(p.name)
                if adjoint is None:
                    made.append(None)
                    continue
                dtype = {"f4": torch.float32, "f8": torch.float64}.get(adjoint.number or adjoint.cell)
                if isinstance(v, torch.Tensor):
                    zero = torch.zeros(v.shape, dtype=dtype or v.dtype, device=device_of(values))
                else:
                    zero = torch.zeros(1 if adjoint.cell[:1] != "V" else len(v), dtype=dtype,
                                       device=device_of(values))
                words[adjoint.name] = zero
                made.append(zero)
            plan.gradient(**words)
            if not plan.outputs:
                made = [None if one is None else one * seeds[0] for one in made]
            return tuple(one.to(v.device) if need and isinstance(v, torch.Tensor) else None
                         for one, v, need in zip(made, values, ctx.needs_input_grad))

    def call(*given, **named):
        values = plan.bind(given, named)
        for p, v in zip(plan.inputs, values):
            if isinstance(v, torch.Tensor) and v.requires_grad and p.name not in plan.adjoints:
                raise TypeError(f"{plan.function.name}: argument '{p.name}' requires a gradient, and there "
                                f"is none with respect to it: ask for it in load, or detach it")
        return Operation.apply(*values)

    Operation.__name__ = f"gradwright_{plan.function.function}"
    call.__doc__ = f"{plan.function.function}({', '.join(p.name for p in plan.inputs)})"
    return call


def op(function, *, grid=None, block=None, shared_bytes=0, outputs=None, reads=()):
    """A function of a module as an operation of PyTorch's autograd.

    function   the function itself, m.f or of a kernel m.k; its gradient is in the same module
    grid, block, shared_bytes   of a kernel: numbers, or functions of the arguments, as a.name
    outputs    name to (shape, dtype), or to a function of the arguments that gives them; the operation makes
               these, zero at first, and returns them
    reads      parameters that are not const, and that it only reads all the same
    """
    return _make(_Plan(function, grid, block, shared_bytes, outputs, reads))
