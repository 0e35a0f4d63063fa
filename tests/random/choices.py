"""What a random kernel or function consists of, by the rules and draws that made it, written down where each is
made.

A kind of construct is a place of the generator, or what was drawn there: "blocks.Blocks.scan:299" made a
statement, an expression or a parameter that is in the finished kernel, "atomics.Atomics.count:117 = Max, t * #
% #, {b}, #" is one row of a table, and "kernels.Generator.make_kernel:137 < 0.15" a condition that held. So
what is added to the generator counts without a word about it.
"""
import os
import random
import re
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))


def place():
    """The place where the generator called what calls this, behind the modules that make nodes and draw."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename in PLUMBING:
        frame = frame.f_back
    return frame.f_code, frame.f_lineno


LONGEST, MOST = 24, 24  # letters of a word, items that are told apart
PLUMBING = {os.path.join(HERE, "tree.py"), os.path.join(HERE, "choices.py")}


def place_text(at):
    code, line = at
    module = os.path.splitext(os.path.basename(code.co_filename))[0]
    return f"{module}.{getattr(code, 'co_qualname', code.co_name).replace('.<locals>', '')}:{line}"


def outcome(drawn, items):
    """What counts of a drawn thing: a word, or a row's words; of text with variables in it and of numbers,
    which of the items it is. Of objects and methods nothing: what they make counts."""
    if isinstance(drawn, str) and len(drawn) <= LONGEST and not set("[](){}") & set(drawn):
        return re.sub(r"\d+", "#", drawn)
    if isinstance(drawn, dict):
        return drawn["type"]
    if isinstance(drawn, tuple):
        return ", ".join(re.sub(r"\d+", "#", part) for part in drawn if isinstance(part, str)) or None
    which = drawn is None or isinstance(drawn, (str, bool, int, list, types.FunctionType))
    return f"item {items.index(drawn)}" if which and len(items) <= MOST else None


class Share(float):
    """A number of 0..1 that a rule compares with its shares."""
    __slots__ = ("taken",)

    def __lt__(self, share):
        holds = float.__lt__(self, share)
        self.taken.add((place(), f"< {share:.4g}" if holds else f">= {share:.4g}"))
        return holds

    def __gt__(self, share):
        return not self < share


class Draws:
    """random.Random, as far as the generator uses it; taken: places and what was drawn there."""

    def __init__(self, seed):
        self.source, self.taken = random.Random(seed), set()
        self.randint, self.uniform = self.source.randint, self.source.uniform
        self.shuffle, self.sample = self.source.shuffle, self.source.sample

    def take(self, drawn, items):
        said = outcome(drawn, items)
        if said is not None:
            self.taken.add((place(), "= " + said))

    def random(self):
        share = Share(self.source.random())
        share.taken = self.taken
        return share

    def choice(self, items):
        drawn = self.source.choice(items)
        self.take(drawn, items)
        return drawn

    def note(self):
        """A rule that makes no node and draws nothing by which it is known comes to this place."""
        self.taken.add((place(), ""))

    def choices(self, items, k):
        drawn = self.source.choices(items, k=k)
        for item in drawn:
            self.take(item, items)
        return drawn


def made_by(generator):
    kernel = generator.make()
    kernel.generator, kernel.taken = type(generator).__name__, generator.random.taken
    return kernel


def constructs(kernel):
    """The kinds of construct in a finished kernel."""
    places = {p.made for p in kernel.parameters}
    for statement in [*kernel.helpers, *kernel.body]:
        places.update(node.made for node in statement.walk())
    return ({f"a {kernel.generator}"} | {place_text(at) for at in places} |
            {f"{place_text(at)} {said}".strip() for at, said in kernel.taken})
