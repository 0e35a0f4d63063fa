#!/usr/bin/env python3
"""The pages as text.

pages.py links ROOT        every relative link leads to a file (and its heading), and every path that is named
                           is one; so are the pages that sources name. What is installed links to nothing else
pages.py columns ROOT      lines have at most 112 columns, but for tables, what programs say, and made code
pages.py words ROOT        the guide stays short: words of its prose, without programs and tables
pages.py wrap FILE...      wraps the paragraphs of which a line is longer
"""
import fnmatch
import glob
import os
import re
import sys
import textwrap

COLUMNS = 112
# What a user reads from front to back is meant to have 6,000 words, the whole guide 8,800 and 400 for each of
# what came since: parallel-host, modes, check, on-the-fly, python; some more may stay until somebody tightens
# the text.
READ_THROUGH = """install quickstart memory requests kernels functions build report faster custom limits errors
    coming-from""".split()
WORDS_READ_THROUGH, WORDS_OF_GUIDE = 6300, 11900
FOLDERS = "analysis benchmarks cmake docs examples include plugin rewriters runtime scripts tests".split()
ENDS = "c|h|cpp|cu|cuh|def|py|sh|md|cmake|txt|in|golden|json"
PATH = re.compile(rf"(?<![\w./<$*-])((?:{'|'.join(FOLDERS)})/[\w./*{{}},-]*[\w*/}}])")
NAME = re.compile(rf"`((?:[\w-]+/)+[\w*-]+\.(?:{ENDS}))`")
# Without a folder: in the pages for maintainers only; in others they are the reader's own.
SOURCE = re.compile(r"`([\w*-]+\.(?:c|h|def))`")
LINK = re.compile(r"\]\(([^)\s#]*)(#[^)\s]*)?\)")
NOT_OURS = re.compile(r"\b[A-Z]{3,}\b|include/cccl$") # names to be filled in, and what a toolkit has
# See cmake/install.cmake.
INSTALLED = ("docs/guide", "docs/reference", "examples", "README.md", "LICENSE", "CHANGELOG.md")
STARTS = re.compile(r"(?:[-+*>|#]+|\d+[.)])$") # what would mean something at the beginning of a line


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def all_pages(root):
    patterns = ["*.md", "docs/**/*.md", "*/README.md", "examples/*/README.md"]
    found = {path for pattern in patterns for path in glob.glob(os.path.join(root, pattern), recursive=True)}
    return sorted(os.path.relpath(path, root) for path in found if "/build" not in path)


def lines_of(text):
    """(number, line, kind): text, table, block, said (what a program says), code (indented by four)."""
    inside, before = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*```", line):
            kind = inside or ("said" if line.strip() == "```text" else "block")
            inside = "" if inside else kind
        elif inside:
            kind = inside
        elif line.lstrip().startswith("|"):
            kind = "table"
        elif line.startswith("    ") and (before in ("", "code")):
            kind = "code"
        else:
            kind = "text"
        yield number, line, kind
        before = kind if line.strip() else before if before == "code" else ""


def slugs(text):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for _, line, kind in lines_of(text):
        heading = re.match(r"#+ (.*)", line)
        if heading and kind == "text":
            words = re.sub(r"[^\w\- ]", "", heading.group(1).strip().lower())
            found.add("#" + words.replace(" ", "-"))
    return found


def broken_links(root, page, text):
    folder = os.path.dirname(page)
    for number, line, kind in lines_of(text):
        if kind in ("block", "said", "code"):
            continue
        for target, anchor in LINK.findall(line):
            if "://" in target:
                continue
            path = os.path.normpath(os.path.join(folder, target)) if target else page
            if not os.path.exists(os.path.join(root, path)):
                yield f"{page}:{number}: no such file: {target}"
            elif anchor and anchor not in slugs(read(os.path.join(root, path))):
                yield f"{page}:{number}: no such heading: {target}{anchor}"
            elif page.startswith(INSTALLED) and not path.startswith(INSTALLED):
                yield f"{page}:{number}: {target} is not installed beside this page"


def exists(root, path, files):
    for one in glob_words(path):
        if glob.glob(os.path.join(root, one)) or any(fnmatch.fnmatch(file, "*/" + one) for file in files):
            return True
    return False


