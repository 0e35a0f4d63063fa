"""Functions of a table (emitted/exported.h), with parameters by position or by name, checked before they are
called."""
import ctypes
import json
import operator
import os
import threading
import weakref

from ._arrays import array_of, stream_of
from ._matrix import Handles, Sparse

_SCALARS = {"b1": ctypes.c_bool, "i1": ctypes.c_int8, "u1": ctypes.c_uint8, "i2": ctypes.c_int16,
            "u2": ctypes.c_uint16, "i4": ctypes.c_int32, "u4": ctypes.c_uint32, "i8": ctypes.c_int64,
            "u8": ctypes.c_uint64, "f4": ctypes.c_float, "f8": ctypes.c_double, "f16": ctypes.c_longdouble}
_NAMES = {"f4": "float32", "f8": "float64", "f16": "longdouble", "h2": "float16", "bh2": "bfloat16",
          "b1": "bool", "c8": "complex64", "c16": "complex128"}
_SEEN = {"float *": "f4", "const float *": "f4", "double *": "f8", "const double *": "f8", "int *": "i4",
         "const int *": "i4"} # of pointers that the compiler does not look through
_STATUS_WORDS = {1: "launch", 2: "workspace", 3: "cuda", 4: "memory", 5: "argument", 6: "overflow", 7: "race"}
# What a parameter has that is as long: second is the tangent of an adjoint, third that of a second.
_ALONG = ("tangent", "adjoint", "second", "third")
_FORMS = ("gradient", "pullback", "hvp", "third") # of which adjoints may be left out
_PACKED = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)
_TEXT = ctypes.CFUNCTYPE(ctypes.c_char_p)


