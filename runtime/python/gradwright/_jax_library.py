"""The foreign functions that operations of JAX call (_jax.c): compiled against the headers that come with JAX,
and kept in the cache by what they are made of; and the functions of modules that these know by keys."""
import ctypes
import hashlib
import os
import shlex
import subprocess
import tempfile
import threading

from ._functions import Error, cpu_device

_SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_jax.c")
_lock, _library, _kept = threading.Lock(), None, {}


class _Place(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("address", ctypes.c_void_p)]


def _folder():
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(root, "gradwright")
    try:
        os.makedirs(folder, exist_ok=True)
        return folder
    except OSError:
        return tempfile.mkdtemp()


def _make(include):
    compiler, folder = shlex.split(os.environ.get("CC") or "cc"), _folder()
    header = os.path.join(include, "xla", "ffi", "api", "c_api.h")
    with open(_SOURCE, "rb") as source, open(header, "rb") as api:
        text = source.read() + api.read() + repr(compiler).encode()
    made = os.path.join(folder, f"jax-{hashlib.sha256(text).hexdigest()[:32]}.so")
    if not os.path.exists(made):
        handle, work = tempfile.mkstemp(suffix=".so", dir=folder)
        os.close(handle)
        words = [*compiler, "-std=c17", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared", "-isystem", include,
                 _SOURCE, "-o", work, "-ldl"]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            os.unlink(work)
            raise Error(f"the foreign functions for JAX do not compile: {shlex.join(words)}\n{done.stdout}")
        os.replace(work, made)
    return ctypes.CDLL(made)


def _open(jax):
    if not hasattr(jax, "ffi"):
        raise Error(f"gradwright.jax needs JAX 0.5 or later, this is {jax.__version__}")
    library, capsule = _make(jax.ffi.include_dir()), jax.ffi.pycapsule
    library.gw_jax_add.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
    library.gw_jax_memory.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    jax.ffi.register_ffi_target("gradwright_cpu", capsule(library.gw_jax_cpu), platform="cpu")
    jax.ffi.register_ffi_target("gradwright_cuda", capsule(library.gw_jax_cuda), platform="CUDA")
    return library


def handlers(jax, device):
    """The name by which calls find those of the device."""
    global _library
    with _lock:
        _library = _library or _open(jax)
    return f"gradwright_{device}"


def _address(function):
    return ctypes.cast(function, ctypes.c_void_p)


def key_of(function, needs_space):
    """The file of its library, whose name says what it was made of, and its own: another process that loads
    what JAX compiled here finds the same function or none. It stays: what was compiled may call it any time."""
    place = _Place()
    known = ctypes.CDLL(None).dladdr(_address(function._packed), ctypes.byref(place))
    key = f"{os.fsdecode(place.file) if known else id(function)}:{function.name}"
    with _lock:
        if needs_space and not function._on_gpu:
            device = cpu_device()
            _library.gw_jax_memory(_address(device.cudaMallocManaged), _address(device.cudaFree))
        if key not in _kept:
            _kept[key] = function
            _library.gw_jax_add(key.encode(), _address(function._packed), _address(function._owner._error))
    return key
