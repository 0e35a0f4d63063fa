#!/usr/bin/env python3
"""No function returns a status without a text: all returns of the runtime, of device headers, and of gradients.

usage: statuses.py GRADWRIGHT GWCC SOURCE...

What a function that returns a gw_status returns is GW_OK, gw_report(...), what another such function returned,
or a status behind a call of the runtime that has reported already (SAID).
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FUNCTION = re.compile(r"\bgw_status\s+(\w+)(?:<[^;{}()]*>)?\s*\(")
# Functions with a tape of the host: null, or false, means that the runtime has said why.
SAID = {
    "GW_ERROR_MEMORY": re.compile(r"\b(\w+) = (?:\([^;]*?\))?"
                                  r"gw_host_(?:tape_room|tape_close|tape_grow|array|zeros)\([^;]*;"
                                  r"\s*if \(!\1\)\s*return $|if \(\w[^;{}]* != GW_OK\)\s*return $"),
    "GW_ERROR_ARGUMENT": re.compile(r"if \(!gw_host_tape_open\([^;{}]*\)\)\s*return $"),
}


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def closing(text, at, opens, closes):
    """Behind the bracket that closes the one at `at`; strings hold none."""
    depth = 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[' + re.escape(opens + closes) + "]", text[at:]):
        depth += (found[0] == opens) - (found[0] == closes)
        if depth == 0:
            return at + found.end()
    return len(text)


def bodies(text):
    """(name, body) of the functions that return a status."""
    for found in FUNCTION.finditer(text):
        end = closing(text, found.end() - 1, "(", ")")
        brace = re.match(r"\s*\{", text[end:])
        if brace:
            yield found[1], text[end:closing(text, end + brace.end() - 1, "{", "}")]


def values(expression):
    """What "a ? b : c" may be; the alternatives of no bracket inside."""
    depth, parts, last = 0, [], 0
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|::|[()\[\]{}?:]', expression):
        mark = found[0]
        depth += (mark in "([{") - (mark in ")]}") if len(mark) == 1 else 0
        if depth == 0 and mark in ("?", ":"):
            if mark == ":":
                parts.append(expression[last:found.start()])
            last = found.end()
    return [part.strip() for part in parts + [expression[last:]]]


def is_good(value, body, before, known):
    value = value.strip()
    while value.startswith("(") and closing(value, 0, "(", ")") == len(value):
        value = value[1:-1].strip()
    call = re.match(r"(?:\w+::)*(\w+)(?:<[^;{}]*>)?\s*\(", value)
    if value == "GW_OK" or (call and call[1] in known):
        return True
    if value in SAID:
        return bool(SAID[value].search(before))
    return bool(re.fullmatch(r"\w+", value) and re.search(rf"\bgw_status (?:\w+, )*{value}\b", body))


def wrong_returns(where, text, known):
    text = without_comments(text)
    for name, body in bodies(text):
        for found in re.finditer(r"\breturn\b([^;]*);", body):
            for value in values(found[1]):
                if not is_good(value, body, body[:found.start()] + "return ", known):
                    yield f"{where}: {name} returns {value}"


def emitted(gradwright, gwcc, source):
    of = [source] if source.endswith(".c") else []
    asked = [gwcc, "--device=cpu", "--print-parse-flags", *of]
    flags = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    with tempfile.TemporaryDirectory() as work:
        command = [gradwright, source, "-o", f"{work}/x", "--", *flags]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        with open(f"{work}/x", encoding="utf-8") as file:
            return file.read()


def main():
    gradwright, gwcc, *sources = sys.argv[1:]
    texts = {}
    for pattern in ("include/gradwright/*.*h", "include/gradwright/emitted/*", "runtime/*.c"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path, encoding="utf-8") as file:
                texts[os.path.relpath(path, ROOT)] = file.read()
    for source in sources:
        texts[f"the gradient of {os.path.basename(source)}"] = emitted(gradwright, gwcc, source)
    known = {name for text in texts.values() for name in FUNCTION.findall(without_comments(text))}
    count = sum(len(list(bodies(without_comments(text)))) for text in texts.values())
    wrong = [line for where, text in texts.items() for line in wrong_returns(where, text, known)]
    wrong = [line for line in wrong if ": gw_report returns status" not in line]  # it has what it was given
    print("\n".join(wrong + [f"{count} functions that return a status, {len(wrong)} returns without a text"]))
    sys.exit(bool(wrong) or count < 50)


main()
