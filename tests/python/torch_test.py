#!/usr/bin/env python3
"""gw.torch.op: values and gradients against PyTorch's own, and what is refused. Exits with 77 without torch."""
import os
import sys
import tempfile
import unittest

try:
    import torch
except ImportError:
    print("there is no torch")
    sys.exit(77)
import gradwright as gw

SOURCE = """
__global__ void decay(double *out, const double *x, double k, int steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (int s = 0; s < steps; s++) v = v * (1 - k * v);
    out[i] = v;
}
"""
HOST = """
double length(const double *x, double scale, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += scale * x[i] * x[i];
    return s;
}
"""


def by_torch(x, k, steps):
    for _ in range(steps):
        x = x * (1 - k * x)
    return x


class Operations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = gw.load(SOURCE, "decay: out wrt x, k")
        cls.decay = staticmethod(gw.torch.op(cls.m.decay, grid=lambda a: (a.n + 3) // 4, block=4,
                                             outputs={"out": lambda a: (a.x.shape, a.x.dtype)}))

    def test_kernel(self):
        x = torch.linspace(0.1, 0.9, 6, dtype=torch.float64, requires_grad=True)
        k = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
        weight = torch.arange(1, 7, dtype=torch.float64)
        own, theirs = self.decay(x, k, 5, 6), by_torch(x, k, 5)
        torch.testing.assert_close(own, theirs)
        for a, b in zip(torch.autograd.grad((own * weight).sum(), (x, k)),
                        torch.autograd.grad((theirs * weight).sum(), (x, k))):
            torch.testing.assert_close(a, b)
        self.assertTrue(torch.autograd.gradcheck(lambda x, k: self.decay(x, k, 5, 6), (x, k)))

    def test_chain(self):
        x = torch.rand(4, 2, dtype=torch.float64, requires_grad=True)
        columns = self.decay(x.t()[0], k=0.4, steps=3, n=4)  # not contiguous
        torch.testing.assert_close(torch.autograd.grad(columns.pow(2).sum(), x),
                                   torch.autograd.grad(by_torch(x[:, 0], 0.4, 3).pow(2).sum(), x))

    def test_host(self):
        length = gw.torch.op(gw.load(HOST, "length: wrt x, scale").length)
        x = torch.rand(5, dtype=torch.float64, requires_grad=True)
        scale = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda x, s: length(x, s, 5) ** 2, (x, scale)))

    def refuse(self, kind, words, call):
        with self.assertRaisesRegex(kind, words):
            call()

    def test_refused(self):
        x = torch.rand(4, dtype=torch.float64, requires_grad=True)
        self.refuse(TypeError, "must be of float64, not float32", lambda: self.decay(x.float(), 1, 1, 4))
        self.refuse(TypeError, "'steps' requires a gradient",
                    lambda: self.decay(x, 1, torch.tensor(1.0, requires_grad=True), 4))
        self.refuse(TypeError, "argument 'n' is missing", lambda: self.decay(x, 1, 1))
        self.refuse(TypeError, "may write to 'out'", lambda: gw.torch.op(self.m.decay, grid=1, block=1))
        self.refuse(TypeError, "it needs grid= and block=", lambda: gw.torch.op(self.m.decay))
        self.refuse(TypeError, "give the function itself", lambda: gw.torch.op(self.m.decay_grad_launch))
        out = self.decay(x, 1, 1, 4).sum()
        first, = torch.autograd.grad(out, x, create_graph=True)
        self.refuse(RuntimeError, "once_differentiable|twice|does not require grad",
                    lambda: torch.autograd.grad(first.sum(), x))

    def test_changed(self):
        x = torch.rand(4, dtype=torch.float64)
        leaf = x.clone().requires_grad_()
        moved = leaf * 1
        out = self.decay(moved, 1, 1, 4).sum()
        with torch.no_grad():
            moved.add_(1)
        self.refuse(RuntimeError, "modified by an inplace operation", out.backward)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        unittest.main(exit=False, verbosity=1).result.wasSuccessful() or sys.exit(1)
