"""The generator's syntax tree: expressions with value intervals, statements with bodies, and their text.

Text is written for one precision at a time: the word `real` is a type, '§' stands behind what has a suffix f in
single precision (literals, functions), '¶' is where a kernel's own name goes, and of «float¦double» one stands
in each precision. Every expression carries an
interval that holds its value for all inputs of the kernel: an index is in bounds and an argument in its
function's domain by construction, and the shrinker may put any value of the interval in its place.
"""

import re

from choices import place

(COMMA, ASSIGN, CHOICE, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, LESS, SHIFT, ADD, MULTIPLY, UNARY, POSTFIX,
 PRIMARY) = range(16)
BINARY = {"||": OR, "&&": AND, "|": BIT_OR, "^": BIT_XOR, "&": BIT_AND, "==": EQUAL, "!=": EQUAL, "<": LESS,
          "<=": LESS, ">": LESS, ">=": LESS, "<<": SHIFT, ">>": SHIFT, "+": ADD, "-": ADD, "*": MULTIPLY,
          "/": MULTIPLY, "%": MULTIPLY}


class Expr:
    """form: text with {} for each argument; needs: the least level of an argument that stands without ()."""
    __slots__ = ("form", "args", "kind", "lo", "hi", "level", "needs", "made")

    def __init__(self, form, args, kind, lo, hi, level=POSTFIX, needs=None):
        self.form, self.args, self.kind, self.level = form, list(args), kind, level
        self.lo, self.hi = lo, hi
        self.needs = needs or [ASSIGN] * len(self.args)
        self.made = place()

    def text(self):
        inner = [a.text() if a.level >= need else f"({a.text()})" for a, need in zip(self.args, self.needs)]
        return self.form.format(*inner)

    def walk(self):
        yield self
        for argument in self.args:
            yield from argument.walk()

    def within(self, lo, hi):
        return lo <= self.lo and self.hi <= hi


def leaf(text, kind, lo, hi):
    return Expr(text.replace("{", "{{").replace("}", "}}"), [], kind, lo, hi, PRIMARY)


def integer_literal(value, kind="int"):
    suffix = {"unsigned": "u", "long": "LL"}.get(kind, "")
    expr = leaf(f"{value}{suffix}", kind, value, value)
    expr.level = UNARY if value < 0 else PRIMARY
    return expr


def real_literal(value):
    value = float(f"{value:.3g}")
    text = repr(value)
    expr = leaf(f"{text}§", "real", value, value)
    expr.level = UNARY if value < 0 else PRIMARY
    return expr


def binary(operator, a, b, kind, lo, hi):
    level = BINARY[operator]
    left = level + 1 if level in (LESS, EQUAL) else level  # a < b < c is a warning
    return Expr("{} " + operator + " {}", [a, b], kind, lo, hi, level, [left, level + 1])


def unary(operator, a, kind, lo, hi):
    return Expr(operator + "{}", [a], kind, lo, hi, UNARY, [POSTFIX])


def cast(type_name, a, kind, lo, hi):
    return Expr(f"({type_name}){{}}", [a], kind, lo, hi, UNARY, [POSTFIX])


def choice(condition, a, b, kind):
    return Expr("{} ? {} : {}", [condition, a, b], kind, min(a.lo, b.lo), max(a.hi, b.hi), CHOICE,
                [OR, CHOICE, CHOICE])


def call(name, args, kind, lo, hi):
    return Expr(name + "(" + ", ".join(["{}"] * len(args)) + ")", args, kind, lo, hi)


class Stmt:
    """parts: text, expressions, and bodies (lists of statements), in order.

    fixed: the shrinker may not drop it (the text is wrong or endless without it). prefix: what must stand
    before the bodies' statements if they replace this one, or None if they cannot."""
    __slots__ = ("parts", "fixed", "prefix", "made")

    def __init__(self, *parts, fixed=False, prefix=None):
        self.parts, self.fixed, self.prefix = list(parts), fixed, prefix
        self.made = place()

    def bodies(self):
        return [part for part in self.parts if isinstance(part, list)]

    def walk(self):
        yield self
        for part in self.parts:
            for node in part if isinstance(part, list) else [part] if isinstance(part, Expr) else []:
                yield from node.walk()

    def lines(self, depth):
        pad = "    " * depth
        out = pad
        for part in self.parts:
            if isinstance(part, Expr):
                out += part.text()
            elif isinstance(part, list):
                out += "{\n" + "".join(s.lines(depth + 1) for s in part) + pad + "}"
            else:
                out += part
        return out + "\n"


def copy_tree(node):
    if isinstance(node, Expr):
        return Expr(node.form, [copy_tree(a) for a in node.args], node.kind, node.lo, node.hi, node.level,
                    node.needs)
    if isinstance(node, Stmt):
        return Stmt(*[copy_tree(p) for p in node.parts], fixed=node.fixed, prefix=node.prefix)
    if isinstance(node, list):
        return [copy_tree(item) for item in node]
    return node


class Scalar:
    """Something that is read by its name. budget: how much may still be added to it at run time."""

    def __init__(self, name, kind, lo, hi, writable=False, type_name=None, budget=0.0):
        self.name, self.kind, self.lo, self.hi = name, kind, lo, hi
        self.writable, self.type_name, self.budget = writable, type_name or kind, budget

    def read(self):
        return leaf(self.name, self.kind, self.lo, self.hi)


class Array:
    """Cells form.format(index...), each index from 0 to its size - 1; needs: the level each place asks for."""

    def __init__(self, form, sizes, kind, lo, hi, writable=False, needs=None, budget=0.0, base=None):
        self.form, self.sizes, self.kind, self.lo, self.hi = form, list(sizes), kind, lo, hi
        self.writable, self.needs, self.budget = writable, needs or [ASSIGN] * len(sizes), budget
        self.base = base  # the pointer's name, if the cells from it on are an array by themselves
        self.type_name = "real"  # "array": base is the array itself, so that its size is known

    def cell(self, indices):
        return Expr(self.form, indices, self.kind, self.lo, self.hi, POSTFIX, self.needs)


def in_precision(text, name, real, narrow=None, wide=None):
    """narrow, wide: types of less and more precision than real, where a text has them."""
    text = re.sub("«([^«»]*)¦([^«»]*)»", r"\2" if real == "double" else r"\1", text)
    text = re.sub(r"\bnarrow\b", narrow or real, re.sub(r"\bwide\b", wide or real, text))
    text = re.sub(r"(?<![.:])\breal\b", real, text.replace("§", "f" if real == "float" else ""))
    return re.sub(r"\b([hRS]\d*)¶", rf"\1_{name}", text).replace("¶", name)
