#!/usr/bin/env python3
"""Every message has a test that holds its exact text, and one that does what its way out says.

usage: coverage.py ROOT

Looks for each row of diagnostics.def (but INTERNAL and remarks) and for each construct that the front end
refuses by a text of its own among the expected outputs of the tests: '// says:' lines, *.out files, and the
command's tests.

A row that has a way out is obeyed by a source of tests/refused ('// obeys:' of run.py and advice.py, '// stays:'
of the latter) or has a line in ways_out.txt: the test that obeys it, which must do so and be run, or that there
is nothing to obey. A line of a row that a source obeys is an error, and so is a number of obeying texts that
fell.
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
a member without a name|bfloat16|this comparison of iterators|
a kernel launch on the device|a launch without its shape|
a launch of a kernel that writes a variable of the device's"""
NOTHING_TO_OBEY = {"internal"}
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


def with_way_out(root):
    with open(os.path.join(root, "analysis/ir/diagnostics.def")) as file:
        found = re.findall(r"^GW_DIAG\((\w+), \w+, " + STRING + ", " + STRING + r"\)$", file.read(), re.M)
    assert len(found) > 50, "the table has another form"
    return {name.lower().replace("_", "-") for name, _, way_out in found if way_out}


def obeyed(root):
    """The rows that sources obey, and how many refusals of the front end these sources say."""
    codes, texts = set(), 0
    sources = [path for end in ("cu", "cpp", "c")
               for path in glob.glob(os.path.join(root, f"tests/refused/**/*.{end}"), recursive=True)]
    for path in sources:
        with open(path) as file:
            text = file.read()
        here = set(" ".join(re.findall(r"^// obeys: (.*)$", text, re.M)).split())
        codes |= here | set(re.findall(r"^// stays: ([a-z-]+), then ", text, re.M))
        texts += len(re.findall(r"^// says: .*\[unsupported\]$", text, re.M)) if "unsupported" in here else 0
    return codes, texts


def unobeyed(root, code, claim):
    """What is wrong with the claim that a test obeys the way out, or that there is nothing to obey."""
    if claim.startswith("none: "):
        return "" if code in NOTHING_TO_OBEY else "it has a way out, which a test can obey"
    path = os.path.join(root, claim)
    if not os.path.exists(path):
        return f"there is no {claim}"
    folder, name = os.path.split(path)
    with open(path, encoding="utf-8") as file, open(os.path.join(folder, "CMakeLists.txt")) as lists:
        lines, run = file.read(), name in lists.read()
    obeys = re.search(rf"^(?:[^#\n]*[;&] |\s*)obey {code}(?: |$)", lines, re.M)
    return "" if obeys and run else f"no line of {claim} obeys its way out, or nothing runs it"


def ways_out(root):
    """What is wrong with the table of ways out that no source obeys."""
    wrong, reasons = [], {}
    with open(os.path.join(root, "tests/refused/ways_out.txt")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, reason = line.strip().split(": ", 1)
                reasons[name] = reason
    least = int(reasons.pop("unsupported texts"))
    known, (codes, texts) = with_way_out(root), obeyed(root)
    wrong += [f"[{code}]: no source of tests/refused obeys its way out" for code in
              sorted(known - codes - set(reasons))]
    wrong += [f"[{code}]: a source obeys its way out: take its line out of ways_out.txt" for code in
              sorted(codes & set(reasons))]
    claims = {code: unobeyed(root, code, claim) for code, claim in reasons.items()}
    wrong += [f"[{code}]: {what}" for code, what in claims.items() if what]
    wrong += [f"[{code}]: ways_out.txt or a source names it, and it has no way out" for code in
              sorted((codes | set(reasons)) - known)]
    if texts != least:
        wrong.append(f"ways_out.txt says that {least} refusals of the front end are obeyed, and {texts} are")
    return wrong


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
    missing += ways_out(root)
    print("\n".join(missing) or "every message has a test, and every way out one that obeys it or a reason")
    sys.exit(1 if missing else 0)


main()
