#!/usr/bin/env python3
"""Each line of docs/internals/ownership.md's "What each source decides" against what --explain says of a kernel
of it.

usage: sources_page.py GRADWRIGHT GWCC SOURCE PAGE

The items of the page's table, between semicolons, are those of SOURCE ("//| ROW: ITEM", "//! ROW: ITEM:
REASON"), no more and no fewer. Accesses to arrays of an owned item are plain; additions to the first array of
another are not, and --explain gives the reason.
"""
import re
import sys

import decisions


def items_of_source(name):
    found, item = {}, None
    with open(name) as file:
        for line in file:
            mark, kernel = re.match(r"//([|!]) (.*?): (.*)", line), re.match(r"__global__ void (\w+)\(", line)
            if mark:
                item = mark.groups()
                assert item not in found, f"twice: {item}"
            elif kernel:
                found[item] = kernel.group(1)
    return found


def items_of_page(name):
    with open(name) as file:
        section = file.read().split("## What each source decides")[1].split("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| ") and not line.startswith("| source"):
            row, owned, other = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            for mark, cell in (("|", owned), ("!", other)):
                yield from ((mark, row.split(" (")[0], item) for item in cell.split("; ") if item)


def tables(explained):
    """Kernel: [(update, how, all that is said of it)]."""
    found, name = {}, None
    for line in explained.splitlines():
        head, row = re.match(r"(\w+)_grad \(", line), re.match(r" +\d+  (\S.*?)  +(\w+)  +(\S.*)", line)
        if head:
            name = found.setdefault(head.group(1), [])
        elif row and name is not None:
            name.append(list(row.groups()))
        elif name and line.startswith(" " * 12):
            name[-1][2] += "\n" + line
    return found


def is_so(mark, item, rows):
    arrays = re.findall(r"`(\w+)\[", item)
    if mark == "|":
        own = [how for update, how, _ in rows if re.match(rf"(read )?d_({'|'.join(arrays)})\[", update)]
        return own and set(own) == {"plain"}
    # which the solver does not know: what it chose is no witness
    orders = "GW_DISJOINT" in item or "GW_SORTED" in item
    own = [(how, why) for update, how, why in rows if re.match(rf"d_{arrays[0]}\[.*\+=", update)]
    return own and all(how != "plain" and item.rsplit(": ", 1)[1] in why
                       and not (orders and "for example" in why) for how, why in own)


def main():
    gradwright, gwcc, source, page = sys.argv[1:]
    kernels, wanted = items_of_source(source), list(items_of_page(page))
    assert set(kernels) == set(wanted), f"only on one side: {sorted(set(kernels) ^ set(wanted))}"
    said = tables(decisions.decided(gradwright, gwcc, source)[1])
    wrong = [f"{kernels[key]}: not as the page says, {key}:\n{said.get(kernels[key])}" for key in wanted
             if not is_so(key[0], key[2], said.get(kernels[key], []))]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(wanted)} items as the page says")


main()
