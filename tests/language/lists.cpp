// standard: c++20
// Lists in braces where they are values: std::min and std::max of a list, range-for over one,
// std::initializer_list as a variable, as a helper's argument and in a constructor; std::span, std::optional.
#include "language.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <queue>
#include <span>
#include <stack>
#include <vector>

static double horner(std::initializer_list<double> list, double t) {
    double sum = 0;
    for (double c : list) sum = sum * t + c;
    return sum;
}
struct polynomial {
    std::vector<double> c;
    polynomial(std::initializer_list<double> list) : c(list) {}
    double at(double t) const {
        double sum = 0;
        for (double v : c) sum = sum * t + v;
        return sum;
    }
};

CASE(extremes) {
    return std::min({x[0], x[1] * x[2], x[3] * 0.5}) + std::max({x[4], x[5] + x[6]}) * std::max(x[7], 0.25);
}
CASE(both_extremes) {
    const auto both = std::minmax({x[0], x[1] + 0.03, x[2] * x[n] + 0.07});
    return both.first * both.first * both.second;
}
CASE(over_a_list) {
    double sum = 0;
    for (double v : {x[0], x[1] * x[2], x[n]}) sum += v * v;
    for (int k : {0, 5, 3}) sum += x[k] * sum;
    return sum;
}
CASE(a_variable) {
    const auto list = {x[0], x[1] * x[n]};
    double product = 1;
    for (auto v : list) product *= v;
    return product + x[2] * (double)list.size() + *list.begin() * list.end()[-1];
}
CASE(an_argument) { return horner({x[0], x[1], x[2] * x[0]}, x[3]) * horner({x[4]}, 2) + horner({}, x[5]); }
CASE(of_a_constructor) {
    const polynomial p{x[0], x[1], 2}, q = {x[n]};
    return p.at(x[3]) * q.at(x[4]);
}

/* Two numbers in braces are elements of a vector, not its size and a value. */
struct cell {
    double a, b;
};
struct holds_vectors {
    std::vector<double> w;
    double scale = 2;
    std::vector<cell> cells = {};
};
CASE(vectors_in_lists) {
    holds_vectors two{{x[0], x[1]}, x[2]}, one = {{3}, 1, {{x[3], 2}, cell{x[4], 3}}}, none{{}, x[5]};
    const holds_vectors copied{two.w, 1}, ranged{{two.w.begin(), two.w.end()}}, named{.w = {x[6], 2, x[7]}};
    return two.w[0] * two.w[1] * two.scale + one.w[0] * one.cells[0].a * one.cells[1].a + copied.w[1] +
           ranged.w[n & 1] * named.w[2] * named.w[0] + none.scale * (1.0 + none.w.size() + named.w.size());
}

static double weighted(std::span<const double> v) {
    double sum = 0;
    for (double e : v) sum += e * e * v.size();
    return sum;
}
static void change(std::span<double> v, double by) {
    for (auto &e : v) e *= by;
    v.front() += v.back();
    v[1] = v.first(2)[0] * v.last(1)[0];
}

CASE(spans) {
    std::vector<double> own(x, x + 4);
    std::array<double, 3> a{x[4], x[5], x[6]};
    double raw[3] = {x[7], 2, x[8]};
    change(own, x[9]);
    change(a, 2), change(raw, x[10]);
    std::span<double, 3> fixed(a);
    std::span<const double> part(x, n + 1);
    const std::span<double> all(own), tail = all.subspan(1);
    tail[0] *= x[11];
    if (n > 2) part = part.subspan(1, 2);
    double sum = part.empty() ? 0 : part.back() * part.size();
    for (size_t i = 0; i < fixed.size(); i++) sum += fixed[i] * fixed[i];
    return sum + weighted(own) + weighted(a) * raw[1] + weighted({x + 2, (size_t)n}) + tail.data()[1];
}

struct meeting {
    double at, by;
};
static std::optional<meeting> meet(double a, double b) {
    if (a > b) return std::nullopt;
    return meeting{a * b, a - b};
}
static std::optional<double> root(double t) {
    if (t < 0) return {};
    return std::sqrt(t + 1);
}
static double doubled(std::optional<double> t) {
    if (t) *t *= 2;
    return t.value_or(3.0);
}

CASE(optionals) {
    double sum = 0;
    std::optional<double> most;
    for (int i = 0; i < 6; i++) {
        auto r = root(x[i] - 0.25 * n);
        if (!r) continue;
        if (!most || *r > *most) most = r;
        sum += r.value() * x[i];
    }
    auto here = meet(x[n], x[n + 1]);
    sum += here ? here->at * (*here).by : x[6];
    if (here) here->at += x[7], sum += here->at * here->at;
    std::optional<double> a = x[8], b = a, none = std::nullopt;
    std::optional<int> which;
    if (n > 2) which = 2;
    a = x[9] * *a;
    a = *a * *a;
    sum += doubled(b) * *b + doubled(none) + x[which.value_or(1)] * x[which ? *which : 0];
    none.emplace(x[10]);
    sum += *none * none.has_value();
    none.reset();
    return sum + none.value_or(x[11] * 2) + most.value_or(x[0]) * *a;
}

