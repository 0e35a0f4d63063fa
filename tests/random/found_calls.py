"""Statements about calls that are found when running: pointers to functions that branches and loops choose,
tables of functions, callbacks, procedures, functions in structs; in C++ also virtual calls of one of several
objects, and std::function; from seed FIRST on: those before it are as they were."""
from tree import Scalar, Stmt

FIRST = 3200000

# Functions of what lies in -1..1 give what lies there, too.
TYPES = """typedef real (*Fn¶)(real);
typedef void (*Fp¶)(real *, real);
typedef real (*Fc¶)(const real *, int, real);
static inline real fa¶(real q) { return 0.5§ * q * q + 0.25§ * q; }
static inline real fb¶(real q) { return 0.75§ * q - 0.25§; }
static inline real fc¶(real q) {
    real s = q;
    for (int k = 0; k < 3; k++) s = s * q * 0.5§ + 0.25§ * q;
    return s;
}
static inline void pa¶(real *s, real q) { *s = *s * q; }
static inline void pb¶(real *s, real q) {
    if (q > 0.1237§) *s = 0.5§ * *s - 0.5§ * q;
}
static inline real ca¶(const real *of, int n, real q) { return of[n - 1] * q; }
static inline real cb¶(const real *of, int n, real q) {
    real s = 0;
    for (int k = 0; k < n; k++) s = s * 0.25§ + of[k] * q * 0.5§;
    return s;
}
static Fn¶ const table¶[3] = {fb¶, fc¶, fa¶};
typedef struct { Fn¶ f; real by; Fc¶ of; } Step¶;
static inline Fn¶ chosen¶(int k) { return k == 1 ? fa¶ : k > 1 ? table¶[1] : fb¶; }
static inline real apply¶(Fn¶ f, real q) { return f(q) * 0.5§ + 0.25§ * f(q * 0.5§); }
static inline real repeated¶(Fn¶ f, Fn¶ g, real q, int n) {
    for (int k = 0; k < n; k++) {
        Fn¶ h = q > 0.0721§ ? f : g;
        q = h(q) * 0.75§;
    }
    return q;
}
static inline real over¶(Fc¶ f, const real *of, int n, real q) {
    return f(of, n, q) * 0.5§ + f(of, n - 1, of[0]) * 0.25§;
}
"""
CLASSES = """struct Base¶ {
    real by;
    explicit Base¶(real v) : by(v) {}
    virtual ~Base¶() = default;
    virtual real f(real q) const { return by * q; }
    virtual void turn(real q) { by = by * q; }
    real g(real q) const { return f(q * 0.5§) * 0.5§; }
};
struct Square¶ : Base¶ {
    using Base¶::Base¶;
    real f(real q) const override { return by * q * q * 0.5§; }
};
struct Rows¶ : Base¶ {
    real v[2];
    Rows¶(real a, real b) : Base¶(a), v{a, b} {}
    real f(real q) const override { return v[0] * q * 0.5§ + v[1] * by * 0.5§; }
    void turn(real q) override { v[1] = v[0] * q; }
};
static inline real called¶(const Base¶ &of, real q) { return of.f(q) * 0.5§ + of.g(q) * 0.5§; }
"""
HELD = """static inline real handed¶(const std::function<real(real)> &f, real q) { return f ? f(q) * 0.5§ : q; }
static inline real takes¶(std::function<real(real)> f, real q) {
    return f(f(q)) * 0.5§ + handed¶(f, q) * 0.5§;
}
"""
# {v}, {w}: numbers in -1..1, {k}: an integer in 0..2, {r}, {f}, {g}: names. What gives a value, and its bound.
POINTERS = [
    (["Fn¶ {f} = fa¶;", "if ({v} > 0.1237§) {f} = fb¶; else if ({w} < 0.2311§) {f} = fc¶;"], "{f}({w}) * {v}"),
    (["Fn¶ const {f} = {v} > 0.1237§ ? fb¶ : fc¶;"], "{f}({w}) + {f}({v})"),
    (["Fn¶ const {f}[3] = {{fc¶, fa¶, fb¶}};"], "{f}[{k}]({v}) * {w}"),
    (["Fn¶ {f}[2] = {{fc¶, fa¶}};", "if ({v} > {w}) {f}[1] = fb¶;", "{f}[0] = {f}[{k} > 1];"], "{f}[0]({v})"),
    ([], "table¶[{k}]({v}) * {w}"), ([], "chosen¶({k})({v}) * table¶[({k} + 1) % 3]({w})"),
    (["Fn¶ {f} = fa¶;", "real {g} = {v};",
      "for (int {r} = 0; {r} < 4; {r}++) {{ {g} = {f}({g}); {f} = {r} == {k} ? fb¶ : {g} > 0.1237§ ? fc¶ : "
       "fa¶; }}"],
     "{g} * {w}"),
    (["real {g} = {v};", "for (int {r} = 0; {r} < 3; {r}++) {g} = table¶[({r} + {k}) % 3]({g} * {w});"], "{g}"),
    ([], "apply¶({v} > 0.1237§ ? fa¶ : table¶[{k}], {w})"), ([], "repeated¶(fa¶, chosen¶({k}), {v}, {k} + 1)"),
    (["Step¶ {f}[2] = {{{{fa¶, {v}, ca¶}}, {{fb¶, {w}, cb¶}}}};",
      "if ({w} > 0.1237§) {f}[0].f = fc¶, {f}[0].by *= {v};",
      "if ({v} < 0.2311§) {f}[1] = {f}[0];"], "{f}[{k} % 2].f({f}[1].by) * {w}"),
    (["Fn¶ {f} = 0;", "if ({v} > 0.1237§) {f} = fa¶;", "if ({k} == 1) {f} = table¶[0];"],
     "({f} ? {f}({w}) : {w} * {v})"),
    (["Fn¶ {f} = {k} ? fa¶ : fb¶;"], "({f} == fa¶ ? {f}({v}) * {w} : {f}({w}))"),
    (["Fp¶ {f} = {v} > 0.1237§ ? pa¶ : pb¶;", "real {g} = {w};", "{f}(&{g}, {v});", "if ({k}) {f} = pb¶;",
      "{f}(&{g}, {w});"], "{g} * {v}"),
    (["const real {g}[3] = {{{v}, {w}, {v} * {w}}};", "Fc¶ {f} = {k} > 1 ? ca¶ : cb¶;"],
     "{f}({g}, {k} + 1, {w})"),
    (["const real {g}[3] = {{{w}, {v} * {v}, {v}}};"], "over¶({v} > 0.1237§ ? ca¶ : cb¶, {g}, 3, {w})"),
    (["const Step¶ {f} = {{chosen¶({k}), {v}, {k} ? ca¶ : cb¶}};", "const Step¶ *{g} = &{f};",
      "const real {r}[2] = {{{v}, {w}}};"], "{g}->f({g}->by) * {g}->of({r}, 2, {w})"),
]
VIRTUAL = [
    (["const Base¶ {f}({v});", "const Rows¶ {g}({w}, {v});"],
     "called¶({v} > 0.1237§ ? {f} : static_cast<const Base¶ &>({g}), {w})"),
    (["Square¶ {f}({v});", "Rows¶ {g}({w}, {v});", "Base¶ *{r} = &{f};", "if ({w} > 0.1237§) {r} = &{g};",
      "{r}->turn({v});"],
     "{r}->f({w}) + {f}.by * {g}.v[1]"),
    (["Square¶ {f}({v});", "Rows¶ {g}({w}, {v});", "Base¶ {r}({v} * {w});",
      "Base¶ *{f}s[3] = {{&{f}, &{g}, &{r}}};",
      "{f}s[{k}]->turn({w});"], "{f}s[({k} + 1) % 3]->g({v}) + {f}s[{k}]->f({w})"),
    (["Square¶ {f}({v});", "Rows¶ {g}({w}, {v});", "const Base¶ *{f}s[2] = {{&{g}, &{f}}};", "real {r} = {v};",
      "for (const Base¶ *{r}p : {f}s) {r} = {r}p->f({r}) * {w};"], "{r}"),
    (["std::unique_ptr<Base¶> {f};", "if ({v} > 0.1237§) {f} = std::make_unique<Square¶>({w});",
      "else {f} = std::make_unique<Rows¶>({v}, {w});", "{f}->turn({w});"], "{f}->f({v})"),
]
HOLDS = [
    (["std::function<real(real)> {f} = fa¶;", "if ({v} > 0.1237§) {f} = fb¶;"], "{f}({w}) * {v}"),
    (["std::function<real(real)> {f};", "if ({v} > 0.1237§) {f} = [=](real q) {{ return q * {w}; }};",
      "else {f} = [=](real q) {{ return q * q * {v} * 0.5§; }};"], "{f}({w})"),
    (["std::function<real(real)> {f} = [=](real q) {{ return q * {w}; }};", "if ({k} == 1) {f} = table¶[{k}];"],
     "takes¶({f}, {v})"),
    (["std::function<real(real)> {f};", "if ({v} > 0.1237§) {f} = chosen¶({k});"],
     "handed¶({f}, {w}) + handed¶(fa¶, {v})"),
    (["std::function<real(real)> {f} = fc¶, {g} = [&](real q) {{ return {f}(q) * {v}; }};",
      "if ({w} > 0.1237§) {f} = [{w}](real q) {{ return {w} * q; }};"], "{g}({w})"),
    (["real {g} = {v};", "std::function<real(real)> {f} = fb¶;",
      "for (int {r} = 0; {r} < 3; {r}++) {{ {g} = {f}({g}); if ({r} == {k}) {f} = [{g}](real q) {{ return q "
       "* {g}; }}; }}"],
     "{g} * {w}"),
]


class FoundCalls:
    finds_calls = False

    def statement(self):
        if not self.finds_calls or self.random.random() < 0.7:
            return super().statement()
        self.left -= 1
        return self.found_call()

    def more_types(self):
        text = super().more_types()
        self.finds_calls = self.kernel.seed >= FIRST
        if not self.finds_calls:
            return text
        return text + TYPES + (CLASSES + HELD if self.cpp else "")

    def found_call(self):
        r, v, w, k = self.random, self.fresh(), self.fresh(), self.fresh("k")
        rows = POINTERS + (VIRTUAL * 2 + HOLDS * 2 if self.cpp else [])
        lines, value = r.choice(rows)
        names = {"v": v, "w": w, "k": k, "f": self.fresh("f"), "g": self.fresh("g"), "r": self.fresh("r")}
        made = [Stmt(f"const real {name} = ", self.fit(self.real(2), -1, 1), ";") for name in (v, w)]
        made.append(Stmt(f"const int {k} = ", self.integer_in(0, 2), ";"))
        made += [Stmt(line.format(**names), fixed=True) for line in lines]
        name = self.fresh()
        self.declare(Scalar(name, "real", -2, 2, True, "real"))
        return made + [Stmt(f"real {name} = {value.format(**names)};")]
