"""How a step of an operation is made known to PyTorch: torch.library.custom_op where it has that (2.4 and
later), so that torch.compile keeps it in one graph; before, torch.autograd.Function."""


def register(torch, operation, step, name, schema):
    """`operation` has run_STEP, like_STEP (the result's likeness), save_STEP and back_STEP, None where there is
    no derivative."""
    part = lambda kind: getattr(operation, f"{kind}_{step}")
    make = _by_library if hasattr(torch.library, "custom_op") else _by_function
    return make(torch, name, schema, part("run"), part("like"), part("save"), part("back"))


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
