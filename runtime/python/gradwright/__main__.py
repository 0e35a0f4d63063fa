"""python -m gradwright: the command that was installed with the package, or that of the tree."""
import os
import sys

from ._library import command


def main():
    if sys.argv[1:2] == ["torch"]:
        from ._tree import main as write_tree
        return write_tree(sys.argv[2:])
    program = command()
    if program is None:
        sys.exit("gradwright: there is no command beside libgradwright.so")
    os.execv(program, [program, *sys.argv[1:]])


main()
