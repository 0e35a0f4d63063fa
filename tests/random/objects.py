"""Statements about objects: structs with bit-fields and members of enumerated types, with lists that leave
members out, and, in C++, a class that is copied by a constructor and an assignment of its own."""
from tree import Scalar, Stmt

RECORD = {"c": """enum O¶ { NONE¶, ONCE¶, OFTEN¶ };
enum T¶ { LEFT¶, RIGHT¶ };
struct Q¶ {
    unsigned low : 3;
    int high : 4;
    enum O¶ what;
    enum T¶ side : 2;
    real w;
};
""", "cpp": """enum class O¶ : unsigned char { none, once, often };
enum T¶ { LEFT¶, RIGHT¶ };
struct Q¶ {
    unsigned low : 3;
    int high : 4;
    O¶ what;
    T¶ side : 2;
    real w;
};
"""}
WHATS = {"c": ["NONE¶", "ONCE¶", "OFTEN¶"], "cpp": ["O¶::none", "O¶::once", "O¶::often"]}
# All of them have |v| <= 1.
COPIED = """struct K¶ {
    real v;
    explicit K¶(real q) : v(q) {}
    K¶(const K¶ &o) : v(o.v * 0.75§ + 0.1237§) {}
    K¶ &operator=(const K¶ &o) {
        v = o.v * 0.5§ - 0.25§;
        return *this;
    }
};
struct J¶ {
    K¶ both[2];
    real k;
};
static inline K¶ pick¶(const K¶ *of, int k) { return of[k]; }
static inline real taken¶(K¶ of) { return of.v; }
"""
# Statements on K¶ a and K¶ b[2], with a name of their own.
COPIES = [["{b}[0] = {a};"], ["{b}[{k}] = pick¶({b}, {m});"], ["K¶ {n} = {b}[{k}];", "{a} = {n};"],
          ["std::swap({a}, {b}[1]);"], ["std::pair<K¶, real> {n}({a}, 1);", "{b}[1] = {n}.first;"],
          ["std::array<K¶, 2> {n} = {{{a}, {b}[1]}};", "{a} = {n}[{k}];"],
          ["J¶ {n} = {{{{{a}, {b}[{k}]}}, 1}}, {n}b = {n};", "{b}[0] = {n}b.both[{m}];"],
          ["std::vector<K¶> {n} = {{{a}, {b}[0]}};", "{b}[1] = {n}[{k}];"],
          ["for (K¶ q : {b}) {a}.v = {a}.v * 0.5§ + 0.25§ * q.v;"],
          ["auto {n} = [{a}](int k) {{ return k ? {a}.v : -{a}.v; }};", "{b}[1].v = {n}({k});"]]
COPY_VALUES = [("{a}.v", 1), ("{a}.v * {b}[{k}].v", 1), ("{b}[0].v - {b}[1].v", 2), ("taken¶({a})", 1),
               ("pick¶({b}, {k}).v", 1), ("taken¶(K¶({a}.v))", 1)]


class Objects:
    has_record = has_copied = False

    def statement(self):
        r = self.random
        if r.random() < 0.94:
            return super().statement()
        self.left -= 1
        return r.choice([self.record_value, self.record_value, self.copied_value])()

    def more_types(self):
        """The text of the types that this function has."""
        text = super().more_types()
        if self.random.random() < 0.3:
            self.has_record, text = True, text + RECORD["cpp" if self.cpp else "c"]
        if self.cpp and self.random.random() < 0.3:
            self.has_copied, text = True, text + COPIED
        return text

    def record_value(self):
        """An array of records, some of whose members lists leave out; changes of it, and a value by way of its
        members."""
        if not self.has_record:
            return self.copied_value()
        r, name, out, low = self.random, self.fresh("rc"), self.fresh(), self.fresh("k")
        what = WHATS["cpp" if self.cpp else "c"]
        made = [Stmt(f"struct Q¶ {name}[3] = {{{{", self.integer_in(0, 7), ", ", self.integer_in(-8, 7),
                     f", {r.choice(what)}, LEFT¶, ", self.fit(self.real(2), -1, 1), "}, {",
                     self.integer_in(0, 7), f", 0, {r.choice(what)}, RIGHT¶, ",
                     self.fit(self.real(1), -1, 1), "}};")]
        changes = [[f"{name}[", self.integer_in(0, 2), f"].what = {r.choice(what)};"],
                   [f"{name}[", self.integer_in(0, 2), "].high = ", self.integer_in(-8, 7), ";"],
                   [f"{name}[2].low += ", self.integer_in(0, 7), ";"],
                   [f"{name}[1].side = {name}[", self.integer_in(0, 2), "].side;"],
                   [f"if ({name}[", self.integer_in(0, 2),
                    f"].what == {r.choice(what)}) {name}[2] = {name}[0];"]]
        made += [Stmt(*change) for change in r.sample(changes, 3)]
        member = r.choice(["(int){0}.low * 0.125§", "(real){0}.high * 0.125§",
                           "({0}.side == LEFT¶ ? {0}.w : 0.5§)"])
        at = f"{name}[{r.randint(0, 2)}]"
        made.append(Stmt(f"real {out} = {at}.what == {r.choice(what)} ? {at}.w * {member.format(at)} : "
                         f"{name}[0].w + {member.format(at)};"))
        self.declare(Scalar(out, "real", -2, 2, False))
        made.append(Stmt(f"int {low} = (int){at}.low;"))
        self.declare(Scalar(low, "int", 0, 7))
        self.declare(Scalar(f"{name}[0].w", "real", -1, 1, True, "other"))
        return made

    def copied_value(self):
        if not self.has_copied:
            return self.assign()
        r, a, b = self.random, self.fresh("cp"), self.fresh("cp")
        made = [Stmt(f"K¶ {a}(", self.fit(self.real(2), -1, 1), ");"),
                Stmt(f"K¶ {b}[2] = {{{a}, K¶(", self.fit(self.real(1), -1, 1), ")};")]
        for change in r.sample(COPIES, r.randint(1, 3)):
            names = {"a": a, "b": b, "n": self.fresh("cp"), "k": r.randint(0, 1), "m": r.randint(0, 1)}
            made += [Stmt(text.format(**names), fixed=True) for text in change]
        value, bound = r.choice(COPY_VALUES)
        out = self.fresh()
        self.declare(Scalar(out, "real", -bound, bound))
        return made + [Stmt(f"real {out} = {value.format(a=a, b=b, k=r.randint(0, 1))};")]