/* Members, bases and elements of pairs that are spans and optionals, beside arrays of numbers. */
struct part {
    std::optional<double> by;
    std::optional<int> times;
    double scales[2] = {1, 2};
    virtual double of(double t) const { return by.value_or(1.5) * t * scales[times.value_or(0)]; }
};
struct whole : part {
    part inner;
    std::span<const double> all;
    double of(double t) const override {
        double sum = by ? *by * t : t;
        for (double e : all) sum += e * inner.of(e);
        return sum;
    }
};
static double called(const part &p, double t) { return p.of(t); }
static whole made(const double *x, int n) {
    whole w;
    w.all = {x, (size_t)n + 1};
    if (n > 1) w.by = x[n], w.inner.scales[n % 2] = x[5] * x[6];
    if (n > 2) w.inner.by = *w.by * x[0], w.inner.times = 1;
    return w;
}
static part next(part p, double t) {
    if (p.by) *p.by *= t;
    else p.by.emplace(t);
    return p;
}

CASE(optional_members) {
    whole a = made(x, n), b = a;
    part last;
    for (int i = 0; i < n + 2; i++) {
        last = next(last, x[i]);
        if (i == 2) last.by.reset();
        part other = last;
        other.by.swap(last.by);
        last.scales[i % 2] += other.by.value_or(x[7]) * x[i];
    }
    b.inner.by.reset();
    if (n == 3) std::swap(a.inner, b.inner);
    part &r = n > 2 ? last : b.inner;
    r.by = called(last, x[8]) * x[9];
    return called(a, x[2]) * called(b, x[3]) + called(last, x[4]) + *r.by;
}

struct squared {
    double a, b;
    squared(double a, double b = 3) : a(a), b(b * b) {}
};
CASE(made_in_place) {
    std::optional<squared> o(std::in_place, x[0], x[n]), p;
    p.emplace(x[1]).a *= x[2];
    const double a = o->b, b = o->a;
    o.emplace(a, b);
    p.swap(o);
    std::optional<double> z(std::in_place);
    z.emplace(*z + x[3]);
    const std::span<const double, 4> four(x + n, 4);
    double sum = four.first<2>().back() * four.last<3>()[n % 3] * four.subspan(1, 2).size();
    for (double e : four.subspan(2)) sum += e * e;
    return o->a * o->b * p->a + p->b * *z + sum;
}

/* Iterators that step back, and what holds a container behind other names. */
CASE(stepping_back) {
    std::array<double, 4> a{x[0], x[1], x[2], x[n]};
    std::vector<double> v;
    for (int i = 0; i < n + 2; i++) v.push_back(x[i] * x[5]);
    auto last = v.rbegin();
    *last *= x[0];
    *(last + 1) = *last * v[0];
    const std::span<const double> s(x, n + 3);
    double sum = std::accumulate(a.rbegin(), a.rend(), 1.0, [](double p, double q) { return p * 0.3 + q * q; });
    for (auto i = s.rbegin(); i != s.rend(); ++i) sum = sum * 0.5 + *i * *i;
    for (auto i = a.crbegin(); i != a.crend(); i++) sum += *i * last[1];
    auto found = std::find_if(v.rbegin(), v.rend(), [](double t) { return t > 0.7; });
    if (found != v.rend()) sum *= *found * (double)(v.rend() - found);
    return sum * *(last.base() - 1);
}

struct waiting {
    double cost;
    int at;
    bool operator<(const waiting &o) const { return cost > o.cost; }
};
static double dropped(std::stack<double> &s) {
    const double t = s.top();
    s.pop();
    return t;
}
CASE(adaptors) {
    std::stack<double> s, copied;
    std::queue<double> q;
    std::priority_queue<waiting> p;
    for (int i = 0; i < 4; i++) {
        s.push(x[i] * x[n]), q.push(x[i + 1] * x[i]), p.push({x[i] * x[5], i});
        if (i & 1) q.pop();
        q.back() *= x[7];
    }
    s.top() *= x[6];
    double &first = q.front();
    q.emplace(x[8]);
    first *= x[9];
    double sum = dropped(s) * dropped(s) + q.front() * q.back() * (double)q.size();
    for (int i = 0; i < 4; i++) {
        const waiting t = p.top();
        p.pop();
        sum = sum * 0.5 + t.cost * t.cost * (t.at + 1);
        if (i == 1) p.push({x[10], 9});
    }
    return sum * s.top();
}

CASE(bits) {
    std::bitset<70> a, b;
    a[n] = 1, a[65] = true, b.set();
    b &= a, a = ~a, a ^= b, a.flip(2);
    double sum = 0;
    for (int i = 0; i < 12; i++) sum += (a[i] ? 1.0 : 2.0) * x[i] * x[0] * (b[i] == a[11] ? 2.0 : 1.0);
    return sum * (double)a.count() + (a.none() ? x[0] : x[1]);
}

/* What is kept from others is named where a parameter has it. */
GW_GRADIENT("wrt x, s") double kept(double x, const std::stack<double> &s, const std::bitset<8> &which) {
    return which[2] ? x * s.top() * s.top() : x;
}
#include "lists.grad.hpp"

static void check_kept() {
    std::stack<double> s, d_s;
    double d_x = 0;
    s.push(2), s.push(3), d_s.push(0), d_s.push(0);
    kept_grad(2, s, 4, &d_x, &d_s);
    language_compare("kept", 0, "x", 0, d_x, 9, 0);
    language_compare("kept", 0, "s", 0, d_s.top(), 12, 0);
}

int main() {
    CHECK(vectors_in_lists);
    CHECK(extremes);
    CHECK(both_extremes);
    CHECK(over_a_list);
    CHECK(a_variable);
    CHECK(an_argument);
    CHECK(of_a_constructor);
    CHECK(spans);
    CHECK(optionals);
    CHECK(optional_members);
    CHECK(made_in_place);
    CHECK(stepping_back);
    CHECK(adaptors);
    CHECK(bits);
    check_kept();
    return language_report();
}
