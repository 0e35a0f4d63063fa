#!/usr/bin/env python3
"""What a call of gw.torch.op costs beside the function's own work, in microseconds of the thread's own time: an
operation of a function that does nothing, beside one of PyTorch's whose forward and backward are empty
operations. Needs PyTorch; PYTHONPATH as for the package. `--most N` fails where a forward call costs more."""
import sys
import time

import torch

import gradwright as gw

SOURCE = "void touch(double *out, const double *x, double k, int n) { out[0] = x[0] * k; }"


def least(calls, count=100, rounds=100):
    """The least of many rounds, in turn: the machine may have other things to do."""
    found = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.thread_time()
            for _ in range(count):
                call()
            found[i] = min(found[i], (time.thread_time() - start) / count)
    return [1e6 * one for one in found]


def by_library(name, run, schema, save=None, back=None):
    made = torch.library.custom_op(f"gradwright_overhead::{name}", run, mutates_args=(), schema=schema)
    made.register_fake(run)
    if back:
        made.register_autograd(back, setup_context=lambda ctx, inputs, output: save(ctx, *inputs))
    return made


def by_function(name, run, schema, save=None, back=None):
    def forward(ctx, *given):
        if save:
            save(ctx, *given)
        return run(*given)

    return type(name, (torch.autograd.Function,), {"forward": staticmethod(forward),
                                                   "backward": staticmethod(back or run)}).apply


def empty():
    make = by_library if hasattr(torch.library, "custom_op") else by_function
    zeros = lambda n: torch.zeros(n, dtype=torch.float64)
    gradient = make("gradient", lambda seed, x, k, n: (zeros(4), zeros(())),
                    "(Tensor seed, Tensor x, Tensor k, SymInt n) -> (Tensor, Tensor)")

    def save(ctx, x, k, n):
        ctx.n = n
        ctx.save_for_backward(x, k)

    def back(ctx, seed):
        return (*gradient(seed, *ctx.saved_tensors, ctx.n), None)

    return make("empty", lambda x, k, n: zeros(1), "(Tensor x, Tensor k, SymInt n) -> Tensor", save, back)


def main():
    m = gw.load(SOURCE, "touch: out wrt x, k")
    ops = gw.torch.op(m.touch, outputs={"out": ((1,), torch.float64)}), empty()
    x = torch.ones(4, dtype=torch.float64, requires_grad=True)
    k = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    more = []
    print(f"PyTorch {torch.__version__}, microseconds a call")
    for title, call in (("forward", lambda op: lambda: op(x, k, 4)),
                        ("and backward", lambda op: lambda: op(x, k, 4).backward())):
        ours, theirs = least([call(op) for op in ops])
        more.append(ours - theirs)
        print(f"{title:14} {ours:7.1f}, of empty operations {theirs:7.1f}: {more[-1]:5.1f} more")
    return 1 if sys.argv[1:2] == ["--most"] and more[0] > float(sys.argv[2]) else 0


if __name__ == "__main__":
    sys.exit(main())
