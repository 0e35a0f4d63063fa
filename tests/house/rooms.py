#!/usr/bin/env python3
"""The walls of the house: a room of plugin/, analysis/ or rewriters/ includes and calls only rooms of a lower
level, and the circles inside the rooms only shrink.

usage: rooms.py [--circles] [ROOT]

The table of rooms and levels stands in the README.md of each of the three folders: rows
"| `room` | level | ... |"; a room `big/part` is one of its own inside the folder of `big`. Checked, with file
and line for each fault:
  - each source lies in a room of the table, and each room of the table has sources;
  - includes of other rooms have whole paths, and name a header that is not _private, of a room of a lower
  level;
  - so do uses of functions that another room defines, whether or not a header declares them;
  - what a header declares that has a row in circles.txt belongs to the room of that header, whoever defines
  it: the entries of a recursion, which are called from all levels above it. The row says how many there are;
  - a room's circles are the sets of its files each of which reaches all others of its set by such uses. They
  have as many files as the room's row of circles.txt says: with more, a call has to go; with fewer, the row
  falls. A room without a row has none, so that its files have an order.

--circles prints the rows instead, and below each the files.
"""
import os
import re
import sys

FOLDERS = ("plugin", "analysis", "rewriters")
ROW = re.compile(r"^\| `([\w/]+)` \| (\d+) \|", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
DEFINITION = re.compile(r"^[A-Za-z][\w \t\*]*?\b(gw_\w+)\([^;{]*(\{.*)?$")
CALL = re.compile(r"\b(gw_\w+)\b(?!\.h)")
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')
GENERATED = ("frontend_config.h", "gwcc_config.h", "gwcheck_config.h")
OUTSIDE = ("gradwright/", "clang/", "llvm/", "clang-c/")
CIRCLE = re.compile(r"(\S+) (\d+)$")
CIRCLES = "tests/house/circles.txt"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    text = re.sub(r"/\*.*?\*/", blank, text, flags=re.S)
    return re.sub(r"//[^\n]*", blank, text)


def uses(line):
    """The functions that it names; not in a text in quotes."""
    return CALL.findall(QUOTED.sub("", line))


def in_circles(edges):
    """The nodes that some other one reaches which they reach (Tarjan's algorithm), circle behind circle."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for other in sorted(edges[node]):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == number[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.extend(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in number:
            visit(node)
    return found


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
                        self.owner.setdefault(found.group(1), path)
        self.entries = {}
        for row in read(os.path.join(root, CIRCLES)).splitlines():
            header = row.split(" ")[0]
            if header.endswith(".h") and header in self.sources:
                names = CALL.findall("\n".join(self.sources[header]))
                self.entries[header] = sorted({name for name in names if name in self.owner})
        for header, names in self.entries.items():
            self.owner.update({name: header for name in names})

    def room_of(self, path):
        """The innermost room around it, or the folder that would have to be one."""
        parts = path.split("/")
        inner = "/".join(parts[:3])
        return inner if inner in self.levels else "/".join(parts[:2])

    def fault(self, path, number, says):
        self.faults.append(f"{path}:{number}: {says}")

    def level_fault(self, path, number, other, what):
        room = self.room_of(path)
        if other == room or self.levels[other] < self.levels[room]:
            return False
        self.fault(path, number,
                   f"{what} of {other} (level {self.levels[other]}) in {room} (level {self.levels[room]})")
        return True

    def include(self, path, number, header):
        other = self.room_of(header)
        if header in GENERATED or header.startswith(OUTSIDE):
            return
        if header not in self.sources:
            self.fault(path, number, f'"{header}" is no whole path')
        elif (not self.level_fault(path, number, other, "an include") and other != self.room_of(path)
              and header.endswith("_private.h")):
            self.fault(path, number, f'"{header}" is for {other} alone')

    def calls(self, path, number, line):
        for name in uses(line):
            other = name in self.owner and self.room_of(self.owner[name])
            if other and other != self.room_of(path) and self.level_fault(path, number, other, f"{name}"):
                return

    def circles(self):
        """{room: the files of its circles}, and {header of entries: these}"""
        rooms = {}
        for path, lines in self.sources.items():
            if path.endswith((".c", ".cpp")):
                names = {name for line in lines if not INCLUDE.match(line) for name in uses(line)}
                room = self.room_of(path)
                used = {self.owner[name] for name in names if name in self.owner}
                rooms.setdefault(room, {})[path] = {other for other in used - set(self.entries)
                                                 if self.room_of(other) == room}
        return {room: in_circles(edges) for room, edges in sorted(rooms.items())} | self.entries

    def check_circles(self):
        allowed = {}
        for number, line in enumerate(read(os.path.join(self.root, CIRCLES)).splitlines(), 1):
            if line and line[0] != "#":
                found = CIRCLE.match(line)
                allowed[found.group(1) if found else line] = (number, int(found.group(2)) if found else 0)
        for room, files in self.circles().items():
            line, most = allowed.pop(room, (1, 0))
            has = f"the circles of {room} have {len(files)} files"
            if room in self.entries:
                has = f"{room} has {len(files)} entries"
            if len(files) > most:
                self.fault(CIRCLES, line, f"{has}, more than {most}: take out the use that is new (rooms.py "
                           "--circles names the files)")
            elif len(files) < most:
                self.fault(CIRCLES, line, f"{has}, fewer than {most}: lower the row, or take it out at 0")
        for room, (line, _) in allowed.items():
            self.fault(CIRCLES, line, f"there is no room {room}")

    def check(self):
        for room in self.levels:
            if not any(self.room_of(path) == room for path in self.sources):
                self.fault(f"{room.split('/')[0]}/README.md", 1, f"there is no room {room}")
        for path, lines in self.sources.items():
            if self.room_of(path) not in self.levels:
                self.fault(path, 1, "this file lies in no room of the table")
                continue
            for number, line in enumerate(lines, 1):
                if found := INCLUDE.match(line):
                    self.include(path, number, found.group(1))
                elif path.endswith((".c", ".cpp")):
                    self.calls(path, number, line)
        self.check_circles()
        return self.faults


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    words = [word for word in sys.argv[1:] if word != "--circles"]
    house = House(words[0] if words else os.path.join(here, "..", ".."))
    if "--circles" in sys.argv:
        for room, files in house.circles().items():
            if files:
                print(f"{room} {len(files)}", *files, sep="\n  ")
        return
    faults = house.check()
    if not house.levels or not house.owner:
        sys.exit("no rooms, or no functions: is this the right folder?")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(house.levels)} rooms, {len(house.sources)} files, {len(house.owner)} functions")


if __name__ == "__main__":
    main()
