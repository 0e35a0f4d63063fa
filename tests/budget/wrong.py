#!/usr/bin/env python3
"""What budget.py says of runs that are within their budget and of some that are not."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUDGET = """clock 2.0
whole 100
slow 60.0
  slow.long 50.0
fast 40.0
"""
GOOD = {"budget.clock.1": 2.0, "slow.long": 50, "slow.short": 10, "fast.one": 20, "fast.two": 20}
TESTS = [*GOOD, "budget.groups"]

# what is other than in GOOD; the exit status; what is said
CASES = [
    ({}, 0, "not run whole: nothing"),
    ({"slow.long": 59}, 1, "slow: 69.0 s of the processor; its line in tests/budget.txt is 60.0"),
    ({"slow.long": 59}, 1, "    slow.long 59.0 s (+9.0)"),
    ({"slow.short": 18.5}, 1, "    slow.short 18.5 s (+15.5)"),
    ({"slow.short": 17}, 0, "the clock takes 1.00 times"),
    # A machine of half the speed: all takes twice as long.
    ({name: 2 * seconds for name, seconds in GOOD.items()}, 0, "the clock takes 2.00 times"),
    ({"budget.clock.1": 1.0}, 1, "fast: 80.0 s"),
    # Each group within its tenth and what none is blamed for, but not the whole.
    ({"slow.short": 17, "fast.one": 25}, 1, "112 s of the processor"),
    ({"slow.long": None}, 0, "not run whole: slow"),
    ({"slow.long": None, "fast.one": 60}, 1, "fast: 80.0 s"),
    ({"budget.clock.1": None}, 77, "nothing is held to the budget"),
    ({"new.test": 30}, 1, "new: 30.0 s of the processor; its line in tests/budget.txt is 0.0"),
]


def run(folder, notes):
    spent = os.path.join(folder, "spent")
    os.makedirs(spent, exist_ok=True)
    for name in os.listdir(spent):
        os.remove(os.path.join(spent, name))
    for name, seconds in notes.items():
        if seconds is not None:
            with open(os.path.join(spent, name), "w", encoding="utf-8") as file:
                file.write(f"{seconds:.3f} 0\n")
    for name, text in (("budget.txt", BUDGET), ("tests.txt", "\n".join(dict.fromkeys([*TESTS, *notes])))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    done = subprocess.run([sys.executable, os.path.join(HERE, "budget.py"), "check", spent,
                           *(os.path.join(folder, name) for name in ("tests.txt", "budget.txt"))],
                          env=dict(os.environ, GW_TEST_BEGAN="0"), stdout=subprocess.PIPE, text=True,
                          check=False)
    return done.returncode, done.stdout


def main():
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        for other, status, text in CASES:
            code, said = run(folder, {**GOOD, **other})
            if code != status or text not in said:
                print(f"{other}: ended with {code}, expected {status} and '{text}'; said:\n{said}")
                bad = True
    return 1 if bad else 0


sys.exit(main())
