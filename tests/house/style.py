#!/usr/bin/env python3
"""What CONTRIBUTING.md says of style, as far as it can be counted, with file and line of each fault.

usage: style.py [ROOT [BASE]]

  - lines of C, C++, CUDA, Python, shell and CMake have at most 112 columns; pages are looked at by
    tests/docs/pages.py, rows of *.def are tables, and tests/house/style.txt has the others that may be longer;
  - no conditional expression of the product stands in an operand of another one;
  - no function of the product has more than 60 lines, or ends in five boolean parameters;
  - no comment begins with Of, Whose, That, Which or Where, and no sentence in one with Of or Whose: its subject
    comes first;
  - no comment of plugin, analysis and rewriters names a source or header that is not there;
  - subjects of commits after BASE have at most 72 characters, where ROOT is a checkout that has BASE.
"""
import os
import re
import shutil
import subprocess
import sys

COLUMNS, LINES, TRUTHS, SUBJECT = 112, 60, 5, 72
WRONG = "tests/house/wrong"  # trees with faults
BASE = "c5f82dadc0a86a84706d330db8aa1a6b5fb17b87"
PRODUCT = ("plugin/", "analysis/", "rewriters/", "runtime/", "include/")
C = (".c", ".h", ".cpp", ".hpp", ".cu", ".cuh", ".def")
SCRIPTS = (".py", ".sh", ".cmake", "CMakeLists.txt")
ROW, ALLOWED = re.compile(r"[A-Z]\w*\("), re.compile(r"(\S+) (\d+|\*) (.+)$")
QUOTED = re.compile(r'/\*.*?\*/|//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\.)*", re.M | re.S)
REMARK = re.compile(r'\s*(/\*+|//|#|""")\s*(?:-{2,}\s*)?(.*)')
ENDS, NO_SUBJECT = re.compile(r"[.:;]$|-{4}$|^\W*$"), re.compile(r"(Of|Whose|That|Which|Where)\b")
FRONTED = re.compile(r"\s*(?:/\*|\*|//).*[.:;] (Of|Whose) [a-z]")
SAID, OURS = re.compile(r"\s*(?:/\*| ?\* |//)"), ("plugin/", "analysis/", "rewriters/")
NAMED = re.compile(r"(?<![\w.<>*/-])((?:\w+/)*[a-z]\w{2,}\.(?:c|h|def|cuh))\b(?!\.?\w)")
HEAD = re.compile(r"\)[\s\w]*(?:->[\s\w:<>*&]+)?$")


def git(root, *words):
    """The lines that it says of a checkout; none where there is no history, or not what is asked for."""
    if not os.path.exists(os.path.join(root, ".git")) or not shutil.which("git"):
        return []
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def files(root):
    """Those of the repository, or of a tree without one all that are not built or hidden."""
    listed = git(root, "ls-files", "-co", "--exclude-standard")
    if listed:
        return sorted(path for path in set(listed) if os.path.isfile(os.path.join(root, path)))
    found = []
    for where, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name[0] != "." and not name.startswith("build")]
        found += [os.path.relpath(os.path.join(where, name), root) for name in names]
    return sorted(found)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def is_script(path, text):
    return path.endswith(SCRIPTS) or ("." not in os.path.basename(path) and text.startswith("#!"))


def table(path):
    """{path: how many}, and the folders with any number."""
    counts, folders = {}, []
    for line in read(path).splitlines() if os.path.exists(path) else []:
        found = ALLOWED.match(line)
        if found and found.group(2) == "*":
            folders.append(found.group(1))
        elif found:
            counts[found.group(1)] = int(found.group(2))
        elif line and line[0] != "#":
            sys.exit(f"{path}: this is no row: {line}")
    return counts, tuple(folders)


def columns(path, text, allowed):
    long = [(number, f"{len(line)} columns") for number, line in enumerate(text.split("\n"), 1)
            if len(line) > COLUMNS and not (path.endswith(".def") and ROW.match(line))]
    if len(long) < allowed:
        return [(1, f"{len(long)} lines are long, not {allowed}: tests/house/style.txt")]
    return long if len(long) > allowed else []


