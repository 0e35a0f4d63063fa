#!/usr/bin/env python3
"""The page of --report: well-formed, complete in itself, the source as it is, and what --explain says exactly
once.

usage: page_test.py GRADWRIGHT GWCC SOURCE OUTLINE
"""
import html.parser
import os
import re
import subprocess
import sys
import tempfile

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    """Elements in the order of their start: (tag, attributes, text within, parents)."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.all, self.wrong = [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.wrong.append(f"not closed: {[e['tag'] for e in self.open]}")

    def handle_starttag(self, tag, attributes):
        if len(dict(attributes)) != len(attributes):
            self.wrong.append(f"an attribute twice in <{tag}> at {self.getpos()}")
        element = {"tag": tag, "at": dict(attributes), "text": "", "in": list(self.open)}
        self.all.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1]["tag"] != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()} closes "
                              f"{self.open[-1]['tag'] if self.open else 'nothing'}")
        else:
            self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def with_class(self, name, tag=None):
        return [e for e in self.all if name in e["at"].get("class", "").split() and tag in (None, e["tag"])]


def run(gradwright, gwcc, source, work, *more):
    flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                           check=True)
    page = os.path.join(work, "page.html")
    command = [gradwright, source, "-o", os.path.join(work, "x.grad.cuh"), f"--report={page}", "--explain",
               *more, "--"]
    done = subprocess.run(command + flags.stdout.split(), capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    with open(page, encoding="utf-8") as file:  # legal UTF-8, whatever the source is
        return file.read(), done.stdout.decode("utf-8", "replace")


def check_form(page, text):
    assert text.startswith("<!DOCTYPE html>\n"), "no doctype"
    assert not page.wrong, page.wrong
    ids = [e["at"]["id"] for e in page.all if "id" in e["at"]]
    assert len(ids) == len(set(ids)), "an id twice"
    for element in page.all:
        assert element["tag"] not in ("script", "iframe", "object", "embed"), element["tag"]
        for name in ("href", "src", "action", "data"):
            link = element["at"].get(name)
            assert link is None or link == "data:," or (link[0] == "#" and link[1:] in ids), \
                f"leads out: {link}"
        assert not [name for name in element["at"] if name.startswith("on")], "a handler"
    style = [e["text"] for e in page.all if e["tag"] == "style"]
    assert len(style) == 1 and not re.search(r"url\(|@import|@font-face|//", style[0]), "the style leads out"


def contrast(one, other):
    """The contrast by WCAG 2: 4.5 can be read."""
    def light(colour):
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        return sum(w * (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4)
                   for w, p in zip((0.2126, 0.7152, 0.0722), parts))
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def check_colours(page):
    """Each way of gw_accumulate has a colour of its own, light and dark, that can be read; only kinds of rows
    share one."""
    style = next(e["text"] for e in page.all if e["tag"] == "style")
    parts = style.split("@media (prefers-color-scheme:dark)")
    assert len(parts) == 2
    for part in parts:
        rows = re.findall(r"\.k(\d+)\{--c:(#[0-9a-f]{6});--t:(#[0-9a-f]{6})\}", part)
        assert [int(n) for n, _, _ in rows] == list(range(1, len(rows) + 1)) and len(rows) > 17, rows
        assert len({text for _, text, _ in rows}) == len({ground for _, _, ground in rows}) == len(rows) - 5, \
            rows
        assert all(contrast(text, ground) > 4.5 for _, text, ground in rows), rows


def check_source(page, path, number):
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    shown = {}
    for element in page.all:
        if element["tag"] != "code" or not any("row" in e["at"].get("class", "") for e in element["in"]):
            continue
        line = [e["at"]["id"] for e in element["in"] if re.fullmatch(rf"s{number}-\d+", e["at"].get("id", ""))]
        if line:
            shown[int(line[0].split("-")[1])] = element["text"]
    wanted = {i + 1: line for i, line in enumerate(lines[:-1])}
    assert shown == wanted, [(k, shown.get(k), wanted.get(k)) for k in wanted
                             if shown.get(k) != wanted.get(k)][:3]
    return wanted


def said(explained):
    rows, function, count = [], None, 0
    for line in explained.splitlines():
        head = re.match(r"(\w+) \(.*: .*\)$", line)
        row = re.match(r" +(\d+)  (.+?)  +([a-z]+)  +(\S.*)$", line)
        if head:
            function = head.group(1)
        elif row:
            rows.append((function, row.group(1), row.group(2).rstrip(), row.group(3), row.group(4)))
        count += bool(re.match(r" +assumes ", line))
    return sorted(rows), count


def shown(page):
    rows = []
    for update in page.with_class("up", "code") + page.with_class("twin", "span"):
        article = next(e for e in reversed(update["in"]) if e["tag"] == "article")
        reason = [e["text"] for e in page.all if e["at"].get("class") == "why"
                  and any(p is article for p in e["in"])]
        line = [e["at"]["id"].split("-")[1] for e in article["in"]
                if re.fullmatch(r"s\d+-\d+", e["at"].get("id", ""))]
        rows.append((update["at"]["data-function"], line[0], update["at"].get("data-update", update["text"]),
                     update["at"]["data-how"], *reason))
    return sorted(rows)


def assumed(page):
    count, listed = 0, False
    for element in page.all:
        if element["tag"] == "h4":
            listed = element["text"].startswith("Assumed")
        count += element["tag"] == "li" and listed
    return count


def examples(page):
    """What is said of two threads that meet."""
    terms = [e for e in page.all if e["tag"] in ("dt", "dd")]
    return sorted(text["text"] for name, text in zip(terms, terms[1:]) if name["text"] == "Counterexample")


def legend(page):
    return {e["text"].split()[1] for e in page.all if e["tag"] == "dt"
            and "key" in e["in"][-1]["at"].get("class", "")}


def outline(page):
    """What stands where; not what depends on the cost model (ways and why) and on Z3 (examples)."""
    lines = []
    for element in page.all:
        chance = (element["text"] in ("Counterexample", "Choice") or any(e["at"].get("class") == "key"
                                                                         for e in element["in"]))
        if element["tag"] in ("h1", "h2", "h3", "h4", "dt") and not chance:
            lines.append(f"{element['tag']} {element['text'].split('/')[-1]}")
        elif element["tag"] == "mark":
            lines.append(f"mark {element['text']}")
        elif element["tag"] == "details":
            kind = element["at"]["class"] + (" open" if "open" in element["at"] else "")
            lines.append(f"details {kind} {element['at'].get('id', '')}".rstrip())
    return lines


def check_profile(gradwright, gwcc, source, work):
    """A line of the source and one of the gradient: both end at the user's line."""
    with open(os.path.join(work, "x.grad.cuh")) as file:
        emitted = file.read().split("\n")
    at = 1 + next(i for i, line in enumerate(emitted) if "gw_atomic_add(&d_in[i]," in line)
    with open(source, errors="replace") as file:
        own = 1 + next(i for i, line in enumerate(file) if "local[c] = in[i]" in line)
    profile = os.path.join(work, "profile")
    with open(profile, "w") as file:
        file.write(f"# measured\n\n/somewhere/x.grad.cuh:{at} atomics 4096 # here\n"
                   f"{os.path.basename(source)}:{own}\tsamples  17.5\r\n")
        file.write("other.cu:3 samples 4\nx.grad.cuh:1 samples 9\nx.grad.cuh:99999 samples 8\n")
    page = Page(run(gradwright, gwcc, source, work, f"--profile={profile}")[0])
    line = [e for e in page.with_class("meas")]
    assert [e["text"] for e in line] == ["4096 atomics, 17.5 samples"], [e["text"] for e in line]
    assert any(e["at"].get("id") == f"s1-{own}" for e in line[0]["in"]), "at another line"
    measured = [a for a in page.with_class("acc", "article")
                if "Measured4096 atomics" in a["text"].replace("\n", "")]
    assert len(measured) == 1 and "d_in[i]" in measured[0]["text"] and "atomic" in measured[0]["text"], measured


