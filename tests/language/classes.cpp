// Classes: constructors, bases, operators, templates, virtual functions of known objects, static members.
#include <array>

#include "language.h"
#include <utility>

struct base {
    double x;
    int k;
    explicit base(double v = 2, int by = 1) : x(v), k(by) {}
    virtual double area() const { return x * x; }
    double get() const { return x * k + std::sin(x); }
};
struct mixin {
    double m[2] = {5, 6};
    double sum() const { return m[0] * m[1]; }
};
struct derived : base, mixin {
    double y;
    derived(double v) : base(v, 3), y() { m[1] = v; }
    derived(double v, double w) : derived(v) { y = w; }
    double area() const override { return x * y + base::area(); }
    ~derived() {}
};
static double through(const base &of) { return of.get() * of.x; }
static double by_value(base of) {
    of.x *= 2;
    return of.get() + of.area();
}

CASE(inheritance) {
    derived d(x[0], x[1]);
    base &alias = d, sliced = d;
    d.m[n & 1] += x[2];
    alias.x += x[3];
    return through(d) + by_value(d) * d.sum() + alias.area() + sliced.area();
}

struct made {
    double v;
    made(double of) : v(of * of) {}
    made(double of, int k) : v(of * k) {}
    made() : v(-1) {}
};
struct holds {
    made one;
    made two = made(3);
    made many[2];
};

CASE(lists_of_objects) {
    made arr[3] = {made(x[0]), {x[1], 2}, x[2]}, rest[4] = {{x[3]}};
    holds h = {{x[4]}, {x[5], 2}, {{x[6]}, {2, 3}}}, g{{x[7]}};
    double s = 0;
    for (auto &m : arr) s += m.v * arr[n % 3].v;
    for (const made &m : rest) s += m.v * x[8];
    for (int i = 0; i < 2; i++) s += h.many[i].v * g.two.v + g.many[i].v * h.one.v;
    return s * h.two.v;
}

template <class T, int N> struct tiny {
    T v[N];
    tiny() {
        for (int i = 0; i < N; i++) v[i] = T(i);
    }
    tiny(T of) {
        for (auto &e : v) e = of;
    }
    T &operator[](int i) { return v[i]; }
    const T &operator[](int i) const { return v[i]; }
    template <class U> tiny<U, N> as() const {
        tiny<U, N> o;
        for (int i = 0; i < N; i++) o[i] = U(v[i]);
        return o;
    }
    friend tiny operator*(const tiny &p, const tiny &q) {
        tiny o;
        for (int i = 0; i < N; i++) o.v[i] = p[i] * q[i];
        return o;
    }
    tiny &operator+=(const tiny &o) {
        for (int i = 0; i < N; i++) v[i] += o[i];
        return *this;
    }
};

MIXED(class_templates) {
    tiny<double, 3> t, w(x[0]);
    t[1] = x[1];
    t[n % 3] += x[2] * x[3];
    auto m = t * w;
    m += w;
    tiny<float, 3> f = m.as<float>();
    f[0] *= y[0];
    return m[0] * m[1] + m[2] + f.as<double>()[0] + f[1] * y[1];
}

struct number {
    double v;
    number(double of) : v(of) {}
    number operator+(const number &o) const { return v + o.v; }
    friend number operator*(number p, const number &q) { return number(p.v * q.v); }
    number &operator*=(double k) {
        v *= k;
        return *this;
    }
    number &operator++() {
        v += 1;
        return *this;
    }
    number operator++(int) {
        number old = *this;
        v *= 1.5;
        return old;
    }
    double operator()(double of, double shift = 1) const { return v * of + shift; }
    const number *operator->() const { return this; }
    double operator*() const { return v * v; }
    explicit operator bool() const { return v > 0; }
    operator double() const { return v; }
};
static number operator-(const number &p, const number &q) { return {p.v - q.v}; }