class Error(RuntimeError):
    """A function refused: `status` is its gw_status, the text is that of gw_last_error."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


class Exported(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("address", ctypes.c_void_p), ("call", ctypes.c_void_p),
                ("description", ctypes.c_char_p)]


class _Null:
    """A null pointer, where a function takes one: None alone is more often a slip."""

    def __repr__(self):
        return "gradwright.null"


null = _Null()


def cpu_device():
    """Its library, which modules with kernels have loaded."""
    return ctypes.CDLL("libgwcpu.so", os.RTLD_NOLOAD | os.RTLD_NOW)


def cpu_device_memory(size, device=None):
    """Bytes of the CPU device, which its copies and fills ask for; `device`: its library, where that may not be
    loaded yet."""
    device = device or cpu_device()
    device.cudaFree.argtypes, place = [ctypes.c_void_p], ctypes.c_void_p()
    status = device.cudaMallocManaged(ctypes.byref(place), ctypes.c_size_t(max(size, 1)), ctypes.c_uint(1))
    if status:
        raise Error(f"no memory of {size} bytes: error {status} of CUDA", 4)
    room = (ctypes.c_char * size).from_address(place.value)
    weakref.finalize(room, device.cudaFree, place.value)
    return room


class _Shape(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]


class _Vector(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("count", ctypes.c_size_t)]


def _spelled(code):
    if code in _NAMES:
        return _NAMES[code]
    if code[:1] in ("i", "u") and code[1:].isdigit():
        return f"{'u' if code[0] == 'u' else ''}int{8 * int(code[1:])}"
    return code


def _same_number(have, want):
    return have == want or (have[:1] in "iu" and want[:1] in "iu" and have[1:] == want[1:])


class Parameter:
    """One parameter: its name, its type as C spells it, and what it is for."""

    def __init__(self, row):
        self.name, self.type, self.role = row["name"], row["type"], row["role"]
        self.kind, self.cell = row.get("kind", ""), row.get("cell", "")
        self.number, self.of, self.is_const = row.get("number", ""), row.get("of", ""), row.get("const", False)
        self.fresh = row.get("fresh", "")  # how many cells of it a launch stores

    def __repr__(self):
        return f"{self.type}{'' if self.type[-1] in '*&' else ' '}{self.name}"


class _Call:
    """The arguments of one call, as addresses; what they are of is kept as long."""

    def __init__(self, function, cuda):
        self.function, self.cuda, self.keep, self.sizes, self.held = function, cuda, [], {}, None

    def fail(self, kind, p, text):
        raise kind(f"{self.function.name}: argument '{p.name}' {text}")

    def add(self, thing):
        self.keep.append(thing)
        return ctypes.addressof(thing)

    def number(self, p, code, value):
        kind = _SCALARS.get(code)
        if kind is None:
            self.fail(TypeError, p, f"is of type {p.type}, which takes a buffer of its bytes")
        try:
            whole = code[0] in "iu"
            exact = operator.index(value) if whole else (bool(value) if code == "b1" else float(value))
        except TypeError:
            self.fail(TypeError, p, f"must be a number ({_spelled(code)}), not {type(value).__name__}")
        if whole and kind(exact).value != exact:
            self.fail(ValueError, p, f"is {exact}, which is no {_spelled(code)}")
        return kind(exact)

    def struct(self, p, value):
        size = int(p.cell[1:])
        array = array_of(value)
        if array is None and p.number in _SCALARS:
            count = size // ctypes.sizeof(_SCALARS[p.number])
            try:
                numbers = list(value)
            except TypeError:
                self.fail(TypeError, p, f"must be {count} numbers or {size} bytes, not {type(value).__name__}")
            if len(numbers) != count:
                self.fail(ValueError, p, f"has {len(numbers)} numbers, {p.type} has {count}")
            return (_SCALARS[p.number] * count)(*numbers)
        if array is None:
            self.fail(TypeError, p, f"must be {size} bytes, not {type(value).__name__}")
        if array.size != size or array.cuda or not array.contiguous:
            self.fail(ValueError, p, f"must be {size} bytes of the host in one piece, it has {array.size}")
        if p.number and array.code[:1] in "fiub" and array.code not in ("u1", "i1", p.number):
            self.fail(TypeError, p, f"must be of {_spelled(p.number)}, not {_spelled(array.code)}")
        return (ctypes.c_char * size).from_buffer_copy(ctypes.string_at(array.address, size))

    def check(self, p, array):
        want = p.cell or _SEEN.get(p.type, "")
        if p.kind == "address":
            want = _SEEN.get(p.type, "")
        struct = want[:1] == "V"
        size = int(want[1:]) if struct else 0
        number = p.number if struct else want
        if number and array.code[:1] != "V" and not _same_number(array.code, number):
            self.fail(TypeError, p, f"must be of {_spelled(number)}, not {_spelled(array.code)}")
        if struct and size and array.size % size:
            self.fail(ValueError, p, f"has {array.size} bytes, which is no multiple of {size}, {p.type}'s")
        if array.code[:1] == "V" and struct and array.code[1:] != str(size):
            self.fail(TypeError, p, f"has cells of {array.code[1:]} bytes, {p.type} has {size}")
        if not array.contiguous:
            self.fail(ValueError, p, "is not contiguous: .contiguous() or numpy.ascontiguousarray makes it so")
        if array.readonly and not p.is_const and "const" not in p.type:
            self.fail(ValueError, p, "can only be read, and the function writes to it")
        if array.cuda != self.cuda:
            where = ("the host", "a GPU")
            self.fail(ValueError, p, f"is memory of {where[array.cuda]}, this needs {where[self.cuda]}'s")

    def fits(self, p, array):
        """Nobody knows how long a pointer is, but for that to one cell; an adjoint is as long as its primal."""
        cell = int(p.cell.lstrip("Vfiubhc") or 0)
        if p.is_one and array.size < cell:
            self.fail(ValueError, p, f"has {array.size} bytes, it is of one {p.type} with {cell}")
        primal = self.sizes.get(p.of, 0) if p.role in _ALONG else 0
        if array.size < primal:
            self.fail(ValueError, p, f"has {array.size} bytes, '{p.of}' has {primal}")

    def pointer(self, p, value):
        if value is null:
            return ctypes.c_void_p(0)
        if value is None:
            self.fail(TypeError, p, "is None; gradwright.null is a null pointer")
        if p.kind == "address" and isinstance(value, int):
            return ctypes.c_void_p(value)
        array = array_of(value)
        if array is None:
            self.fail(TypeError, p, f"must be an array, not {type(value).__name__}")
        self.check(p, array)
        self.keep.append(array.keep)
        self.sizes[p.name] = array.size
        if array.size and not array.address:
            self.fail(ValueError, p, "has no memory: it was freed")
        self.fits(p, array)
        return ctypes.c_void_p(array.address)

    def thrust_vector(self, p, value):
        self.fail(TypeError, p, "is a vector of Thrust's, which Python does not make: take pointers")

    def reference(self, p, value):
        if p.is_const and p.cell in _SCALARS and isinstance(value, (int, float)):
            return self.add(self.number(p, p.cell, value))
        pointer = self.pointer(p, value)
        if not pointer.value:
            self.fail(ValueError, p, "refers to nothing")
        return pointer.value

    def vector(self, p, value):
        pointer = self.pointer(p, value)
        array = array_of(value)
        cell = int((p.cell or array.code).lstrip("Vfiubhc"))
        return self.add(_Vector(pointer.value, array.size // cell))

    def shape(self, p, value):
        lengths = value if isinstance(value, (tuple, list)) else (value,)
        if not 1 <= len(lengths) <= 3:
            self.fail(ValueError, p, "has one to three lengths")
        part = lambda i: self.number(p, "u4", lengths[i]).value if i < len(lengths) else 1
        return _Shape(part(0), part(1), part(2))

    def current_stream(self, bound):
        """The stream of who made the arrays: what they did before is done first, what they do next waits."""
        streams = {name: stream_of(value) for name, value in bound.items()}
        said = {on: name for name, on in streams.items() if on is not None}
        if len(said) > 1:
            one, other, *_ = said.values()
            raise ValueError(f"{self.function.name}: arguments '{one}' and '{other}' are on two streams; give "
                             f"stream=")
        return next(iter(said), None)

    def stream(self, value):
        for name in ("cuda_stream", "ptr"):
            value = getattr(value, name, value)
        return ctypes.c_void_p(value or 0)

    def memory_at(self, p, value):
        return self.add(self.memory(p, value))

    def shape_at(self, p, value):
        return self.add(self.shape(p, value))

    def stream_at(self, p, value):
        return self.add(self.stream(value))

    def size_at(self, p, value):
        return self.add(self.number(p, "u8", value))

    def number_at(self, p, value):
        return self.add(self.number(p, p.cell, value))

    def struct_at(self, p, value):
        return self.add(self.struct(p, value))

    def pointer_at(self, p, value):
        return self.add(self.pointer(p, value))

    def sparse_at(self, p, value):
        if not isinstance(value, Sparse):
            self.fail(TypeError, p, f"must be a gradwright.Sparse, not {type(value).__name__}")
        if not value.lock.acquire(blocking=False):
            self.fail(ValueError, p, "is in another call")
        self.held = value
        return self.add(ctypes.c_void_p(value.address(self.function._owner.handles)))

    def memory(self, p, value):
        if value is None:
            return ctypes.c_void_p(0)
        array = array_of(value)
        if array is None or not array.contiguous or array.cuda != self.cuda:
            self.fail(TypeError, p, "must be an array in one piece, on the device of the others")
        self.keep.append(array.keep)
        return ctypes.c_void_p(array.address)


def _binder(p):
    """How an argument of this parameter becomes an address."""
    if p.role in ("grid", "block"):
        return _Call.shape_at
    if p.role == "stream" or p.type == "cudaStream_t":
        return _Call.stream_at
    if not p.kind:
        if p.role == "sparse":
            return _Call.sparse_at
        sizes = ("shared_bytes", "size", "workspace_bytes", "tape_bytes")
        return _Call.size_at if p.role in sizes else _Call.memory_at
    if p.kind == "value":
        return _Call.struct_at if p.cell[:1] == "V" else _Call.number_at
    if p.kind == "thrust_vector":
        return _Call.thrust_vector
    return {"reference": _Call.reference, "vector": _Call.vector}.get(p.kind, _Call.pointer_at)


class Function:
    """A function of a module. `parameters` tells what it takes; `f.grad` is the module's `f_grad`."""

    def __init__(self, module, row, call):
        self.module, self.name, self.form = weakref.ref(module), row["name"], row["form"]
        self.function, self.result, self.derivative = row["function"], row["result"], row.get("derivative")
        self.is_part = row.get("part", False)
        self.parameters = [Parameter(p) for p in row["params"]]
        names = {p.name for p in self.parameters}
        for p in self.parameters:
            short = p.name[len("gw_"):] if p.name.startswith("gw_") else ""
            if short in (p.role, "matrix", "bound") and short not in names:
                p.name = short
        self._all = {p.name: p for p in self.parameters}
        values = {p.name for p in self.parameters if p.kind == "value"}
        for p in self.parameters:
            p.is_one = p.kind == "reference" or (p.role in _ALONG and p.kind == "pointer" and p.of in values)
        self._positions = [p for p in self.parameters if not self._is_extra(p)]
        binders = [(i, p, _binder(p)) for i, p in enumerate(self.parameters)]
        self._late = [one for one in binders if one[1].role.startswith("workspace") or one[1].role == "stream"]
        self._own = [one for one in binders if one not in self._late]
        self._packed, self._spaces = _PACKED(call), threading.local()
        self._matrix = next((p for p in self.parameters if p.name == "matrix"
                             and p.role in ("sparse", "result")), None)
        self._launches = any(p.role == "grid" for p in self.parameters)
        is_program = any(p.kind == "address" for p in self.parameters)
        self._on_gpu = module.device == "cuda" and (self._launches or is_program)
        self._owner = module  # as long as the function is there, so is its code
        shown = ", ".join(map(repr, self._positions))
        self.__doc__ = f"{self.name}({shown})"

    def _is_extra(self, p):
        return p.role in ("shared_bytes", "stream", "workspace", "workspace_bytes")

    def __repr__(self):
        return f"<function {self.__doc__}>"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        base, bracket, rest = self.name.partition("<")
        base = base[:-len("_launch")] if base.endswith("_launch") else base
        return self._owner[f"{base}_{name}{bracket}{rest}"]

    def _bind(self, given, named):
        if len(given) > len(self._positions):
            raise TypeError(f"{self.name} takes {len(self._positions)} arguments, {len(given)} are given")
        bound = {p.name: value for p, value in zip(self._positions, given)}
        roles = {p.role: p for p in self.parameters if p.role in ("grid", "block") or self._is_extra(p)}
        for name, value in named.items():
            p = self._all.get(name) or roles.get(name)
            if p is None:
                known = ", ".join(one.name for one in self._positions)
                raise TypeError(f"{self.name} has no parameter '{name}'; they are {known}")
            if p.name in bound:
                raise TypeError(f"{self.name}: argument '{p.name}' is given twice")
            bound[p.name] = value
        return bound

    def _fill(self, bound):
        """Adjoints of inputs that are not given start as zero, and are what the call returns."""
        missing = [p for p in self._positions if p.name not in bound]
        made = []
        for p in missing:
            source = self._all.get(p.of)
            is_input = source is not None and (source.kind == "value" or source.is_const)
            if p is self._matrix:
                bound[p.name] = self._make_matrix(bound)
                made.append((p, bound[p.name]))
                continue
            reverse = p.role in _ALONG[1:] and self.form in _FORMS
            if self._launches or not reverse or not is_input:
                raise TypeError(f"{self.name}: argument '{p.name}' is missing")
            bound[p.name] = self._zeros(p, source, bound.get(source.name))
            made.append((source, bound[p.name]))
        return made

    def _zeros(self, p, source, like):
        if source.kind == "value" and p.cell in _SCALARS:
            return (_SCALARS[p.cell] * 1)()
        if source.kind == "value":
            size = int(p.cell[1:])
            kind = _SCALARS.get(p.number, ctypes.c_uint8)
            return (kind * (size // ctypes.sizeof(kind)))()
        if hasattr(like, "new_zeros"):
            return like.new_zeros(like.shape)
        try:
            import numpy
        except ImportError:
            raise TypeError(f"{self.name}: argument '{p.name}' is missing") from None
        if isinstance(like, numpy.ndarray):
            return numpy.zeros_like(like, subok=False)
        return numpy.zeros_like(like)  # CuPy's are CuPy's then, which know no subok

    def _make_matrix(self, bound):
        """A sparse one's handle is kept for later calls of the same thread."""
        if self._matrix.role == "sparse":
            kept = self._spaces.__dict__
            if "sparse" not in kept:
                kept["sparse"] = Sparse()
            return kept["sparse"]
        import numpy
        return numpy.zeros(self._shape(bound), _NAMES[self._matrix.cell])

    def _shape(self, bound):
        ask, lengths = self._owner.shape_of(self), (ctypes.c_size_t * 2)()
        ask(**{p.name: bound[p.name] for p in ask.parameters if p.role != "shape"}, shape=lengths)
        return tuple(lengths)

    def _check_matrix(self, bound, call):
        """One that is given: nobody else knows how long it has to be."""
        rows, columns = self._shape(bound)
        size, cell = call.sizes.get(self._matrix.name, 0), int(self._matrix.cell[1:])
        if size < rows * columns * cell:
            call.fail(ValueError, self._matrix,
                      f"has {size} bytes, {rows} x {columns} numbers of {cell} are more")

    @staticmethod
    def _made(pairs):
        values = [value[0] if source.kind == "value" and source.cell in _SCALARS else value
                  for source, value in pairs]
        return values[0] if len(values) == 1 else tuple(values)

    def __call__(self, *given, **named):
        bound = self._bind(given, named)
        made = self._fill(bound)
        call = _Call(self, self._on_gpu)
        try:
            value = self._run(bound, call)
            if call.held:
                return call.held.matrix()
        finally:
            if call.held:
                call.held.lock.release()
        return self._made(made) if made else value

    def _run(self, bound, call):
        places = (ctypes.c_void_p * max(len(self.parameters), 1))()
        for i, p, bind in self._own:
            places[i] = bind(call, p, bound.get(p.name, 0 if p.role == "shared_bytes" else None))
        if self._matrix and self._matrix.role == "result":
            self._check_matrix(bound, call)
        for _, p, _ in self._late:
            if p.role == "stream" and call.cuda and bound.get(p.name) is None:
                bound[p.name] = call.current_stream(bound)
        if self._late:
            self._make_space(bound, call)
        for i, p, bind in self._late:
            places[i] = bind(call, p, bound.get(p.name))
        result = self._room()
        failed = self._packed(places, ctypes.addressof(result))
        del places
        return self._value(result, failed)

    def _room(self):
        if self.result in _SCALARS:
            return _SCALARS[self.result]()
        return (ctypes.c_char * (int(self.result[1:]) if self.result[:1] == "V" else 16))()

    def _value(self, result, failed):
        if failed:
            raise Error(f"{self.name}: {self._owner.last_error()}")
        if self.result == "status":
            status = ctypes.c_int.from_buffer(result).value
            if status:
                text = self._owner.last_error() or f"{self.name}: status {status}"
                own = "" if text.startswith(self.name) else f"{self.name}: "
                raise Error(f"{own}{text} ({_STATUS_WORDS.get(status, status)})", status)
            return None
        if self.result in _SCALARS:
            return result.value
        return bytes(result) if self.result else None

    # ---- the workspace ----
    def _make_space(self, bound, call):
        for p in self.parameters:
            if p.role != "workspace" or p.name in bound:
                continue
            size = self._space_bytes(bound)
            bound[p.name] = self._space(size, bound, call) if size else None
            sizes = [q for q in self.parameters if q.role == "workspace_bytes"]
            bound[sizes[0].name] = size
        for p in self.parameters:
            if p.role != "workspace_bytes" or p.name in bound:
                continue
            space = next(bound.get(q.name) for q in self.parameters if q.role == "workspace")
            array = array_of(space) if space is not None else None
            bound[p.name] = array.size if array else 0

    def _space_bytes(self, bound):
        ask = self._owner.bytes_of(self)
        if ask is None:
            raise TypeError(f"{self.name}: its workspace is measured when it runs; give workspace=, "
                            f"or call the function that ends in _alloc")
        return ask(**{p.name: bound[self._twin(p)] for p in ask.parameters})

    def _twin(self, p):
        """A parameter of the launch; grid and block are the same by role."""
        if p.role in ("grid", "block"):
            return next(q.name for q in self.parameters if q.role == p.role)
        return p.name

    def _space(self, size, bound, call):
        """Kept for later calls of the same thread on the same stream."""
        on = call.stream(next((bound.get(p.name) for p in self.parameters if p.role == "stream"), None)).value
        kept = self._spaces.__dict__.setdefault("kept", {})
        if on not in kept or kept[on][0] < size:
            kept[on] = (size, self._device_memory(size, bound) if call.cuda else cpu_device_memory(size))
        return kept[on][1]

    def _device_memory(self, size, bound):
        for value in bound.values():
            if hasattr(value, "new_empty") and value.device.type == "cuda":
                import torch
                return torch.empty(size, dtype=torch.uint8, device=value.device)
            if type(value).__module__.split(".")[0] == "cupy":
                import cupy
                return cupy.empty(size, cupy.uint8)
        raise TypeError(f"{self.name}: it needs a workspace of {size} bytes on the GPU; give workspace=")


class Functions:
    """Those of a table: attributes, or by their whole name, m["space::f_grad<float>"]."""

    def __init__(self, table, device):
        self.device, self.functions, self._bytes, self._shapes, i = device, {}, {}, {}, 0
        runtime = {}
        while table[i].name:
            row = table[i]
            i += 1
            if row.description:
                self._add(json.loads(row.description), row.call)
            else:
                runtime[row.name.decode()] = row.address
        self._error, free = _TEXT(runtime["gw_last_error"]), runtime.get("gw_sparse_free")
        self.handles = Handles(free) if free else None

    def _add(self, row, call):
        function = Function(self, row, call)
        self.functions[function.name] = function
        if function.form == "bytes":
            self._bytes[function.derivative] = function
        if function.form == "shape":
            self._shapes[function.derivative] = function

    def bytes_of(self, function):
        return self._bytes.get(function.derivative)

    def shape_of(self, function):
        return self._shapes.get(function.derivative)

    def last_error(self):
        return (self._error() or b"").decode(errors="replace")

    def __getitem__(self, name):
        if name in self.functions:
            return self.functions[name]
        plain = lambda whole: whole.partition("<")[0].rpartition("::")[2]
        found = [f for whole, f in self.functions.items()
                 if plain(whole) == name or whole.rpartition("::")[2] == name]
        if not found:
            found = [f for whole, f in self.functions.items() if plain(whole) == name + "_launch"]
        if len(found) == 1:
            return found[0]
        if found:
            raise KeyError(f"'{name}' may be {', '.join(f.name for f in found)}")
        raise KeyError(f"there is no function '{name}'; there are {', '.join(self.functions)}")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self):
        return [*super().__dir__(), *self.functions]

    def __repr__(self):
        return "<gradwright module: " + ", ".join(self.functions) + ">"
