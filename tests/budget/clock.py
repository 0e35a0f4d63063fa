#!/usr/bin/env python3
"""A fixed piece of a compiler's work, by whose processor time that of the tests is measured.

usage: clock.py COMPILER FOLDER

Most of the suite's time is spent in compilers, so a slower machine, or one that others use, is slower at this
in about the same proportion. Its time is noted as every test's is.
"""
import os
import subprocess
import sys

FUNCTIONS = 60
BODY = """static double f{k}(const double *x, int n) {{
    double sum = {k};
    for (int i = 1; i < n; i++) {{
        const double a = x[i] * {k}.5 + x[i - 1], b = a * a - x[n - i];
        if (b > a) sum += a / (1 + b * b);
        else sum -= b * x[i % {m}] + sum * a;
        for (int j = 0; j < {m}; j++) sum += x[j] * (a - j) * (b + {k});
    }}
    return sum;
}}
"""


def main():
    compiler, folder = sys.argv[1:]
    path = os.path.join(folder, "clock.c")
    calls = " + ".join(f"f{k}(x, n)" for k in range(FUNCTIONS))
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(BODY.format(k=k, m=k % 7 + 2) for k in range(FUNCTIONS)))
        file.write(f"double all(const double *x, int n) {{ return {calls}; }}\n")
    return subprocess.run([compiler, "-O2", "-c", path, "-o", path + ".o"], check=False).returncode


sys.exit(main())
