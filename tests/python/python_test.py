#!/usr/bin/env python3
"""The Python package: values and gradients against closed forms, arrays of several kinds, and what is refused,
each with the argument's name. Exits with 77 (skipped) where there is no NumPy."""
import array
import ctypes
import gc
import os
import subprocess
import sys
import tempfile
import threading
import unittest

try:
    import numpy as np
except ImportError:
    print("there is no NumPy")
    sys.exit(77)
import gradwright as gw
from sources import ByDlpack

HOST = """
#include <gradwright/gradwright.h>
#include <cmath>
#include <vector>
struct point { double x, y; };
double f(double x, double y) { return std::sin(x) * y; }
void squares(double *y, const double *x, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * x[i]; }
double length(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
double total(const std::vector<double> &x) { double s = 0; for (double v : x) s += v * v * v; return s; }
double norm(point p) { return p.x * p.x + p.y * p.y; }
double second(const std::vector<double> &x) { return x.at(1) * x.at(1); }
namespace a { template <class T> T cube(const T &x) { return x * x * x; } }
template float a::cube<float>(const float &);
"""
REQUESTS = ["f: wrt x, y", "squares: y wrt x", "length: wrt x", "total: wrt x", "norm: wrt p",
            "a::cube<float>: wrt x"]
KERNELS = """
__global__ void decay(float *out, const float *x, float k, int steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int s = 0; s < steps; s++) v = v * (1 - k * v);
    out[i] = v;
}
__global__ void lengths(float *out, const float3 *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z;
}
"""


