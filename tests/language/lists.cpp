// standard: c++20
// Lists in braces where they are values: std::min and std::max of a list, range-for over one,
// std::initializer_list as a variable, as a helper's argument and in a constructor; std::span, std::optional.
#include "language.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
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

#include "lists.grad.hpp"

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
    return language_report();
}
