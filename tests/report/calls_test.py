#!/usr/bin/env python3
"""What --explain, the page and the log say of the calls of programs: each line, everywhere the same; other
words where the source is not there.

usage: calls_test.py GRADWRIGHT GWCC GOLDEN SOURCE...
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HEAD = "    line  call, and what it is on the way back"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def programs(explained):
    """Each program's name, what it does to memory, and its calls."""
    out, function, calls = [], None, False
    for line in explained.splitlines():
        if not line.startswith(" "):
            function, calls = line, False
        elif line == HEAD:
            calls = True
        if calls or line.startswith("  memory: "):
            if function and out[-1:] != [function]:
                out.append(function)
            function = None
            out.append(line)
    named = [i for i, line in enumerate(out) if not line.startswith(" ")] + [len(out)]
    return [line for at, end in zip(named, named[1:]) if HEAD in out[at:end] for line in out[at:end]]


def of_table(lines):
    rows = []
    for line in lines:
        call = re.match(r" +(\d+)  (.*)$", line)
        if call:
            rows.append([*call.groups()])
        elif line.startswith("            "):
            rows[-1].append(line.strip())
    return rows


def of_page(text):
    rows = []
    for table in re.findall(r"<h4>Calls</h4>.*?</table>", text, re.S):
        for row in re.findall(r"<tr><td.*?</tr>", table, re.S):
            cells = [html.unescape(re.sub(r"<(?!br)[^>]*>", "", cell)) for cell in
                     re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]
            rows.append([*cells[:2], *cells[2].split("<br>")])
    return rows


def sums(lines):
    """Below "bytes" of each table: what all calls take."""
    return [line.strip() for line in lines if re.match(r" {10}\S", line)]


def sums_of_page(text):
    lists = re.findall(r"<p>Bytes [^<]*</p>\n<ul>(.*?)</ul>", text, re.S)
    return [html.unescape(item) for one in lists for item in re.findall(r"<li>(.*?)</li>", one)]


def of_log(path):
    with open(path, encoding="utf-8") as file:
        results = json.load(file)["runs"][0]["results"]
    head = "the reverse of this call: "
    return [[result["locations"][0]["physicalLocation"]["region"]["startLine"],
             result["message"]["text"].removeprefix(head)] for result in results
            if result["message"]["text"].startswith(head)]


def main():
    gradwright, gwcc, golden, *sources = sys.argv[1:]
    flags = run([gwcc, "--device=cpu", "--print-parse-flags"]).split()
    found = []
    with tempfile.TemporaryDirectory() as work:
        page, log, dump = (os.path.join(work, name) for name in ("page.html", "log.sarif", "dump.gwir"))
        for source in sources:
            command = [gradwright, source, "-o", os.path.join(work, "x.cuh"), f"--report={page}",
                       f"--sarif={log}", "--explain"]
            lines = programs(run([*command, "--", *flags]))
            rows = of_table(lines)
            with open(page, encoding="utf-8") as file:
                text = file.read()
            assert of_page(text) == rows != [], source
            assert sums_of_page(text) == sums(lines) != [], source
            said = sorted([int(row[0]), "; ".join(row[2:])] for row in rows)
            assert sorted(of_log(log)) == said, source
            found += [os.path.basename(source), *lines]
        # the source is gone: calls by their kernels and kinds
        copy = os.path.join(work, "gone.cu")
        shutil.copy(sources[-1], copy)
        run([gradwright, copy, "--dump=digest", "-o", dump, "--", *flags])
        os.remove(copy)
        again = [gradwright, f"--from-ir={dump}", "-o", os.path.join(work, "y.cuh"), "--explain"]
        found += ["without the source", *programs(run(again))]
    with open(golden) as file:
        wanted = file.read().splitlines()
    if found != wanted:
        print("\n".join(found))
        sys.exit("not the lines of " + golden)


main()
