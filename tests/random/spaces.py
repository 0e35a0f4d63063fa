"""Kernels of one name, each in a namespace of its own, with helpers of one name too; perhaps without a name
inside of that one."""
import re

from tree import in_precision

NAME = "same"
OF_ALL = r"\b(S_|R_|E|FIRST|SECOND|THIRD)¶"  # the types stand in front of the namespace


class Spaces:
    def draw_space(self):
        """Behind everything else that is drawn."""
        r = self.random
        if self.learns() and r.random() < 0.3:
            self.kernel.space = r.choice(["named", "named", "unnamed"])


def short(kernel, name):
    """How the kernel is named where it stands, and all that is made of it."""
    return NAME if kernel.space else name


def outside(kernel, name, what):
    """How something that stands there is named outside."""
    return f"{space(name)}::{what}" if kernel.space else what


def beside(kernel, name, text):
    """Text that stands there."""
    return f"namespace {space(name)} {{\n{text}}}\n" if kernel.space else text


def space(name):
    return f"{name}_space"


def in_space(kernel, text, name, real):
    """What is the kernel's own."""
    if not kernel.space:
        return in_precision(text, name, real)
    text = re.sub(r"\b([SR])¶", r"\1_¶", text)
    text = in_precision(re.sub(OF_ALL, rf"\g<1>{name}", text), NAME, real)
    if kernel.space == "unnamed":
        text = f"namespace {{\n{text}}}\n"
    return beside(kernel, name, text)
