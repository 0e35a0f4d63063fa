"""How a step of an operation is made known to PyTorch: by torch.library.custom_op where it has that (2.4 and
later), so that torch.compile keeps it in one graph, and by torch.autograd.Function, which costs a third of it:
that is what runs where nothing but autograd looks on."""


def register(torch, operation, step, name, schema):
    """`operation` has run_STEP, like_STEP (the result's likeness), save_STEP and back_STEP, None where there is
    no derivative."""
    part = lambda kind: getattr(operation, f"{kind}_{step}")
    given = (torch, name, schema, part("run"), part("like"), part("save"), part("back"))
    by_function = _by_function(*given)
    if not hasattr(torch.library, "custom_op"):
        return by_function
    return _either(torch, _by_library(*given), by_function, part("run"))


def _either(torch, by_library, by_function, run):
    """The first for those who trace, transform or stand in for tensors: compilers, modes, vmap, subclasses. The
    last where nobody keeps what a backward needs: in a backward itself, most often."""
    modes, levels = torch._C._len_torch_dispatch_stack, torch._C._functorch.maybe_current_level
    is_compiling, is_kept = torch.compiler.is_compiling, torch.is_grad_enabled
    own = {torch.Tensor, torch.nn.Parameter, int, float, bool, type(None)}

    def step(*given):
        if is_compiling() or modes() or levels() is not None or not own.issuperset(map(type, given)):
            return by_library(*given)
        return by_function(*given) if is_kept() else run(*given)

    step.by_library = by_library
    return step


def _by_library(torch, name, schema, run, like, save, back):
    made = torch.library.custom_op(f"gradwright::{name}", run, mutates_args=(), schema=schema)
    made.register_fake(like)
    if back:
        made.register_autograd(back, setup_context=lambda ctx, inputs, output: save(ctx, inputs, output))
    if hasattr(made, "register_vmap"):
        made.register_vmap(lambda *given: _refuse_vmap(name))
    return made


def _refuse_vmap(name):
    raise NotImplementedError(f"{name}: a kernel has no vmap: give it a dimension more, or call it in a loop")


def _by_function(torch, name, schema, run, like, save, back):
    def forward(ctx, *given):
        made = run(*given)
        if save:
            save(ctx, given, made)
        return made

    def backward(ctx, *seeds):
        if not back:
            raise TypeError(f"{name}: there are no derivatives of a higher order")
        return back(ctx, *seeds)

    return type(name, (torch.autograd.Function,),
                {"forward": staticmethod(forward), "backward": staticmethod(backward)}).apply
