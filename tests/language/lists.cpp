// Lists in braces where they are values: std::min and std::max of a list, range-for over one,
// std::initializer_list as a variable, as a helper's argument and in a constructor.
#include "language.h"

#include <algorithm>
#include <initializer_list>
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

#include "lists.grad.hpp"

int main() {
    CHECK(vectors_in_lists);
    CHECK(extremes);
    CHECK(both_extremes);
    CHECK(over_a_list);
    CHECK(a_variable);
    CHECK(an_argument);
    CHECK(of_a_constructor);
    return language_report();
}
