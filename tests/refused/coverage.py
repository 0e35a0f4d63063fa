#!/usr/bin/env python3
"""Every message has a test that holds its exact text.

usage: coverage.py ROOT

Looks for each row of diagnostics.def (but INTERNAL and remarks) and for each construct that the front end
refuses by a text of its own among the expected outputs of the tests: '// says:' lines, *.out files, and the
command's tests.
"""
import glob
import os
import re
import sys

# Guards behind other checks: texts for which no source is known that brings them about. A new text comes with a
# test, not with a line here.
GUARDS = """this statement|this name|this member|this designator|this assignment|
this range-for|this initialiser|this copy between types|this case label|
this statement expression|this use of a launch variable|'this'|typeid|
a generic selection|a row of this variable-length array|
a pointer that may lead to two objects|a member without a name|bfloat16|this comparison of iterators|
a kernel launch on the device|a launch without its shape|
a launch of a kernel that writes a variable of the device's|
arithmetic on a pointer to this type"""
GUARDS = set(re.split(r"\|\s*", GUARDS))
STRING = r'"((?:[^"\\]|\\.)*)"'


def expected(root):
    text = []
    for path in glob.glob(os.path.join(root, "tests", "**", "*"), recursive=True):
        if os.path.isfile(path) and not path.endswith((".gwir", ".pyc")) and not path.endswith("coverage.py"):
            with open(path, encoding="utf-8", errors="replace") as file:
                text.append(file.read())
    return "\n".join(text)


def rows(root):
    with open(os.path.join(root, "analysis/ir/diagnostics.def")) as file:
        return re.findall(r"^GW_DIAG\((\w+), (\w+),", file.read(), re.M)


def refusals(root):
    """Literal texts of what is refused, by the place in the source that says so."""
    found = {}
    for path in sorted(glob.glob(os.path.join(root, "plugin/frontend/**/*.c"), recursive=True)):
        with open(path) as file:
            text = file.read()
        calls = re.findall(r"(?:refuse|gw_front_refuse|refuse_here|opaque)\(\s*\w+,(?:\s*[^\",;?]+,)?\s*"
                           + STRING, text)
        calls += re.findall(r"refusal = " + STRING, text)
        calls += re.findall(r"\{CXType_\w+, " + STRING, text) + re.findall(r"\{CXCursor_\w+, " + STRING, text)
        for call in calls:
            found.setdefault(call, os.path.basename(path))
    assert len(found) > 50, "the front end's sources are elsewhere"
    return found


def main():
    root = sys.argv[1]
    text, missing = expected(root), []
    for name, severity in rows(root):
        code = "[" + name.lower().replace("_", "-") + "]"
        if name not in ("INTERNAL", "DECISION") and severity != "REMARK" and code not in text:
            missing.append(f"{code}: no test expects it")
    for what, place in refusals(root).items():
        if (what not in GUARDS and not what.startswith("use ") and what
            + " cannot be differentiated" not in text):
            missing.append(f"{place}: no test expects '{what} cannot be differentiated yet'")
    for guard in sorted(GUARDS):
        if guard + " cannot be differentiated" in text:
            missing.append(f"'{guard}' has a test: it is no guard")
    print("\n".join(missing) or "every message has a test")
    sys.exit(1 if missing else 0)


main()
