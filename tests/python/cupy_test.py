#!/usr/bin/env python3
"""Kernels called with CuPy's arrays, against closed forms: numbers, vectors, structs, streams, workspaces, and
what is refused. Without a GPU NumPy's arrays on the CPU device stand in for them; GW_CUPY_DEVICE=cuda takes
CuPy's. Exits with 77 (skipped) where there is neither."""
import ctypes
import os
import sys
import tempfile
import threading
import unittest

DEVICE = os.environ.get("GW_CUPY_DEVICE", "cpu")
try:
    import numpy as np
    if DEVICE == "cuda":
        import cupy as xp
    else:
        xp = np
except ImportError as error:
    print(f"there is no NumPy, or no CuPy: {error}")
    sys.exit(77)
import gradwright as gw
from sources import HOST, KERNELS, ByDlpack

BODIES = """
struct body { float mass, x, y; int kind; };
__global__ void energy(float *out, const body *bodies, float weight, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = weight * bodies[i].mass * (bodies[i].x * bodies[i].x + bodies[i].y) * bodies[i].kind;
}
"""
BODY = np.dtype([("mass", "f4"), ("x", "f4"), ("y", "f4"), ("kind", "i4")])
ON_GPU = unittest.skipUnless(DEVICE == "cuda", "of a GPU")


def host(array):
    return array if isinstance(array, np.ndarray) else xp.asnumpy(array)


def same(own, theirs, **words):
    np.testing.assert_allclose(host(own), theirs, **{"rtol": 1e-12, **words})


def closed(x, k, steps):
    """decay's value, and its derivatives by x and by k."""
    v, by_x, by_k = x, np.ones_like(x), np.zeros_like(x)
    for _ in range(steps):
        by_x, by_k, v = by_x * (1 - 2 * k * v), by_k * (1 - 2 * k * v) - v * v, v * (1 - k * v)
    return v, by_x, by_k


