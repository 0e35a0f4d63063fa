#!/usr/bin/env python3
"""Jacobians, dense and sparse, Hessians, third derivatives and those along a screen from Python, against closed
forms. With SciPy a sparse one is its csr_matrix. Exits with 77 (skipped) where there is no NumPy."""
import gc
import os
import sys
import tempfile
import threading
import unittest
import weakref

try:
    import numpy as np
except ImportError:
    print("there is no NumPy")
    sys.exit(77)
try:
    import scipy.sparse
except ImportError:
    scipy = None
import gradwright as gw

SOURCE = """
void springs(double *force, const double *x, double k, const int *ends, int n, int m) {
    (void)n;
    for (int i = 0; i < m; i++) {
        const double length = x[ends[2 * i + 1]] - x[ends[2 * i]];
        force[i] = k * length * length;
    }
}
void smooth(float *y, const float *x, int n) {
    for (int i = 0; i + 1 < n; i++) y[i] = x[i + 1] * x[i + 1] - x[i];
}
double spring(const double *x, double k, int n) { return k * (x[n - 1] - x[0]) * (x[n - 1] - x[0]); }
double power(double x) { return x * x * x * x; }
void look(double *uv, double x, double y, double tilt) { uv[0] = x * y * tilt; uv[1] = x * x; }
"""
SPRINGS = "force[0:m] wrt x[0:n], k"
X, K, ENDS = np.array([0.0, 1, 3, 7]), 2.0, np.array([0, 1, 1, 3, 2, 3], "i4")


