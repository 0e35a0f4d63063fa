#!/usr/bin/env python3
"""The tests of the full run that are in its part K of N, as a file for `ctest -I`: all parts are the whole run.

usage: parts.py BUILD K N FILE [CONFIGURATION]

Tests that share a fixture stay together, so that no program is built twice. The parts are of about the same
length by the tests' COST, which is the same for all parts of one tree, whatever ran before.
"""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import listed  # pylint: disable=wrong-import-position

USUAL = 2.0  # seconds of a test of which nothing is said


def property_of(test, name, otherwise):
    return next((entry["value"] for entry in test.get("properties", []) if entry["name"] == name), otherwise)


def bundles(tests):
    """Their numbers and seconds; those that share a fixture are in one bundle."""
    parent = {}

    def root(key):
        while parent.setdefault(key, key) != key:
            key = parent[key]
        return key
    for number, test in enumerate(tests, 1):
        for kind in ("FIXTURES_SETUP", "FIXTURES_REQUIRED", "FIXTURES_CLEANUP"):
            for fixture in property_of(test, kind, []):
                parent[root(("fixture", fixture))] = root(number)
        root(number)
    found = collections.defaultdict(lambda: [0.0, []])
    for number, test in enumerate(tests, 1):
        bundle = found[root(number)]
        bundle[0] += float(property_of(test, "COST", 0)) or USUAL
        bundle[1].append(number)
    return list(found.values())


def parts(tests, count):
    """Longest first, each bundle to the part that is shortest."""
    made = [[0.0, []] for _ in range(count)]
    for seconds, numbers in sorted(bundles(tests), key=lambda bundle: (-bundle[0], bundle[1])):
        part = min(made, key=lambda part: part[0])
        part[0] += seconds
        part[1] += numbers
    return made


def main():
    build, which, count, path, *configuration = sys.argv[1:]
    which, count = int(which), int(count)
    if not 1 <= which <= count:
        sys.exit(f"there is no part {which} of {count}")
    tests = listed.tests(build, ["-C", *(configuration or ["full"])])
    made = parts(tests, count)
    assert sorted(sum((numbers for _, numbers in made), [])) == list(range(1, len(tests) + 1))
    seconds, numbers = made[which - 1]
    print(f"part {which} of {count}: {len(numbers)} of {len(tests)} tests, {seconds:.0f} processor seconds")
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(["0", "0", "0", *map(str, sorted(numbers))]) + "\n")


if __name__ == "__main__":
    main()
