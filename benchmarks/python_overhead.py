#!/usr/bin/env python3
"""What a call of gw.torch.op costs beside the function's own work, in microseconds: an operation of a function
that does nothing, beside an empty one of PyTorch's. Needs PyTorch; PYTHONPATH as for the package."""
import time

import torch

import gradwright as gw

SOURCE = "void touch(double *out, const double *x, double k, int n) { out[0] = x[0] * k; }"


def best(call, count=200, rounds=50):
    """The least of many: the machine may have other things to do."""
    least = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            call()
        least = min(least, (time.perf_counter() - start) / count)
    return least * 1e6


def empty_by_library():
    def run(x, k, n):
        return torch.zeros(1, dtype=torch.float64)

    made = torch.library.custom_op("gradwright_overhead::empty", run, mutates_args=(),
                                   schema="(Tensor x, Tensor k, SymInt n) -> Tensor")
    made.register_fake(run)
    made.register_autograd(lambda ctx, seed: (seed.expand(ctx.saved_tensors[0].shape), None, None),
                           setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]))
    return made


def empty_by_function():
    class Empty(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k, n):
            ctx.save_for_backward(x)
            return torch.zeros(1, dtype=torch.float64)

        @staticmethod
        def backward(ctx, seed):
            return seed.expand(ctx.saved_tensors[0].shape), None, None

    return Empty.apply


def main():
    m = gw.load(SOURCE, "touch: out wrt x, k")
    own = gw.torch.op(m.touch, outputs={"out": ((1,), torch.float64)})
    empty = empty_by_library() if hasattr(torch.library, "custom_op") else empty_by_function()
    x = torch.ones(4, dtype=torch.float64, requires_grad=True)
    k = torch.tensor(2.0, dtype=torch.float64)
    print(f"PyTorch {torch.__version__}, microseconds a call")
    for title, call in (("forward", lambda op: lambda: op(x, k, 4)),
                        ("and backward", lambda op: lambda: op(x, k, 4).backward())):
        ours, theirs = best(call(own)), best(call(empty))
        print(f"{title:14} {ours:7.1f}, of an empty operation {theirs:7.1f}: {ours - theirs:5.1f} more")


if __name__ == "__main__":
    main()
