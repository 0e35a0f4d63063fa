#!/usr/bin/env python3
"""A fixed piece of a compiler's work, by whose processor time that of the tests is measured.

usage: clock.py COMPILER FOLDER

Most of the suite's time is spent in compilers that read large headers, so a slower machine, or one that others
use, is slower at this in about the same proportion. Its time is noted as every test's is.
"""
import os
import subprocess
import sys

FUNCTIONS = 12
HEADERS = ("algorithm", "functional", "map", "random", "regex", "string", "vector")
BODY = """static double f{k}(const std::vector<double> &x) {{
    std::map<int, std::vector<double>> of;
    for (double v : x) of[(int)v % {m}].push_back(v * {k});
    double sum = {k};
    for (auto &entry : of) std::sort(entry.second.begin(), entry.second.end()), sum += entry.second[0];
    return sum;
}}
"""


def main():
    compiler, folder = sys.argv[1:]
    path = os.path.join(folder, "clock.cpp")
    calls = " + ".join(f"f{k}(x)" for k in range(FUNCTIONS))
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"#include <{name}>\n" for name in HEADERS))
        file.write("".join(BODY.format(k=k, m=k % 7 + 2) for k in range(FUNCTIONS)))
        file.write(f"double all(const std::vector<double> &x) {{ return {calls}; }}\n")
    uncached = {**os.environ, "CCACHE_DISABLE": "1"}
    command = [compiler, "-O1", "-c", path, "-o", path + ".o"]
    return subprocess.run(command, check=False, env=uncached).returncode


sys.exit(main())
