#!/usr/bin/env python3
"""Holds the processor time of the suite to its budget (tests/budget.txt).

usage: budget.py check SPENT TESTS BUDGET   fails where a group, or the whole run, takes too much
       budget.py write SPENT TESTS BUDGET   writes the lines anew, out of the last run

SPENT: the folder of notes, a file a test (spent.c). TESTS: the list of the default run's tests. Seconds are
those of a machine on which the clock (clock.py) takes what BUDGET says of it: others are divided by how much
slower the clock is there. A group is held to its line only if all its tests ran since `scripts/test` began,
which GW_TEST_BEGAN says in seconds of the system's clock; the check is skipped without it.
"""
import collections
import os
import statistics
import sys

SKIPPED = 77
MORE = 1.1  # by which a group may pass its line
# A line's, over what the run took: by the clock, another machine took 1.2 times as much for one commit.
MARGIN = 1.25
ALWAYS = 2.0  # seconds that no group is blamed for: the noise of a small one
NAMED = 3.0  # a test of at least so many seconds has a line of its own
CLOCK, OWN = "budget.clock", "budget"


def group_of(test):
    return test.split(".")[0]


def noted(folder, tests, began):
    """Seconds by test, of those that ran since then."""
    seconds = {}
    for test in tests:
        path = os.path.join(folder, test)
        if os.path.exists(path) and os.path.getmtime(path) >= began:
            with open(path, encoding="utf-8") as file:
                seconds[test] = float(file.read().split()[0])
    return seconds


class Budget:
    """clock, whole: their lines; groups, tests: seconds by name."""

    def __init__(self, path):
        self.clock, self.whole, self.groups, self.tests = 0.0, 0.0, {}, {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split("#")[0].split()
                if len(words) != 2:
                    continue
                name, seconds = words[0], float(words[1])
                if name in ("clock", "whole"):
                    setattr(self, name, seconds)
                else:
                    (self.tests if line.startswith(" ") else self.groups)[name] = seconds


def grown(group, seconds, budget):
    """The group's tests by how much more they take than their line, which is NAMED where they have none."""
    more = [(taken - budget.tests.get(test, NAMED), test, taken) for test, taken in seconds.items()
            if group_of(test) == group]
    return sorted(more, reverse=True)[:5]


def check(folder, tests, path):
    began = os.environ.get("GW_TEST_BEGAN")
    budget, seconds = Budget(path), noted(folder, tests, float(began or "inf"))
    clocks = [seconds.pop(test) for test in tests if test.startswith(CLOCK) and test in seconds]
    seconds.pop(f"{OWN}.groups", None)
    if not clocks:
        print("nothing is held to the budget: this is no run of scripts/test, or one without the clock")
        return SKIPPED
    slower = statistics.median(clocks) / budget.clock
    print(f"the clock takes {slower:.2f} times what it took when tests/budget.txt was written")
    sums, missing, bad = collections.Counter(), set(), False
    for test in tests:
        if test in seconds:
            seconds[test] /= slower
            sums[group_of(test)] += seconds[test]
        elif group_of(test) != OWN:
            missing.add(group_of(test))
    for group in sorted(set(sums) - missing):
        line = budget.groups.get(group, 0.0)
        if sums[group] <= MORE * line + ALWAYS:
            continue
        bad = True
        print(f"{group}: {sums[group]:.1f} s of the processor; its line in tests/budget.txt is {line:.1f}. "
              f"Beyond their own lines:")
        for more, test, taken in grown(group, seconds, budget):
            print(f"    {test} {taken:.1f} s ({more:+.1f})")
    whole = sum(sums.values())
    print(f"{whole:.0f} s of the processor in {len(seconds)} tests; the line of the whole is "
          f"{budget.whole:.0f}; not run whole: {' '.join(sorted(missing)) or 'nothing'}")
    return 1 if bad or (not missing and whole > MORE * budget.whole) else 0


HEAD = """# Processor seconds of the default run by group, and of each test of at least {named:g} s, on a
# machine on which the clock (tests/budget/clock.py) takes what its line says. A group that takes a tenth more
# fails the test budget.groups. Written by scripts/budget after a run of scripts/test; a group's line is what
# it took then and {more:.0%} more.
"""


def write(folder, tests, path):
    seconds = noted(folder, tests, 0.0)
    lacking = [test for test in tests if test not in seconds and test != f"{OWN}.groups"]
    if lacking:
        sys.exit(f"no note of {' '.join(lacking[:5])} ({len(lacking)} tests): run scripts/test")
    clocks, groups = [], collections.defaultdict(dict)
    for test, taken in seconds.items():
        if test.startswith(CLOCK):
            clocks.append(taken)
        elif group_of(test) != OWN:
            groups[group_of(test)][test] = taken
    with open(path, "w", encoding="utf-8") as file:
        whole = sum(sum(own.values()) for own in groups.values())
        file.write(HEAD.format(named=NAMED, more=MARGIN - 1))
        file.write(f"clock {statistics.median(clocks):.2f}\nwhole {MARGIN * whole:.0f}\n")
        for group, own in sorted(groups.items()):
            file.write(f"{group} {MARGIN * sum(own.values()):.1f}\n")
            for test, taken in sorted(own.items(), key=lambda row: -row[1]):
                if taken >= NAMED:
                    file.write(f"  {test} {taken:.1f}\n")
    return 0


def main():
    what, folder, listed, path = sys.argv[1:]
    with open(listed, encoding="utf-8") as file:
        tests = file.read().split()
    return {"check": check, "write": write}[what](folder, tests, path)


if __name__ == "__main__":
    sys.exit(main())
