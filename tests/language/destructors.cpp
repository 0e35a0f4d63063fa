// Destructors: at the end of each scope, last first, whichever way it is left; of members, bases, elements;
// of what a function returns once only; of what was moved from.
#include "language.h"

#include <memory>
#include <tuple>
#include <utility>

// Leaves a trace whose order matters.
struct guard {
    double *at;
    double factor, add;
    guard(double *p, double f, double a) : at(p), factor(f), add(a) {}
    guard(const guard &) = delete;
    guard &operator=(const guard &) = delete;
    ~guard() { *at = *at * factor + std::sin(add); }
};
struct early {
    double *at;
    int k;
    ~early() {
        if (k < 2) return;
        for (int i = 0; i < k; i++) {
            if (i == 2) continue;
            *at += *at * *at * 0.1;
        }
    }
};
struct both {
    guard first, second;
    double *own;
    both(double *p, double a, double b) : first(p, a, b), second(p, b, a), own(p) {}
    ~both() { *own *= *own; }
};
struct derived : guard {
    double *mine;
    derived(double *p, double f) : guard(p, f, 0.5), mine(p) {}
    ~derived() { *mine += factor; }
};
// As std::unique_ptr is.
struct handle {
    double *at = nullptr;
    explicit handle(double *p) : at(p) {}
    handle(handle &&o) : at(o.at) { o.at = nullptr; }
    handle &operator=(handle &&o) {
        std::swap(at, o.at);
        return *this;
    }
    ~handle() {
        if (at) *at = *at * *at;
    }
};

CASE(order) {
    double s = x[0];
    {
        guard a(&s, x[1], x[2]);
        guard b(&s, x[3], x[4]);
        s *= x[5];
    }
    guard late(&s, 100, x[6]); // behind the result
    return s * x[7];
}

CASE(exits) {
    double s = x[0], sum = 0;
    for (int i = 0; i < 6; i++) {
        guard a(&s, x[i], 0.3);
        if (i == n) continue;
        guard b(&sum, 1.1, x[i + 1]);
        if (i == n + 2) break;
        sum += s * x[i];
        early c{&s, i};
    }
    while (s < 10) {
        guard a(&s, 1.5, x[8]);
        if (n == 3) break;
        s += 2 * x[9];
    }
    return sum + s;
}

static double leave(double *s, const double *x, int n) {
    guard a(s, x[1], x[2]);
    if (n == 1) return *s * x[3];
    guard b(s, x[4], x[5]);
    if (n == 2) {
        guard c(s, x[6], x[7]);
        return *s * 2;
    }
    switch (n) {
    case 0: {
        guard d(s, x[8], 1);
        *s += x[9];
        break;
    }
    case 3: return *s * *s;
    default: *s *= 3;
    }
    return *s + x[10];
}
CASE(returns) {
    double s = x[0];
    const double first = leave(&s, x, n), second = leave(&s, x, n + 1);
    return first * second + s;
}

CASE(parts) {
    double s = x[0], t = x[5];
    {
        both b(&s, x[1], x[2]);
        derived d(&t, x[3]);
        guard list[2] = {{&s, x[4], 0.2}, {&t, x[6], 0.7}};
        s += t;
    }
    return s * t;
}

static handle make(double *p, const double *x) {
    handle h(p);
    *p += x[1];
    return h;
}
CASE(returned) {
    double s = x[0], t = x[2], u = x[3];
    {
        handle a = make(&s, x);
        handle b(&t), c(std::move(b));
        handle d(&u);
        d = make(&t, x + 4);
        t *= u;
    }
    return s + t * u;
}

// Elements end last first, and so do rows of rows.
CASE(elements) {
    double s = x[0];
    {
        guard few[2] = {{&s, x[1], x[2]}, {&s, x[3], x[4]}};
        s *= x[5];
        guard rows[2][2] = {{{&s, x[2], x[1]}, {&s, x[4], x[3]}}, {{&s, x[0], x[5]}, {&s, x[1], x[0]}}};
        s += few[1].factor * rows[0][1].add;
    }
    return s * s;
}

