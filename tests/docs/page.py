#!/usr/bin/env python3
"""The programs of a page of the guide, out of its own text: they build without a warning, run, and do what it
says.

usage: page.py GRADWRIGHT GWCC BUILD CMAKE PAGE FOLDER

Of the page's fenced blocks:
  ```cuda, cpp, c, python or cmake, with a file's name or without (the page's own then): written to that file,
           in order
  ```sh     commands, run in the folder of these files, one a line; one that ends in "# fails" must fail
  ```text   behind them: what they say; "..." stands for anything, whole lines of it for any number of lines
A program that no command names is built with all warnings as errors and must exit with 0; where there is a
CMakeLists.txt, a command must run cmake. Python finds the package and its library; a page of it is skipped (77)
where there is no NumPy. What the page quotes in the text as `memory: ...` is said by --explain
of one of its sources. A page that asks for the package finds it installed.
"""
import os
import re
import shutil
import subprocess
import sys

ENDS = {"cuda": ".cu", "cpp": ".cpp", "c": ".c", "cmake": "", "python": ".py"}
BLOCK = re.compile(r"^```([a-z]+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def pattern(text):
    """What the page says was printed, as a regular expression."""
    lines = []
    for line in text.rstrip("\n").split("\n"):
        if line.strip() == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            words = [re.escape(re.sub(r"\s+", " ", part)) for part in line.strip().split("...")]
            lines.append(r" *" + ".*?".join(words).replace(r"\ ", " ") + r" *\n")
    return "".join(lines)


class Page:
    def __init__(self, gradwright, gwcc, build, cmake, page, folder):
        self.tools, self.page, self.folder = (gradwright, gwcc, build, cmake), page, folder
        self.text, self.sources, self.named, self.said, self.faults = read(page), [], set(), "", []
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        os.environ["PATH"] = os.path.dirname(gwcc) + os.pathsep + os.environ["PATH"]

    def write(self):
        own = os.path.basename(self.page)[:-len(".md")].replace("-", "_")
        for language, name, body in BLOCK.findall(self.text):
            if language in ENDS:
                name = name or own + ENDS[language]
                if name not in self.sources:
                    self.sources.append(name)
                with open(os.path.join(self.folder, name), "a", encoding="utf-8") as file:
                    file.write(body)

    def install(self):
        if "find_package(Gradwright" in self.text:
            root = os.path.join(self.folder, "installed")
            status, said = run([self.tools[3], "--install", self.tools[2], "--prefix", root], self.folder)
            assert status == 0, said
            os.environ["Gradwright_ROOT"] = root

    def prepare_python(self):
        if not any(name.endswith(".py") for name in self.sources):
            return
        if run([sys.executable, "-c", "import numpy"], self.folder)[0] != 0:
            sys.exit(77)
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        own = os.path.join(self.folder, "bin")
        os.makedirs(own)
        os.symlink(sys.executable, os.path.join(own, "python3"))
        os.environ["PATH"] = own + os.pathsep + os.environ["PATH"]
        os.environ["PYTHONPATH"] = os.path.join(root, "runtime", "python")
        os.environ["GRADWRIGHT_LIBRARY"] = os.path.join(self.tools[2], "lib", "libgradwright.so")
        os.environ["XDG_CACHE_HOME"] = os.path.join(self.folder, "cache")

    def command(self, line):
        """Its lines are compared with blanks as one, and with nothing of this folder."""
        fails = line.endswith("# fails")
        status, said = run(["bash", "-c", line], self.folder)
        if (status != 0) != fails:
            self.faults.append(f"'{line}' exits with {status}:\n{said}")
        for one in said.replace(self.folder + "/", "").splitlines():
            self.said += re.sub(r"\s+", " ", one).strip() + "\n"

    def skip_without(self, program):
        if f"\n{program} " in self.text and not shutil.which(program):
            sys.exit(77)

    def commands(self):
        for language, _, body in BLOCK.findall(self.text):
            if language == "sh":
                self.said = ""
                for line in re.sub(r"\\\n\s*", "", body).splitlines():
                    self.command(line)
                    for name in self.sources:
                        if re.search(rf"(?<![\w.]){re.escape(name)}\b", line):
                            self.named.add(name)
                    if line.startswith("cmake ") and "CMakeLists.txt" in self.sources:
                        self.named.update(self.sources)
            elif language == "text" and not re.fullmatch(pattern(body), self.said):
                self.faults.append(f"the page says\n{body}and it is\n{self.said}")

    def programs(self):
        for name in self.sources:
            if name in self.named:
                continue
            if name.endswith(".py"):
                status, said = run([sys.executable, name], self.folder)
                if status != 0:
                    self.faults.append(f"{name} exits with {status}:\n{said}")
                continue
            built = os.path.join(self.folder, os.path.splitext(name)[0])
            strict = ["--device=cpu", "-Wall", "-Wextra", "-Werror"]
            status, said = run([self.tools[1], *strict, name, "-o", built], self.folder)
            if status == 0:
                status, said = run([built], self.folder)
            if status != 0:
                self.faults.append(f"{name} exits with {status}:\n{said}")

    def quotes(self):
        """What is said in the text of --explain."""
        quoted = re.findall(r"`(memory: [^`]*)`", self.text)
        if not quoted:
            return
        explained = ""
        for name in self.sources:
            explained += run([self.tools[0], name, "-o", "explained", "--explain"], self.folder)[1]
        for words in quoted:
            if words not in explained:
                self.faults.append(f"--explain does not say: {words}\n{explained}")


def main():
    page = Page(*sys.argv[1:5], os.path.abspath(sys.argv[5]), os.path.abspath(sys.argv[6]))
    page.write()
    page.install()
    page.prepare_python()
    page.skip_without("mpirun")
    page.commands()
    page.programs()
    page.quotes()
    if page.faults:
        sys.exit(f"{page.page}:\n" + "\n".join(page.faults))


main()