def glob_words(path):
    """x/{a,b}.c as two paths."""
    braces = re.search(r"\{([^}]*)\}", path)
    if not braces:
        return [path]
    return [path[:braces.start()] + word + path[braces.end():] for word in braces.group(1).split(",")]


def broken_paths(root, page, text, files):
    for number, line, kind in lines_of(text):
        found = PATH.findall(line) + NAME.findall(line)
        if page.startswith("docs/internals/") and kind in ("text", "table"):
            found += SOURCE.findall(line)
        for path in sorted(set(found)):
            if not NOT_OURS.search(path) and not exists(root, path.rstrip("."), files):
                yield f"{page}:{number}: no such file: {path}"


def named_pages(root, files):
    """Pages that sources name."""
    for file in files:
        if not file.endswith((".md", ".gwir")):
            for number, line in enumerate(read(os.path.join(root, file)).split("\n"), 1):
                for path in re.findall(r"\bdocs/[\w/-]+\.md\b", line):
                    if not os.path.exists(os.path.join(root, path)):
                        yield f"{file}:{number}: no such page: {path}"


def all_files(root):
    ends = tuple("." + end for end in ENDS.split("|"))
    for folder in FOLDERS:
        for where, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in names:
                if name.endswith(ends) or folder == "scripts":
                    yield os.path.relpath(os.path.join(where, name), root)


def links(root):
    files, faults = sorted(all_files(root)), []
    for page in all_pages(root):
        text = read(os.path.join(root, page))
        faults += broken_links(root, page, text)
        if not page.startswith("docs/reference"):
            faults += broken_paths(root, page, text, files)
    return faults + list(named_pages(root, files))


def columns(root):
    faults = []
    for page in all_pages(root):
        for number, line, kind in lines_of(read(os.path.join(root, page))):
            free = kind in ("table", "said") or line.startswith("<!--")
            made = kind == "block" and page.startswith("docs/reference/")
            if len(line) > COLUMNS and not free and not made:
                faults.append(f"{page}:{number}: {len(line)} columns")
    return faults


def words(root):
    count = {}
    for path in glob.glob(os.path.join(root, "docs/guide/*.md")):
        page = os.path.basename(path)[:-len(".md")]
        count[page] = sum(len(line.split()) for _, line, kind in lines_of(read(path)) if kind == "text")
    for what, pages, most in (("the pages that are read through", READ_THROUGH, WORDS_READ_THROUGH),
                              ("the guide", sorted(count), WORDS_OF_GUIDE)):
        total = sum(count[page] for page in pages)
        if total > most:
            yield f"{what}: {total} words of prose, more than {most}"
            yield from (f"  {count[page]:5} docs/guide/{page}.md" for page in pages)


def wrapped(words, first, rest):
    """Words in lines; code between backticks stays together, and no line begins with what would be a mark."""
    kept = lambda found: found.group(0).replace(" ", "\0") if len(found.group(0)) < 60 else found.group(0)
    text = re.sub(r"`[^`]+`", kept, " ".join(words))
    parts = []
    for word in text.split(" "):
        if parts and STARTS.match(word):
            parts[-1] += "\0" + word
        else:
            parts.append(word)
    lines = textwrap.wrap(" ".join(parts), COLUMNS, initial_indent=first, subsequent_indent=rest,
                          break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def wrap(text):
    out, paragraph = [], []

    def close():
        if any(len(line) > COLUMNS for line in paragraph):
            mark = re.match(r"\s*(?:[-*] |\d+\. )?", paragraph[0]).group(0)
            words = " ".join([paragraph[0][len(mark):]] + paragraph[1:]).split()
            out.extend(wrapped(words, mark, " " * len(mark)))
        else:
            out.extend(paragraph)
        paragraph.clear()

    for _, line, kind in lines_of(text):
        plain = kind == "text" and line.strip() and not line.startswith(("#", "<!--"))
        if not plain or re.match(r"\s*(?:[-*] |\d+\. )", line):
            close()
        if plain:
            paragraph.append(line)
        else:
            out.append(line)
    close()
    return "\n".join(out)


def main():
    what, *arguments = sys.argv[1:]
    if what == "wrap":
        for path in arguments:
            text = read(path)
            if wrap(text) != text:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(wrap(text))
        return
    faults = list({"links": links, "columns": columns, "words": words}[what](*arguments))
    if faults:
        sys.exit("\n".join(faults))


main()
