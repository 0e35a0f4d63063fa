"""Sparse Jacobians: the handle of gradwright/sparse.h, and the matrix that is in it."""
import ctypes
import threading
import weakref

_FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Handle(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_int), ("columns", ctypes.c_int), ("entries", ctypes.c_int),
                ("row_begin", ctypes.POINTER(ctypes.c_int)), ("column", ctypes.POINTER(ctypes.c_int)),
                ("value", ctypes.POINTER(ctypes.c_double)), ("value_f", ctypes.POINTER(ctypes.c_float)),
                ("runs", ctypes.c_int), ("by_rows", ctypes.c_bool), ("is_new", ctypes.c_bool),
                ("from_", ctypes.c_void_p), ("to", ctypes.c_void_p), ("work", ctypes.c_void_p)]


class Handles:
    """Those that a module's runtime has filled. They end with their Sparse, or with the module, whose code it
    is that frees them; so this does not keep the module."""

    def __init__(self, address):
        self.free, self.used = _FREE(address), {}

    def make(self):
        handle = _Handle()
        self.used[id(handle)] = handle
        return handle

    def end(self, handle):
        if self.used.pop(id(handle), None) is not None:
            self.free(ctypes.addressof(handle))

    def end_all(self):
        for handle in list(self.used.values()):
            self.end(handle)


class Sparse:
    """What calls of a sparse Jacobian keep: its pattern and colours, which later calls take while they hold.

        with gw.Sparse() as kept:
            for ...: jacobian = m.f.jacobian(..., matrix=kept)

    `runs`, `by_rows` and `is_new` tell of the last call. One call at a time has it."""

    def __init__(self):
        self.lock, self._of, self._handle, self._end = threading.Lock(), None, None, None

    def address(self, handles):
        if self._of is not handles:
            self.free()
            self._of, self._handle = handles, handles.make()
            self._end = weakref.finalize(self, handles.end, self._handle)
        return ctypes.addressof(self._handle)

    def free(self):
        if self._end is not None:
            self._end()
        self._of = self._handle = self._end = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.free()

    def __getattr__(self, name):
        if name in ("rows", "columns", "entries", "runs", "by_rows", "is_new"):
            return getattr(self._handle, name)
        raise AttributeError(name)

    def arrays(self):
        """indptr, indices and data, as copies: the next call writes over what the handle has."""
        import numpy
        at = self._handle

        def copied(pointer, count, dtype):
            return numpy.ctypeslib.as_array(pointer, (count,)).copy() if count else numpy.zeros(0, dtype)

        data = copied(at.value, at.entries, "f8") if at.value else copied(at.value_f, at.entries, "f4")
        return copied(at.row_begin, at.rows + 1, "i4"), copied(at.column, at.entries, "i4"), data

    def matrix(self):
        """A csr_matrix where there is SciPy, else its three arrays."""
        indptr, indices, data = self.arrays()
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            return indptr, indices, data
        return csr_matrix((data, indices, indptr), shape=(self.rows, self.columns))
