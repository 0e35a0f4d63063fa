#!/usr/bin/env python3
"""When a stamped command (tests/support/stamped.py) is run again, and when it is not."""
import os
import subprocess
import sys
import tempfile

STAMPED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support", "stamped.py")
PROGRAM = '#!/bin/sh\necho ran "$@" >>log\n[ ! -e broken ]\n'
LEFT = ("CI", "GW_TEST_STAMPS", "GW_TEST_CACHE", "GW_CPU_SEED")


class Case:
    def __init__(self, folder):
        self.folder, self.bad = folder, False
        for name, text in (("program", PROGRAM), ("library", "1"), ("tools", os.path.join(folder, "library"))):
            self.write(name, text)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def expect(self, why, ran, *arguments, status=0, **variables):
        """ran: whether the program is run."""
        self.write("log", "")
        environment = {key: value for key, value in os.environ.items() if key not in LEFT}
        command = [sys.executable, STAMPED, "stamp", "tools", "--", "./program", *arguments]
        code = subprocess.run(command, cwd=self.folder, env=dict(environment, **variables), check=False,
                              stdout=subprocess.DEVNULL).returncode
        did = os.path.getsize(os.path.join(self.folder, "log")) > 0
        if did != ran or code != status:
            print(f"{why}: {'run' if did else 'not run'}, ended with {code}")
            self.bad = True


def main():
    with tempfile.TemporaryDirectory() as folder:
        case = Case(folder)
        case.expect("the first run", True)
        case.expect("the same run", False)
        case.expect("where CI is true", True, CI="true")
        case.expect("where CI is true, and stamps are asked for", False, CI="true", GW_TEST_STAMPS="on")
        case.expect("without stamps", True, GW_TEST_STAMPS="off")
        case.expect("another argument", True, "--quick")
        case.expect("the same again", False, "--quick")
        case.expect("another order of threads", True, "--quick", GW_CPU_SEED="7")
        case.expect("none", True)
        for name, text in (("library", "2"), ("program", PROGRAM + "\n")):
            case.write(name, text)
            case.expect(f"another {name}", True)
            case.expect(f"the same with another {name}", False)
        case.write("broken", "")
        case.write("library", "3")
        case.expect("a run that fails", True, status=1)
        case.expect("again, after it failed", True, status=1)
        os.remove(os.path.join(folder, "broken"))
        case.expect("again, when it does not fail any more", True)
        case.expect("in another cache", True, GW_TEST_CACHE=os.path.join(folder, "cache"))
        case.expect("the same there", False, GW_TEST_CACHE=os.path.join(folder, "cache"))
        return 1 if case.bad else 0


sys.exit(main())
