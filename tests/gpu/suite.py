"""What the suite emits for CUDA sources, to be compiled by nvcc: its tests run with a command that keeps it.

So nothing is listed here that a new test would have to be added to. Each text lies in a folder of its own.
"""
import collections
import glob
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))
import listed  # pylint: disable=wrong-import-position
SOURCES = ("tests/**/*.cu", "examples/**/*.cu", "benchmarks/**/*.cu")
OF_GRADWRIGHT = re.compile("gradwright|GW_|gradient")
# Not kept, by the name of the test: what is emitted there is not meant for nvcc.
LEFT_OUT = {
    r"^fuzz\.sources": "what random changes of a source leave is what Clang takes, not what nvcc does",
}
STAND_IN = """#!/bin/sh
{before}exec {command} "$@"
"""
WARNING = re.compile(r"(?P<place>\S+?)(?:\(\d+\)|:\d+(?::\d+)?): (?:warning|error)|"
                     r"(?:ptxas|nvlink)\b.*?\b(?:warning|error)")

Unit = collections.namedtuple("Unit", "name test source text asked flags")


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def stem_of(path):
    return os.path.splitext(os.path.basename(path))[0]


# ---- the tests ----

def write_stand_ins(folder, build, store):
    """Commands in the place of gradwright and gwcc."""
    os.makedirs(folder, exist_ok=True)
    real = {name: os.path.join(build, "bin", name) for name in ("gradwright", "gwcc")}
    keep = shlex.join([sys.executable, os.path.join(HERE, "keep.py"), real["gradwright"], store])
    own = f"GW_GRADWRIGHT={shlex.quote(os.path.join(folder, 'gradwright'))} "
    for name, before, command in (("gradwright", "", keep), ("gwcc", own, shlex.quote(real["gwcc"]))):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(STAND_IN.format(before=before, command=command))
        os.chmod(path, 0o755)


class Tests:
    """Those of a build's default suite that run one of its commands on what may be a CUDA source."""

    def __init__(self, build, tools, only):
        names = ("gradwright", "gwcc")
        self.commands = {os.path.join(build, "bin", name): os.path.join(tools, name) for name in names}
        self.tests = [test for test in listed.tests(build) if only.search(test["name"]) and self.concerns(test)]

    def concerns(self, test):
        if any(re.search(pattern, test["name"]) for pattern in LEFT_OUT):
            return False
        words = test.get("command", [])
        sources = [word for word in words if word.endswith((".c", ".cpp", ".cu"))]
        asks = not sources or any(map(self.may_ask, sources))
        return asks and any(command in word for word in words for command in self.commands)

    @staticmethod
    def may_ask(source):
        made = not os.path.isfile(source)  # by the build, or the name of a folder
        return source.endswith(".cu") and (made or bool(OF_GRADWRIGHT.search(read(source))))

    def run(self, test):
        """False if it does not end. Whether it is good its own run says; what gwcc compiles is not needed."""
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        command = test["command"]
        for real, stand_in in self.commands.items():
            command = [word.replace(real, stand_in) for word in command]
        environment = dict(os.environ, GW_TEST_NAME=test["name"])
        environment.update(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        if command[0] in self.commands.values():
            environment["GW_CLANG"] = "true"
        try:
            subprocess.run(command, cwd=properties.get("WORKING_DIRECTORY"), env=environment, timeout=1800,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            print(f"FAILED: {test['name']} does not end")
            return False
        return True


def emit_alone(tools, source, flags):
    """For a source that no test emits for: tests of other passes, sources of projects."""
    if OF_GRADWRIGHT.search(read(source)):
        command = [os.path.join(tools, "gradwright"), source, "-o", "/dev/null", "--", *flags]
        environment = dict(os.environ, GW_TEST_NAME="alone")
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def remove_repeated(store, known):
    """Leaves one folder of each text that is not among those known."""
    seen = set()
    for path in sorted(glob.glob(f"{store}/*/unit.json")):
        unit = json.loads(read(path))
        text = read(unit["text"])
        macros = [flag for flag in unit["flags"] if flag.startswith(("-D", "-U"))]
        all_of_it = text + read(unit["source"]) + str(macros)
        key = hashlib.sha256(all_of_it.encode(errors="surrogateescape")).hexdigest()
        if key in seen or text in known:
            shutil.rmtree(os.path.dirname(path))
        seen.add(key)


def collect(build, tools, store, only, known, cases):
    """Runs the tests, and emits for the sources that neither they nor the cases have. The tests' number, and
    whether all is kept."""
    build, tools, store = (os.path.abspath(path) for path in (build, tools, store))
    write_stand_ins(tools, build, store)
    tests = Tests(build, tools, only)
    gwcc = [os.path.join(build, "bin/gwcc"), "--device=cpu", "--print-parse-flags"]
    flags = shlex.split(subprocess.run(gwcc, stdout=subprocess.PIPE, text=True, check=True).stdout)
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(tests.run, tests.tests))
        have = {unit.source for unit in units(store, re.compile(""))} | set(cases)
        alone = [source for pattern in SOURCES for source in sorted(glob.glob(pattern, recursive=True))]
        alone = [source for source in alone if source not in have and only.search(source)]
        list(pool.map(lambda source: emit_alone(tools, source, flags), alone))
    remove_repeated(store, known)
    lost = os.path.join(store, "lost.txt")
    if os.path.exists(lost):
        print(f"FAILED to keep what was emitted:\n{read(lost)}")
    return len(ended), all(ended) and not os.path.exists(lost)


# ---- what they left ----

def units(store, only):
    found = []
    for path in sorted(glob.glob(f"{store}/*/unit.json")):
        unit = json.loads(read(path))
        name = " ".join([f"{unit['test']}: {stem_of(unit['source'])}", *unit["asked"]])
        if only.search(name):
            found.append(Unit(name, **unit))
    return found


def source_to_compile(unit, path):
    """The text if it includes its source, or a source that includes it; else a file with both, of that path."""
    if unit.text.endswith(".cu"):
        return unit.text
    own = rf'#\s*include\s*"(?:[^"]*/)?{re.escape(stem_of(unit.source))}\.grad\.cuh"'
    if unit.source.endswith(".cu") and re.search(own, read(unit.source)):
        return unit.source
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#include "{os.path.abspath(unit.source)}"\n#include "{os.path.abspath(unit.text)}"\n')
    return path


def warnings_of(unit, said):
    """Those of the text, of Gradwright's headers and of machine code; a source's are its own business."""
    copies = os.path.join(os.path.dirname(unit.text), "tree")
    of_source = (os.path.abspath(unit.source), os.path.abspath(copies))
    found, counts = [], False
    for line in said.splitlines():
        warning = WARNING.match(line)
        if warning:
            counts = not warning["place"] or not os.path.abspath(warning["place"]).startswith(of_source)
        if counts:
            found.append(line)
    return "\n".join(found)