def remarks(text):
    """Comments and descriptions that begin with a word behind which no subject comes."""
    before = None
    for number, line in enumerate(text.split("\n"), 1):
        found = REMARK.match(line)
        goes_on = found and before and found.group(1) in ("//", "#") and not ENDS.search(before.group(2))
        word = NO_SUBJECT.match(found.group(2)) if found and not goes_on else None
        if word:
            yield number, f"a comment begins with {word.group(1)}"
        word = FRONTED.match(line)
        if word:
            yield number, f"a sentence begins with {word.group(1)}"
        before = found


def blank(found):
    return re.sub(r"[^\n]", " ", found.group(0))


def nested(code):
    """Lines with a `?` in an operand of another one; an expression ends at , ; or }, and holds brackets."""
    levels, faults, line = [[]], set(), 1  # of each bracket that is open: its own `?` or not, and the line

    def end():
        marks = levels[-1]
        outer = next((mark for mark in marks if mark[0]), None)
        faults.update(mark[1] for mark in marks if outer and mark is not outer)
        return [(False, at) for _, at in marks]

    for c in code:
        if c == "\n":
            line += 1
        elif c == "?":
            levels[-1].append((True, line))
        elif c in "([{":
            levels.append([])
        elif c in ")]}" and len(levels) > 1:
            inner = end()
            levels.pop()
            levels[-1] += inner if c != "}" else []
        if c in ",;}":
            end()
            levels[-1] = []
    end()
    return sorted(faults)


def functions(code):
    """(name, first line, last line, parameters) of each function; what stands within one is part of it."""
    opened, depth, start = [], 0, 0
    for at, c in enumerate(code):
        if c == "{":
            is_function = not any(opened) and HEAD.search(code, max(start, at - 300), at) is not None
            if is_function:
                head = code[start:at]
                first = code.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
                name = re.search(r"([\w~]+)\s*\(", head)
                begun = (name.group(1) if name else "?", first, head)
            opened.append(is_function)
        elif c == "}" and opened:
            if opened.pop():
                yield begun[0], begun[1], code.count("\n", 0, at) + 1, begun[2]
        if c in ";{}" and not any(opened):
            start = at + 1


def product(text):
    code = QUOTED.sub(blank, text)
    # a directive is an expression of its own
    for line in nested(DIRECTIVE.sub(lambda found: found.group(0) + ";", code)):
        yield line, "a conditional expression in an operand of another one"
    for name, first, last, head in functions(DIRECTIVE.sub(blank, code)):
        if last - first + 1 > LINES:
            yield first, f"{name} has {last - first + 1} lines"
        if re.search(r"(\bbool\s+\w+\s*,\s*){%d}bool\s+\w+\s*\)[^()]*$" % (TRUTHS - 1), head):
            yield first, f"{name} ends in {TRUTHS} boolean parameters"


def gone(text, names):
    """Files that lines of comments name, of which there is none; x.grad.h and the like are made."""
    for number, line in enumerate(text.splitlines(), 1):
        if SAID.match(line):
            for name in NAMED.findall(line):
                if os.path.basename(name) not in names:
                    yield number, f"there is no {name}"


def subjects(root, base):
    """The subjects of the commits after base that are too long."""
    for line in git(root, "log", "--format=%h %s", f"{base}..HEAD"):
        commit, subject = line.split(" ", 1)
        if len(subject) > SUBJECT:
            yield f"commit {commit}: its subject has {len(subject)} characters: {subject}"


def check(root, base):
    counts, folders = table(os.path.join(root, "tests/house/style.txt"))
    faults = [f"{path}: there is no such file" for path in counts if not os.path.exists(f"{root}/{path}")]
    seen, all_files = 0, files(root)
    names = {os.path.basename(path) for path in all_files}
    for path in all_files:
        if not path.endswith(C + SCRIPTS) and "." in os.path.basename(path):
            continue
        text = read(os.path.join(root, path))
        if not path.endswith(C) and not is_script(path, text):
            continue
        seen += 1
        found = [] if path.startswith(folders) else columns(path, text, counts.get(path, 0))
        found += [] if path.startswith(WRONG) else remarks(text)
        if path.startswith(PRODUCT) and path.endswith(C):
            found += product(text)
        found += gone(text, names) if path.startswith(OURS) and path.endswith(C) else []
        faults += [f"{path}:{number}: {says}" for number, says in sorted(found)]
    return faults + list(subjects(root, base)), seen


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.normpath(os.path.join(here, "..", ".."))
    faults, seen = check(root, sys.argv[2] if len(sys.argv) > 2 else BASE)
    if not seen:
        sys.exit("no sources: is this the right folder?")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{seen} files")


main()
