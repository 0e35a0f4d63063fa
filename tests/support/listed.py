"""The tests that CTest would run, with the commands that are theirs."""
import json
import subprocess


def own(command):
    """A test's command without what stands in front of it: the notes of its time (tests/budget/spent.c FOLDER
    NAME) and its stamp (stamped.py STAMP TOOLS --)."""
    words = command[3:]
    if len(words) > 3 and words[2].endswith("stamped.py"):
        words = words[words.index("--") + 1:]
    return words


def tests(build, configuration=()):
    """As CTest describes them (--show-only=json-v1), each "command" being the test's own."""
    command = ["ctest", "--test-dir", build, "--show-only=json-v1", *configuration]
    listed = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)["tests"]
    for test in listed:
        test["command"] = own(test.get("command", []))
    return listed
