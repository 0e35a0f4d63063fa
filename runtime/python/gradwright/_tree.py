"""python -m gradwright torch: operations of PyTorch as a source tree of its own, without this package.

NAME.cu has the source, its gradient and a table of both, with the headers that they include of Gradwright and
of the source's own; NAME_runtime.c the runtime; NAME.py this package's modules of operations, and the
operations; setup.py builds all of it.
"""
import argparse
import ast
import os
import re
import sys
import tempfile

from ._functions import Error
from ._library import compile_unit, headers, runtime_sources

_MODULES = ("_arrays", "_matrix", "_functions", "_packed", "_plan", "_steps", "torch")
_WORDS = ("grid", "block", "shared_bytes", "outputs", "reads", "sizes")
_INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)')
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(ifndef|ifdef|if|endif)\b")
_GUARD = re.compile(r"(?:\s|/\*.*?\*/|//[^\n]*)*#[ \t]*ifndef[ \t]+(\w+)\s*#[ \t]*define[ \t]+\1\b", re.S)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once[^\n]*\n", re.M)

_SETUP = '''"""Builds lib{name}.so: python3 setup.py, beside {name}.py; pip install ., where that goes.
NVCC names another compiler, NVCC_FLAGS has more words for it, as -arch=sm_90."""
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def build(folder):
    words = shlex.split(os.environ.get("NVCC", "{compiler}")) + shlex.split(os.environ.get("NVCC_FLAGS", ""))
    with tempfile.TemporaryDirectory() as room:
        source, runtime = os.path.join(HERE, "{name}_runtime.c"), os.path.join(room, "runtime.o")
        subprocess.run(["cc", "-O2", "-fPIC", "-c", source, "-o", runtime], check=True)
        subprocess.run([*words, {flags}, os.path.join(HERE, "{name}.cu"), runtime,
                        "-o", os.path.join(folder, "lib{name}.so")], check=True)


if len(sys.argv) == 1:
    build(HERE)
else:
    from setuptools import setup
    from setuptools.command.build_py import build_py

    class Build(build_py):
        def run(self):
            super().run()
            build(self.build_lib)

    setup(name="{name}", version="1", py_modules=["{name}"], cmdclass={{"build_py": Build}})
'''
_END = '''

# ---- the operations ----
import os

import torch

_exports = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib{name}.so")).gw_exports
_exports.restype = ctypes.POINTER(Exported)
module = Functions(_exports(), "{device}")
'''


def _text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class _Inliner:
    """A text with what it includes in its place. A file that guards itself, and stands where no condition
    leaves it out, is there once."""

    def __init__(self, folders):
        self.folders, self.whole, self.open = folders, set(), []

    def find(self, quoted, angled, folder):
        """None for the system's."""
        for where in ([folder] if quoted else []) + self.folders:
            path = os.path.realpath(os.path.join(where, quoted or angled))
            if os.path.isfile(path):
                return path
        return None

    def file(self, path, always):
        text = _text_of(path)
        guard = _GUARD.match(text)
        if _ONCE.search(text):
            mark = "GW_ONCE_" + re.sub(r"\W", "_", os.path.basename(path)).upper()
            text = f"#ifndef {mark}\n#define {mark}\n{_ONCE.sub('', text)}\n#endif\n"
            guard = True
        if guard and always:
            self.whole.add(path)
        self.open.append(path)
        lines, depth = [], 0
        for line in text.splitlines():
            directive, include = _DIRECTIVE.match(line), _INCLUDE.match(line)
            if directive:
                depth += -1 if directive[1] == "endif" else 1
            found = self.find(include[1], include[2], os.path.dirname(path)) if include else None
            if not found:
                lines.append(line)
            elif found not in self.whole and found not in self.open:
                lines += self.file(found, always and depth == (1 if guard else 0))
        self.open.pop()
        return lines


