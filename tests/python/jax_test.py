#!/usr/bin/env python3
"""gw.jax.op: values and gradients, first and second, against JAX's own of the same formulas, under jit, on
several devices, and what is refused. GW_JAX_DEVICE=cuda runs its kernels on a GPU. Exits with 77 without
jax."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
import unittest

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
DEVICE = os.environ.get("GW_JAX_DEVICE", "cpu")
if DEVICE == "cpu":
    os.environ["JAX_PLATFORMS"] = "cpu"
try:
    import jax
    import jax.export
    from jax.test_util import check_grads
except ImportError as error:
    print(f"there is no jax, or not all that its own tests need: {error}")
    sys.exit(77)
if not hasattr(jax, "ffi"):
    print(f"this jax, {jax.__version__}, has no jax.ffi")
    sys.exit(77)
import jax.numpy as jnp
import numpy as np

import gradwright as gw
from sources import HOST, KERNELS

jax.config.update("jax_enable_x64", True)


def by_jax(x, k, steps):
    for _ in range(steps):
        x = x * (1 - k * x)
    return x


def numbers(n):
    return jnp.linspace(0.1, 0.9, n)


class Operations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        requests, more = ["decay: out wrt x, k"], ["length: wrt x, scale", "norm: wrt p, w"]
        cls.m = gw.load(KERNELS, requests + ["split: out wrt x", "lengths: out wrt x"], DEVICE,
                        derivatives=requests, hvps=requests)
        cls.host = gw.load(HOST, more + ["pick: wrt x", "second: wrt x"], hvps=more)
        like_x = lambda a: (a.x.shape, a.x.dtype)
        grid = {"grid": lambda a: (a.n + 3) // 4, "block": 4}
        cls.decay = staticmethod(gw.jax.op(cls.m.decay, **grid, outputs={"out": like_x}))
        cls.split = staticmethod(gw.jax.op(cls.m.split, **grid, outputs={
            "out": like_x, "count": lambda a: (a.x.shape, jnp.int32), "aux": like_x}))
        cls.lengths = staticmethod(gw.jax.op(cls.m.lengths, **grid,
                                             outputs={"out": lambda a: ((a.n,), jnp.float32)}))

    def same(self, own, theirs, *arguments):
        for f in (lambda g: g, jax.jit):
            np.testing.assert_allclose(f(own)(*arguments), theirs(*arguments), rtol=1e-12)
            weighed = lambda g: lambda *a: (g(*a) * (1 + jnp.arange(g(*a).size))).sum()
            places = tuple(range(len(arguments)))
            for a, b in zip(f(jax.grad(weighed(own), places))(*arguments),
                            jax.grad(weighed(theirs), places)(*arguments)):
                np.testing.assert_allclose(a, b, rtol=1e-12)

    def test_kernel(self):
        self.same(lambda x, k: self.decay(x, k, 5, x.size), lambda x, k: by_jax(x, k, 5), numbers(6), 0.4)
        self.same(lambda x, k: self.decay(x * 2, k=k, steps=3, n=9) / k, lambda x, k: by_jax(x * 2, k, 3) / k,
                  numbers(9), jnp.asarray(0.3))

    def test_columns(self):
        """Not in one piece: XLA makes it so."""
        self.same(lambda x: self.decay(x.T[0], 0.4, 3, 4), lambda x: by_jax(x[:, 0], 0.4, 3),
                  numbers(8).reshape(4, 2))

    def test_second(self):
        check_grads(lambda x, k: self.decay(x, k, 3, 5), (numbers(5), 0.4), order=2, modes=["rev"])
        twice = lambda f: jax.jit(jax.grad(
            lambda x, k: (jax.grad(lambda x, k: (f(x, k) ** 2).sum())(x, k) ** 3).sum(), (0, 1)))(
                numbers(5), 0.4)
        for a, b in zip(twice(lambda x, k: self.decay(x, k, 3, 5)), twice(lambda x, k: by_jax(x, k, 3))):
            np.testing.assert_allclose(a, b, rtol=1e-10)

    def test_seeds_stay(self):
        """The gradient consumes seeds, JAX has arrays that do not change."""
        x, seed = numbers(4), jnp.arange(4.0)
        _, pull = jax.vjp(lambda x: self.decay(x, 0.4, 2, 4), x)
        first, again = pull(seed), pull(seed)
        np.testing.assert_array_equal(first[0], again[0])
        np.testing.assert_array_equal(seed, np.arange(4.0))

    def test_outputs(self):
        x = numbers(5)
        out, count, aux = self.split(x, 2.0, 5)
        self.assertEqual((list(count), count.dtype), ([0, 0, 0, 1, 1], jnp.int32))
        np.testing.assert_allclose(aux, 3 * x)
        loss = lambda x: (lambda out, count, aux: out.sum() + aux.sum())(*self.split(x, jnp.asarray(2.0), 5))
        np.testing.assert_allclose(jax.grad(loss)(x), 4 * x)  # none of aux: it was not asked for

    def test_vectors(self):
        x = numbers(6).astype("float32").reshape(2, 3)
        np.testing.assert_allclose(jax.grad(lambda x: self.lengths(x, 2).sum())(x), 2 * x, rtol=1e-6)

    @unittest.skipUnless(DEVICE == "cpu", "functions of the host take its arrays")
    def test_host(self):
        length, norm, x = gw.jax.op(self.host.length), gw.jax.op(self.host.norm), numbers(5)
        check_grads(lambda x, s: length(x, s, 5) ** 2, (x, 2.0), order=2, modes=["rev"])
        check_grads(lambda p, w: norm(p, w) ** 2, (x[:2], 2.0), order=2, modes=["rev"])
        self.same(lambda x, s: length(x, s, 5)[None], lambda x, s: (s * x ** 3).sum()[None], x, 2.0)
        self.assertEqual((norm((3, 2), 1), norm(jnp.array([3.0, 2]), 1)), (17, 17))

    def test_devices(self):
        if len(jax.devices()) < 2:
            self.skipTest("there is one device")
        for device in jax.devices()[:2]:
            x = jax.device_put(numbers(6), device)
            made = jax.grad(lambda x: self.decay(x, 0.4, 3, 6).sum())(x)
            self.assertEqual(made.devices(), {device})
            theirs = jax.grad(lambda x: by_jax(x, 0.4, 3).sum())(numbers(6))
            np.testing.assert_allclose(made, theirs, rtol=1e-12)
        mesh = jax.sharding.Mesh(jax.devices()[:2], "i")
        spread = jax.sharding.PartitionSpec("i")
        if hasattr(jax, "shard_map"):
            each = jax.jit(jax.shard_map(lambda x: self.decay(x, 0.4, 3, 4), mesh=mesh, in_specs=spread,
                                         out_specs=spread, check_vma=False))
            np.testing.assert_allclose(each(numbers(8)), by_jax(numbers(8), 0.4, 3), rtol=1e-12)

    def test_threads(self):
        good = []

        def work(k):
            step = jax.jit(jax.grad(lambda x: self.decay(x, k, 3, 64).sum()))
            theirs = jax.grad(lambda x: by_jax(x, k, 3).sum())(numbers(64))
            good.append(all(np.allclose(step(numbers(64)), theirs) for _ in range(20)))

        threads = [threading.Thread(target=work, args=(k,)) for k in (0.1, 0.5)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(good, [True, True])

    def test_loop(self):
        """In lax.scan, as a step of a larger program."""
        def own(x):
            return jax.lax.scan(lambda v, _: (self.decay(v, 0.4, 2, 6), None), x, None, length=3)[0]

        self.same(own, lambda x: by_jax(x, 0.4, 6), numbers(6))

    @unittest.skipUnless(DEVICE == "cpu", "where a GPU is, another process has no Gradwright")
    @unittest.skipUnless(importlib.util.find_spec("flatbuffers"), "jax.export needs flatbuffers")
    def test_exported(self):
        """What was compiled holds nothing of its process: another one runs it, if it has made the operation."""
        check = jax.export.DisabledSafetyCheck.custom_call(f"gradwright_{DEVICE}")
        whole = jax.jit(jax.grad(lambda x: self.decay(x, 0.4, 3, 6).sum()))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "exported")
            with open(path, "wb") as file:
                file.write(jax.export.export(whole, disabled_checks=[check])(numbers(6)).serialize())
            for what, said in (("same", "^$"), ("other", "this process has made no operation .*:decay_")):
                words = [sys.executable, os.path.abspath(__file__), what, path]
                done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertRegex(done.stdout, said)
                self.assertEqual(done.returncode, what == "other", done.stdout)


def run_exported(what, path):
    if what == "same":
        Operations.setUpClass()
    else:
        kernel = KERNELS.replace("double k", "double rate").replace("- k", "- rate")
        m = gw.load(kernel, "decay: out wrt x", DEVICE)
        gw.jax.op(m.decay, grid=1, block=8, outputs={"out": lambda a: (a.x.shape, a.x.dtype)})
    x = numbers(6)
    with open(path, "rb") as file:
        made = jax.export.deserialize(bytearray(file.read())).call(x)
    np.testing.assert_allclose(made, jax.grad(lambda x: by_jax(x, 0.4, 3).sum())(x), rtol=1e-12)


class Refused(unittest.TestCase):
    setUpClass = classmethod(Operations.setUpClass.__func__)

    def refuse(self, kind, words, call):
        with self.assertRaisesRegex(kind, words):
            jax.block_until_ready(call())

    def test_arguments(self):
        x, decay = numbers(4), self.decay
        self.refuse(TypeError, "'x' must be of float64, not float32", lambda: decay(x.astype("f4"), 1, 1, 4))
        self.refuse(TypeError, "'x' must be of float64, not int64", lambda: decay(jnp.arange(4), 1, 1, 4))
        self.refuse(TypeError, "'x' must be an array, not list", lambda: decay([1.0], 1, 1, 4))
        self.refuse(TypeError, "'x' is None; gradwright.null", lambda: decay(None, 1, 1, 4))
        self.refuse(ValueError, "'k' is a number, the array has 4", lambda: decay(x, x, 1, 4))
        self.refuse(TypeError, r"'steps' must be a whole number \(int\)", lambda: decay(x, 1, 1.5, 4))
        self.refuse(TypeError, "'k' must be a number, not str", lambda: decay(x, "1", 1, 4))
        self.refuse(ValueError, r"'n' is 2147483648, which is no int", lambda: decay(x, 1, 1, 1 << 31))
        self.refuse(ValueError, r"'grid' is -1: one to three", lambda: decay(x, 1, 1, -7))
        self.refuse(TypeError, "argument 'n' is missing", lambda: decay(x, 1, 1))
        self.refuse(TypeError, "takes 4 arguments, 5 are given", lambda: decay(x, 1, 1, 4, 5))
        self.refuse(ValueError, "'x' has 16 bytes, which is no multiple of 12",
                    lambda: self.lengths(x.astype("f4"), 1))
        norm = gw.jax.op(self.host.norm)
        self.refuse(ValueError, "'p' has 24 bytes of float64, point has 16", lambda: norm((1, 2, 3), 1))
        self.refuse(TypeError, "'p' must be numbers or bytes, not object", lambda: norm(object(), 1))
        gone = numbers(4) + 0
        gone.delete()
        self.refuse(ValueError, "'x' has no memory: it was deleted", lambda: decay(gone, 1, 1, 4))

    def test_narrow(self):
        jax.config.update("jax_enable_x64", False)
        try:
            self.refuse(TypeError, "'x' must be of float64, not float32; JAX has it by jax.config",
                        lambda: self.decay(np.ones(4), 1, 1, 4))
        finally:
            jax.config.update("jax_enable_x64", True)

    def test_traced(self):
        self.refuse(TypeError, "grid, block and sizes follow from a number that is traced: make it static",
                    lambda: jax.jit(self.decay)(numbers(4), 1.0, 1, 4))
        made = jax.jit(lambda x, steps: self.decay(x, 0.4, steps, 4))(numbers(4), 3)  # which shapes nothing
        np.testing.assert_allclose(made, by_jax(numbers(4), 0.4, 3), rtol=1e-12)

    def test_derivatives(self):
        x = numbers(4)
        self.refuse(TypeError, "'by' requires a gradient, and there is none",
                    lambda: jax.grad(lambda by: self.split(x, by, 4)[0].sum())(2.0))
        self.refuse(TypeError, "second derivatives need hvps= and derivatives= in load",
                    lambda: jax.grad(lambda x: jax.grad(lambda x: self.split(x, 1.0, 4)[0].sum())(x).sum())(x))
        self.refuse(NotImplementedError, "a kernel has no vmap",
                    lambda: jax.vmap(lambda x: self.decay(x, 1, 1, 4))(numbers(8).reshape(2, 4)))
        loss = lambda x: self.decay(x, 1, 1, 4).sum()
        self.refuse(NotImplementedError, "a kernel has no vmap",
                    lambda: jax.vmap(jax.grad(loss))(numbers(8).reshape(2, 4)))
        self.refuse(TypeError, "jvp", lambda: jax.jvp(lambda x: self.decay(x, 1, 1, 4), (x,), (x,)))

    def test_operations(self):
        m = self.m
        self.refuse(TypeError, "jax.op: decay_launch may write to 'out'",
                    lambda: gw.jax.op(m.decay, grid=1, block=1))
        self.refuse(TypeError, "it needs grid= and block=", lambda: gw.jax.op(m.decay))
        self.refuse(TypeError, "give the function itself", lambda: gw.jax.op(m.decay_grad_launch))
        self.refuse(TypeError, "takes 'x' as const std::vector<double> &", lambda: gw.jax.op(self.host.second))
        wrong = gw.jax.op(m.decay, grid=1, block=4, outputs={"out": ((4,), jnp.float32)})
        self.refuse(TypeError, "'out' must be of float64, not float32", lambda: wrong(numbers(4), 1, 1, 4))

    def test_failures(self):
        """While it runs: the text of the runtime, and the next call is good."""
        large = gw.jax.op(self.m.decay, grid=1, block=5000, outputs={"out": lambda a: (a.x.shape, a.x.dtype)})
        self.refuse(Exception, r"status 3", lambda: large(numbers(4), 1, 1, 4))
        deep = gw.jax.op(self.m.decay, grid=1, block=(2, 2), outputs={"out": lambda a: (a.x.shape, a.x.dtype)})
        self.refuse(Exception, "needs blockDim.y == 1",
                    lambda: jax.grad(lambda x: deep(x, 1, 1, 4).sum())(numbers(4)))
        if DEVICE == "cpu":
            pick = gw.jax.op(self.host.pick)
            self.refuse(Exception, "exception: array", lambda: pick(numbers(2), 7))
            self.assertAlmostEqual(jax.grad(lambda x: pick(x, 1))(numbers(2))[1], 1.8)

    @unittest.skipUnless(DEVICE == "cuda", "with one kind of device")
    def test_places(self):
        x = jax.device_put(numbers(4), jax.devices("cpu")[0])
        self.refuse(ValueError, "'x' is an array of cpu, this needs gpu's", lambda: self.decay(x, 1, 1, 4))


class Stream(unittest.TestCase):
    def test_stream(self):
        """What XLA calls on a GPU, without one."""
        here, own = os.path.dirname(os.path.abspath(__file__)), os.path.dirname(gw.__file__)
        source = os.path.join(here, "jax_stream.c")
        with tempfile.TemporaryDirectory() as folder:
            made, driver = os.path.join(folder, "stream"), os.path.join(folder, "libcuda.so.1")
            words = ["cc", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I", own, "-isystem",
                     jax.ffi.include_dir(), source]
            subprocess.run([*words, "-DFAKE_DRIVER", "-shared", "-fPIC", "-o", driver], check=True)
            subprocess.run([*words, "-o", made, "-ldl"], check=True)
            subprocess.run([made], env={**os.environ, "LD_LIBRARY_PATH": folder}, check=True)


if __name__ == "__main__" and sys.argv[1:2] in (["same"], ["other"]):
    run_exported(*sys.argv[1:])
elif __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        unittest.main(exit=False, verbosity=1).result.wasSuccessful() or sys.exit(1)
