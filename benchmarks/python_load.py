#!/usr/bin/env python3
"""What gw.load takes for the splatting example's kernels, in seconds: the first time, with nothing in a cache,
from the cache in a new process, and again in that one. PYTHONPATH as for the package; `--device cuda` needs
nvcc."""
import os
import subprocess
import sys
import tempfile

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "gaussian_splatting",
                       "splatting.cuh")
PROGRAM = """
import os, sys, time
import gradwright as gw
text = f'#include <gradwright/gradwright.h>\\n#include "{sys.argv[1]}"\\n'
for _ in range(2):
    began, spent = time.perf_counter(), sum(os.times()[:4])
    m = gw.load(text, device=sys.argv[2], language="cuda")
    print(f"{time.perf_counter() - began:.4f} {sum(os.times()[:4]) - spent:.2f}", m.was_cached)
"""


def main():
    device = "cuda" if sys.argv[1:] == ["--device", "cuda"] else "cpu"
    with tempfile.TemporaryDirectory() as cache:
        environment, times = {**os.environ, "XDG_CACHE_HOME": cache}, []
        for _ in range(2):
            words = [sys.executable, "-c", PROGRAM, os.path.realpath(KERNELS), device]
            said = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
            times += [line.split() for line in said.splitlines()]
    assert [cached for _, _, cached in times] == ["False", "True", "True", "True"], times
    first, spent, _ = times[0]
    print(f"{device}: first {first} s ({spent} s of processors), "
          f"from the cache {times[2][0]} s, again {times[3][0]} s")


if __name__ == "__main__":
    main()
