// Templates of vectors and matrices with anonymous unions, and vectors of vectors, on the host.
#include "language.h"

#include <vector>

#include "../adjoint/vector_templates.h"

using lin::dmat3;
using lin::dvec2;
using lin::dvec3;

static dvec3 read(const double *x) { return dvec3(x[0], x[1], x[2]); }

CASE(rotated) {
    dvec3 axis = read(x), w = normalize(axis), u = normalize(cross(w, dvec3(dvec2(1, 0.5), x[3]))),
          v = cross(w, u);
    dmat3 frame(u, v, w), turn(2.0);
    turn[0][1] = x[4], turn[1][0] = -x[4];
    turn[2] += dvec3(x[5]);
    dvec3 p = transpose(frame) * (turn * (frame * read(x + 6)));
    p *= dot(p, axis);
    p.g += p.s * axis.b;
    return length((frame * turn)[1] + p - 2.0 * read(x + 9) * axis[n % 3]);
}

MIXED(conversions) {
    lin::vec<3, float> f(y[0], y[1], y[2]);
    f *= y[3];
    dvec3 d(f), sum = -d;
    sum += d * x[0];
    for (int i = 0; i < dvec3::length(); i++) sum += dvec3(d[i] * x[i]);
    return dot(sum, d) + f.r;
}

using table = std::vector<std::vector<double>>;

static table product(const table &a, const table &b) {
    table c(a.size(), std::vector<double>(b[0].size()));
    for (size_t i = 0; i < c.size(); i++)
        for (size_t j = 0; j < c[i].size(); j++)
            for (size_t k = 0; k < b.size(); k++) c[i][j] += a[i][k] * b[k][j];
    return c;
}
static double squares(table a) { // a copy, which it changes
    double sum = 0;
    for (auto &row : a)
        for (double &v : row) v *= v, sum += v;
    return sum;
}
static void stretch(std::vector<double> &row, double by) {
    for (double &v : row) v *= by;
}

CASE(multiplied) {
    table a(3, std::vector<double>(3, 0.5)), e;
    for (int i = 0; i < 9; i++) a[i / 3].at(i % 3) += 0.1 * x[i] * (i + n);
    table c = product(a, a);
    e = product(c, a);
    stretch(e[1], x[9]);
    auto &last = e.back();
    last[1] = last[0] * e.front()[2];
    return squares(e) * 0.01 + c.at(2)[1] * x[10] + e[1][1];
}

CASE(stepped) { // rows of another length in each call, and rows that are assigned
    table now(n + 2, std::vector<double>(n + 1, 0.25)), next;
    next.resize(n + 2, std::vector<double>(n + 1));
    for (int j = 0; j <= n; j++) now[0][j] = x[j];
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++)
                next[i + 1][j] = std::sin(now[i][j]) + 0.5 * now[i][(j + 1) % (n + 1)] * next[i][j];
        for (int i = 0; i < n + 2; i++) now[i] = next[i];
        if (t == n) continue;
        std::vector<double> row = now[1];
        row.push_back(x[t + 5]);
        now[1][0] *= row.back() + row.size();
    }
    double sum = 0;
    for (const auto &row : now)
        for (double v : row) sum += v * v;
    return sum + now.size();
}

CASE(made_in_a_loop) {
    double sum = x[11] * x[11];
    for (int t = 0; t < n; t++) {
        table a(4, std::vector<double>(t + 1, x[t])), b(a);
        for (int i = 0; i < 4; i++) a[i][t] *= x[i + 4], b[3 - i][0] += a[i][0];
        sum += a[3][t] * b[n - 1][t] + squares(a);
    }
    return sum;
}

#include "vectors.grad.hpp"

int main() {
    CHECK(rotated);
    CHECK_MIXED(conversions);
    CHECK(multiplied);
    CHECK(stepped);
    CHECK(made_in_a_loop);
    return language_report();
}
