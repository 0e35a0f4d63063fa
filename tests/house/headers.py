#!/usr/bin/env python3
"""The walls between the folders of include/, whose levels stand in include/README.md.

usage: headers.py [ROOT]

Checked, with the file of each fault:
  - each header lies in a folder of the table, and each folder of the table has headers;
  - a header of this project that one includes lies in the same folder or in one of a lower level;
  - no header includes itself through others;
  - a header of four lines or fewer is a row of include/stand_ins.txt instead.
"""
import os
import re
import sys

from rooms import in_circles, read, without_comments

ROW = re.compile(r"^\| `([\w/]+)` \| (\d+) \|", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(gradwright/[^>]+)>)', re.M)
LINES = 4


def included(path, text, headers):
    """Those of include/ that it includes: by a path from there, or from its own folder."""
    for quoted, named in INCLUDE.findall(without_comments(text)):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), quoted or named))
        yield from [name for name in (quoted or named, beside) if name in headers][:1]


def check(include):
    levels = {folder: int(level) for folder, level in ROW.findall(read(os.path.join(include, "README.md")))}
    headers = {}
    for where, _, files in os.walk(os.path.join(include, "gradwright")):
        for name in files:
            path = os.path.join(where, name)
            headers[os.path.relpath(path, include)] = read(path)

    def folder_of(path):
        inner = "/".join(path.split("/")[:2])
        return inner if path.count("/") > 1 else "gradwright"

    faults = [f"include/README.md: no header is in {folder}" for folder in levels
              if folder not in map(folder_of, headers)]
    edges = {path: set(included(path, text, headers)) for path, text in headers.items()}
    for path, text in sorted(headers.items()):
        folder = folder_of(path)
        if folder not in levels:
            faults.append(f"{path}: {folder} is no row of include/README.md")
            continue
        if text.count("\n") <= LINES:
            faults.append(f"{path}: {text.count(chr(10))} lines are a row of include/stand_ins.txt")
        for other in sorted(edges[path]):
            if folder_of(other) != folder and levels.get(folder_of(other), 0) >= levels[folder]:
                faults.append(f"{path}: includes {other} of a level that is not lower")
    return faults + [f"{path}: includes itself through others" for path in in_circles(edges)], len(headers)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../..")
    faults, count = check(os.path.join(root, "include"))
    if not count:
        sys.exit("no headers: is this the right folder?")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{count} headers")


main()
