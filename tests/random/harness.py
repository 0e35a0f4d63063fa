"""Compiles batches of kernels through gradwright and gwcc, runs them, and says for each kernel what happened.

Gradwright emits nothing for a file with a refused kernel, so those are named by their lines, left out, and the
rest is compiled. What ends a tool or a program by force is found by running each kernel alone.
"""
import os
import random
import re
import subprocess

import exact_log
from program import joined, program

# Refusals that the documentation allows for a kernel of the language that is generated here.
REFUSALS = {"stale-value", "no-tape-bound", "tape-in-function", "active-global", "adjoint-conflict",
            "output-not-written", "not-the-same", "no-coarsening", "rung-unsound", "rung-of-no-addition",
            "cannot-pack", "kept-output", "empty-promise", "no-fixed-order", "lost-bits"}
# A vote's or a stored value that decides about a later barrier, in a kernel with threads that have returned.
LEFT = "decides it, which threads that have returned do not compute"
# What a gradient supposes of launches (analysis/ownership/suppose.c) and a random launch need not keep.
SUPPOSED = "(the kernel takes threadIdx.x apart by that)"
# A batch takes one of these, by its first kernel's name. What has no fixed order is emitted without one.
RUNGS = ("warp", "grid", "slots", "copies", "warp-serial", "match", "cache", "posted", "block", "record")
FORMS = ["", "--checked", "--checked", "--deterministic", "--checked --deterministic"] + [
    f"{checked}--prefer={rung}" for rung in RUNGS for checked in ("", "--checked ")]
FIXED = "--deterministic"
SOLVED = ("", "--checked", FIXED)  # forms of default kernels in which the solver takes part
ERROR = re.compile(r"(?:batch|part\d+)\.cu:(\d+):(?:\d+:)? error: (.*?)(?: \[([a-z-]+)\])?$", re.M)


MARKS_OF_FAULTS = (("wrong adjoint", "adjoint of parameter"), ("other bits", "other bits"),
                   ("changed primal", "primal's"), ("wrong exact sum", "an exact sum of"))
PATIENCE = 1800  # seconds of the clock for a compiler, on a busy machine


class Result:
    """state: ok, refused, unusable or FAIL; key: what makes two failures the same; cells, kinks: see the
    check; sums: exact ones that were compared."""

    def __init__(self, state, key="", text="", cells=0, kinks=0, sums=0):
        self.state, self.key, self.text = state, key, text
        self.cells, self.kinks, self.sums = cells, kinks, sums


def default_form(seed, banned):
    """The one of all forms that a default kernel takes; where it has no fixed order, one without; None: it is
    right in none."""
    fixed = any(form and FIXED in form for form in banned)
    forms = [form for form in dict.fromkeys(FORMS) if not (fixed and FIXED in form)]
    form = forms[seed % len(forms)]
    return None if None in banned else form if form in SOLVED else f"{form} --smt=off"


def failure(key, text):
    return Result("FAIL", key, text.strip()[-1500:])