def loaded():
    request = "decay: out wrt x, k"
    return gw.load(KERNELS, [request, "lengths: out wrt x"], DEVICE, derivatives=request, hvps=request)


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = loaded()

    def gradient(self, x, k, steps, **words):
        """Value and adjoints, and whether the seeds were consumed."""
        n, out = x.size, xp.zeros(x.shape)
        d_out, d_x, d_k = xp.arange(1.0, n + 1), xp.zeros(x.shape), xp.zeros(1)
        grid = (n + 31) // 32
        self.m.decay(grid, 32, out, x, k, steps, n, **words)
        self.m.decay_grad_launch(grid, 32, out, x, k, steps, n, d_out, d_x, d_k, **words)
        return out, d_x, d_k, d_out

    def test_by_position(self):
        x = np.linspace(0.1, 0.9, 70)
        out, d_x, d_k, d_out = self.gradient(xp.asarray(x), 0.4, 5)
        value, by_x, by_k = closed(x, 0.4, 5)
        same(out, value)
        same(d_x, by_x * np.arange(1, 71))
        same(d_k, [(by_k * np.arange(1, 71)).sum()])
        self.assertFalse(d_out.any())

    def test_by_name(self):
        x = np.linspace(0.1, 0.9, 6).reshape(2, 3)
        out, d_x, d_k = xp.zeros((2, 3)), xp.ones((2, 3)), xp.zeros(())
        given = {"block": 8, "grid": (1, 1), "n": 6, "x": xp.asarray(x), "out": out, "steps": 3, "k": 0.4}
        self.m.decay(**given)
        self.m.decay.grad_launch(d_k=d_k, d_x=d_x, d_out=xp.ones((2, 3)), **given)
        value, by_x, by_k = closed(x, 0.4, 3)
        same(out, value)
        same(d_x, 1 + by_x)  # added to what there was
        same(d_k, by_k.sum())

    def test_directions(self):
        x, ones, z = np.linspace(0.1, 0.9, 4), xp.ones(4), xp.zeros(4)
        out, t_out, d_x, d_k = xp.zeros(4), xp.zeros(4), xp.zeros(4), xp.zeros(1)
        self.m.decay_jvp_launch(1, 4, out, xp.asarray(x), 0.4, 1, 4, t_out, 2 * ones, 1.0)
        same(t_out, 2 * (1 - 0.8 * x) - x * x)
        t_d_x, t_d_k = xp.zeros(4), xp.zeros(1)
        self.m.decay_hvp_launch(1, 4, out, xp.asarray(x), 0.4, 1, 4, z, ones, 0.0, ones.copy(), d_x, d_k,
                                z.copy(), t_d_x, t_d_k)
        same(d_x, 1 - 0.8 * x)
        same(t_d_x, np.full(4, -0.8))
        same(t_d_k, [(-2 * x).sum()])

    def test_vectors(self):
        x = np.arange(6, dtype="f4")
        for shape in ((2, 3), (6,)):
            out, d_x = xp.zeros(2, "f4"), xp.zeros(shape, "f4")
            given = (1, 2, out, xp.asarray(x.reshape(shape)), 2)
            self.m.lengths(*given)
            self.m.lengths_grad_launch(*given, xp.ones(2, "f4"), d_x)
            same(out, [5, 50])
            same(d_x, 2 * x.reshape(shape))

    def test_structs(self):
        """CuPy has no structs: bytes."""
        m, n = gw.load(BODIES, "energy: out wrt bodies, weight", DEVICE), 5
        bodies = np.zeros(n, BODY)
        for i, name in enumerate(BODY.names):
            bodies[name] = np.arange(n) + i
        made, out, d_weight = xp.zeros(n * 16, "u1"), xp.zeros(n, "f4"), xp.zeros(1, "f4")
        given = (1, 8, out, xp.asarray(bodies.view("u1")), 2.0, n)
        m.energy(*given)
        m.energy_grad_launch(*given, xp.ones(n, "f4"), made, d_weight)
        mass, x, y, kind = (bodies[name].astype("f8") for name in BODY.names)
        same(out, 2 * mass * (x * x + y) * kind, rtol=1e-6)
        same(d_weight, [(mass * (x * x + y) * kind).sum()], rtol=1e-6)
        by = host(made).view(BODY)
        for name, wanted in (("mass", (x * x + y) * kind), ("x", 2 * mass * x * kind), ("y", mass * kind)):
            same(by[name], 2 * wanted, rtol=1e-6)
        if DEVICE == "cpu":
            m.energy(1, 8, out, bodies, 3.0, n)
            same(out, 3 * mass * (x * x + y) * kind, rtol=1e-6)

    def test_parts(self):
        """Parts of an array: from its middle on, by rows; nothing of it."""
        whole = np.linspace(0.1, 0.9, 12).reshape(3, 4)
        for part in (lambda a: a[1:], lambda a: a[2], lambda a: a.ravel()[5:], lambda a: a[:0]):
            x = part(xp.asarray(whole))
            out, d_x = xp.zeros(x.shape), xp.zeros(x.shape)
            given = (1, 16, out, x, 0.4, 2, x.size)
            self.m.decay(*given)
            self.m.decay_grad_launch(*given, xp.ones(x.shape), d_x, xp.zeros(1))
            value, by_x, _ = closed(part(whole), 0.4, 2)
            same(out, value)
            same(d_x, by_x)

    def test_dlpack(self):
        x, out = np.linspace(0.1, 0.9, 4), xp.zeros(4)
        if DEVICE == "cuda":
            xp.cuda.get_current_stream().synchronize()
        self.m.decay(1, 4, ByDlpack(out), ByDlpack(xp.asarray(x)), 0.4, 2, 4)
        same(out, closed(x, 0.4, 2)[0])
        with self.assertRaisesRegex(ValueError, "argument 'x' is not contiguous"):
            self.m.decay(1, 4, out, ByDlpack(xp.ones(8)[::2]), 0.4, 2, 4)

    def test_workspace(self):
        x = xp.asarray(np.linspace(0.1, 0.9, 4))
        given = (1, 4, xp.zeros(4), x, 0.4, 5, 4)
        size = self.m.decay_workspace_bytes(*given)
        self.assertEqual(size, 5 * 4 * 8)
        d_x = xp.zeros(4)
        self.m.decay_grad_launch(*given, xp.ones(4), d_x, xp.zeros(1), workspace=xp.zeros(size, "u1"))
        same(d_x, closed(host(x), 0.4, 5)[1])
        with self.assertRaisesRegex(gw.Error, r"\(workspace\)") as error:
            self.m.decay_grad_launch(*given, xp.ones(4), d_x, xp.zeros(1), workspace=xp.zeros(size - 1, "u1"))
        self.assertEqual(error.exception.status, 2)

    def test_threads(self):
        x, good = np.linspace(0.1, 0.9, 64), []

        def work(k):
            wanted = closed(x, k, 5)[1] * np.arange(1, 65)
            made = [host(self.gradient(xp.asarray(x), k, 5)[1]) for _ in range(20)]
            good.append(all(np.allclose(one, wanted, rtol=1e-12) for one in made))

        threads = [threading.Thread(target=work, args=(k,)) for k in (0.1, 0.3, 0.5)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(good, [True] * 3)


@ON_GPU
class Streams(unittest.TestCase):
    setUpClass = classmethod(Calls.setUpClass.__func__)
    gradient = Calls.gradient

    def late(self, n):
        """An array that becomes what it is after much work on the current stream."""
        x = xp.zeros(n)
        for _ in range(200):
            x += 0.4 / 200
        return x

    def test_current(self):
        """CuPy's own stream, which waits for no other: what it did before is seen, what comes behind sees."""
        n, k = 1 << 23, 0.4
        for _ in range(2):  # the second time nothing is allocated
            with xp.cuda.Stream(non_blocking=True) as stream:
                out, d_x, _, d_out = self.gradient(self.late(n), k, 5)
                doubled = 2 * out
            stream.synchronize()
            value, by_x, _ = closed(np.full(n, 0.4), k, 5)
            same(doubled, 2 * value, rtol=1e-9)
            same(d_x, by_x * np.arange(1, n + 1), rtol=1e-9)
            self.assertFalse(d_out.any())

    def test_given(self):
        stream = xp.cuda.Stream(non_blocking=True)
        with stream:
            x = self.late(1 << 23)
        made = []
        for given in (stream, stream.ptr):
            out = xp.zeros_like(x)
            xp.cuda.get_current_stream().synchronize()
            self.m.decay(1 << 15, 256, out, x, 0.4, 1, x.size, stream=given)
            stream.synchronize()
            made.append(out)
        for out in made:
            same(out, np.full(x.size, 0.4 * (1 - 0.16)), rtol=1e-9)

    def test_beside(self):
        """A workspace each."""
        x, made = np.linspace(0.1, 0.9, 1 << 16), []
        for k in (0.1, 0.2, 0.3, 0.4):
            with xp.cuda.Stream(non_blocking=True):
                made.append((k, self.gradient(xp.asarray(x), k, 50)[1]))
        xp.cuda.Device().synchronize()
        for k, d_x in made:
            same(d_x, closed(x, k, 50)[1] * np.arange(1, x.size + 1))


class Chosen(unittest.TestCase):
    def test_stream(self):
        """What a launch is given, with no GPU and nothing launched."""
        f, seen = loaded().decay, []
        at = [p.name for p in f.parameters].index("stream")
        f._on_gpu = True
        f._packed = lambda places, result: seen.append(ctypes.c_void_p.from_address(places[at]).value)

        def array(**said):
            interface = {"typestr": "<f8", "shape": (4,), "data": (4096, False), "version": 3, **said}
            return type("Array", (), {"__cuda_array_interface__": interface})()

        for said in ({"stream": 7}, {"stream": 1}, {}):
            f(1, 4, array(**said), array(**said), 0.4, 1, 4)
        f(1, 4, array(stream=7), array(stream=7), 0.4, 1, 4, stream=9)
        f(1, 4, array(stream=7), array(), 0.4, 1, 4)
        self.assertEqual(seen, [7, None, None, 9, 7])  # None: CUDA's own, which is 0
        with self.assertRaisesRegex(ValueError, "arguments 'out' and 'x' are on two streams; give stream="):
            f(1, 4, array(stream=7), array(stream=8), 0.4, 1, 4)


class Refused(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m, cls.host = loaded(), gw.load(HOST, "length: wrt x", DEVICE)

    def refuse(self, kind, words, x, out=None, **named):
        out = xp.zeros(4) if out is None else out
        adjoints = (xp.ones(4), xp.zeros(4), xp.zeros(1))
        for call, more in ((self.m.decay, ()), (self.m.decay_grad_launch, adjoints)):
            with self.assertRaisesRegex(kind, f"^{call.name}: argument {words}"):
                call(1, 4, out, x, 0.4, 1, 4, *more, **named)

    def test_types(self):
        for dtype, name in (("f4", "float32"), ("f2", "float16"), ("i8", "int64"), ("c16", "complex128"),
                            ("?", "bool")):
            self.refuse(TypeError, f"'x' must be of float64, not {name}", xp.zeros(4, dtype))
        self.refuse(TypeError, "'x' must be an array, not list", [1.0])
        self.refuse(TypeError, "'x' is None; gradwright.null", None)

    def test_pieces(self):
        whole = xp.zeros((4, 4))
        for part in (whole[:, 0], whole.T, whole[::2], whole[::-1], whole[1:, 1:],
                     xp.broadcast_to(xp.zeros(1), (4,)), xp.asfortranarray(whole)):
            self.refuse(ValueError, "'x' is not contiguous", part)
        self.refuse(ValueError, "'out' is not contiguous", whole[0], out=whole[:, 1])

    def test_sizes(self):
        for short, words in (((3, 4), "'d_x' has 24 bytes, 'x' has 32"), ((4, 3), "'d_out' has 24 bytes")):
            d_x, d_out = (xp.zeros(n) for n in short)
            with self.assertRaisesRegex(ValueError, words):
                self.m.decay_grad_launch(1, 4, xp.zeros(4), xp.zeros(4), 0.4, 1, 4, d_out, d_x, xp.zeros(1))
        with self.assertRaisesRegex(ValueError, "'d_k' has 0 bytes, it is of one double"):
            self.m.decay_grad_launch(1, 4, xp.zeros(4), xp.zeros(4), 0.4, 1, 4, xp.zeros(4), xp.zeros(4),
                                     xp.zeros(0))

    def test_freed(self):
        name = "__cuda_array_interface__" if DEVICE == "cuda" else "__array_interface__"
        interface = {**getattr(xp.zeros(4), name), "data": (0, False)}
        self.refuse(ValueError, "'x' has no memory: it was freed", type("Gone", (), {name: interface})())

    def test_readonly(self):
        name = "__cuda_array_interface__" if DEVICE == "cuda" else "__array_interface__"
        array = xp.zeros(4)
        interface = {**getattr(array, name), "data": (getattr(array, name)["data"][0], True)}
        frozen = type("Frozen", (), {name: interface})()
        self.refuse(ValueError, "'out' can only be read, and the function writes to it", array, out=frozen)

    @ON_GPU
    def test_places(self):
        self.refuse(ValueError, "'x' is memory of the host, this needs a GPU's", np.zeros(4))
        self.refuse(ValueError, "'out' is memory of the host", xp.zeros(4), out=np.zeros(4))
        with self.assertRaisesRegex(ValueError, "'x' is memory of a GPU, this needs the host's"):
            self.host.length_grad(xp.zeros(4), 1.0, 4)
        self.assertEqual(list(self.host.length_grad(np.ones(2), 1.0, 2)), [3, 3])

    def test_launch(self):
        x = xp.zeros(4)
        with self.assertRaisesRegex(gw.Error, r"needs blockDim.y == 1 .*\(launch\)") as error:
            self.m.decay_grad_launch(1, (2, 2), x.copy(), x, 0.4, 1, 4, x.copy(), x.copy(), xp.zeros(1))
        self.assertEqual(error.exception.status, 1)
        with self.assertRaisesRegex(gw.Error, r"\(cuda\)"):
            self.m.decay(1, 5000, x.copy(), x, 0.4, 1, 4)
        self.m.decay(1, 4, x.copy(), x, 0.4, 1, 4)  # the failure was that call's alone


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        unittest.main(exit=False, verbosity=1).result.wasSuccessful() or sys.exit(1)
