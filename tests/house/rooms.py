#!/usr/bin/env python3
"""The walls of the house: a room of plugin/, analysis/ or rewriters/ includes and calls only rooms of a lower
level.

usage: rooms.py [ROOT]

The table of rooms and levels stands in the README.md of each of the three folders: rows
"| `room` | level | ... |". Checked, with file and line for each fault:
  - each source lies in a room of the table, and each room of the table has sources;
  - includes of other rooms have whole paths, and name a header that is not _private, of a room of a lower
  level;
  - so do uses of functions that another room defines, whether or not a header declares them.
"""
import os
import re
import sys

FOLDERS = ("plugin", "analysis", "rewriters")
ROW = re.compile(r"^\| `([\w/]+)` \| (\d+) \|", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
DEFINITION = re.compile(r"^[a-z][\w \t\*]*?\b(gw_\w+)\([^;{]*(\{.*)?$")
CALL = re.compile(r"\b(gw_\w+)\b(?!\.h)")
GENERATED = ("frontend_config.h", "gwcc_config.h", "gwcheck_config.h")
OUTSIDE = ("gradwright/", "clang/", "llvm/", "clang-c/")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    text = re.sub(r"/\*.*?\*/", blank, text, flags=re.S)
    return re.sub(r"//[^\n]*", blank, text)


def room_of(path):
    return "/".join(path.split("/")[:2])


class House:
    def __init__(self, root):
        self.root, self.faults, self.levels, self.sources = root, [], {}, {}
        for folder in FOLDERS:
            for room, level in ROW.findall(read(os.path.join(root, folder, "README.md"))):
                self.levels[f"{folder}/{room}"] = int(level)
            for where, _, files in os.walk(os.path.join(root, folder)):
                for name in sorted(files):
                    if name.endswith((".c", ".h", ".cpp", ".def")):
                        path = os.path.relpath(os.path.join(where, name), root)
                        self.sources[path] = without_comments(read(os.path.join(where, name))).split("\n")
        self.owner = {}
        for path, lines in self.sources.items():
            if path.endswith((".c", ".cpp")):
                for line in lines:
                    if found := DEFINITION.match(line):
                        self.owner.setdefault(found.group(1), room_of(path))

    def fault(self, path, number, says):
        self.faults.append(f"{path}:{number}: {says}")

    def level_fault(self, path, number, other, what):
        room = room_of(path)
        if other == room or self.levels[other] < self.levels[room]:
            return False
        self.fault(path, number,
                   f"{what} of {other} (level {self.levels[other]}) in {room} (level {self.levels[room]})")
        return True

    def include(self, path, number, header):
        other = room_of(header)
        if header in GENERATED or header.startswith(OUTSIDE):
            return
        if header not in self.sources:
            self.fault(path, number, f'"{header}" is no whole path')
        elif (not self.level_fault(path, number, other, "an include") and other != room_of(path)
              and header.endswith("_private.h")):
            self.fault(path, number, f'"{header}" is for {other} alone')

    def calls(self, path, number, line):
        for name in CALL.findall(line):
            other = self.owner.get(name)
            if other and other != room_of(path) and self.level_fault(path, number, other, f"{name}"):
                return

    def check(self):
        for room in self.levels:
            if not any(room_of(path) == room for path in self.sources):
                self.fault(f"{room.split('/')[0]}/README.md", 1, f"there is no room {room}")
        for path, lines in self.sources.items():
            if room_of(path) not in self.levels:
                self.fault(path, 1, "this file lies in no room of the table")
                continue
            for number, line in enumerate(lines, 1):
                if found := INCLUDE.match(line):
                    self.include(path, number, found.group(1))
                elif path.endswith((".c", ".cpp")):
                    self.calls(path, number, line)
        return self.faults


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "..")
    house = House(root)
    faults = house.check()
    if not house.levels or not house.owner:
        sys.exit("no rooms, or no functions: is this the right folder?")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(house.levels)} rooms, {len(house.sources)} files, {len(house.owner)} functions")


main()