class Host(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = gw.load(HOST, REQUESTS, derivatives=["f: wrt x", "second: wrt x"])

    def test_values(self):
        self.assertAlmostEqual(self.m.f(0.5, 3), np.sin(0.5) * 3, 14)
        d_x, d_y = self.m.f_grad(0.5, y=3)
        self.assertAlmostEqual(d_x, 3 * np.cos(0.5), 14)
        self.assertAlmostEqual(d_y, np.sin(0.5), 14)
        self.assertEqual(self.m.f.grad(0.5, 3), (d_x, d_y))
        t = np.zeros(1)
        self.assertAlmostEqual(self.m.f_jvp(0.5, 3, 2, t), np.sin(0.5) * 3, 14)
        self.assertAlmostEqual(t[0], 6 * np.cos(0.5), 14)

    def test_arrays(self):
        x = np.array([1.0, 2, 3])
        y, d_y, d_x = np.zeros(3), np.array([1.0, 10, 100]), np.zeros(3)
        self.m.squares(y, x, 3)
        self.m.squares_grad(y, x, 3, d_x=d_x, d_y=d_y)
        self.assertEqual((list(y), list(d_x), list(d_y)), ([1, 4, 9], [2, 40, 600], [0, 0, 0]))
        self.assertEqual(list(self.m.length_grad(x, 3)), [2, 4, 6])
        self.assertEqual(list(self.m.total_grad(x)), [3, 12, 27])
        self.assertEqual(self.m.length(array.array("d", [3, 4]), 2), 25)
        self.assertEqual(self.m.length((ctypes.c_double * 2)(3, 4), 2), 25)

    def test_dlpack(self):
        self.assertEqual(self.m.length(ByDlpack(np.array([3.0, 4])), 2), 25)
        with self.assertRaisesRegex(TypeError, "argument 'x' must be of float64, not float32"):
            self.m.length(ByDlpack(np.ones(2, "f4")), 2)
        with self.assertRaisesRegex(ValueError, "'x' is not contiguous"):
            self.m.length(ByDlpack(np.ones(4)[::2]), 2)

    def test_structs(self):
        self.assertEqual(self.m.norm((3, 4)), 25)
        d = self.m.norm_grad(np.array([3.0, 4]))
        self.assertEqual(list(d), [6, 8])
        with self.assertRaisesRegex(ValueError, "'p' has 3 numbers"):
            self.m.norm((1, 2, 3))

    def test_templates(self):
        d_x = np.zeros(1, "f4")
        self.m["a::cube_grad<float>"](np.float32(2), d_x)
        self.assertEqual(d_x[0], 12)
        self.assertIs(self.m.cube_grad, self.m["a::cube_grad<float>"])

    def refuse(self, kind, words, call):
        with self.assertRaisesRegex(kind, words):
            call()

    def test_refused(self):
        m, x, n = self.m, np.ones(3), 3
        self.refuse(TypeError, "'x' must be of float64, not int64", lambda: m.length(np.arange(3), n))
        self.refuse(ValueError, "'x' is not contiguous", lambda: m.length(np.ones(6)[::2], n))
        self.refuse(TypeError, "'x' is None", lambda: m.length(None, n))
        self.refuse(TypeError, "'x' must be an array, not float", lambda: m.length(1.0, n))
        self.refuse(TypeError, "'n' must be a number", lambda: m.length(x, 3.5))
        self.refuse(ValueError, "'n' is 4294967296, which is no int32", lambda: m.length(x, 1 << 32))
        self.refuse(TypeError, "'n' is missing", lambda: m.length(x))
        self.refuse(TypeError, "takes 2 arguments, 3 are given", lambda: m.length(x, n, 0))
        self.refuse(TypeError, "no parameter 'm'", lambda: m.length(x, m=3))
        self.refuse(TypeError, "'x' is given twice", lambda: m.length(x, n, x=x))
        self.refuse(TypeError, "'d_y' is missing", lambda: m.squares_grad(x, x, n))
        self.refuse(ValueError, "'d_x' has 16 bytes, 'x' has 24", lambda: m.length_grad(x, n, np.zeros(2)))
        self.refuse(ValueError, "'d_y' has 0 bytes", lambda: m.f_grad(1, 2, np.zeros(1), np.zeros(0)))
        self.refuse(ValueError, "'x' has 0 bytes", lambda: m.cube_grad(np.zeros(0, "f4"), np.zeros(1, "f4")))
        frozen = np.zeros(3)
        frozen.flags.writeable = False
        self.refuse(ValueError, "'y' can only be read", lambda: m.squares(frozen, x, n))
        frozen = memoryview(bytes(24)).cast("d")
        self.refuse(ValueError, "'y' can only be read", lambda: m.squares(frozen, x, n))
        self.refuse(AttributeError, "no function 'g'; there are f,", lambda: m.g)
        self.refuse(gw.Error, "second: exception: vector", lambda: m.second(np.ones(1)))
        self.assertEqual(m.second(np.array([1.0, 3])), 9)

    def test_gpu_memory(self):
        class OnGpu:
            __cuda_array_interface__ = {"typestr": "<f8", "shape": (3,), "data": (4096, False), "version": 3}

        self.refuse(ValueError, "'x' is memory of a GPU", lambda: self.m.length(OnGpu(), 3))

    def test_lifetime(self):
        f = gw.load("double once(double x) { return 5 * x; }", "once: wrt x").once_grad
        gc.collect()
        self.assertEqual(f(1), 5)

    def test_threads(self):
        good = []

        def work(i):
            x = np.full(1000, float(i))
            good.append(all((self.m.length_grad(x, 1000) == 2 * i).all() for _ in range(50)))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(good, [True] * 4)

    def test_errors_of_threads(self):
        """Each has its own text, and others go on."""
        said, n = {}, 20

        def fail(name, call):
            said[name] = set()
            for _ in range(n):
                try:
                    call()
                except (gw.Error, ValueError) as error:
                    said[name].add(str(error))

        work = {"exception": lambda: self.m.second(np.ones(1)),
                "number": lambda: self.m.length(np.ones(1), 1 << 32),
                "good": lambda: self.m.length_grad(np.ones(9), 9)}
        threads = [threading.Thread(target=fail, args=one) for one in work.items()]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual({name: len(texts) for name, texts in said.items()},
                         {"exception": 1, "number": 1, "good": 0})
        self.assertRegex(*said["exception"], "^second: exception: vector")
        self.assertRegex(*said["number"], "argument 'n' is 4294967296")

    def test_fork(self):
        child = os.fork()
        if child == 0:
            os._exit(0 if self.m.f(0, 1) == 0 and self.m.length(np.ones(4), 4) == 4 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_nothing_kept(self):
        """The results of a call that fails, and of one that does not."""
        x = np.ones(1)
        for _ in range(3):
            self.refuse(gw.Error, "exception: vector", lambda: self.m.second(x))
            self.refuse(TypeError, "'n' must be a number", lambda: self.m.length(x, None))
            self.m.length_grad(x, 1)
        gc.collect()
        self.assertEqual(sys.getrefcount(x), 2)


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = gw.load(KERNELS, ["decay: out wrt x, k", "lengths: out wrt x"])

    def decay(self, x, k, steps):
        out = np.zeros_like(x)
        self.m.decay(1, len(x), out, x, k, steps, len(x))
        return out

    def test_against_differences(self):
        x, k, steps, n = np.linspace(0.1, 0.8, 8).astype("f4"), 0.5, 6, 8
        weight = np.arange(1, n + 1).astype("f4")
        out, d_out, d_x, d_k = np.zeros_like(x), weight.copy(), np.zeros_like(x), np.zeros(1, "f4")
        self.m.decay_grad_launch(1, n, out, x, k, steps, n, d_out, d_x, d_k)
        h = 1e-2
        loss = lambda v, c: float((self.decay(v.astype("f4"), c, steps).astype("f8") * weight).sum())
        for i in range(n):
            e = np.eye(n)[i] * h
            self.assertAlmostEqual(d_x[i], (loss(x + e, k) - loss(x - e, k)) / (2 * h), delta=2e-3 * n)
        self.assertAlmostEqual(d_k[0], (loss(x, k + h) - loss(x, k - h)) / (2 * h), delta=2e-2)
        self.assertFalse(d_out.any())

    def test_fork(self):
        """After launches, whose threads a child does not have."""
        x = np.linspace(0.1, 0.8, 4096).astype("f4")
        out, again = np.zeros_like(x), np.zeros_like(x)
        launch = lambda y: self.m.decay(64, 64, y, x, 0.5, 3, 4096)
        launch(out)
        child = os.fork()
        if child == 0:
            launch(again)
            os._exit(0 if (out == again).all() and out.any() else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_workspace(self):
        x = np.full(4, 0.5, "f4")
        arguments = (np.zeros(4, "f4"), x, 0.5, 3, 4)
        bytes_of = self.m.decay_workspace_bytes
        self.assertEqual(bytes_of(1, 4, *arguments), 3 * 4 * 4)
        adjoints = lambda: (np.ones(4, "f4"), np.zeros(4, "f4"), np.zeros(1, "f4"))
        own, given = adjoints(), adjoints()
        self.m.decay_grad_launch(1, 4, *arguments, *own)
        self.m.decay_grad_launch(1, 4, *arguments, *given, workspace=np.zeros(6))
        self.assertTrue((own[1] == given[1]).all() and own[1].any())
        with self.assertRaisesRegex(gw.Error, r"\(workspace\)") as error:
            self.m.decay_grad_launch(1, 4, *arguments, *adjoints(), workspace=np.zeros(5))
        self.assertEqual(error.exception.status, 2)

    def test_vectors(self):
        x = np.arange(6, dtype="f4").reshape(2, 3)
        out, d_x = np.zeros(2, "f4"), np.zeros((2, 3), "f4")
        self.m.lengths(1, (2, 1, 1), out, x, 2)
        self.m.lengths.grad_launch(grid=1, block=2, out=out, x=x, n=2, d_out=np.ones(2, "f4"), d_x=d_x)
        self.assertEqual(list(out), [5, 50])
        self.assertTrue((d_x == 2 * x).all())
        with self.assertRaisesRegex(ValueError, "'x' has 16 bytes, which is no multiple of 12"):
            self.m.lengths(1, 2, out, np.zeros(4, "f4"), 2)

    def test_refused(self):
        x, out = np.ones(4, "f4"), np.zeros(4, "f4")
        with self.assertRaisesRegex(gw.Error, r"needs blockDim.y == 1 .*\(launch\)") as error:
            self.m.decay_grad_launch(1, (2, 2), out, x, 1, 1, 4, out.copy(), out.copy(), np.zeros(1, "f4"))
        self.assertEqual(error.exception.status, 1)
        with self.assertRaisesRegex(gw.Error, "'d_x' is null"):
            self.m.decay_grad_launch(1, 4, out, x, 1, 1, 4, out.copy(), gw.null, np.zeros(1, "f4"))
        with self.assertRaisesRegex(gw.Error, r"\(cuda\)"):
            self.m.decay(1, 5000, out, x, 1, 1, 4)
        with self.assertRaisesRegex(ValueError, "'grid' is -1, which is no uint32"):
            self.m.decay(-1, 4, out, x, 1, 1, 4)


class Forms(unittest.TestCase):
    def test_program(self):
        m = gw.load("""
__global__ void step(float *v, const float *u, float rate) {
    int i = threadIdx.x;
    v[i] = u[i] * u[i] * rate;
}
cudaError_t grow(float *y, const float *x, float rate, int n, cudaStream_t stream) {
    float *u;
    cudaMalloc(&u, n * sizeof(float));
    step<<<1, n, 0, stream>>>(u, x, rate);
    step<<<1, n, 0, stream>>>(y, u, rate);
    cudaFree(u);
    return cudaGetLastError();
}
float first(const float *x, float rate, cudaStream_t stream) {
    float *u, made;
    cudaMalloc(&u, sizeof(float));
    step<<<1, 1, 0, stream>>>(u, x, rate);
    cudaMemcpy(&made, u, sizeof made, cudaMemcpyDefault);
    cudaFree(u);
    return made;
}
""", "grow: y wrt x, rate", derivatives=["grow: y wrt x, rate", "first: wrt x, rate"])
        y, x, d_y, d_x = (gw.managed(2) for _ in range(4))
        d_rate = np.zeros(1, "f4")
        x[:], d_y[:] = (1, 2), 1
        self.assertEqual(m.grow(y, x, 3, 2, None), 0)
        self.assertEqual(list(y), [27, 27 * 16])  # rate^3 x^4
        m.grow_grad(y, x, 3, 2, stream=None, d_y=d_y, d_x=d_x, d_rate=d_rate)
        self.assertEqual((list(d_x), d_rate[0]), ([4 * 27, 4 * 27 * 8], 3 * 9 * 17))
        t_y, t_x = gw.managed(2), gw.managed(2)
        t_x[:] = 1, 0
        m.grow_jvp(y, x, 3, 2, stream=None, t_y=t_y, t_x=t_x, t_rate=1)
        self.assertEqual(list(t_y), [4 * 27 + 3 * 9, 3 * 9 * 16])
        value, tangent = np.zeros(1, "f4"), np.zeros(1, "f4")
        m.first_jvp(x, 3, stream=None, t_x=t_x, t_rate=1, returned=value, t_return=tangent)
        self.assertEqual((value[0], tangent[0]), (3, 2 * 3 + 1))
        with self.assertRaisesRegex(TypeError, "'x' must be of float32, not float64"):
            m.grow(y, x.astype("f8"), 3, 2, None)

    def test_thrust_vectors(self):
        m = gw.load("""
#include <thrust/device_vector.h>
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
void squares(thrust::device_vector<float> &y, const thrust::device_vector<float> &x) {
    square<<<1, 2>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(x.data()));
}
""", "squares: y wrt x")
        x = np.ones(2, "f4")
        with self.assertRaisesRegex(TypeError, "'y' is a vector of Thrust's"):
            m.squares_grad(x, x, x, x)

    def test_halves(self):
        m = gw.load("""
__global__ void layer(float *out, const float *x) { int i = threadIdx.x; out[i] = tanhf(x[i]) * expf(x[i]); }
""", splits="layer: out wrt x")
        x, out, d_x = np.array([0.1, 0.2], "f4"), np.zeros(2, "f4"), np.zeros(2, "f4")
        tape = np.zeros(m.layer_tape_bytes(1, 2, out, x), "u1")
        m.layer_fwd_launch(1, 2, out, x, tape, tape.size)
        m.layer_bwd_launch(1, 2, out, x, np.ones(2, "f4"), d_x, tape, tape.size)
        np.testing.assert_allclose(out, np.tanh(x) * np.exp(x), rtol=1e-5)
        np.testing.assert_allclose(d_x, (1 - np.tanh(x) ** 2 + np.tanh(x)) * np.exp(x), rtol=1e-5)
        with self.assertRaisesRegex(gw.Error, "needs a tape of"):
            m.layer_fwd_launch(1, 2, out, x, tape, 0)

    def test_same_bits(self):
        """Slots lie in a workspace that is filled by the device: NumPy's own memory is none of it."""
        m = gw.load('''
#include <gradwright/gradwright.h>
__global__ void gather(float *out, const float *x, const int *ids, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[ids[i]] * x[ids[i]];
}
''', "gather: out wrt x", arguments=["--deterministic"])
        x, ids, d_x = np.array([2, 3], "f4"), np.array([0, 1, 1, 0, 1], "i4"), np.zeros(2, "f4")
        words = {p.name: 2 for p in m.gather_grad_launch.parameters if p.role == "size"}
        m.gather.grad_launch(1, 8, np.zeros(5, "f4"), x, ids, 5, d_out=np.ones(5, "f4"), d_x=d_x, **words)
        self.assertEqual(list(d_x), [8, 18])

    def test_measured(self):
        m = gw.load("""
__global__ void trips(float *out, const float *x, const int *n) {
    int i = threadIdx.x;
    float v = x[i];
    for (int k = 0; k < n[i]; k++) v = v * v + 0.5f;
    out[i] = v;
}
""", "trips: out wrt x")
        x, n, d_x = np.array([0.5, 1], "f4"), np.array([1, 2], "i4"), np.zeros(2, "f4")
        m.trips_grad_alloc(1, 2, np.zeros(2, "f4"), x, n, np.ones(2, "f4"), d_x)
        self.assertEqual(list(d_x), [1, 6])


    def test_second(self):
        request = "well: wrt x, k"
        m = gw.load("double well(const double *x, double k) { return k * x[0] * x[0] * x[1]; }",
                    request, hvps=[request])
        x, k = np.array([2.0, 3]), 5.0
        d_x, d_k, t_d_x, t_d_k = m.well_hvp(x, k, t_x=np.array([1.0, 0]), t_k=0)
        self.assertEqual((list(d_x), d_k), ([2 * k * 6, 4 * k], 12))
        self.assertEqual((list(t_d_x), t_d_k), ([2 * k * 3, 2 * k * 2], 12))
        self.assertEqual(list(m.well_grad(x, k)[0]), list(d_x))
        with self.assertRaisesRegex(ValueError, "'t_x' has 8 bytes, 'x' has 16"):
            m.well_hvp(x, k, np.ones(1), 0)
        m = gw.load('''
__global__ void cubes(double *y, const double *x, int steps) {
    int i = threadIdx.x;
    double v = 1;
    for (int s = 0; s < steps; s++) v *= x[i];
    y[i] = v;
}
''', "cubes: y wrt x", hvps="cubes: y wrt x", derivatives="cubes: y wrt x")
        y, z, ones = np.zeros(2), np.zeros(2), np.ones(2)
        d_x, t_d_x = np.zeros(2), np.zeros(2)
        m.cubes_hvp_launch(1, 2, y, x, 3, z, ones, ones, d_x, z.copy(), t_d_x)
        self.assertEqual((list(d_x), list(t_d_x)), ([12, 27], [12, 18]))


class Loading(unittest.TestCase):
    def test_beside_cudart(self):
        """As PyTorch for GPUs does, another CUDA runtime is loaded first, for all to see."""
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "other.c"), os.path.join(folder, "other.so")
            names = ("cudaLaunchKernel", "__cudaRegisterFatBinary", "cudaGetLastError", "cudaPeekAtLastError")
            with open(source, "w", encoding="utf-8") as file:
                file.writelines(f"int {name}(void) {{ return 35; }}\n" for name in names)
            with open(os.path.join(folder, "map"), "w", encoding="utf-8") as file:
                file.write("libcudart.so.12 { global: *; };\n")
            subprocess.run(["cc", "-shared", "-fPIC", f"-Wl,--version-script={file.name}", "-o", made, source],
                           check=True)
            program = f'''
import ctypes, array
ctypes.CDLL({made!r}, ctypes.RTLD_GLOBAL)
import gradwright as gw
m = gw.load("__global__ void k(float *y, const float *x) {{ *y = *x * *x; }}", "k: y wrt x")
y = array.array("f", [0])
m.k(1, 1, y, array.array("f", [3]))
assert y[0] == 9
'''
            subprocess.run([sys.executable, "-c", program], check=True)

    def test_diagnostics(self):
        with self.assertRaisesRegex(gw.CompileError, r"source.cpp:1:\d+: error"):
            gw.load("double f(double x) { return x * ; }", "f: wrt x")
        with self.assertRaisesRegex(gw.CompileError, "nowhere.cu"):
            gw.load("nowhere.cu")
        with self.assertRaisesRegex(gw.CompileError, "'g'"):
            gw.load("double f(double x) { return x; }", "g: wrt x")

    def test_report(self):
        m = gw.load(KERNELS, "decay: out wrt x, k")
        self.assertIn("decay_grad", m.report())
        self.assertRegex(m._repr_html_(), "^<iframe srcdoc=\"&lt;!DOCTYPE")

    def test_file_and_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write("double f(double x) { return FACTOR * x * x; }\n")
            load = lambda factor: gw.load(path, "f: wrt x", flags=[f"-DFACTOR={factor}"], cache=folder)
            first, other, again = load(2), load(3), load(2)
            self.assertEqual((first.f_grad(1), other.f_grad(1), again.f_grad(1)), (4, 6, 4))
            self.assertEqual((first.was_cached, other.was_cached, again.was_cached), (False, False, True))

    def test_command(self):
        command = [sys.executable, "-m", "gradwright", "--version"]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertRegex(said, "^gradwright ")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        unittest.main(exit=False, verbosity=1).result.wasSuccessful() or sys.exit(1)
