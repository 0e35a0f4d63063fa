"""python -m gradwright: the command that was installed with the package, or that of the tree."""
import os
import sys

from ._library import _places


def main():
    if sys.argv[1:2] == ["torch"]:
        from ._tree import main as write_tree
        return write_tree(sys.argv[2:])
    for place in _places():
        program = os.path.join(os.path.dirname(place), "..", "bin", "gradwright")
        if os.path.dirname(place) and os.path.exists(program):
            os.execv(program, [program, *sys.argv[1:]])
    sys.exit("gradwright: there is no command beside libgradwright.so")


main()
