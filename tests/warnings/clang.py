#!/usr/bin/env python3
"""Clang's warnings, too, over what the compiler itself is made of: the presets asan and fuzz may be built by
it.

usage: clang.py CLANG COMPILE_COMMANDS FOLDER...

Each C source of the folders goes through CLANG -fsyntax-only with its own command's arguments; a warning is an
error there.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


def check(clang, entry):
    words = shlex.split(entry["command"])
    # behind the compiler, or what launches it
    at = next(i for i, word in enumerate(words) if word.startswith("-"))
    arguments = [word for i, word in enumerate(words[at:], at) if word not in ("-c", "-o")
                 and words[i - 1] != "-o" and not word.startswith("-M")
                 and words[i - 1] not in ("-MF", "-MT")]
    done = subprocess.run([clang, "-x", "c", "-fsyntax-only", "-Werror", *arguments], cwd=entry["directory"],
                          capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def main():
    clang, commands, *folders = sys.argv[1:]
    folders = [os.path.realpath(folder) + os.sep for folder in folders]
    own = [e for e in json.load(open(commands)) if e["file"].endswith(".c")
           and os.path.realpath(e["file"]).startswith(tuple(folders))]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda e: check(clang, e), own))
    for good, said in results:
        if not good:
            print(said)
    print(f"{len(own)} sources, {sum(not good for good, _ in results)} that Clang warns of")
    sys.exit(not own or not all(good for good, _ in results))


main()
