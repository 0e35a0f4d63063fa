"""libgradwright through ctypes: where it is, and its functions (gradwright/compile.h)."""
import ctypes
import os
import re
import sys

from ._functions import Error, Exported, cpu_device_memory


class CompileError(Error):
    """There is no gradient, or it does not compile: the text has the diagnostics."""


class Options(ctypes.Structure):
    _fields_ = [("language", ctypes.c_char_p), ("device", ctypes.c_char_p),
                ("flags", ctypes.POINTER(ctypes.c_char_p)), ("arguments", ctypes.POINTER(ctypes.c_char_p)),
                ("cache", ctypes.c_char_p)]


def _places():
    """GRADWRIGHT_LIBRARY, then what was installed with the package, then the tree that this file is in."""
    if os.environ.get("GRADWRIGHT_LIBRARY"):
        yield os.environ["GRADWRIGHT_LIBRARY"]
        return
    own, name = os.path.dirname(os.path.abspath(__file__)), "libgradwright.so"
    yield os.path.join(own, "native", "lib", name)
    yield os.path.join(own, "..", "..", "..", "build", "lib", name)
    for root in (sys.prefix, "/usr/local", "/usr"):
        yield os.path.join(root, "lib", name)
    yield name


def command():
    """The gradwright that belongs to the library; None where there is none."""
    for place in _places():
        program = os.path.join(os.path.dirname(place), "..", "bin", "gradwright")
        if os.path.dirname(place) and os.path.exists(program):
            return program
    return None


def _open():
    tried = []
    for place in _places():
        if os.sep in place and not os.path.exists(place):
            tried.append(place)
            continue
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("libgradwright.so is not there (GRADWRIGHT_LIBRARY names it):\n  " + "\n  ".join(tried))


_library = None


def library():
    global _library
    if _library is None:
        opened = _open()
        opened.gw_compile.restype = ctypes.c_void_p
        opened.gw_compile.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(Options)]
        opened.gw_compile_unit.argtypes = [*opened.gw_compile.argtypes, ctypes.c_char_p]
        opened.gw_compile_error.restype = ctypes.c_char_p
        opened.gw_symbols.restype = ctypes.POINTER(Exported)
        opened.gw_compiled_messages.restype = ctypes.c_char_p
        for name in ("gw_symbols", "gw_compiled_messages", "gw_compiled_was_cached", "gw_release"):
            getattr(opened, name).argtypes = [ctypes.c_void_p]
        _library = opened
    return _library


def _texts(words):
    words = [words] if isinstance(words, str) else list(words or ())
    return (ctypes.c_char_p * (len(words) + 1))(*(os.fsencode(word) for word in words), None)


def _refused():
    return CompileError(library().gw_compile_error().decode(errors="replace").strip())


def _options(language, device, flags, arguments, cache):
    encode = lambda text: None if text is None else os.fsencode(text)
    texts = (encode(language), encode(device), _texts(flags), _texts(arguments), encode(cache))
    return ctypes.byref(Options(*texts))


def build(source, requests=(), language=None, device="cpu", flags=(), arguments=(), cache=None):
    """A handle of gw_compile; CompileError with its text."""
    options = _options(language, device, flags, arguments, cache)
    handle = library().gw_compile(os.fsencode(source), _texts(requests), options)
    if not handle:
        raise _refused()
    return handle


def requests_of(kind, given):
    """Who gives an extent of a gradient's or split's array, says of its adjoint's memory that it is new."""
    given = [given] if isinstance(given, str) else list(given)
    if kind not in ("gradients", "splits"):
        return given
    return [re.sub(r"(\[[^\]]*\])(?!\s*fresh\b)", r"\1 fresh", request) for request in given]


def arguments_of(**requests):
    """Words of the command: derivatives=["f: wrt x"] is --derivative=f: wrt x."""
    return [f"--{kind[:-1]}={request}" for kind, given in requests.items()
            for request in requests_of(kind, given)]


def compile_unit(source, folder, device, flags, arguments=(), **requests):
    """The file in the folder that gw_compile would compile."""
    options = _options(None, device, flags, arguments_of(**requests) + list(arguments), None)
    if library().gw_compile_unit(os.fsencode(source), None, options, os.fsencode(folder)):
        raise _refused()
    return next(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("unit."))


def _beside(*choices):
    """The path of what is installed beside the library, or in the tree that it was built in."""
    folder = os.path.dirname(os.path.realpath(library()._name))
    for choice in choices:
        path = os.path.join(folder, *choice)
        if os.path.isdir(path):
            return path
    raise ImportError(f"{' or '.join(os.path.join(*one) for one in choices)} is not beside {library()._name}")


def headers():
    return _beside(("..", "include", "gradwright"), ("..", "..", "include", "gradwright")) + "/.."


def runtime_sources():
    """The sources of the runtime that gradients link, in C."""
    share = ("share", "gradwright", "runtime")
    folder = _beside(("..", *share), ("..", "..", *share), ("..", "..", "runtime"))
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".c")]


def managed(shape, dtype="float32"):
    """An array of NumPy's in memory of the CPU device, zero at first: what programs that copy between device
    buffers ask for. PyTorch and CuPy have such memory of a GPU."""
    import numpy
    folder = os.path.dirname(os.path.realpath(library()._name))
    count = int(numpy.prod(shape, dtype="int64")) * numpy.dtype(dtype).itemsize
    room = cpu_device_memory(count, ctypes.CDLL(os.path.join(folder, "libgwcpu.so")))
    ctypes.memset(room, 0, count)
    return numpy.frombuffer(room, dtype).reshape(shape)
