#!/usr/bin/env python3
"""Stands for the gradwright command while a test runs: does what it does, and keeps what it emits for CUDA.

    keep.py REAL STORE ARGUMENT...

A text has a folder of its own in STORE, with copies of what its source includes from folders that a test
makes and removes; unit.json says how it is compiled, by paths from the root of the tree. What could not be
kept is told in STORE/lost.txt, which is a failure of the run (suite.py).
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OF_THE_MACHINE = ("/usr/", "/opt/", "/lib")
CPU_DEVICE = "include/gradwright/cpu"
OF_ITS_PARSE = ("__CUDA_ARCH__", "GW_CPU_")  # macros
NO_TEXT = {"check", "dump", "stop-after", "from-ir", "list-passes", "version", "help"}
RULE = {"dependencies", "dependency-file", "dependency-target", "phony-headers"}
OTHER_FILES = RULE | {"output", "sarif", "report", "profile", "explain", "declarations"}


def option_table():
    """{spelling: (name, whether a value follows)} of options.def."""
    with open(os.path.join(ROOT, "plugin/driver/options.def"), encoding="utf-8") as file:
        rows = re.findall(r'^GW_OPTION\(\w+, "([^"]+)", "([^"]*)", "([^"]*)"', file.read(), re.M)
    long = {"--" + name: (name, bool(value)) for name, _, value in rows}
    return long | {brief: (name, bool(value)) for name, brief, value in rows if brief}


def read_arguments(arguments):
    """(sources, [(name, words)] of options, flags for Clang)."""
    table, sources, options = option_table(), [], []
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words = iter(arguments[:end])
    for word in words:
        name, takes = table.get(word.split("=")[0], (None, False))
        if name:
            options.append((name, [word, next(words, "")] if takes and "=" not in word else [word]))
        elif word.startswith("-") and word != "-":
            options.append(("", [word]))
        else:
            sources.append(word)
    return sources, options, arguments[end + 1:]


def is_cuda(source, flags):
    return source.endswith((".cu", ".cuh")) or "-xcuda" in flags or ("-x", "cuda") in zip(flags, flags[1:])


def words_of(options, left_out):
    return [word for name, words in options if name not in left_out for word in words]


class Unit:
    """A folder of one text."""

    def __init__(self, store, source):
        stem = os.path.splitext(os.path.basename(source))[0]
        named = re.sub(r"[^\w.]", "_", f"{os.environ.get('GW_TEST_NAME', '')}.{stem}.")
        os.makedirs(store, exist_ok=True)
        self.store, self.stem, self.folder = store, stem, tempfile.mkdtemp(dir=store, prefix=named)
        self.inside = os.path.relpath(self.folder, ROOT)
        self.rule, self.first = os.path.join(self.folder, "rule"), os.path.join(self.folder, "first")

    def carried(self, path):
        """The place of a file or folder for compiling; None: the machine has it, or it is the CPU device's."""
        path = os.path.realpath(path)
        inside = re.sub(r"^build[^/]*/(?=include/|include$)", "", os.path.relpath(path, ROOT))
        if inside.startswith(CPU_DEVICE) or path.startswith(OF_THE_MACHINE):
            return None
        if inside.startswith("include/") and not os.path.exists(os.path.join(ROOT, inside)):
            return None  # a row of stand_ins.txt
        if not inside.startswith(("..", "build")):
            return inside
        return os.path.join(self.inside, "tree", path.lstrip("/"))

    def copy(self, path):
        to = self.carried(path)
        if to and to.startswith(self.inside):
            os.makedirs(os.path.dirname(os.path.join(ROOT, to)), exist_ok=True)
            shutil.copyfile(path, os.path.join(ROOT, to))
        return to

    def copy_all(self, source):
        """The source and what it is made of; where it is found."""
        with open(self.rule, encoding="utf-8") as file:
            included = re.findall(r"^  (.*?)(?: \\)?$", file.read(), re.M)
        for path in included:
            self.copy(re.sub(r"\\([ #])", r"\1", path).replace("$$", "$"))
        carried, folder = self.copy(source), os.path.dirname(source) or "."
        for name in os.listdir(folder) if carried.startswith(self.inside) else []:
            if name.endswith((".h", ".cuh", ".hpp")) and ".grad." not in name:
                self.copy(os.path.join(folder, name))  # of a precompiled header the rule knows nothing
        return carried

    def flags(self, flags):
        """Those that a compilation for a GPU has in common with the parse."""
        kept, words = [], iter(flags)
        for word in words:
            if word in ("-Xclang", "-idirafter"):  # what nvcc has itself, or does not know
                next(words, "")
            elif word in ("-I", "-isystem", "-iquote", "-include", "-D", "-U"):
                kept += self.flag(word, next(words, ""))
            elif word.startswith(("-I", "-D", "-U")):
                kept += self.flag(word[:2], word[2:])
        return kept

    def flag(self, kind, value):
        if kind in ("-D", "-U"):
            return [] if value.startswith(OF_ITS_PARSE) else [kind + value]
        if kind == "-include" and not os.path.exists(value):
            return [kind, value]  # found on the include path
        to = self.carried(value)
        return [kind, to] if to else []

    def place(self, source, standalone):
        """Names the text; where it is found."""
        path = os.path.join(self.folder, f"{self.stem}.grad.{'cu' if standalone else 'cuh'}")
        os.rename(self.first, path)
        os.remove(self.rule)
        if standalone:  # it includes its source by a path from its own folder
            with open(path, encoding="utf-8") as file:
                text = file.read()
            here = os.path.relpath(os.path.join(ROOT, source), self.folder)
            first = re.compile(rf'^#include "[^"]*{re.escape(os.path.basename(source))}"$', re.M)
            with open(path, "w", encoding="utf-8") as file:
                file.write(first.sub(f'#include "{here}"', text, count=1))
        return os.path.join(self.inside, os.path.basename(path))

    def write(self, source, options, flags):
        carried = self.copy_all(source)
        text = self.place(carried, any(name == "standalone" for name, _ in options))
        unit = {"test": os.environ.get("GW_TEST_NAME", ""), "source": carried, "text": text,
                "asked": words_of(options, OTHER_FILES | {"flags"}), "flags": self.flags(flags)}
        with open(os.path.join(self.folder, "unit.json"), "w", encoding="utf-8") as file:
            json.dump(unit, file)