KERNELS = """#include <gradwright/gradwright.h>
GW_SPLIT_GRADIENT("y wrt x") GW_PACK(x) __global__ void packed(float *y, const float2 *x, const int *q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[q[i]].x * x[q[i]].y;
}
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, slots) __global__ void rows(float *y, const float *x, const int *q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[q[i]] * x[q[i]];
}
"""
FOLDED = """#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt p") GW_ACCUMULATE(p, record) __global__ void f(float *y, const float4 *p, const int *ids) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 q = p[ids[i]];
    y[i] = q.x * q.y + q.z * q.w;
}
"""


MEETING = """#include <gradwright/gradwright.h>
GW_GRADIENT("y wrt x") __global__ void f(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i / 2] * x[i / 2];
}
"""


def check_meeting(gradwright, gwcc, work):
    """Nobody is told to write the index otherwise if the solver has two threads that meet; nor on the page or
    in the log."""
    source, log = os.path.join(work, "meeting.cu"), os.path.join(work, "meeting.sarif")
    with open(source, "w") as file:
        file.write(MEETING)
    text, explained = run(gradwright, gwcc, source, work, f"--sarif={log}")
    with open(log, encoding="utf-8") as file:
        said = file.read()
    met = "for example, " in explained
    meets = "these two threads do meet"
    assert (meets in text) == (meets in said) == met != ("compute the index by" in text), explained
    assert met != ("way out: compute the index by" in said), said