def _bundled(module):
    """A module's text without its own package's imports."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), module + ".py")
    text = _text_of(path)
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            for i in range(node.lineno - 1, node.end_lineno):
                lines[i] = None
    return f"# ---- {module} ----\n" + "\n".join(line for line in lines if line is not None)


def _operation(words):
    """NAME, or NAME(grid=..., ...): the Python of a call of `op`."""
    try:
        node = ast.parse(words, mode="eval").body
    except SyntaxError as error:
        raise Error(f"--op '{words}': {error.msg}") from None
    if isinstance(node, ast.Name):
        return node.id, f'{node.id} = op(module["{node.id}"])'
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
        raise Error(f"--op '{words}': it has the form NAME(grid=..., block=..., outputs=...)")
    for word in node.keywords:
        if word.arg not in _WORDS:
            raise Error(f"--op '{words}': there is no '{word.arg}'; there are {', '.join(_WORDS)}")
    given = ", ".join(ast.unparse(word) for word in node.keywords)
    return node.func.id, f'{node.func.id} = op(module["{node.func.id}"], {given})'


def write(source, folder, name, operations, device="cuda", flags=(), **requests):
    """The files of the tree; nothing is written where one cannot be made."""
    if not name.isidentifier():
        raise Error(f"'{name}' is no name of a Python module: give one by --name")
    lines = [_operation(words)[1] for words in operations]
    includes = [flag[2:] for flag in flags if flag.startswith("-I")]
    with tempfile.TemporaryDirectory() as work:
        unit = compile_unit(source, work, device, flags, **requests)
        if any("gw_program_" in _text_of(os.path.join(work, file)) for file in os.listdir(work)):
            raise Error("the gradient of a function that launches kernels has a runtime of its own, which a "
                        "tree has not: give the kernels")
        cuda = _Inliner([work, *includes, headers()]).file(unit, True)
    inliner = _Inliner([headers()])
    runtime = [line for path in runtime_sources() for line in inliner.file(path, True)]
    bundled = "\n\n\n".join(map(_bundled, _MODULES))
    own = ("-std=c++17", "-Xcompiler", "-fPIC") if device == "cuda" else ("-fPIC",)
    all_flags = ", ".join(map(repr, ["-O2", *flags, *own, "-shared"]))
    compiler = "nvcc" if device == "cuda" else "gwcc --device=cpu --no-gradients"
    files = {
        f"{name}.cu": "\n".join(cuda) + "\n",
        f"{name}_runtime.c": "\n".join(runtime) + "\n",
        f"{name}.py": f'"""Operations of PyTorch, made of {os.path.basename(source)} by Gradwright."""\n'
                      + bundled + _END.format(name=name, device=device) + "\n".join(lines) + "\n",
        "setup.py": _SETUP.format(name=name, compiler=compiler, flags=all_flags)}
    os.makedirs(folder, exist_ok=True)
    for file, text in files.items():
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(text)
    return sorted(files)


def main(words):
    parser = argparse.ArgumentParser(
        prog="python -m gradwright torch",
        description="Writes operations of PyTorch as a source tree that needs no Gradwright: NAME.py, NAME.cu, "
        "NAME_runtime.c, setup.py. Flags for the compiler come behind --.")
    parser.add_argument("source", metavar="FILE")
    parser.add_argument("--op", action="append", required=True, metavar="NAME(grid=..., outputs=...)",
                        help="an operation, as gw.torch.op takes it; may be repeated")
    for kind in ("gradient", "derivative", "hvp"):
        parser.add_argument(f"--{kind}", action="append", default=[], metavar="REQUEST",
                            help="as for gradwright; may be repeated")
    parser.add_argument("--name", help="of the module; otherwise the file's")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("-o", dest="folder", metavar="FOLDER", help="otherwise NAME")
    at = words.index("--") if "--" in words else len(words)
    given = parser.parse_args(words[:at])
    name = given.name or re.sub(r"\W", "_", os.path.splitext(os.path.basename(given.source))[0])
    try:
        files = write(given.source, given.folder or name, name, given.op, given.device, words[at + 1:],
                      gradients=given.gradient, derivatives=given.derivative, hvps=given.hvp)
    except (Error, OSError) as error:
        sys.exit(f"gradwright: {error}")
    print(f"{given.folder or name}: {', '.join(files)}")
