"""What an array is to a call: its address, cells, device; of every framework, without importing one."""
import ctypes
import sys
from collections import namedtuple

Array = namedtuple("Array", "address code size cuda contiguous readonly keep")
_DLPACK_CODES = {0: "i", 1: "u", 2: "f", 4: "bf", 5: "c", 6: "b"}
_TORCH_CODES = {"float32": "f4", "float64": "f8", "float16": "h2", "bfloat16": "bh2", "int8": "i1",
                "uint8": "u1", "int16": "i2", "int32": "i4", "int64": "i8", "bool": "b1", "complex64": "c8",
                "complex128": "c16"}


def _count(shape):
    count = 1
    for length in shape:
        count *= length
    return count


def _is_contiguous(shape, strides, itemsize):
    expected = itemsize
    for length, stride in zip(reversed(shape), reversed(strides)):
        if length > 1 and stride != expected:
            return False
        expected *= length
    return True


def _by_interface(value, interface, cuda):
    typestr, shape = interface["typestr"], interface["shape"]
    itemsize, strides = int(typestr[2:]), interface.get("strides")
    address, readonly = interface["data"]
    code = typestr[1:] if typestr[1] != "f" or itemsize != 2 else "h2"
    if typestr[0] == ">":
        code = "big-endian " + code
    contiguous = strides is None or _count(shape) == 0 or _is_contiguous(shape, strides, itemsize)
    return Array(address or 0, code, _count(shape) * itemsize, cuda, contiguous, readonly, value)


def _by_torch(value):
    code = _TORCH_CODES.get(str(value.dtype).split(".")[-1], str(value.dtype))
    return Array(value.data_ptr(), code, value.numel() * value.element_size(), value.device.type == "cuda",
                 value.is_contiguous(), False, value)


def _by_buffer(value):
    view = memoryview(value)
    kind = "f" if view.format[-1] in "efdg" else ("u" if view.format[-1] in "BHILQN" else "i")
    kind = {"?": "b", "c": "i"}.get(view.format[-1], "h" if view.format[-1] == "e" else kind)
    if not view.c_contiguous:
        return Array(0, f"{kind}{view.itemsize}", view.nbytes, False, False, view.readonly, view)
    if view.readonly:
        whole = ctypes.create_string_buffer(view.tobytes(), max(view.nbytes, 1))
    else:
        whole = (ctypes.c_char * view.nbytes).from_buffer(view)
    return Array(ctypes.addressof(whole), f"{kind}{view.itemsize}", view.nbytes, False, True, view.readonly,
                 (view, whole))


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


def _by_dlpack(value):
    capsule = value.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    t = _Tensor.from_address(get(capsule, b"dltensor"))
    shape, itemsize = [t.shape[i] for i in range(t.ndim)], t.bits * t.lanes // 8
    contiguous = not t.strides or _is_contiguous(shape, [t.strides[i] * itemsize for i in range(t.ndim)],
                                                 itemsize)
    kind = _DLPACK_CODES.get(t.code, "?")
    code = {"f2": "h2", "bf2": "bh2"}.get(f"{kind}{itemsize}", f"{kind}{itemsize}")
    # 1 is the host, 3 its pinned memory; 2 and 13 are CUDA's, and managed
    return Array((t.data or 0) + t.offset, code, _count(shape) * itemsize, t.device not in (1, 3), contiguous,
                 False, (value, capsule))


def array_of(value):
    """The Array of a value, None if it is no array."""
    if hasattr(value, "data_ptr") and hasattr(value, "is_contiguous"):
        return _by_torch(value)
    for name, cuda in (("__cuda_array_interface__", True), ("__array_interface__", False)):
        interface = getattr(value, name, None)
        if interface is not None:
            return _by_interface(value, interface, cuda)
    if hasattr(value, "__dlpack__"):
        return _by_dlpack(value)
    try:
        memoryview(value)
    except TypeError:
        return None
    return _by_buffer(value)


def stream_of(value):
    """The stream that the framework of an array on a GPU works on now; None where it does not say."""
    if hasattr(value, "data_ptr") and hasattr(value, "is_contiguous"):
        return sys.modules["torch"].cuda.current_stream(value.device).cuda_stream if value.is_cuda else None
    interface = getattr(value, "__cuda_array_interface__", None)
    stream = interface.get("stream") if interface else None
    return 0 if stream == 1 else stream  # CUDA's names of one stream: 0, and 1 where 0 might be another one
