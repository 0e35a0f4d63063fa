// The standard library's types and algorithms: compiled and lowered, they must do the same (semantics_test.c).
#include "semantics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <gradwright/gradwright.h>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#define CASE(name)                                                                                             \
    extern "C" GW_GRADIENT("wrt a") double name([[maybe_unused]] double *a, [[maybe_unused]] float *b,         \
                                                [[maybe_unused]] int *c, [[maybe_unused]] semantics_record *r, \
                                                [[maybe_unused]] int n, [[maybe_unused]] unsigned u)

struct holder {
    std::array<double, 3> v;
    std::pair<int, float> p;
    std::array<std::array<int, 2>, 2> grid;
};
static double total(const std::array<double, 3> &v) { return v[0] + v[1] * 2 + v[2] * 3; }
static std::array<double, 3> scaled(std::array<double, 3> v, double by) {
    for (auto &e : v) e *= by;
    return v;
}

CASE(arrays) {
    std::array<double, 3> p{a[0], a[1], a[2]}, q = {{1, a[3]}}, z{}, w;
    w.fill(a[4]);
    z = p;
    z[n & 1] += 2;
    z.at(2) = std::get<1>(q);
    w.front() *= 2, w.back() += 3, *w.data() += 1, *(w.begin() + 1) = 9;
    double s = total(z) + total(scaled(w, 2)) + z.size() + z.empty() + scaled(q, a[5])[1];
    for (double e : z) s += e;
    for (auto it = w.begin(); it != w.end(); ++it) s += *it * 2;
    std::swap(p, q);
    p.swap(z);
    auto [x, y, k] = q;
    auto &[x2, y2, k2] = p;
    y2 += x * y;
    std::array<std::array<float, 2>, 3> m{{{1, 2}, {3, b[0]}, {b[1]}}};
    m[2][1] = m[1][0];
    std::array<semantics_vector, 2> vs{{{1, 2}, {b[2], 4}}};
    holder h{{a[6], 2, 3}, {4, 5.f}, {{{1, 2}, {3, 4}}}}, g = h;
    g.v[1] = 7, g.p.second += b[3];
    for (const auto &row : m)
        for (float e : row) s += e;
    return s + total(p) + total(q) + k + vs[1].x + vs[0].y + h.v[0] * g.v[1] + g.p.first * g.p.second +
           g.grid[1][n & 1];
}

static std::pair<double, int> divided(double x, int by) { return {x / by, by}; }
static std::tuple<double, int, float> three(double x) { return {x, 2, 3.f}; }
static auto made(double x) { return std::make_pair(x, x * 2); }

CASE(pairs_and_tuples) {
    std::pair<double, int> p{a[0], 2}, q = divided(a[1], 3), z;
    auto [x, k] = q;
    auto &[x2, k2] = p;
    x2 += x, k2 -= k;
    z = p;
    z.first *= 2;
    std::swap(z, q);
    std::pair<float, double> converted = p, other(b[0], a[2]);
    converted = other;
    std::tuple<double, int, float> t = three(a[3]), w{a[4], n, b[1]}, v;
    auto [d, i, f] = t;
    v = w;
    std::get<0>(v) += std::get<double>(t);
    double tied;
    int number;
    std::tie(tied, number) = p;
    auto [m1, m2] = made(a[5]);
    auto mixed = std::make_tuple(a[6], p, 3);
    std::get<1>(mixed).first += 1;
    return p.first + q.first * q.second + z.first + x + d * i + f + std::get<0>(v) * std::get<1>(v) +
           tied * number + m1 * m2 + std::get<1>(mixed).first + std::get<2>(mixed) + converted.first +
           converted.second + std::get<0>(p);
}

typedef std::complex<double> number;
static bool near(double x, double y) { return std::fabs(x - y) <= 1e-9 * (1 + std::fabs(x)); }

CASE(complex_sums) { // the formulas that round as the library's do
    number z(a[0], a[1]), w = a[2], zero, k{1, 2}, i(0, 1);
    std::complex<float> f(b[0], b[1]);
    z += w;
    z -= 2.0;
    z *= 3.0;
    w = -z + k;
    w = conj(w) - 1.0;
    w.real(w.imag() + 1);
    k = a[3];
    k /= 4.0;
    k.imag(n);
    f += std::complex<float>(1, 2);
    number list[2] = {{1, a[4]}, {2}};
    std::array<number, 2> more{number(1, 2), w};
    bool same = z == w, differ = k != 3.0;
    return z.real() + imag(z) * 2 + real(w) * w.imag() + std::norm(number(3, 4)) + zero.real() +
           k.real() * k.imag() + f.real() * f.imag() + list[0].imag() + list[1].real() + more[1].real() + same +
           differ * 2 + (2.0 + z).real() + (z - w).imag() + i.imag();
}

