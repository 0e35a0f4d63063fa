#!/usr/bin/env python3
"""gw.torch.op: values and gradients, first and second, against PyTorch's own, in graphs where this PyTorch has
them, and what is refused. GW_TORCH_DEVICE=cuda runs its kernels on a GPU. Exits with 77 without torch."""
import gc
import os
import sys
import tempfile
import threading
import unittest

try:
    import torch
except ImportError:
    print("there is no torch")
    sys.exit(77)
import gradwright as gw
from sources import HOST, KERNELS

DEVICE = os.environ.get("GW_TORCH_DEVICE", "cpu")
HAS_GRAPHS = hasattr(torch.library, "custom_op")


def by_torch(x, k, steps):
    for _ in range(steps):
        x = x * (1 - k * x)
    return x


def numbers(n, **words):
    return torch.linspace(0.1, 0.9, n, dtype=torch.float64, device=DEVICE, **words)


class Operations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        requests = ["decay: out wrt x, k"]
        cls.m = gw.load(KERNELS, requests + ["split: out wrt x", "lengths: out wrt x"], DEVICE,
                        derivatives=requests, hvps=requests)
        cls.host = gw.load(HOST, ["length: wrt x, scale", "norm: wrt p, w", "second: wrt x"],
                           hvps=["length: wrt x, scale", "norm: wrt p, w"])
        like_x = lambda a: (a.x.shape, a.x.dtype)
        grid = {"grid": lambda a: (a.n + 3) // 4, "block": 4}
        cls.decay = staticmethod(gw.torch.op(cls.m.decay, **grid, outputs={"out": like_x}))
        cls.split = staticmethod(gw.torch.op(cls.m.split, **grid, outputs={
            "out": like_x, "count": lambda a: (a.x.shape, torch.int32), "aux": like_x}))
        cls.lengths = staticmethod(gw.torch.op(cls.m.lengths, **grid,
                                               outputs={"out": lambda a: ((a.n,), torch.float32)}))

    def same(self, own, theirs, inputs, weight):
        torch.testing.assert_close(own, theirs)
        for a, b in zip(torch.autograd.grad((own * weight).sum(), inputs),
                        torch.autograd.grad((theirs * weight).sum(), inputs)):
            torch.testing.assert_close(a, b)

    def test_kernel(self):
        x, k = numbers(6, requires_grad=True), torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
        self.same(self.decay(x, k, 5, 6), by_torch(x, k, 5), (x, k), numbers(6))
        self.assertTrue(torch.autograd.gradcheck(lambda x, k: self.decay(x, k, 5, 6), (x, k)))

    def test_new_adjoints(self):
        """The adjoint of an array is stored if the request says how long it is; what lies behind is zero."""
        m = gw.load(KERNELS, "decay: out wrt x[0:2 * n / 2], k", DEVICE)
        op = gw.torch.op(m.decay, grid=lambda a: (a.n + 3) // 4, block=4,
                         outputs={"out": lambda a: (a.x.shape, a.x.dtype)})
        made = []
        empty = torch.empty

        def make(*shape, **words):
            if words.get("dtype") is not torch.uint8:  # a workspace, on a GPU
                made.append(shape)
            return empty(*shape, **words).fill_(7)

        torch.empty = make
        try:
            for longer in (0, 3):
                x = numbers(6 + longer, requires_grad=True)
                k = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
                op(x, k, 5, 6)[:6].sum().backward()
                y = x.detach()[:6].clone().requires_grad_()
                by_torch(y, 0.4, 5).sum().backward()
                torch.testing.assert_close(x.grad, torch.cat([y.grad, torch.zeros_like(x.detach()[6:])]))
        finally:
            torch.empty = empty
        self.assertEqual(len(made), 1)

    def test_second(self):
        x, k = numbers(5, requires_grad=True), torch.tensor([0.4], dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradgradcheck(lambda x, k: self.decay(x, k, 3, 5), (x, k)))
        twice = lambda f: torch.autograd.grad(
            torch.autograd.grad((f(x, k) ** 2).sum(), (x, k), create_graph=True)[0].pow(3).sum(), (x, k))
        theirs = twice(lambda x, k: by_torch(x, k.sum(), 3))
        for a, b in zip(twice(lambda x, k: self.decay(x, k, 3, 5)), theirs):
            torch.testing.assert_close(a, b)

    def test_chain(self):
        x = torch.rand(4, 2, dtype=torch.float64, device=DEVICE, requires_grad=True)
        columns = self.decay(x.t()[0], k=0.4, steps=3, n=4)  # not contiguous
        torch.testing.assert_close(torch.autograd.grad(columns.pow(2).sum(), x),
                                   torch.autograd.grad(by_torch(x[:, 0], 0.4, 3).pow(2).sum(), x))

    def test_outputs(self):
        x = numbers(5, requires_grad=True)
        out, count, aux = self.split(x, 1.0, 5)
        self.assertEqual((count.tolist(), aux.requires_grad), ([0, 0, 0, 1, 1], False))
        torch.testing.assert_close(torch.autograd.grad(out.sum() + aux.sum(), x)[0], 2 * x.detach())

    def test_vectors(self):
        x = numbers(6).float().reshape(2, 3).requires_grad_()
        torch.testing.assert_close(torch.autograd.grad(self.lengths(x, 2).sum(), x)[0], 2 * x.detach())

    def test_host(self):
        length, norm = gw.torch.op(self.host.length), gw.torch.op(self.host.norm)
        x = torch.rand(5, dtype=torch.float64, requires_grad=True)
        scale = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
        for check in (torch.autograd.gradcheck, torch.autograd.gradgradcheck):
            self.assertTrue(check(lambda x, s: length(x, s, 5) ** 2, (x, scale)))
            self.assertTrue(check(lambda p, w: norm(p, w) ** 2, (x[:2].detach().requires_grad_(), scale)))
        self.assertEqual(norm((3, 2), 1).item(), 17)

    def test_threads(self):
        good = []

        def work(k):
            x = numbers(64, requires_grad=True)
            theirs = torch.autograd.grad(by_torch(x, k, 3).sum(), x)[0]
            good.append(all(torch.allclose(torch.autograd.grad(self.decay(x, k, 3, 64).sum(), x)[0], theirs)
                            for _ in range(20)))

        threads = [threading.Thread(target=work, args=(k,)) for k in (0.1, 0.5)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(good, [True, True])

    @unittest.skipUnless(DEVICE == "cpu", "a GPU is not for children")
    def test_fork(self):
        """After calls, whose threads a child does not have."""
        x = numbers(64, requires_grad=True)
        gradient = lambda: torch.autograd.grad(self.decay(x, 0.4, 3, 64).sum(), x)[0]
        theirs = gradient()
        child = os.fork()
        if child == 0:
            os._exit(0 if torch.equal(gradient(), theirs) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    @unittest.skipUnless(HAS_GRAPHS, "this PyTorch has no torch.library.custom_op")
    def test_compile(self):
        x, k = numbers(6, requires_grad=True), torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
        whole = lambda f: lambda x, k: (f(x * 2, k).sin() + x)
        compiled = torch.compile(whole(lambda x, k: self.decay(x, k, 5, x.numel())), fullgraph=True,
                                 backend="aot_eager" if DEVICE == "cpu" else "inductor")
        theirs = whole(lambda x, k: by_torch(x, k, 5))
        self.same(compiled(x, k), theirs(x, k), (x, k), numbers(6))
        more = numbers(9, requires_grad=True)
        self.same(compiled(more, k), theirs(more, k), (more, k), numbers(9))
        length = gw.torch.op(self.host.length)
        host = torch.rand(5, dtype=torch.float64, requires_grad=True)
        one = torch.compile(lambda x: length(x, 2.0, 5) * 3, fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(torch.autograd.grad(one(host), host)[0], 18 * host.detach() ** 2)

    @unittest.skipUnless(HAS_GRAPHS, "this PyTorch has no torch.library.custom_op")
    def test_registered(self):
        """PyTorch's own checks of an operation, of its likeness and of autograd."""
        own = self.decay.__closure__[[*self.decay.__code__.co_freevars].index("forward")].cell_contents
        step = own.by_library
        x, k = numbers(4, requires_grad=True), torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
        torch.library.opcheck(step, (x, k, 2, 4))

    @unittest.skipUnless(HAS_GRAPHS, "this PyTorch has no torch.library.custom_op")
    def test_looked_at(self):
        """Who traces, or stands in for tensors, sees the operation; nobody sees a call of the function."""
        from torch._subclasses.fake_tensor import FakeTensorMode
        from torch.fx.experimental.proxy_tensor import make_fx
        with FakeTensorMode():
            self.assertEqual(self.decay(numbers(6, requires_grad=True), 0.4, 5, 6).shape, (6,))
        graph = make_fx(lambda x: self.decay(x, 0.4, 5, 6))(numbers(6)).graph
        self.assertTrue(any("gradwright.decay" in str(node.target) for node in graph.nodes))
        with torch.no_grad():
            out = self.decay(numbers(6, requires_grad=True), 0.4, 5, 6)
        self.assertFalse(out.requires_grad)
        torch.testing.assert_close(out, by_torch(numbers(6), 0.4, 5))

    @unittest.skipUnless(DEVICE == "cuda", "streams are a GPU's")
    def test_streams(self):
        x, k = numbers(1 << 20, requires_grad=True), 0.4
        theirs = torch.autograd.grad(by_torch(x, k, 50).sum(), x)[0]
        streams, made = [torch.cuda.Stream() for _ in range(4)], []
        torch.cuda.synchronize()
        for stream in streams:
            with torch.cuda.stream(stream):
                made.append(torch.autograd.grad(self.decay(x, k, 50, x.numel()).sum(), x)[0])
        torch.cuda.synchronize()
        for one in made:
            torch.testing.assert_close(one, theirs)


class Refused(unittest.TestCase):
    setUpClass = classmethod(Operations.setUpClass.__func__)

    def refuse(self, kind, words, call):
        with self.assertRaisesRegex(kind, words):
            call()

    def test_arguments(self):
        x, decay = numbers(4, requires_grad=True), self.decay
        self.refuse(TypeError, "'x' must be of float64, not float32", lambda: decay(x.float(), 1, 1, 4))
        self.refuse(TypeError, "'x' must be a tensor, not list", lambda: decay([1.0], 1, 1, 4))
        self.refuse(TypeError, "'x' is None; gradwright.null", lambda: decay(None, 1, 1, 4))
        self.refuse(TypeError, "'x' must be a dense tensor", lambda: decay(x.to_sparse(), 1, 1, 4))
        self.refuse(ValueError, "'k' is a number, the tensor has 4", lambda: decay(x, x, 1, 4))
        self.refuse(TypeError, r"'steps' must be a whole number \(int\)", lambda: decay(x, 1, 1.5, 4))
        self.refuse(TypeError, "'k' must be a number, not str", lambda: decay(x, "1", 1, 4))
        self.refuse(ValueError, r"'n' is 2147483648, which is no int", lambda: decay(x, 1, 1, 1 << 31))
        self.refuse(ValueError, r"'grid' is -1: one to three", lambda: decay(x, 1, 1, -7))
        self.refuse(TypeError, "'steps' requires a gradient",
                    lambda: decay(x, 1, torch.tensor(1.0, requires_grad=True), 4))
        norm = gw.torch.op(self.host.norm)
        self.refuse(ValueError, "'p' has 24 bytes of float64, point has 16", lambda: norm((1, 2, 3), 1))
        self.refuse(ValueError, "'p' has 8 bytes of float32", lambda: norm(torch.zeros(2), 1))
        self.refuse(TypeError, "'p' must be numbers or bytes, not int", lambda: norm(1, 1))
        self.refuse(TypeError, "argument 'n' is missing", lambda: decay(x, 1, 1))
        self.refuse(TypeError, "argument 'm' is given twice, or is not", lambda: decay(x, 1, 1, 4, m=3))
        self.refuse(TypeError, "takes 4 arguments, 5 are given", lambda: decay(x, 1, 1, 4, 5))
        self.refuse(ValueError, "'x' has 16 bytes, which is no multiple of 12",
                    lambda: self.lengths(x.detach().float(), 1))
        other = "cpu" if DEVICE == "cuda" else "meta"
        self.refuse(ValueError, f"'x' is a tensor of {other}, this needs {DEVICE}'s",
                    lambda: decay(x.detach().to(other), 1, 1, 4))

    def test_outputs(self):
        wrong = gw.torch.op(self.m.decay, grid=1, block=4, outputs={"out": ((4,), torch.float32)})
        self.refuse(TypeError, "'out' must be of float64, not float32", lambda: wrong(numbers(4), 1, 1, 4))

    def test_freed(self):
        x = numbers(4)
        storage = x.untyped_storage() if hasattr(x, "untyped_storage") else x.storage()
        storage.resize_(0)
        self.refuse(ValueError, "'x' has no memory: it was freed", lambda: self.decay(x, 1, 1, 4))
        self.refuse(ValueError, "'x' has no memory: it was freed",
                    lambda: self.m.decay(1, 4, numbers(4), x, 1, 1, 4))

    def test_exception(self):
        second = gw.torch.op(self.host.second)
        x = torch.rand(1, dtype=torch.float64)
        for _ in range(3):
            self.refuse(gw.Error, "second: exception: vector", lambda: second(x))
        gc.collect()
        self.assertEqual(sys.getrefcount(x), 2)
        x = torch.rand(2, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(second, (x,)))

    def test_operations(self):
        m = self.m
        self.refuse(TypeError, "may write to 'out'", lambda: gw.torch.op(m.decay, grid=1, block=1))
        self.refuse(TypeError, "it needs grid= and block=", lambda: gw.torch.op(m.decay))
        self.refuse(TypeError, "give the function itself", lambda: gw.torch.op(m.decay_grad_launch))
        m = gw.load("double f(double *y, const double *x) { *y = *x * *x; return *x; }", "f: y wrt x")
        self.refuse(TypeError, "returns a number, beside its outputs",
                    lambda: gw.torch.op(m.f, outputs={"y": ((1,), torch.float64)}))

    def test_matrices(self):
        """What fills a matrix is no derivative of an operation's own."""
        m = gw.load("double f(const double *x, int n) { return x[0] * x[0] * x[n - 1]; }", "f: wrt x",
                    hessians="f: wrt x[0:n]", jacobians="f: wrt x[0:n]")
        f, x = gw.torch.op(m.f), torch.rand(3, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda x: f(x, 3), (x,)))
        self.refuse(TypeError, "second derivatives need hvps=",
                    lambda: torch.autograd.gradgradcheck(lambda x: f(x, 3), (x,)))

    def test_orders(self):
        x = numbers(4, requires_grad=True)
        first, = torch.autograd.grad(self.split(x, 1.0, 4)[0].sum(), x, create_graph=True)
        self.refuse(TypeError, "second derivatives need hvps= and derivatives= in load",
                    lambda: torch.autograd.grad(first.sum(), x))
        first, = torch.autograd.grad(self.decay(x, 1, 2, 4).sum(), x, create_graph=True)
        second, = torch.autograd.grad(first.sum(), x, create_graph=True)
        self.refuse((TypeError, RuntimeError), "higher order|no autograd formula",
                    lambda: torch.autograd.grad(second.sum(), x))

    @unittest.skipUnless(hasattr(torch, "vmap"), "this PyTorch has no vmap")
    def test_vmap(self):
        self.refuse((NotImplementedError, RuntimeError), "vmap",
                    lambda: torch.vmap(lambda x: self.decay(x, 1, 1, 4))(numbers(8).reshape(2, 4)))

    def test_changed(self):
        leaf = numbers(4, requires_grad=True)
        moved = leaf * 1
        out = self.decay(moved, 1, 1, 4).sum()
        with torch.no_grad():
            moved.add_(1)
        self.refuse(RuntimeError, "modified by an inplace operation", out.backward)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        unittest.main(exit=False, verbosity=1).result.wasSuccessful() or sys.exit(1)