class Harness:
    stem, header = "batch", "batch.grad.cuh"
    emitted_name = re.compile(r"\b(k\d+(?:v\d+)?)w?s?_")  # a kernel's name in emitted text
    """tools: gradwright, gwcc, and more arguments for each; folder: where batches are; seed: of the threads'
    order."""

    def __init__(self, tools, include, folder, seed):
        self.gradwright, self.gwcc, self.folder, self.seed = tools.gradwright, tools.gwcc, folder, seed
        self.arguments = tools.gradwright_arg
        # Random conditions that are never or always true stay so in the gradient.
        self.flags = ["-Wall", "-Wextra", "-Werror", "-Wno-tautological-compare", *tools.gwcc_arg]
        self.include = [f"-I{path}" for path in include]
        flags = subprocess.run([self.gwcc, "--device=cpu", "--print-parse-flags", *self.include],
                               capture_output=True, text=True, check=True)
        self.parse_flags = flags.stdout.split() + ["-DGW_RANDOM_EMIT"]
        self.made, self.form, self.chosen = [], "", tools.form
        os.makedirs(folder, exist_ok=True)

    def command(self, arguments, limit=300):
        environment = dict(os.environ, GW_CPU_SEED=str(self.seed), GW_CPU_IN_STEP="1")
        try:
            done = subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True, timeout=limit,
                                  env=environment, errors="replace")
        except subprocess.TimeoutExpired:
            return None, "", f"{os.path.basename(arguments[0])} does not end"
        return done.returncode, done.stdout, done.stderr

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, named):
        text, owner = program(named, self.stem, FIXED in self.form,
                              FIXED in self.form or "exact" in self.form)
        with open(self.path(f"{self.stem}.cu"), "w") as file:
            file.write(text)
        return owner

    def generate(self):
        return self.command([self.gradwright, f"{self.stem}.cu", "-o", self.header, *self.form.split(),
                             *self.arguments, "--", *self.parse_flags])

    def carry(self, named):
        """Writes what an accepted batch is compiled from, beside its source and what was emitted."""

    def make(self, named):
        """Writes the batch's source and emits for it. Returns whose the lines are, exit status and messages."""
        self.made = []
        owner = self.write(named)
        code, _, said = self.generate()
        if code == 0:
            self.made = list(named)
        return owner, code, said

    def make_once(self, named):
        if named != self.made:
            self.make(named)

    def accepted(self, named, results):
        """Writes a source of the kernels that Gradwright takes; says of the others why not."""
        while named:
            owner, code, said = self.make(named)
            if code == 0:
                break
            blamed = self.blame(owner, said) if code == 1 else {}
            if not blamed and len(named) == 1:
                blamed = {named[0][0]: failure(f"gradwright exits with {code}{self.tools_suffix()}", said)}
            if not blamed:
                return self.accepted_alone(named, results)
            results.update(blamed)
            named = [pair for pair in named if pair[0] not in blamed]
        return named

    def blame(self, owner, said):
        blamed = {}
        for line, text, code in ERROR.findall(said):
            name = owner[int(line) - 1] if int(line) <= len(owner) else None
            if not name or name in blamed:
                continue
            blamed[name] = Result("refused", code, text) if code in REFUSALS or LEFT in text else failure(
                f"diagnostic {code or text}{self.tools_suffix()}", f"{text} [{code}]\n{said}"
                if code != "unsupported" else text)
        return blamed

    def accepted_alone(self, named, results):
        kept = [pair for pair in named if self.accepted([pair], results)]
        if not kept:
            return kept
        _, code, said = self.make(kept)
        if code != 0:
            for name, _ in kept:
                results[name] = failure("gradwright fails on several kernels only", said)
            return []
        return kept

    def compiled(self, named, form):
        """Exit status and messages of the batch's compiler."""
        if form != self.form:
            self.made, self.form = [], form
        self.make_once(named)
        return self.compiled_batch()

    def compiled_batch(self):
        code, _, said = self.command([self.gwcc, "--device=cpu", "--no-gradients", *self.flags, *self.include,
                                      "batch.cu", "-o", "batch"], PATIENCE)
        return code, said

    def build(self, named, results, form):
        """Compiles the batch; on an error, whose emitted text it is, without those. Returns what is to be
        run."""
        while named:
            code, said = self.compiled(named, form)
            if code == 0:
                return named
            blamed = self.emitters(said, [name for name, _ in named])
            if not blamed and len(named) > 1:
                for half in (named[:len(named) // 2], named[len(named) // 2:]):
                    self.build_and_run(half, results, form)
                return []
            for name in blamed or [named[0][0]]:
                where = re.search(r"error: (.*)", said)
                results[name] = failure("emitted text does not compile: " + self.generic(where),
                                        said[max(0, said.find("error: ") - 80):][:1500])
            named = [pair for pair in named if pair[0] not in results]
        return named

    def build_and_run(self, named, results, form):
        built = self.build(named, results, form)
        if built:
            self.run(built, results, lambda name: self.suffix(form))

    @staticmethod
    def suffix(form):
        return f" ({form})" if form else ""

    def tools_suffix(self):
        """The suffix of what the tool itself says."""
        return self.suffix(self.form)

    @staticmethod
    def form_of(result):
        """In which a kernel failed."""
        found = re.search(r" \((--[a-z= -]+)\)$", result.key)
        return found.group(1) if found else ""

    @staticmethod
    def generic(found):
        """A message without the names in it."""
        return re.sub(r"'[^']*'|\d+", "*", found.group(1)) if found else ""

    def emitters(self, said, names):
        """The functions in whose gradient the compiler found an error."""
        try:
            with open(self.path(self.header)) as file:
                lines = file.read().splitlines()
        except OSError:
            return set()
        errors = re.findall(rf"{re.escape(self.header)}:(\d+):\d+: error", said)
        known, found = set(names), set()
        for number in {int(e) for e in errors}:
            for line in reversed(lines[:number]):
                here = [m for m in self.emitted_name.findall(line) if m in known]
                if here:
                    found.add(here[0])
                    break
        return found

    def run(self, named, results, suffix=lambda name: ""):
        """suffix(name): of the key of its failure. Runs the program; a case that ends it has failed, and the
        program goes on behind it."""
        start, known = 0, dict(named)
        while start is not None:
            code, out, said = self.command([self.path("batch"), str(start)])
            start = self.read(out, code, said, results, known, suffix)

    def read(self, out, code, said, results, known, suffix):
        running, notes, sums = None, [], 0
        for line in out.splitlines():
            words = line.split(" ")
            if words[0] == "begin":
                running, notes, sums = (int(words[1]), words[2]), [], 0
            elif words[0] == "exact" and running:
                wrong, sums = exact_log.wrong(line), sums + 1
                notes += [wrong] if wrong else []
            elif words[0] == "end" and running:
                self.note(results, words, notes, known, suffix, sums)
                running = None
            else:
                notes.append(line)
        if running:
            text = "\n".join(notes + [said])
            kind = "two threads in one cell" if "without an atomic" in text else f"program ends with {code}"
            name = self.kernel_of(running[1], known)
            results[name] = failure(kind + suffix(name), text)
            return running[0] + 1
        return None

    @staticmethod
    def kernel_of(case, known):
        return case if case in known else case[:-1]

    def note(self, results, words, notes, known, suffix, sums):
        name, state, cells, kinks = self.kernel_of(words[1], known), words[2], int(words[3]), int(words[4])
        if any("an exact sum of" in note for note in notes):
            state = "FAIL"
        if name in results and results[name].state not in ("ok", "unusable"):
            return
        if state == "FAIL" and any(SUPPOSED in note for note in notes):
            results[name] = Result("refused", "launch", SUPPOSED)
        elif state == "FAIL":
            text = "\n".join(notes)
            key = next((key for key, mark in MARKS_OF_FAULTS if mark in text), None)
            if not key:
                said = text.split(": ", 2)[-1]
                key = "status: " + re.sub(r"k\d+v?\d*w?_\w+: |\d+|'[^']*'", "", said)[:60]
            results[name] = failure(key + suffix(name), text)
        else:
            before = results.get(name, Result(state))  # the same kernel over double
            key = "when it runs" if state == "refused" else ""
            results[name] = Result(state, key, cells=cells + before.cells, kinks=kinks + before.kinks,
                                   sums=sums + before.sums)

    def check_parts(self, parts):
        """The same of several batches, each with its form, that are compiled into one program; if that fails,
        of each by itself."""
        results, kept, forms, stems = {}, [], {}, []
        for number, (form, named) in enumerate(parts):
            self.stem, self.header, self.form = f"part{number}", f"part{number}.grad.cuh", form
            taken = self.accepted(named, results)
            kept, stems = kept + taken, stems + [self.stem] * bool(taken)
            forms.update({name: self.suffix(form) for name, _ in taken})
        self.stem, self.header, self.made = Harness.stem, Harness.header, []
        if not kept:
            return results
        with open(self.path("batch.cu"), "w") as file:
            file.write(joined(stems))
        code, said = self.compiled_batch()
        if code == 0:
            self.run(kept, results, forms.get)
            return results
        print(f"Each form by itself, because all in one program do not compile: "
              f"{said[max(0, said.find('error')):][:300]}", flush=True)
        for form, named in parts:
            results.update(self.check(named, form))
        return results

    def next_form(self, named):
        return self.chosen if self.chosen is not None else random.Random(named[0][0]).choice(FORMS)

    def check(self, named, form=None, builds=True):
        """Results by name: generated, and compiled and run, in the form; by default in the batch's."""
        results = {}
        self.form = self.next_form(named) if form is None else form
        if builds:
            self.build_and_run(self.accepted(named, results), results, self.form)
        else:
            self.accepted(named, results)
        orderless = [pair for pair in named if pair[0] in results and results[pair[0]].key
                     == "no-fixed-order"] if builds else []
        if orderless:
            results.update(self.check(orderless, self.form.replace(FIXED, "").strip()))
        return results