def check_folded(gradwright, gwcc, work):
    """Each line of a statement that takes several belongs to the source line that the statement came from."""
    source, profile = os.path.join(work, "folded.cu"), os.path.join(work, "folded.profile")
    with open(source, "w") as file:
        file.write(FOLDED)
    run(gradwright, gwcc, source, work)
    with open(os.path.join(work, "x.grad.cuh")) as file:
        emitted = file.read().split("\n")
    at = 1 + next(i for i, line in enumerate(emitted) if "gw_record_add(" in line)
    assert ";" not in emitted[at - 1] and emitted[at].endswith(");"), "not on two lines"
    with open(profile, "w") as file:
        file.write(f"x.grad.cuh:{at} samples 3\nx.grad.cuh:{at + 1} samples 4\n")
    page = Page(run(gradwright, gwcc, source, work, f"--profile={profile}")[0])
    assert [e["text"] for e in page.with_class("meas")] == ["3 samples, 4 samples"], \
        [e["text"] for e in page.with_class("meas")]


def check_kernels(gradwright, gwcc, work):
    """The summary counts the kernel that unpacks records, and says that rows are summed behind."""
    source = os.path.join(work, "kernels.cu")
    with open(source, "w") as file:
        file.write(KERNELS)
    page = Page(run(gradwright, gwcc, source, work)[0])
    counted = [e["text"] for e in page.all if e["at"].get("data-label") == "Kernels"]
    assert counted == ["3", "1, sums of rows behind"], counted


def main():
    gradwright, gwcc, source, golden = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        text, explained = run(gradwright, gwcc, source, work)
        page = Page(text)
        check_form(page, text)
        check_colours(page)
        check_source(page, source, 1)
        rows, assumptions = said(explained)
        assert rows == shown(page), set(rows) ^ set(shown(page))
        assert len(rows) > 8 and {row[3] for row in rows} >= {"plain", "atomic", "local"}, \
            "too little is tested"
        assert {e["at"]["data-function"] for e in page.with_class("twin")} == {"energy_grad", "members_grad"}, \
            "said twice of two derivatives of one function"
        assert legend(page) == {row[3] for row in rows}, legend(page)
        assert set(examples(page)) == set(re.findall(r"^ +for example, (.*)$", explained, re.M)), examples(page)
        for function in {row[0] for row in rows}:
            assert sum(e["text"] == function for e in page.all if e["tag"] == "h3") == 1, function
        assert assumptions == assumed(page) > 3, assumed(page)
        assert run(gradwright, gwcc, source, work)[0] == text, "a second page differs"
        lines = outline(page)
        with open(golden) as file:
            wanted = file.read().split("\n")[:-1]
        if lines != wanted:
            print("\n".join(lines))
            sys.exit("the outline is not that of " + golden)
        check_profile(gradwright, gwcc, source, work)
        check_kernels(gradwright, gwcc, work)
        check_folded(gradwright, gwcc, work)
        check_meeting(gradwright, gwcc, work)
        with open(source, "rb") as file:
            broken = file.read().replace("naïve".encode(), b"na\xefve \xed\xa0\x80 \x01 \xc3")
        other = os.path.join(work, "broken.cu")
        with open(other, "wb") as file:
            file.write(broken)
        text, _ = run(gradwright, gwcc, other, work)
        check_form(Page(text), text)
        assert "na\ufffdve \ufffd\ufffd\ufffd \ufffd \ufffd), every" in text, "bytes that are no text"


main()
