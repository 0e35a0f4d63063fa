#!/usr/bin/env python3
"""Every message has a test that holds its exact text.

usage: coverage.py ROOT

Looks for each row of diagnostics.def (but INTERNAL and remarks) and for each construct that the front end refuses by
a text of its own among the expected outputs of the tests: '// says:' lines, *.out files, and the command's tests.
"""
import glob
import os
import re
import sys

# Texts that no source can bring about today: guards behind checks that come first. Each says which.
UNREACHABLE = {
    "this member": "a member that the shape does not have: Clang checks members",
    "this type": "a type kind that no released Clang has in C, C++ or CUDA",
    "this designator": "designators are constant expressions, which Clang evaluates",
    "a number used as a pointer": "needs a cast that is refused before",
}
STRING = r'"((?:[^"\\]|\\.)*)"'


def expected(root):
    text = []
    for path in glob.glob(os.path.join(root, "tests", "**", "*"), recursive=True):
        if os.path.isfile(path) and not path.endswith((".gwir", ".pyc")) and not path.endswith("coverage.py"):
            with open(path, encoding="utf-8", errors="replace") as file:
                text.append(file.read())
    return "\n".join(text)


def rows(root):
    with open(os.path.join(root, "include/gradwright/ir/diagnostics.def")) as file:
        return re.findall(r"^GW_DIAG\((\w+), (\w+),", file.read(), re.M)


def refusals(root):
    """Literal texts of what is refused, by the place in the source that says so."""
    found = {}
    for path in sorted(glob.glob(os.path.join(root, "plugin/frontend*.c"))):
        with open(path) as file:
            text = file.read()
        calls = re.findall(r"(?:refuse|gw_front_refuse|refuse_here|opaque)\(\s*\w+,(?:\s*[^\",;]+,)?\s*" + STRING, text)
        calls += re.findall(r"refusal = " + STRING, text)
        calls += re.findall(r"\{CXType_\w+, " + STRING, text) + re.findall(r"\{CXCursor_\w+, " + STRING, text)
        for call in calls:
            found.setdefault(call, os.path.basename(path))
    return found


def main():
    root = sys.argv[1]
    text, missing = expected(root), []
    for name, severity in rows(root):
        code = "[" + name.lower().replace("_", "-") + "]"
        if name not in ("INTERNAL", "DECISION") and severity != "REMARK" and code not in text:
            missing.append(f"{code}: no test expects it")
    for what, place in refusals(root).items():
        if what not in UNREACHABLE and what + " cannot be differentiated" not in text:
            missing.append(f"{place}: no test expects '{what} cannot be differentiated yet'")
    print("\n".join(missing) or "every message has a test")
    sys.exit(1 if missing else 0)


main()
