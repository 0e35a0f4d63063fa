// standard: c++20
// Objects: what their members are given, bit-fields, text, members of enumerated types, and copies by
// constructors of the user's.
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "language.h"

// ---- what members are given ----
struct narrow {
    unsigned a : 3;
    int b : 4;
};
struct given {
    int a : 4 = 3;
    unsigned b : 2 {1};
    bool on : 1 = true;
    double w = 2;
};
template <int W> struct as_wide {
    int a : W;
    int b : W = -2;
    double x;
};
struct zeroed {
    unsigned a : 3;
    int b : 4;
    zeroed() : a() { b = 1; }
};
#define DECLARE_LOW unsigned low : 3
struct by_macro {
    DECLARE_LOW;
    double w;
};
static const narrow fixed[2] = {{.b = 1}, {2}};

CASE(widths) {
    narrow b = {.b = 1}, c[2] = {{1}}, e = narrow{}, f = narrow();
    static const narrow g = {2};
    given m, k{}, l[2] = {{.a = n}};
    as_wide<4> t{};
    as_wide<3> u = {.a = 1, .x = x[1]};
    zeroed z;
    by_macro q = {};
    c[n & 1].b = n;
    const double digits =
        b.a + 10 * b.b + 100 * c[n & 1].a + 1000 * e.b + 10000 * f.a + c[0].b + g.b + 3 * g.a + fixed[n & 1].a;
    return x[0] * (1 + digits) + x[2] * (m.a + 10 * m.b + 100 * m.on + m.w * l[n & 1].a + k.a * l[1].b) +
           x[3] * (t.a + 10 * t.b + 100 * u.a + 1000 * u.b + u.x + z.a + 7 * z.b + q.low + q.w);
}

// ---- text ----
struct tagged {
    char name[4] = "ab";
    double w = 1;
};
struct walker {
    double (*row)[3]; // its 3 is no default
    double w;
};
CASE(text) {
    char s[4] = "ab", t[] = "xyz", u[3] = {"q"}, m[2][3] = {"ab", {"c"}};
    tagged g, h = {"ru", x[1]}, k = {.name = {"l"}, .w = 2};
    double rows[2][3] = {{x[0], 1, 1}, {x[2], 2, 2}};
    walker to{};
    to.row = rows, to.w = x[3];
    return x[0] * (s[0] + s[2] * t[1] - u[n & 1] + m[0][1] + 2 * m[1][n % 3]) + g.name[1] * g.w +
           h.name[n & 3] * h.w * k.name[0] + to.row[1][0] * to.w;
}

// ---- members of enumerated types ----
enum op { ADD, MUL, SUB };
enum class mode : unsigned char { off, on = 5 };
namespace graph {
enum class kind { leaf, inner };
struct node {
    kind k;
    double v;
    enum side { left, right } at;
};
} // namespace graph
struct step {
    op code;
    mode m;
    op others[2];
    double w;
};
struct packed {
    op o : 3;
    mode m : 4;
    double v;
};
struct unnamed {
    enum { LOW, HIGH } e;
    double x;
};
static mode table[3] = {mode::on, mode::off, mode::on};