// What a reference or a structured binding is bound to lives as long as that.
CASE(extended) {
    double s = x[0], sum = 0;
    {
        const guard &a = guard(&s, x[1], x[2]);
        guard &&b = guard(&s, x[3], x[4]);
        sum += a.factor * s + b.add * s;
        const guard &inner = both(&s, x[2], x[3]).second; // of the whole
        sum += inner.factor * s;
        auto [at, factor, add] = guard(&s, x[5], x[0]);
        const auto &[mine, times, more] = guard(&s, x[4], x[1]);
        sum += factor * add * s + times * more * *mine + *at;
    }
    const guard &last = guard(&sum, x[1], x[0]);
    return s * sum * last.factor;
}

// What a pair or a tuple is made of is copied into it, and ends behind that; what it converts is made in place.
struct scales {
    double *at, by;
    scales(double *p, double b) : at(p), by(b) {}
    ~scales() { *at = *at * by + 0.1; }
};
struct twice {
    double v;
    twice(double a) : v(a) {}
    twice(const twice &o) : v(2 * o.v) {}
};
CASE(in_pairs) {
    double s = x[0];
    {
        std::pair<scales, double> a(scales(&s, x[1]), x[3]);
        auto b = std::make_pair(scales(&s, x[2]), x[5]);
        auto c = std::make_tuple(scales(&s, x[3]), x[0]);
        scales named(&s, x[5]);
        std::pair<scales, double> d(named, x[1]), e{scales(&s, x[4]), 2.0};
        s *= b.second + std::get<1>(c) + a.second * d.second;
    }
    twice t(x[1]);
    std::pair<twice, double> moved(std::move(t), x[2]), converted(x[3], x[4]), made(twice(x[5]), x[0]);
    return s * moved.first.v + converted.first.v * made.first.v;
}

CASE(in_lambdas) {
    double s = x[0];
    auto step = [&](double by) {
        guard g(&s, by, x[1]);
        if (n == 2) return s;
        return s * by;
    };
    const double a = step(x[2]), b = step(x[3]);
    return a * b + s;
}
struct squares {
    void operator()(double *at) const { *at = *at * *at + 0.5; }
};
typedef std::unique_ptr<double, squares> owner;
static owner made(double *at, double by) {
    *at *= by;
    return owner(at);
}
CASE(owners) {
    double s = x[0], t = x[1], u = x[2], v = x[3];
    {
        owner a(&s), b = made(&t, x[4]), c, d(std::move(a));
        if (!a && d) *d *= x[5];
        c = made(&u, x[6]);
        std::swap(b, c);
        c.reset(n > 1 ? nullptr : &v); // t ends
        b = nullptr;                   // u ends
        if (n == 3) d.release();
        u += *(n == 3 ? &s : d.get()) * t;
    }
    return s * t + u * v;
}

// Objects without a name that other calls make something of, and objects behind references that calls return.
struct trace {
    double *at, v;
    trace(double *p, double by) : at(p), v(by) {}
    ~trace() { *at += v * v; }
    const trace &self() const { return *this; }
    trace twice() const { return trace(at, 2 * v); }
};
static trace made_of(double *at, double by) { return trace(at, by * by); }
static const trace &one_of(const trace &a, const trace &b, bool first) {
    if (first) return a;
    return b;
}
CASE(chains) {
    double s = x[0];
    {
        trace a = made_of(&s, x[1]).twice();
        s *= x[2];
        trace b = made_of(&s, x[3]).twice().self().twice();
        s *= a.self().v + b.self().self().v;
        const trace &c = made_of(&s, x[4]), &d = n > 1 ? a : b;
        s *= c.self().v * d.self().v;
        trace e = one_of(a, c, n == 2).twice();
        s += e.v * one_of(e, d, n == 3).self().v;
    }
    return s;
}
#include "destructors.grad.hpp"

int main() {
    CHECK(order);
    CHECK(exits);
    CHECK(returns);
    CHECK(parts);
    CHECK(returned);
    CHECK(elements);
    CHECK(extended);
    CHECK(in_pairs);
    CHECK(in_lambdas);
    CHECK(owners);
    CHECK(chains);
    return language_failures != 0;
}
