"""Compiles batches of host functions through gradwright and a C or C++ compiler, runs them, and says for each
function what happened. What is said of kernels in harness.py holds here."""
import os
import re
import subprocess

from harness import Harness, Result, failure
from host_program import main_text, source, tables

HERE = os.path.dirname(os.path.abspath(__file__))
# A list of initial values in C++ may not narrow; here it does.
STANDARD = {"c": ["-std=c17"], "cpp": ["-std=c++17", "-Wno-narrowing"]}
# Failures of the source itself, which is valid by construction, or of the tool.
FAULTS = {"syntax", "internal", None, ""}
INCLUDE = [f"-I{os.path.join(HERE, '../../include')}", f"-I{HERE}"]


def make_host(compiler, flags, target):
    subprocess.run([compiler, *flags, "-O2", "-std=c17", "-c", os.path.join(HERE, "random_host.c"), "-o",
                    target], check=True)


def compiling(compiler, language, objects):
    """The command that makes a batch's program. Random source compares and assigns variables with
    themselves."""
    return [*compiler, *STANDARD[language], "-Wall", "-Wextra", "-Werror", "-Wno-tautological-compare",
            "-Wno-self-assign", "-isystem", ".", *INCLUDE, f"main.{language}", *objects, "-lm", "-o", "batch"]


class HostHarness(Harness):
    """compilers: commands with flags, of which each batch takes the next; a form is the number of one."""
    compilers_in_turn = 4
    emitted_name = re.compile(r"\b(?:h\d+_)?(k\d+(?:v\d+)?)w?_(?:grad|pullback|jvps?)")

    def __init__(self, options, folder, language):
        self.gradwright, self.folder, self.language = options.gradwright, folder, language
        self.arguments, self.runtime, self.seed, self.made = options.gradwright_arg, options.runtime, 0, []
        self.include = INCLUDE
        self.header = "batch.grad." + ("h" if language == "c" else "hpp")
        self.error = re.compile(rf"batch\.{language}:(\d+):(?:\d+:)? error: (.*?)(?: \[([a-z-]+)\])?$", re.M)
        clang, gcc = (options.clang, options.gcc) if language == "c" else (options.clangxx, options.gxx)
        # Sanitizers check the same without optimisation, for a fifth of the compiler's time.
        sanitized = [clang, "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        self.compilers = [[gcc, "-O1"], sanitized, [clang, "-O2"], sanitized]
        self.batches, self.form = 0, ""
        os.makedirs(folder, exist_ok=True)
        for number, flags in enumerate(self.compilers):
            more = [f for f in flags[1:] if "sanitize" in f]
            make_host(options.clang if more else options.gcc, more, self.path(f"host{number}.o"))

    def write(self, named):
        text, owner = source(named, self.language)
        with open(self.path(f"batch.{self.language}"), "w") as file:
            file.write(text)
        with open(self.path("main." + self.language), "w") as file:
            file.write(main_text("batch", self.language))
        return owner

    def generate(self):
        return self.command([self.gradwright, f"batch.{self.language}", "-o", self.header, *self.arguments,
                             "--", *STANDARD[self.language], *self.include])

    def blame(self, owner, said):
        blamed = {}
        for line, text, code in self.error.findall(said):
            name = owner[int(line) - 1] if int(line) <= len(owner) else None
            if not name or name in blamed:
                continue
            text = re.sub(r"'[^']*'", "*", text)
            blamed[name] = failure(f"diagnostic {code or text}",
                                   f"{text} [{code}]\n{said[:1500]}") if code in FAULTS else \
                Result("refused", f"{code}: {text}", text)
        return blamed

    def carry(self, named):
        with open(self.path(self.header)) as file:
            emitted = file.read()
        with open(self.path("batch.tables"), "w") as file:
            file.write(tables(named, self.language, emitted))

    def compiled(self, named, form):
        self.make_once(named)
        self.carry(named)
        code, _, said = self.command(compiling(self.compilers[form], self.language,
                                               [f"host{form}.o", self.runtime]), 300)
        return code, said

    def suffix(self, form):
        return f" ({' '.join(self.compilers[form])})"

    def tools_suffix(self):
        return ""

    def check_parts(self, parts):
        """Each with the number of its compiler."""
        results = {}
        for form, named in parts:
            results.update(self.check(named, int(form)))
        return results

    def next_form(self, named):
        """The number of a compiler."""
        self.batches += 1
        return (self.batches - 1) % len(self.compilers)