def closed(x, k, ends):
    made = np.zeros((len(ends) // 2, len(x) + 1))
    for i, (a, b) in enumerate(ends.reshape(-1, 2)):
        made[i, [a, b]] = -2 * k * (x[b] - x[a]), 2 * k * (x[b] - x[a])
        made[i, -1] = (x[b] - x[a]) ** 2
    return made


def dense(matrix, shape):
    if scipy:
        assert isinstance(matrix, scipy.sparse.csr_matrix) and matrix.shape == shape
        return matrix.toarray()
    indptr, indices, data = matrix
    made = np.zeros(shape, data.dtype)
    for i in range(shape[0]):
        made[i, indices[indptr[i]:indptr[i + 1]]] = data[indptr[i]:indptr[i + 1]]
    return made


def load():
    return gw.load(SOURCE, "springs: force wrt x, k",
                   jacobians=[f"springs: sparse {SPRINGS}", f"springs: whole = {SPRINGS}",
                              "smooth: y[0:n - 1] wrt x[0:n]", "smooth: some = sparse y[0:n - 1] wrt x[0:n]"],
                   hessians="spring: wrt x[0:n], k", thirds="power: wrt x", screens="look: uv wrt x, y")


class Matrices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.m = load()

    def springs(self, x=X, ends=ENDS, **words):
        force = np.zeros(len(ends) // 2)
        made = self.m.springs.jacobian(force, x, K, ends, len(x), len(force), **words)
        np.testing.assert_allclose(force, K * (x[ends[1::2]] - x[ends[::2]]) ** 2)
        return made

    def check(self, matrix, x=X, ends=ENDS):
        wanted = closed(x, K, ends)
        np.testing.assert_allclose(dense(matrix, wanted.shape), wanted, rtol=1e-14)

    def test_dense(self):
        force = np.zeros(3)
        made = self.m.whole(force, X, K, ENDS, n=4, m=3)
        np.testing.assert_allclose(made, closed(X, K, ENDS), rtol=1e-14)
        given = np.full((3, 5), np.nan)
        self.assertIsNone(self.m.whole(force, X, K, ENDS, 4, 3, given))
        np.testing.assert_array_equal(given, made)
        y, x = np.zeros(2, "f4"), np.array([1, 2, 3], "f4")
        made = self.m.smooth.jacobian(y, x, 3)
        self.assertEqual((made.dtype, made.tolist(), list(y)), ("f4", [[-1, 4, 0], [0, -1, 6]], [3, 7]))

    def test_hessian(self):
        made = self.m.spring.hessian(np.array([1.0, 3]), 5, n=2)
        self.assertEqual(made.tolist(), [[10, -10, -4], [-10, 10, 4], [-4, 4, 0]])

    def test_third(self):
        self.assertEqual(self.m.power.third(2, 1, 3, 0), (4 * 8, 12 * 4, 3 * 48, 3 * 24 * 2))

    def test_screen(self):
        uv, by_x, by_y = np.zeros(2), np.zeros(2), np.zeros(2)
        self.m.look.screen(uv, 2, 3, 0.5, by_x, by_y, 1, 0, 0, 1)
        self.assertEqual((list(uv), list(by_x), list(by_y)), ([3, 4], [1.5, 4], [1, 0]))

    def test_sparse(self):
        first = self.springs()
        self.check(first)
        self.check(self.springs(x=X ** 2), x=X ** 2)
        self.check(first)  # a copy: the second call has written to the handle
        y, x = np.zeros(2, "f4"), np.array([1, 2, 3], "f4")
        made = dense(self.m.some(y, x, 3), (2, 3))
        self.assertEqual((made.dtype, made.tolist()), ("f4", [[-1, 4, 0], [0, -1, 6]]))

    def test_kept(self):
        other = ENDS[::-1].copy()
        with gw.Sparse() as kept:
            self.check(self.springs(matrix=kept))
            self.assertEqual((kept.is_new, kept.rows, kept.columns, kept.entries), (True, 3, 5, 9))
            self.springs(matrix=kept)
            self.assertEqual((kept.is_new, kept.runs, kept.by_rows), (False, 1, False))
            self.check(self.springs(ends=other, matrix=kept), ends=other)
            self.assertTrue(kept.is_new)
        self.check(self.springs(matrix=kept))  # as good as new
        self.assertTrue(kept.is_new)

    def test_empty(self):
        made = self.m.springs.jacobian(np.zeros(0), X, K, ENDS[:0], 4, 0)
        self.assertEqual(dense(made, (0, 5)).size, 0)

    def test_modules(self):
        """A handle that has been in one goes to another, and outlives both."""
        kept, other = gw.Sparse(), gw.load(SOURCE, jacobians=f"springs: all = sparse {SPRINGS}")
        self.check(self.springs(matrix=kept))
        self.check(other.all(np.zeros(3), X, K, ENDS, 4, 3, matrix=kept))
        self.check(other.all(np.zeros(3), X, K, ENDS, 4, 3))
        gone = weakref.ref(other)
        del other
        gc.collect()
        self.assertIsNone(gone())
        self.check(self.springs(matrix=kept))
        kept.free()

    def test_threads(self):
        good = []

        def work(scale):
            for _ in range(50):
                self.check(self.springs(x=scale * X), x=scale * X)
            good.append(scale)

        threads = [threading.Thread(target=work, args=(scale,)) for scale in (1, 2, 3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(sorted(good), [1, 2, 3])

    def test_refused(self):
        given = (np.zeros(3), X, K, ENDS, 4, 3)
        with self.assertRaisesRegex(ValueError, "'matrix' has 112 bytes, 3 x 5 numbers of 8 are more"):
            self.m.whole(*given, np.zeros(14))
        with self.assertRaisesRegex(TypeError, "'matrix' must be of float64, not float32"):
            self.m.whole(*given, np.zeros(15, "f4"))
        with self.assertRaisesRegex(TypeError, "'matrix' must be a gradwright.Sparse, not ndarray"):
            self.m.springs_jacobian(*given, np.zeros(15))
        with self.assertRaisesRegex(TypeError, "'m' is missing"):
            self.m.whole(*given[:-1])
        with gw.Sparse() as kept, kept.lock, self.assertRaisesRegex(ValueError, "'matrix' is in another call"):
            self.m.springs_jacobian(*given, kept)
        with self.assertRaisesRegex(TypeError, "'x' must be of float64"):
            self.springs(x=X.astype("f4"))
        self.check(self.springs())  # which has let go of the handle

    def test_operations(self):
        """Parts of a matrix are no gradient of the function, nor forward derivatives for an operation."""
        forms = {name: f.form for name, f in self.m.functions.items()
                 if f.function == "springs" and not f.is_part}
        self.assertEqual(forms, {"springs": "primal", "springs_grad": "gradient", "whole": "jacobian",
                                 "springs_jacobian": "jacobian", "whole_shape": "shape"})
        self.assertEqual(self.m.look_screen.form, "screen")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        unittest.main(exit=False, verbosity=1).result.wasSuccessful() or sys.exit(1)