CASE(operators) {
    number p = x[0], q(x[1]), w = p + q, z = p * q - w;
    z *= x[2];
    ++z;
    number old = z++;
    double s = z(x[3]) * old(x[4], x[5]) + p->v * *q;
    if (w) s += std::sin(w);
    return s + static_cast<double>(z) * (n > 2 ? p : q).v;
}

template <class D> struct measured {
    double length() const {
        const D &self = static_cast<const D &>(*this);
        return std::sqrt(self.p * self.p + self.q * self.q);
    }
};
struct crtp : measured<crtp> {
    double p, q;
    crtp(double a, double b) : p(a), q(b) {}
};
struct constants {
    static constexpr double scale = 1.5;
    static const int power = 3;
    enum class mode { off, on = 4 };
    static double apply(double v) {
        double r = 1;
        for (int i = 0; i < power; i++) r *= v * scale;
        return r;
    }
};

CASE(statics) {
    crtp c(x[0], x[1]);
    constants::mode m = n > 1 ? constants::mode::on : constants::mode::off;
    double s = c.length() * constants::apply(x[2]);
    switch (m) {
    case constants::mode::on: return s * static_cast<int>(m);
    default: return s + x[3];
    }
}

struct inner {
    double p[2];
    struct {
        double w;
        int at;
    } deep;
};
struct outer {
    inner list[3];
    double scale = 2;
};
static outer build(const double *x, int n) {
    outer o = {};
    for (int i = 0; i < 3; i++) {
        o.list[i].p[0] = x[i], o.list[i].p[1] = x[i + 3] * x[i];
        o.list[i].deep = {x[i + 6], (i + n) % 3};
    }
    o.scale = x[9];
    return o;
}

CASE(nested_structs) {
    outer o = build(x, n), copy = o;
    copy.list[1].p[n & 1] *= x[10];
    o.list[2] = copy.list[1];
    double s = 0;
    for (auto &e : o.list) s += e.p[0] * e.p[1] * o.list[e.deep.at].deep.w;
    return s * o.scale * copy.scale;
}

// Constructors that a class takes over from its base, and a class from that one.
struct spline : mixin, base {
    using base::base;
    double own = 1.5;
    double at(double r) const { return get() * own * r + m[1] * x; }
};
struct taken_twice : spline { using spline::spline; };

CASE(inherited_constructors) {
    spline s(x[0]), t{x[1], 3};
    taken_twice u(x[2]), v;
    return s.at(2) * t.at(x[3]) + u.at(x[n + 3]) * v.at(1);
}

// Constructors that nobody calls in so many words; members whose types have numbers for arguments.
template <int N> struct filled {
    double v[N];
    filled(double s = 2, const double &first = 3) {
        for (int i = 0; i < N; i++) v[i] = s;
        v[0] = first;
    }
};
struct holder {
    filled<3> a;
    std::array<std::array<double, 2>, 2> d;
    filled<2> b[2];
    std::array<double, 2> c = {3, 4};
    holder() : d() {}
};
struct plain_holder {
    std::array<std::array<double, 2>, 2> d;
    filled<2> q;
};
static plain_holder squared(const plain_holder &h) {
    plain_holder r{};
    r.d[1][0] = h.d[1][0] * h.d[1][0];
    return r;
}

CASE(made_without_a_word) {
    holder h;
    filled<2> own[2] = {x[3]};
    h.d[n & 1][1] = x[0] * h.a.v[0];
    h.b[1].v[1] *= x[1] * own[0].v[1];
    plain_holder p{};
    p.d[1][0] = x[2];
    p = squared(squared(p));
    return h.d[n & 1][1] * h.b[1].v[1] * h.c[1] + p.d[1][0] * p.q.v[1] + own[1].v[0] * h.b[0].v[0] * x[4];
}