CASE(programs) {
    step prog[3] = {{ADD, mode::on, {ADD, SUB}, x[0]},
                    {MUL, mode::off, {MUL, SUB}, x[1]},
                    {SUB, mode::on, {SUB, ADD}, x[2]}};
    prog[n % 3].code = MUL, prog[0].m = n > 2 ? mode::on : mode::off, prog[n % 3].others[n & 1] = MUL;
    double s = 1;
    for (int t = 0; t < 3; t++) {
        switch (prog[t].code) {
        case ADD: s += prog[t].w; break;
        case MUL: s *= prog[t].w; break;
        default: s -= prog[t].w * s;
        }
        if (prog[(t + n) % 3].m == mode::on && prog[t].others[n & 1] == MUL) s *= x[t];
        prog[(t + 1) % 3].code = prog[t].code == ADD ? MUL : op(t);
    }
    graph::node nodes[2] = {{graph::kind::leaf, x[3], graph::node::right},
                            {graph::kind::inner, x[4], graph::node::left}};
    nodes[n & 1].k = graph::kind::inner, nodes[n & 1].at = graph::node::left;
    packed b[2] = {{SUB, mode::on, x[5]}, {ADD, mode::off, x[6]}};
    b[n & 1].o = MUL, b[n & 1].m = (mode)(n & 3);
    unnamed w[2] = {{unnamed::LOW, x[7]}, {unnamed::HIGH, x[8]}};
    w[n & 1].e = unnamed::HIGH;
    for (int t = 0; t < n; t++) {
        if (nodes[t & 1].k == graph::kind::inner && nodes[(t + n) & 1].at == graph::node::left)
            s += nodes[t & 1].v * s;
        s += (int)b[t & 1].o * b[t & 1].v * (int)b[n & 1].m + (int)w[t & 1].e * w[t & 1].x * s;
        if (table[t % 3] == mode::on) s *= 0.5;
    }
    return s;
}

// Parameters, pointers and references of such types.
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double decode(const double *x, mode m, const mode *list, op *ops, const mode &r, int n) {
    double s = m == mode::on ? x[0] : x[1];
    mode local[2] = {mode::on, m};
    for (int i = 0; i < n; i++) {
        if (list[i] == mode::on && local[i & 1] == r) s *= x[i];
        if (ops[i & 1] == MUL) s += x[i] * s;
        ops[i & 1] = ops[i & 1] == ADD ? MUL : SUB;
        if (i == 2) m = mode::off;
        if (m == mode::off) s *= x[4];
    }
    return s;
}
static double decoded(const double *x, const float *, int n) {
    op ops[2] = {ADD, MUL};
    const mode list[4] = {mode::on, mode::off, mode::on, mode::on};
    return decode(x, n & 1 ? mode::on : mode::off, list, ops, list[1 + (n & 1)], n);
}

// ---- copies ----
struct moved_value {
    double v;
    explicit moved_value(double x) : v(x) {}
    moved_value(const moved_value &o) : v(2 * o.v + 1) {}
    moved_value(moved_value &&o) : v(3 * o.v) {}
    moved_value &operator=(const moved_value &o) {
        v = 5 * o.v;
        return *this;
    }
    moved_value &operator=(moved_value &&o) {
        v = 7 * o.v;
        return *this;
    }
};
struct copied {
    double v;
    explicit copied(double x) : v(x) {}
    copied(const copied &o) : v(2 * o.v + 1) {}
    copied &operator=(const copied &o) {
        v = 3 * o.v;
        return *this;
    }
};
struct special : copied {
    double w;
    explicit special(double x) : copied(x), w(x * x) {}
    special(const special &o) : copied(o), w(5 * o.w) {}
};
struct holder {
    copied m[2];
    double k;
};
static copied pick(const copied *m, int k) { return m[k]; }
static moved_value make(double t) { return moved_value(t); }
static double take(copied a) { return a.v; }
static holder hold(const copied &a, double k) { return {{a, copied(k)}, k}; }

CASE(copies) {
    copied c(x[0]);
    special d(x[1]);
    copied e[3] = {c, copied(x[2]), d}, f = d;
    std::array<copied, 2> a = {c, copied(x[3])}, b = a;
    std::pair<copied, double> p(c, x[4]), q{copied(x[5]), 1};
    std::tuple<copied, double> t(c, x[6]);
    auto r = std::make_pair(c, x[7]);
    holder h = {{c, f}, x[8]}, g = h, made = hold(c, x[9]);
    std::vector<copied> v = {c, copied(x[1])}, w(3, c), same = w;
    auto held = [c](double k) { return c.v * k; };
    auto [first, second] = q;
    double s = pick(e, n % 3).v + take(c) + take(copied(x[2])) + held(x[3]) + first.v * second;
    for (copied o : e) s += o.v * o.v;
    for (auto o : v) s += o.v;
    for (const copied &o : a) s += o.v;
    b[0] = a[1], g = h, e[0] = f, same[0] = v[1], p = q, std::swap(e[1], e[2]);
    return s + b[0].v * b[1].v + p.first.v * p.second + std::get<0>(t).v * std::get<1>(t) +
           r.first.v * g.m[0].v * g.m[1].v + made.m[0].v * made.m[1].v + e[1].v * e[2].v + v[0].v * w[1].v +
           same[0].v;
}