CASE(complex_functions) { // compared inside: digits may differ
    number z(a[0] * 0.25, 0.5 + std::fabs(a[1]) * 0.25), w(a[2], 2);
    number p = z * w, q = z / w;
    double x = z.real(), y = z.imag(), v = w.real();
    int good = near(p.real(), x * v - y * 2) && near(p.imag(), x * 2 + y * v);
    number back = q * w, e = exp(log(z)), s = sqrt(z) * sqrt(z), d = pow(z, 2),
           polar = std::polar(abs(z), arg(z));
    good += near(back.real(), x) && near(back.imag(), y);
    good += near(e.real(), x) && near(e.imag(), y) && near(s.real(), x) && near(s.imag(), y);
    good += near(d.real(), x * x - y * y) && near(d.imag(), 2 * x * y) && near(polar.real(), x) &&
            near(polar.imag(), y);
    number one = sin(z) * sin(z) + cos(z) * cos(z), hyper = cosh(z) * cosh(z) - sinh(z) * sinh(z),
           t = tan(z) * cos(z) / sin(z);
    good += near(one.real(), 1) && near(hyper.real(), 1) && near(t.real(), 1) && near(one.imag(), 0);
    good += near(tanh(z).real(), (sinh(z) / cosh(z)).real()) && near(pow(z, w).real(), exp(w * log(z)).real());
    return good;
}

CASE(algorithms) {
    double s = std::accumulate(a, a + 5, 0.5) + std::inner_product(a, a + 3, a + 4, 1.0);
    std::array<double, 4> v{a[0], 2, 3, 4}, w;
    s += std::accumulate(v.begin(), v.end(), 0.0);
    std::for_each(v.begin(), v.end(), [&](double &e) { e *= 2, s += e; });
    std::transform(v.begin(), v.end(), w.begin(), [=](double e) { return e + n; });
    s += std::min(a[0], a[1]) + std::max(b[0], b[1]) + std::clamp(a[2], -1.0, 1.0) + std::abs(a[3]) +
         std::hypot(a[4], 1.0);
    s += std::pow(std::fabs(a[5]), 2.0) + std::fma(a[6], 2.0, 1.0) + std::plus<double>()(a[7], 1) +
         std::multiplies<>()(a[8], 2.0);
    std::swap(v[0], v[1]);
    std::fill(v.begin() + 2, v.end(), a[9]);
    s += std::numeric_limits<float>::max() > 1 ? 1 : 2;
    s += std::accumulate(a, a + 3, 1.0, [](double x, double y) { return x * y; });
    return s + v[0] * v[1] + v[3] + w[0] * w[3] + std::max<double>(b[2], a[10]) + std::exchange(s, 2);
}

static double sum_of(const std::vector<double> &v) {
    double s = 0;
    for (std::size_t i = 0; i < v.size(); i++) s += v[i];
    return s;
}
static void change(std::vector<double> &v, double by) {
    for (double &e : v) e *= by;
}
static std::vector<double> squares(const double *p) {
    std::vector<double> r(4);
    for (int i = 0; i < 4; i++) r[i] = p[i] * p[i];
    return r;
}

CASE(vectors) {
    std::vector<double> p(3), q(4, a[0]), w{1, a[1], 3}, copy = w, range(w.begin(), w.end()), empty;
    std::vector<semantics_vector> records(2);
    p[0] = a[2], p.at(1) = 2, p.back() = w.front();
    p[n & 1] += a[3];
    copy[1] = 100;
    change(q, 2);
    double s = sum_of(p) + sum_of(q) * 2 + sum_of(w) * 3 + sum_of(squares(a)) + range[1] + p.size() +
               empty.size() + empty.empty();
    for (const double &e : w) s += e * copy[1];
    for (auto it = p.begin(); it != p.end(); ++it) *it += 1, s += *it;
    for (auto it = q.begin() + 1; q.end() - it > 0; it += 2) s += it[0] + (it - q.begin());
    for (auto i = w.size(); i-- > 0;) s += w[i] * i;
    records[1].x = b[0];
    records[n & 1].y = 5;
    w = p;
    w[0] += 7;
    s += std::accumulate(w.begin(), w.end(), 0.0) + *std::max_element(c, c + 3) + records[1].x * records[0].y +
         p[0];
    double *raw = w.data();
    raw[1] = 3;
    std::vector<double> &alias = p;
    alias[2] = 4;
    return s + w[1] + p[2];
}

extern "C" {
#define ROW(name) {#name, name},
extern const semantics_row semantics_rows[] = {
    ROW(arrays) ROW(pairs_and_tuples) ROW(complex_sums) ROW(complex_functions) ROW(algorithms) ROW(vectors)};
extern const int semantics_count = sizeof semantics_rows / sizeof *semantics_rows;

void *semantics_global(const char *) { return nullptr; }
}
