#!/usr/bin/env python3
"""Nobody looks into the tool's own words: decisions, reasons and refusals are data, and words come after
(analysis/ir/decision.h).

usage: words.py [ROOT]

What can be seen of that in plugin/, analysis/ and rewriters/ but gwcc, each fault with its file and line:
  - strstr, strcmp and the like are called only in files of the table words.txt, as often as it says: rows
    "path calls what", where `what` names the text of others that is looked into there (the source's, names, IR
    paths, types as C spells them, options, files), or the layout or order of words that needs them;
  - also there none of their arguments is named like something of the tool's own: a note, reason, message ...;
  - no two texts are told from each other by where they lie: `why == unbounded`.
"""
import os
import re
import sys

FOLDERS = ("plugin", "analysis", "rewriters")
ELSEWHERE = ("plugin/gwcc",)
CALL = re.compile(r"\b(?:gw_)?(strstr|strcmp|strncmp|strcasecmp|strncasecmp|strcasestr|memmem|regexec|"
                  r"starts_with|ends_with)\s*\(")
OWN = re.compile(r"\b(\w*(?:note|reason|message|way_out|why|refusal|refused|verdict|says|choice|witness)s?)\b"
                 r"(?!\s*(?:\[\w+\])?\.(?:name|spelling|word)\b)")
IDENTITY = re.compile(r"\b(why|reason|refusal|says|note|message)\s*[!=]=\s*(?!NULL\b|0\b|GW_)([a-z_]\w*|\")")
ROW = re.compile(r"^(\S+) (\d+) (.+)$")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    kept = lambda found: found.group(0) if found.group(0)[0] == '"' else blank(found)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', kept, text, flags=re.S)


def arguments(text, at):
    """What stands between the bracket at text[at] and the one that closes it, without texts in quotes."""
    rest, depth, end = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text[at + 1:at + 2000]), 1, 0
    while depth and end < len(rest):
        depth += {"(": 1, ")": -1}.get(rest[end], 0)
        end += 1
    return rest[:end - 1]


def sources(root):
    for folder in FOLDERS:
        for where, _, files in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(files):
                path = os.path.relpath(os.path.join(where, name), root)
                if name.endswith((".c", ".h", ".cpp")) and not path.startswith(ELSEWHERE):
                    yield path, without_comments(read(os.path.join(where, name)))


def table(path):
    rows = {}
    for line in read(path).splitlines():
        if line and line[0] != "#":
            found = ROW.match(line)
            if not found:
                sys.exit(f"{path}: this is no row: {line}")
            rows[found.group(1)] = int(found.group(2))
    return rows


def check(root):
    allowed = table(os.path.join(root, "tests/house/words.txt"))
    faults, seen = [], {}
    for path, text in sources(root):
        calls = []
        for found in CALL.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            if re.match(r"(static\s+)?bool\s+\w+$", text[text.rfind("\n", 0, found.start()) + 1:found.end()
                                                         - 1]):
                continue  # it is being defined
            calls.append(line)
            own = OWN.search(arguments(text, found.end() - 1))
            if own:
                faults.append(f"{path}:{line}: {found.group(1)} looks into '{own.group(1)}', which is the "
                              f"tool's own")
        seen[path] = len(calls)
        if len(calls) > allowed.get(path, 0):
            times = f"tests/house/words.txt says {allowed.get(path, 0)} times"
            faults += [f"{path}:{line}: a text is looked into; {times}" for line in calls]
        for number, line in enumerate(text.split("\n"), 1):
            found = IDENTITY.search(line)
            if found and re.search(r"\bconst char \*?(?:const )?\*?" + found.group(1) + r"\b", text):
                faults.append(f"{path}:{number}: '{found.group(1)}' is told by where its text lies")
    for path, count in allowed.items():
        if seen.get(path, 0) < count:
            faults.append(f"tests/house/words.txt:1: {path} has {seen.get(path, 0)} calls, not {count}")
    return faults, seen


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "..")
    faults, seen = check(root)
    if not seen:
        sys.exit("no sources: is this the right folder?")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(seen)} files, {sum(seen.values())} looks into the text of others")


main()