CASE(moves) {
    moved_value c(x[0]), d(x[1]);
    moved_value e[3] = {c, std::move(d), make(x[2])};
    std::pair<moved_value, double> p(moved_value(x[3]), 1), q(std::move(p)), r = q;
    std::array<moved_value, 2> a = {make(x[4]), c}, b = std::move(a);
    std::vector<moved_value> v = {c, moved_value(x[1])}, w = v, u = std::move(w);
    moved_value k[2] = {static_cast<moved_value &&>(c), static_cast<moved_value &>(d)};
    e[0] = std::move(e[1]), p = std::move(r), b = a, std::swap(c, d), p.swap(q);
    auto l = [c = std::move(c), d]() { return c.v * d.v; };
    return e[0].v + e[1].v * e[2].v + k[0].v * k[1].v + p.first.v * q.first.v + r.first.v + a[0].v * b[1].v +
           v[0].v * v[1].v + u[1].v * c.v + l();
}

struct swapping {
    double v;
    swapping(double x) : v(x) {}
    swapping(const swapping &o) : v(o.v + 1) {}
    swapping &operator=(swapping o) {
        std::swap(v, o.v);
        return *this;
    }
};
struct plain {
    double x, y;
    plain(double a, double b) : x(a), y(b) {}
    plain(const plain &o) : x(o.x), y(o.y) {}
    plain &operator=(const plain &o) {
        x = o.x;
        this->y = o.y;
        return *this;
    }
};
struct preset {
    double v = 5;
};
struct many {
    copied z[18];
};
// Copy and swap, elements that algorithms copy, more of them than are copied one by one, and a constructor that
// says no more than an implicit one, so that it does not matter how often a vector moves its elements.
CASE(other_copies) {
    swapping a(x[0]), b(x[1]), e[2] = {a, b};
    a = b, e[1] = e[0];
    copied c(x[2]), from[3] = {c, copied(x[3]), c}, to[3] = {copied(0), copied(0), copied(0)};
    std::copy(from, from + 3, to);
    std::fill(from, from + 2, to[2]);
    many m = {{c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, copied(x[4])}}, k = m;
    std::vector<plain> v;
    for (int i = 0; i < n; i++) v.push_back(plain(x[i], 2));
    v.push_back(plain(x[3], x[4]));
    std::vector<preset> five(3);
    double s =
        a.v * e[0].v + e[1].v * to[0].v + from[1].v * to[1].v + k.z[17].v * k.z[n].v + five[n % 3].v * x[5];
    for (auto q : v) s += q.x * q.y;
    return s;
}

#include "objects.grad.hpp"

int main() {
    CHECK(widths);
    CHECK(text);
    CHECK(programs);
    const auto list = [](auto act) {
        return [act](const double *x, const float *, int n, double *d, auto *, auto... rest) {
            op ops[2] = {ADD, MUL};
            const mode modes[4] = {mode::on, mode::off, mode::on, mode::on};
            return act(x, n & 1 ? mode::on : mode::off, modes, ops, modes[1 + (n & 1)], n, d, rest...);
        };
    };
    language_check("decode", decoded, list([](auto... a) { return decode_grad(a...); }),
                   list([](auto... a) { return decode_jvp(a...); }), false);
    CHECK(copies);
    CHECK(moves);
    CHECK(other_copies);
    return language_report();
}
