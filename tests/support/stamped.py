#!/usr/bin/env python3
"""Runs a test's command unless its last run was good, and of the same.

usage: stamped.py STAMP TOOLS -- PROGRAM ARGUMENT...

The same are: the program's bytes, its arguments, the variables of the CPU device, and the files that TOOLS
lists, as the library that the program loads. Files of the tree, and those below the folder of TOOLS, count by
their bytes, others (a compiler) by size and time. STAMP is the file that remembers; with GW_TEST_CACHE it lies
there. No stamps are used where CI is "true", nor with GW_TEST_STAMPS=off; GW_TEST_STAMPS=on uses them in any
case.
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def are_used():
    said = os.environ.get("GW_TEST_STAMPS", "")
    return said == "on" or (said != "off" and os.environ.get("CI") != "true")


def file_digest(path, own):
    """What changes when the file does; "-" where there is none."""
    import hashlib  # not where no stamps are used, which is to cost little
    try:
        if os.path.abspath(path).startswith(own):
            with open(path, "rb") as file:
                return hashlib.sha256(file.read()).hexdigest()
        status = os.stat(path)
        return f"{status.st_size} {status.st_mtime_ns}"
    except OSError:
        return "-"


def digest(command, files, own):
    import hashlib
    words = [*command, *(f"{key}={value}" for key, value in sorted(os.environ.items())
                         if key.startswith("GW_CPU"))]
    words += [f"{name}\0{file_digest(name, own)}" for name in sorted({command[0], *files})]
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()


def place(path):
    cache = os.environ.get("GW_TEST_CACHE")
    return os.path.join(cache, "stamps", path.strip("/").replace("/", "%")) if cache else path


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(f"{path}.{os.getpid()}", path)


def main():
    path, listed, _, *command = sys.argv[1:]
    if not are_used():
        os.execvp(command[0], command)
    path = place(os.path.abspath(path))
    own = tuple(folder + os.sep for folder in (ROOT, os.path.dirname(os.path.abspath(listed))))
    now = digest(command, read(listed).splitlines(), own)
    if read(path) == now:
        print("unchanged since its last good run")
        return 0
    write(path, "")
    import subprocess
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        write(path, now)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