// Private and protected members, of bases too, and what only a private function makes of them.
template <class T> class kept_from {
  protected:
    T first;
    static inline T factor = 1.5;
    kept_from(T of) : first(of) {}
};
class closed : private kept_from<double> {
    enum kind { PLAIN, BENT };
    struct part {
        double a, b;
        double product() const { return a * b; }
    };
    const double once;
    part p;
    kind k = PLAIN;
    union {
        double shared;
    };
    static constexpr double shift = 0.25;
    double bent(double v) const { return k == BENT ? std::sin(v * p.product()) : v * once + shift; }
    void turn(double by) {
        part twice = p;
        twice.a *= by;
        p = twice, k = by > 0.5 ? BENT : PLAIN, shared += by * first;
    }

  public:
    closed(double a, double b) : kept_from(a), once(b), p{a, b}, shared(a * b) {}
    void turns(const double *by, int n) {
        for (int i = 0; i < n; i++) turn(by[i]);
    }
    double operator()(double v) const { return bent(v) * shared + first * factor; }
};
static double of_list(const closed *c, double v) { return c[0](v) * c[1](v + 1); }
CASE(not_public) {
    closed c[2] = {closed(x[0], x[1]), {x[2], x[3]}};
    const closed at_first = c[0];
    c[n % 2].turns(x + 4, n);
    return of_list(c, x[8]) + at_first(x[9]);
}
class couple {
    double a, b;

  public:
    couple(double p, double q) : a(p), b(q) {}
    double first() const { return a; }
    double second() const { return b; }
    void step(double by) { a *= by * b; }
};
GW_GRADIENT("wrt c, v") double joined(const couple &c, double v) {
    return c.first() * c.first() * c.second() * v;
}
GW_GRADIENT("c wrt c, v") void stepped(couple &c, double v) { c.step(v); }

#include "classes.grad.hpp"

// ---- initialisers that name other members; copies that no constructor is written for; destructors of numbers
// ----
struct chained { double base = 3, twice = base * 2, sum = twice + base; };
struct aggregate { double first, square = first * first; };
struct pair_of { double a, b; pair_of(double p, double q) : a(p), b(q) {} };
struct with_constructor { double k, scaled = k * k; explicit with_constructor(double v) : k(v) {} };
struct with_destructor { double v; ~with_destructor() {} };
template <class T> static double destroyed(T *p) {
    double kept = *p * *p;
    p->~T();
    return kept;
}
CASE(members_of_members) {
    chained c;
    c.base = x[0] * c.sum;
    const aggregate g{x[1]};
    const with_constructor w(x[2]);
    const pair_of p = pair_of({x[3], x[0] * 2});
    const int i = n + 2;
    const std::pair<double, double> q({x[4], i});
    double gone = x[5];
    with_destructor w2{x[6]};
    const double kept = w2.v;
    w2.~with_destructor();
    return c.base * c.twice + g.square * g.first + w.scaled + p.a * p.b + q.first * q.second * x[4] +
           destroyed(&gone) + kept * x[6];
}

// An adjoint of a class is an object of it, which its own functions read.
static void check_couple() {
    couple c(2, 3), d(0, 0), d_c(7, 0.5);
    double d_v = 0, d_by = 0;
    joined_grad(c, 5, &d, &d_v);
    stepped_grad(c, 4, &d_c, &d_by);
    const bool good = d.first() == 60 && d.second() == 20 && d_v == 12 && d_c.first() == 84 &&
                      d_c.second() == 0.5 + 7 * 8 && d_by == 7 * 6;
    if (!good) std::printf("couple: %g %g %g %g\n", d.first(), d.second(), d_c.first(), d_c.second());
    language_failures += !good;
}

int main() {
    check_couple();
    CHECK(not_public);
    CHECK(members_of_members);
    CHECK(inheritance);
    CHECK(lists_of_objects);
    CHECK_MIXED(class_templates);
    CHECK(operators);
    CHECK(statics);
    CHECK(nested_structs);
    CHECK(inherited_constructors);
    CHECK(made_without_a_word);
    return language_report();
}
