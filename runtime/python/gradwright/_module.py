"""Loaded modules: what gw.load makes."""
import html
import os
import re
import subprocess
import tempfile
import weakref

from ._functions import Error, Functions
from ._library import arguments_of, build, command, library, requests_of

_FILES = {"c": "source.c", "c++": "source.cpp", "cuda": "source.cu"}


def _release(own, handle, matrices):
    if matrices:
        matrices.end_all()
    own.gw_release(handle)


class Module(Functions):
    """What `load` made: its functions, and what there was to say of them. In a notebook it shows its report."""

    def __init__(self, handle, device, source, language, words):
        own = library()
        self._source, self._language, self._words, self._page = source, language, words, None
        super().__init__(own.gw_symbols(handle), device)
        self.was_cached = bool(own.gw_compiled_was_cached(handle))
        self.messages = own.gw_compiled_messages(handle).decode(errors="replace")
        self._finalizer = weakref.finalize(self, _release, own, handle, self.handles)

    def report(self):
        """The page of --report: each update of the gradients, in the source, with its reason."""
        if self._page is None:
            with tempfile.TemporaryDirectory() as folder:
                self._page = self._report(folder)
        return self._page

    def _report(self, folder):
        program, source, page = command(), self._source, os.path.join(folder, "report.html")
        if program is None:
            raise Error("there is no command beside libgradwright.so, which makes reports")
        if self._language:
            source = _FILES[self._language]
            with open(os.path.join(folder, source), "w", encoding="utf-8") as file:
                file.write(self._source)
        words = [program, source, *self._words[0], f"--report={page}", "-o", os.path.join(folder, "gradient"),
                 "--", *self._words[1]]
        own = folder if self._language else None  # where the page names a text, it names no folder
        done = subprocess.run(words, cwd=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise Error(done.stdout.strip())
        with open(page, encoding="utf-8") as file:
            return file.read()

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.report())}" width="100%" height="480"></iframe>'


def _is_text(source):
    return isinstance(source, str) and ("\n" in source or "{" in source)


def load(source, gradients=(), device="cpu", *, derivatives=(), splits=(), hvps=(), jacobians=(), hessians=(),
         thirds=(), screens=(), language=None, flags=(), arguments=(), cache=None):
    """Makes gradients of a source, a file's name or a text, and loads them.

    gradients    requests, "f: y wrt x", "f: wrt x"; beside those that the source states itself
    device       of CUDA: "cpu", or "cuda", which needs nvcc and a GPU
    derivatives, splits, hvps, jacobians, hessians, thirds, screens   the same for forward derivatives,
                 gradients in two halves, Hessians times vectors, whole Jacobians (sparse ones, too:
                 "f: sparse y[0:m] wrt x[0:n]") and Hessians, third derivatives, those along a screen's axes
    language     of a text: "c", "c++" or "cuda"; without it "cuda" if it has kernels, else "c++"
                 Arrays of `gradients` and `splits` whose extent is given, "f: y wrt x[0:n]", have adjoints
                 that are new: they are stored
    flags        for the compiler; arguments: for gradwright, as on its command line
    """
    if _is_text(source):
        language = language or ("cuda" if "__global__" in source else "c++")
    elif language is None:
        source = os.fspath(source)
    one = lambda given: [given] if isinstance(given, str) else list(given)
    gradients = requests_of("gradients", gradients)
    words = arguments_of(derivatives=derivatives, splits=splits, hvps=hvps, jacobians=jacobians,
                         hessians=hessians, thirds=thirds, screens=screens) + one(arguments)
    handle = build(source, gradients, language, device, one(flags), words, cache)
    words = arguments_of(gradients=gradients) + words
    return Module(handle, device, source, language, (words, one(flags)))
