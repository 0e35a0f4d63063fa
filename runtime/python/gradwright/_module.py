"""Loaded modules: what gw.load makes."""
import os
import weakref

from ._functions import Functions
from ._library import arguments_of, build, library


class Module(Functions):
    """What `load` made: its functions, and what there was to say of them."""

    def __init__(self, handle, device):
        own = library()
        super().__init__(own.gw_symbols(handle), device)
        self.was_cached = bool(own.gw_compiled_was_cached(handle))
        self.messages = own.gw_compiled_messages(handle).decode(errors="replace")
        self._finalizer = weakref.finalize(self, own.gw_release, handle)


def _is_text(source):
    return isinstance(source, str) and ("\n" in source or "{" in source)


def load(source, gradients=(), device="cpu", *, derivatives=(), splits=(), hvps=(), language=None, flags=(),
         arguments=(), cache=None):
    """Makes gradients of a source, a file's name or a text, and loads them.

    gradients    requests, "f: y wrt x", "f: wrt x"; beside those that the source states itself
    device       of CUDA: "cpu", or "cuda", which needs nvcc and a GPU
    derivatives, splits, hvps   the same for forward derivatives, gradients in two halves, and Hessians times
                 vectors
    language     of a text: "c", "c++" or "cuda"; without it "cuda" if it has kernels, else "c++"
    flags        for the compiler; arguments: for gradwright, as on its command line
    """
    if _is_text(source):
        language = language or ("cuda" if "__global__" in source else "c++")
    elif language is None:
        source = os.fspath(source)
    one = lambda given: [given] if isinstance(given, str) else list(given)
    words = arguments_of(derivatives=derivatives, splits=splits, hvps=hvps)
    handle = build(source, one(gradients), language, device, one(flags), words + one(arguments), cache)
    return Module(handle, device)
