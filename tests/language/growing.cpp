// Vectors that elements are added to: push_back and emplace_back in loops, branches, helpers and methods, of
// numbers, structs, classes and pairs; elements dropped again; copies.
#include "language.h"

#include <complex>
#include <utility>
#include <vector>

struct plain {
    double a, b;
};
struct made {
    double a, b;
    made(double p, double q) : a(p), b(q) {}
    double product() const { return a * b; }
};
struct of_base : plain {
    double c;
    explicit of_base(double v) : plain{v, v * v}, c(2 * v) {}
};
struct mesh {
    std::vector<double> heights;
    void put(double h) { heights.push_back(h); }
    double total() const {
        double sum = 0;
        for (double h : heights) sum += h * h;
        return sum;
    }
};
static void add(std::vector<double> &v, double a) { v.push_back(a * a); }
static double squares(const std::vector<double> &v) {
    double sum = 0;
    for (double a : v) sum += a * a;
    return sum;
}

CASE(all) {
    std::vector<double> v;
    v.reserve(12);
    for (int i = 0; i <= n; i++) v.push_back(x[i] * x[i]);
    return squares(v) + v.front() * v.back();
}
// How many there are is known when the loop has run.
CASE(some) {
    std::vector<double> v{x[11]};
    for (int i = 0; i < 11; i++)
        if (x[i] > 0.7) v.emplace_back(x[i] * x[11]);
    double sum = 0;
    for (std::size_t i = 1; i < v.size(); i++) sum += v[i] * v[i - 1] / (double)i;
    return sum + (double)v.size() * x[0];
}
// There are none before the first round.
CASE(rounds) {
    std::vector<double> v;
    double sum = x[0];
    for (int i = 0; i < 5; i++) {
        for (double &a : v) sum += a * x[i], a *= x[5];
        v.push_back(x[i] * sum);
    }
    return sum;
}
CASE(until) {
    std::vector<double> v;
    for (int i = 0; i < 12; i += 2) {
        if (i > n + 2) break;
        v.push_back(x[i]);
        if (i == 4) v.pop_back();
    }
    return v.empty() ? 0 : squares(v) * v[0];
}
CASE(in_nests) {
    std::vector<double> v;
    for (int i = 0; i < n; i++)
        for (int j = 5; j > 0; j -= 2) v.push_back(x[i] * x[j]);
    v.push_back(x[2]);
    double sum = 0;
    for (std::size_t k = 1; k < v.size(); k++) sum = 0.5 * sum + v[k] * v[k - 1];
    return sum + v[0] * v[0];
}
CASE(in_each_iteration) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        std::vector<double> v;
        for (int j = 0; j <= i; j++) v.push_back(x[j] * x[i + n]);
        sum += v.back() * v[0] + squares(v);
    }
    return sum;
}
CASE(after_its_size) {
    std::vector<double> v((std::size_t)n + 1, x[0]), w;
    v.push_back(x[1] * x[2]);
    w.resize(3);
    w[2] = x[3];
    w.push_back(v.back() * v[0]);
    return squares(w) + squares(v);
}
CASE(as_a_stack) {
    std::vector<double> stack;
    stack.push_back(x[0]);
    for (int i = 1; i < 6; i++) {
        const double top = stack.back();
        if (i % 3 != 2) stack.pop_back();
        stack.push_back(top * x[i] + x[n]);
    }
    return squares(stack);
}
// An element is made of elements before there is room for it.
CASE(of_themselves) {
    std::vector<double> v;
    v.push_back(x[0]);
    for (int i = 1; i < 5; i++) v.push_back(v[(std::size_t)i / 2] * x[i]);
    return squares(v);
}
CASE(by_helpers) {
    std::vector<double> v;
    mesh m;
    for (int i = 0; i < n; i++) {
        add(v, x[i]);
        m.put(x[i] * x[0]);
    }
    add(v, x[5]);
    return squares(v) + m.total();
}
CASE(of_structs) {
    std::vector<plain> p;
    std::vector<made> m;
    std::vector<of_base> b;
    for (int i = 0; i < n + 1; i++) {
        p.push_back({x[i], x[i] * x[1]});
        m.emplace_back(x[i], x[i + 1]);
        m.push_back(made(x[0], p.back().a));
        b.emplace_back(x[i]);
    }
    m.back().a *= x[7];
    m.push_back(m[0]);
    double sum = 0;
    for (const plain &e : p) sum += e.a * e.b;
    for (const auto &e : m) sum += e.product();
    for (const of_base &e : b) sum += e.a * e.b * e.c;
    return sum;
}
CASE(of_pairs) {
    std::vector<std::pair<double, int>> v;
    std::vector<std::complex<double>> z;
    for (int i = 0; i < n; i++) v.push_back({x[i], i});
    v.emplace_back(x[0] * x[1], 3);
    v.push_back(std::make_pair(x[2], 2));
    for (const auto &[a, k] : v) z.emplace_back(a, 0.25 * k);
    std::complex<double> product = 1;
    for (const auto &c : z) product *= c;
    return product.real() + product.imag();
}
CASE(of_integers) {
    std::vector<int> list;
    for (int i = 0; i < 12; i++)
        if ((i * 7 + n) % 3 == 0) list.push_back(i);
    double sum = 0;
    for (int i : list) sum += x[i] * x[i] * (double)list.size();
    return sum;
}
CASE(copied) {
    std::vector<double> v, w, r;
    for (int i = 0; i < n; i++) v.push_back(x[i]);
    std::vector<double> copy = v;
    copy.push_back(x[0] * x[0]);
    w = copy;
    w.push_back(x[5]);
    r.assign(w.begin(), w.end());
    return squares(copy) + squares(w) * squares(r) + squares(v);
}
CASE(cleared) {
    std::vector<double> v;
    double sum = 0;
    for (int k = 1; k < 3; k++) {
        v.clear();
        for (int i = 0; i < n; i++) v.push_back(x[i] * k);
        sum += squares(v);
    }
    v.clear();
    v.resize(2, x[3]);
    return sum + v[0] * v[1];
}
// Those behind one that goes, or comes, move up or down.
CASE(erased) {
    std::vector<double> v(x, x + 8);
    v.erase(v.begin() + n);
    if (n) v.erase(v.begin() + 1, v.begin() + n);
    for (auto it = v.begin(); it != v.end();)
        if (*it > 0.9) it = v.erase(it);
        else *it *= x[9], ++it;
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); i++) sum += v[i] * v[i] * (double)(i + 1);
    return sum + x[10] * x[11];
}
CASE(inserted) {
    std::vector<double> v{x[0], x[1]};
    for (int i = 2; i < 6; i++) {
        v.insert(v.begin() + i / 2, v[(std::size_t)i - 1] * x[i]);
        v.insert(v.end(), v[0]);
        *v.insert(v.cbegin(), v.back()) *= x[i + 1];
        if (i > n) v.erase(v.end() - 2);
    }
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); i++) sum += v[i] * v[i] * (double)(i + 1);
    return sum;
}
// Sorted as it grows: where an element goes is found by those that there are.
CASE(kept_in_order) {
    std::vector<made> v;
    for (int i = 0; i < 5; i++) {
        auto at = v.begin();
        while (at != v.end() && at->a < x[i]) ++at;
        v.insert(at, made(x[i], x[i + n]));
    }
    double sum = 0;
    for (const auto &e : v) sum = 0.5 * sum + e.product();
    return sum;
}
// Elements of classes in a number that is known at run time.
CASE(classes_at_once) {
    std::vector<made> v((std::size_t)n + 2, made(x[0], 2));
    for (int i = 0; i < n; i++) v[(std::size_t)i].b = x[i + 1];
    double sum = 0;
    for (const auto &e : v) sum += e.product() * e.a;
    return sum;
}

