"""Random tests on a machine that has a compiler but no Clang: emitted here (--emit-only DIR), compiled and run
there (--run DIR).

DIR holds one folder for each batch: its sources with what Gradwright emitted for them, and list.json: the names
in it, what came of those that are not, and whose text is whose. There, a batch whose text does not compile has
failed as a whole. Kernels run on the GPU; nothing is made small.
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess

from harness import Harness, Result, failure

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def states(results):
    return {name: [r.state, r.key, r.text, r.cells, r.kinks, r.sums] for name, r in results.items()}


def tell(results):
    for name, result in results.items():
        if result.state == "FAIL":
            print(f"FAIL {name}: {result.key}\n{result.text}", flush=True)


def emit(harness, named, folder, size):
    """harness.carry() writes beside the source what else the batch is compiled from."""
    results = {}
    for first in range(0, len(named), size):
        harness.folder = os.path.join(os.path.abspath(folder), f"{first // size:04}")
        os.makedirs(harness.folder, exist_ok=True)
        said = {}
        kept = harness.accepted(named[first:first + size], said)
        harness.carry(kept)
        with open(harness.path("list.json"), "w") as file:
            json.dump({"names": [name for name, _ in kept], "results": states(said)}, file)
        print(f"{harness.folder}: {len(kept)} of {len(kept) + len(said)}", flush=True)
        tell(said)
        results.update(said)
    return results


class Carried(Harness):
    """Only runs what is there."""

    def __init__(self):
        self.folder, self.seed = "", 0


def make_runtime(folder, compiler, flags=()):
    """The objects of libgwruntime."""
    made = []
    for source in sorted(glob.glob(os.path.join(ROOT, "runtime/*.c"))):
        made.append(os.path.join(os.path.abspath(folder), os.path.basename(source) + ".o"))
        subprocess.run([compiler, "-std=c17", "-O2", *flags, f"-I{ROOT}/include", "-c", source, "-o", made[-1]],
                       check=True)
    return made


def run_batch(harness, folder, command):
    harness.folder = folder
    with open(os.path.join(folder, "list.json")) as file:
        kept = json.load(file)
    results = {name: Result(*fields) for name, fields in kept["results"].items()}
    if not kept["names"]:
        return results
    code, _, said = harness.command(command, 1800)
    if code != 0:
        text = said[max(0, said.find("error") - 200):][:1500]
        key = "batch does not compile: " + harness.generic(re.search(r"error:? (.*)", said))
        results.update({name: failure(key, text) for name in kept["names"]})
    else:
        harness.run([(name, None) for name in kept["names"]], results)
    for name in kept["names"]:
        results.setdefault(name, failure("was not run", ""))
    return results


def run(folder, command, jobs):
    """All results; a line for each failure. command(number): compiles the batch of that number, in its
    folder."""
    folders = sorted(entry.path for entry in os.scandir(os.path.abspath(folder)) if entry.is_dir())
    results = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for batch in pool.map(lambda path: run_batch(Carried(), path, command(folders.index(path))), folders):
            results.update(batch)
    tell(results)
    return results