def run_as_asked(real, unit, sources, options, flags):
    """Whether the text and the rule of what it was made of are there now, and the exit status."""
    output = next((words[-1].removeprefix("--output=") for name, words in options if name == "output"), "-")
    names = {name for name, _ in options}
    adds_rule = output != "-" and not names & RULE
    rule = ["-MD", "-MF", unit.rule, "-MT", "x"] if adds_rule else []
    command = [real, *sources, *words_of(options, ()), *rule, *(["--", *flags] if flags else [])]
    status = subprocess.call(command)
    there = adds_rule and status == 0 and os.path.isfile(output) and os.path.isfile(unit.rule)
    if there:
        shutil.copyfile(output, unit.first)
    return there, status


def emit_again(real, unit, source, options, flags):
    """The same if the text went to no file, or the test has a rule of its own."""
    rule = ["-MD", "-MF", unit.rule, "-MT", "x", "-o", unit.first]
    command = [real, source, *words_of(options, OTHER_FILES), *rule, "--", *flags]
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def with_files(options, flags):
    """The flags, and those of --flags=FILE before them."""
    found = []
    for name, words in options:
        if name == "flags":
            with open(words[-1].removeprefix("--flags="), encoding="utf-8") as file:
                found += [line for line in file.read().split("\n") if line]
    return found + flags


def keep(real, unit, source, options, flags, there):
    try:
        if not there and not emit_again(real, unit, source, options, flags):
            raise RuntimeError("it is not emitted a second time")
        unit.write(source, options, with_files(options, flags))
    except Exception:  # the test goes on
        shutil.rmtree(unit.folder)
        with open(os.path.join(unit.store, "lost.txt"), "a", encoding="utf-8") as file:
            file.write(f"{os.environ.get('GW_TEST_NAME')}: {source} {options}\n{traceback.format_exc()}\n")


def main():
    real, store, *arguments = sys.argv[1:]
    sources, options, flags = read_arguments(arguments)
    if len(sources) != 1 or not is_cuda(sources[0], flags) or NO_TEXT & {name for name, _ in options}:
        os.execv(real, [real, *arguments])
    unit = Unit(store, sources[0])
    there, status = run_as_asked(real, unit, sources, options, flags)
    if status == 0:
        keep(real, unit, sources[0], options, flags, there)
    else:
        shutil.rmtree(unit.folder)
    sys.exit(status if status >= 0 else 128 - status)


main()
