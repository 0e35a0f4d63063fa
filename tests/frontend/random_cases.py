#!/usr/bin/env python3
"""random_cases.py SEED COUNT: random functions for semantics_test.c, on standard output.

They are made of control flow above all: loops of every kind with break, continue and return at any depth,
switches that fall through, calls with reference and pointer parameters, pointers that move. Every loop ends: it
burns fuel or counts. Signed arithmetic wraps (both sides are told so), indices are masked, divisors are made
odd.
"""
import random
import sys

HEAD = """#include "semantics.h"
#include <gradwright/gradwright.h>
#include <string.h>
struct two { double x; int k; };
static int down(int v, int &seen) { seen++; v %= 50; if (v > 3) return v - 1; while (v < 0) { v += 3; if (v == -7) return 5; } return v & 63; }
static void note(double *to, const double &by, int n) { for (int q = 0; q < (n & 3); q++) to[q] += by; }
static two both(two p, bool which) { if (which) { p.x *= 2; return p; } p.k--; return two{p.x, p.k * 2}; }
static double &pick(double *p, int n) { return p[n & 7]; }
#define CASE(name) extern "C" GW_GRADIENT("wrt a") double name(double *a, float *b, int *c, semantics_record *r, int n, unsigned u)
"""


class Writer:
    def __init__(self, rng):
        self.rng, self.depth, self.loops, self.names, self.lines = rng, 0, 0, 0, []
        self.ints, self.fixed, self.reals = ["i0", "i1", "n"], [], ["s", "t"]

    def put(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def one(self, *makers):
        return self.rng.choice(makers)()

    def name(self):
        return self.rng.choice(self.ints + self.fixed)

    def integer(self, depth=0):
        if depth > 2 or self.rng.random() < 0.45:
            return self.one(self.name, self.name, lambda: str(self.rng.randint(-4, 9)),
                            lambda: f"c[{self.name()} & 15]", lambda: "p.k")
        x, y = (lambda: self.integer(depth + 1)), (lambda: self.integer(depth + 1))
        return self.one(lambda: f"({x()} + {y()})", lambda: f"({x()} - {y()})", lambda: f"({x()} * {y()})",
                        lambda: f"({x()} / ({y()} & 15 | 1))", lambda: f"({x()} % ({y()} & 15 | 1))",
                        lambda: f"({x()} & {y()})", lambda: f"({x()} ^ {y()})",
                        lambda: f"({x()} >> ({y()} & 7))",
                        lambda: f"({self.condition(depth + 1)} ? {x()} : {y()})",
                        lambda: f"(int)(short)({x()})",
                        lambda: f"(int)((unsigned){x()} / (u + 1))", lambda: f"down({x()}, seen)",
                        lambda: f"({x()} < {y()})", lambda: f"(unsigned char)({x()})")

    def index(self, depth=1):
        return f"({self.integer(depth)}) & 15"

    def real(self, depth=0):
        if depth > 2 or self.rng.random() < 0.4:
            return self.one(lambda: self.rng.choice(self.reals),
                            lambda: self.rng.choice(["2.5", "0.25f", "p.x", "*w", "w[1]"]),
                            lambda: f"a[{self.index(2)}]", lambda: f"b[{self.index(2)}]",
                            lambda: f"r[({self.integer(2)}) & 3].position.y")
        x, y = (lambda: self.real(depth + 1)), (lambda: self.real(depth + 1))
        return self.one(lambda: f"({x()} + {y()})", lambda: f"({x()} - {y()})",
                        lambda: f"({x()} * 0.5 + {y()})", lambda: f"({x()} / (1.5 + ({self.condition(2)})))",
                        lambda: f"(float)({x()})", lambda: f"(-{x()})",
                        lambda: f"({self.condition(depth + 1)} ? {x()} : {y()})",
                        lambda: f"both(p, {self.condition(2)}).x", lambda: f"pick(a, {self.integer(2)})",
                        lambda: f"m[{self.integer(2)} & 1][{self.integer(2)} & 1]")

    def condition(self, depth=0):
        if depth > 1 or self.rng.random() < 0.6:
            op = self.rng.choice(["<", ">", "<=", ">=", "==", "!="])
            return self.one(lambda: f"({self.integer(depth + 1)} {op} {self.integer(depth + 1)})",
                            lambda: f"({self.real(depth + 2)} {op} {self.real(depth + 2)})")
        x, y = (lambda: self.condition(depth + 1)), (lambda: self.condition(depth + 1))
        return self.one(lambda: f"({x()} && {y()})", lambda: f"({x()} || {y()})", lambda: f"!{x()}")

    def noted(self):
        return self.rng.choice(self.reals + [f"a[{self.index(2)}]", f"0.0 + {self.real(2)}"])

    def assignment(self):
        place = self.rng.choice(["s", "t", "p.x", "w[0]", "*link", f"a[{self.index()}]", f"b[{self.index()}]",
                                 f"pick(a, {self.integer(1)})", f"r[({self.integer(2)}) & 3].weight[1]",
                                 f"m[{self.integer(2)} & 1][1]"])
        op = self.rng.choice(["=", "+=", "-=", "= 0.5 *"])
        whole = self.rng.choice(["i0", "i1", "p.k", f"c[{self.index()}]", f"r[({self.integer(2)}) & 3].small"])
        real = (lambda: f"{place} {op} {self.real()};")
        self.put(self.one(real, real, real,
                          lambda: f"{whole} {self.rng.choice(['=', '+=', '^='])} {self.integer()};",
                          lambda: f"{whole}++;",
                          lambda: f"note(a + ({self.integer(2)} & 7), {self.noted()}, {self.integer(1)});",
                          lambda: f"p = both(p, {self.condition(1)});",
                          lambda: f"w = a + ({self.integer(1)} & 7);", lambda: "if (w < a + 12) w++;",
                          lambda: f"s += down({self.integer(1)}, i0);",
                          lambda: "p = two{s, i1};"))

    def leave(self):
        choices = [f"return {self.real(1)};"]
        if self.loops:
            choices += ["break;", "continue;"] * 3
        self.put(f"if ({self.condition(1)}) {self.rng.choice(choices)}")

    def block(self, depth):
        self.depth += 1
        saved = list(self.ints), list(self.fixed), list(self.reals)
        for _ in range(self.rng.randint(1, 3)):
            self.statement(depth)
        self.ints, self.fixed, self.reals = saved
        self.depth -= 1

    def loop(self, depth):
        v, kind = self.fresh("k"), self.rng.randrange(8)
        head = [f"for (int {v} = {self.rng.randint(0, 3)}; {v} < ({self.integer(1)} & 7); {v}++) {{",
                f"for (int {v} = ({self.integer(1)} & 7); {v} > 0; {v} -= {self.rng.randint(1, 2)}) {{",
                f"for (unsigned {v} = ({self.integer(1)} & 7); {v}-- > 0;) {{",
                f"for (long {v} = 0; {v} != ({self.integer(1)} & 7) && fuel-- > 0; ++{v}) {{",
                self.rng.choice([f"while ({self.condition(1)} && fuel-- > 0) {{",
                                 f"while (i0-- > {self.rng.randint(-9, 0)} && fuel-- > 0) {{",
                                 f"for (; (i1 & 7) && fuel-- > 0; i1--) {{",
                                 "while (i1 > 2 && i1-- < 90 && fuel-- > 0) {"]),
                f"for (; fuel-- > 0;) {{", f"for (int {v} = 0; fuel > 0; {v} += 2, fuel--) {{", "do {"][kind]
        self.put(head)
        self.loops += 1
        if kind not in (4, 5, 7):
            self.fixed.append(f"(int){v}")
        self.block(depth + 1)
        if kind not in (4, 5, 7):
            self.fixed.pop()
        if kind == 7:
            self.put(f"}} while (fuel-- > 0 && {self.condition(1)});")
        else:
            self.put("}")
        self.loops -= 1

    def switch(self, depth):
        self.put(f"switch ({self.integer(1)} & 7) {{")
        self.depth += 1
        labels = (self.rng.sample(range(8), self.rng.randint(1, 4))
                  + (["default"] if self.rng.random() < 0.6 else []))
        self.rng.shuffle(labels)
        for label in labels:
            self.put("default:" if label == "default" else f"case {label}:")
            if self.rng.random() < 0.8:
                self.put("{")
                self.block(depth + 1)
                self.put("}")
                self.put(self.rng.choice(["break;", "break;", ";", f"if ({self.condition(2)}) break;",
                                          "continue;" if self.loops else "return s;"]))
        self.put(";")
        self.depth -= 1
        self.put("}")

    def statement(self, depth):
        r = self.rng.random()
        if depth > 3 or r < 0.35:
            self.assignment()
        elif r < 0.47:
            self.leave()
        elif r < 0.65:
            self.put(f"if ({self.condition()}) {{")
            self.block(depth + 1)
            if self.rng.random() < 0.5:
                self.put("} else {")
                self.block(depth + 1)
            self.put("}")
        elif r < 0.83:
            self.loop(depth)
        elif r < 0.92:
            self.switch(depth)
        else:
            name = self.fresh("v")
            if self.rng.random() < 0.5:
                self.put(f"double {name} = {self.real()};")
                self.reals.append(name)
            else:
                self.put(f"double {name}[3] = {{{self.real(1)}}};")
                self.put(f"{name}[{self.integer(2)} & 1] += 1;")
                self.reals.append(f"{name}[1]")

    def function(self, name):
        self.put("int fuel = 40, seen = 0, i0 = c[0], i1 = n;")
        self.put("double s = a[0], t = b[1], m[2][2] = {{1, 2}, {a[2]}}, *w = a + 3, *link = &pick(a, n);")
        self.put("two p = {a[4], c[1]};")
        for _ in range(self.rng.randint(3, 6)):
            self.statement(0)
        self.put("return s + t * 0.5 + i0 + i1 * 3 + fuel + seen + p.x - p.k + *w + m[0][1] + m[1][1];")
        return f"CASE({name}) {{\n" + "\n".join(self.lines) + "\n}\n"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(HEAD)
    names = [f"random_{seed}_{i}" for i in range(count)]
    for i, name in enumerate(names):
        print(Writer(random.Random(seed * 10007 + i)).function(name))
    print('extern "C" {')
    print("extern const semantics_row semantics_rows[] = {" + " ".join(f'{{"{n}", {n}}},' for n in names)
          + "};")
    print("extern const int semantics_count = sizeof semantics_rows / sizeof *semantics_rows;")
    print("void *semantics_global(const char *) { return nullptr; }\n}")


main()