// Sizes that change: elements stay where they are, new ones are zero or the value.
CASE(resized) {
    std::vector<double> v(2, x[0] * x[1]);
    v.reserve(20);
    double &second = v[1];
    v.resize(n + 3);
    second += x[2];
    for (int i = 0; i < n; i++) v[i + 1] += x[i] * x[i];
    v.resize(2);
    v.resize(4, x[1]);
    std::vector<int> marks(1, n);
    marks.resize(3, 2);
    return v[0] * v[1] + v[3] * v[2] * marks[1] + x[3] * marks[0];
}

CASE(resized_in_loops) {
    std::vector<double> v;
    double s = x[7];
    for (int i = 0; i < n; i++) {
        v.resize(i + 1);
        v[i] = x[i] * std::tanh(s);
        if (i == 2) v.assign(2, x[i] * std::tanh(s));
        if (i > 2) v.push_back(v[0] * x[8]);
        for (double e : v) s += e * e;
    }
    while (v.size() > 1) v.resize(1);
    return s + (double)v.size();
}

struct starts_at {
    double at = 1.5;
};
CASE(resized_of_objects) {
    std::vector<starts_at> v(1);
    v[0].at = x[0];
    v.resize(n + 2);
    double s = 0;
    for (const starts_at &each : v) s += each.at * x[1] * each.at;
    return s;
}

#include "growing.grad.hpp"

int main() {
    CHECK(resized);
    CHECK(resized_in_loops);
    CHECK(resized_of_objects);
    CHECK(all);
    CHECK(some);
    CHECK(rounds);
    CHECK(until);
    CHECK(in_nests);
    CHECK(in_each_iteration);
    CHECK(after_its_size);
    CHECK(as_a_stack);
    CHECK(of_themselves);
    CHECK(by_helpers);
    CHECK(of_structs);
    CHECK(of_pairs);
    CHECK(of_integers);
    CHECK(copied);
    CHECK(cleared);
    CHECK(erased);
    CHECK(inserted);
    CHECK(kept_in_order);
    CHECK(classes_at_once);
    return language_report();
}
