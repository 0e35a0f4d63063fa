// The standard library's types: gradients of what holds them, and of parameters of these types.
#include "language.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <deque>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

typedef std::complex<double> number;

static std::array<double, 3> scaled(std::array<double, 3> v, double by) {
    for (auto &e : v) e *= by;
    return v;
}

CASE(arrays) {
    std::array<double, 3> p{x[0], x[1], x[2]}, q = {{1, x[3]}}, w;
    w.fill(x[4]);
    w[n % 3] *= x[5];
    q.at(2) = std::get<1>(p) * p.back();
    std::swap(p, q);
    std::array<std::array<double, 2>, 2> m{{{x[6], 2}, {3, x[7]}}};
    m[1][0] *= m[0][0];
    auto s = scaled(p, x[8]);
    double sum = 0;
    for (double e : s) sum += e * w[n % 3];
    for (auto it = q.begin(); it != q.end(); ++it) sum += *it * *it;
    auto [a, b, c] = s;
    return sum + m[1][0] * m[1][1] + a * b + c;
}

CASE(filled_with_an_element) {
    int k = 0;
    std::array<double, 3> w{x[0], x[1], x[2]};
    std::array<double, 20> many{};
    w.fill(w[0] * w[1]);
    many.fill(x[k++] * x[3]);
    std::vector<double> v(3, x[k++]), u(n + 2, x[k++] * v[0]);
    return w[0] + 2 * w[1] * w[2] + many[0] * many[19] + v[0] * v[2] * u[n] + u[0] * k;
}

// Functions of std alone, in the precision that the overload has; the name is also one of the user's.
static double beta(double a, double b) { return a - b; }

CASE(special_functions) {
    const double a = 0.5 + x[0] * x[0], b = 1.5 + x[1] * x[1];
    long double wide = std::expint((long double)a) * std::beta((long double)b, 2.5L);
    float narrow = std::expint(-1.5f) + std::beta(2.f, (float)n);
    return std::expint(a) * std::beta(a, b) + std::expint(-b) + beta(a, b) * narrow + (double)wide +
           std::expint(n + 1) * x[2];
}

static std::pair<double, int> divided(double v, int by) { return {v / by, by}; }

CASE(pairs_and_tuples) {
    std::pair<double, double> p{x[0], x[1]};
    auto [q, k] = divided(x[2], n + 2);
    auto &[first, second] = p;
    first *= q, second += k * x[3];
    std::tuple<double, float, int> t{x[4], 2.f, n};
    std::get<0>(t) *= p.first;
    double tied, other;
    std::tie(tied, other) = p;
    auto made = std::make_tuple(x[5], p, 3);
    std::get<1>(made).first *= std::get<0>(made);
    return p.second * std::get<0>(t) + tied * other + std::get<1>(made).first * std::get<2>(made);
}

CASE(complex_numbers) {
    number z(x[0], x[1]), w = x[2], k{1, x[3]};
    z += w * k;
    z *= number(x[4], x[5]);
    w = z / (k + 2.0) - conj(z) * x[6];
    number e = exp(w * 0.25) + log(z) + sqrt(w * w + 3.0) + pow(z, 2) + sin(w * 0.25) * cosh(k);
    number p = std::polar(x[7], x[8]) * tan(k * 0.25);
    return e.real() * e.imag() + std::norm(p) + abs(w) * arg(z) + imag(p) * real(w);
}

MIXED(mixed_complex) {
    std::complex<float> f(y[0], y[1]), g = f * std::complex<float>(y[2], (float)x[0]);
    number z(f.real(), x[1]);
    return norm(z * number(g.imag(), g.real())) + abs(f);
}

CASE(algorithms) {
    std::array<double, 4> v{x[0], x[1], x[2], x[3]}, w{};
    double s = std::accumulate(v.begin(), v.end(), 0.0) + std::inner_product(x, x + 3, x + 4, 1.0);
    std::for_each(v.begin(), v.end(), [&](double &e) { e *= x[5], s += e * e; });
    std::transform(v.begin(), v.end(), w.begin(), [=](double e) { return e * x[6] + n; });
    s += std::min(x[0], x[1]) * std::max(x[2], x[3]) + std::clamp(x[4], 0.5, 3.0) * std::hypot(x[5], x[6]);
    s += std::pow(x[7], 2.5) + std::fma(x[8], x[9], 1.0) + std::abs(x[10] - 4);
    double u[8], *const end = u + 8;
    for (int i = 0; i < 8; i++) u[i] = x[i] * (x[(i + 3) % 8] + 0.013 * i);
    std::nth_element(u, u + 3, end, [](double a, double b) { return a > b; });
    s += u[3] * u[3] + std::accumulate(u, u + 3, 0.0) * x[0];
    std::move_backward(u, end - 2, end);
    std::copy_backward(v.begin(), v.begin() + 2, end - 1);
    for (int i = 2; i < 8; i++) s += u[i] * (i == 2 || i == 6 ? x[1] : 1);
    return s + w[0] * w[3] + w[n % 4];
}

static void scale(std::vector<double> &v, double by) {
    for (double &e : v) e *= by;
}

CASE(local_vectors) {
    std::vector<double> p(3), q{x[0], x[1]}, w = q, r(x + 2, x + 5);
    p[n % 3] = x[5];
    scale(w, x[6]);
    w.back() *= q.front();
    double s = 0;
    for (auto it = r.begin(); it != r.end(); ++it) s += *it * *it;
    for (double e : w) s += e * p[n % 3];
    return s * r[1] + std::accumulate(q.begin(), q.end(), x[7]) * p.size();
}

CASE(vectors_of_nothing) {
    std::vector<double> none, also(0);
    double sum = x[0] * x[1];
    for (double a : none) sum += a * x[2];
    for (double &a : also) a += sum;
    for (double a : std::vector<double>()) sum += a;
    return sum * (double)(1 + none.size());
}
CASE(assigned_in_place) {
    std::vector<double> a(x, x + 4), b(x + 4, x + 4 + 4);
    double *p = a.data();
    a = b;
    p[0] *= 3;
    return b[0] * a[0] * p[1] * n;
}

CASE(vectors_of_any_size) {
    std::vector<double> p(n + 2), q(n + 1, x[0]), w(x, x + n + 3), copy = w;
    for (std::size_t i = 0; i < p.size(); i++) p[i] = x[i] * q[i % q.size()];
    scale(copy, x[6]);
    double s = 0;
    for (double e : copy) s += e * e * p.back();
    w = copy;
    w[n] *= x[7];
    return s + std::inner_product(w.begin(), w.end(), x + 1, p[0]);
}

struct two {
    double a, b;
};

CASE(loops_over_parts) {
    two q[3] = {{x[0], x[1]}, {x[2], x[3]}, {x[4], x[5]}};
    std::vector<std::pair<double, int>> v;
    std::array<std::array<double, 2>, 2> m{{{x[0], x[1]}, {x[2], x[3]}}};
    v.resize(2);
    v[0] = {x[0], 1};
    v[1] = std::make_pair(x[1] * x[1], n);
    double s = 1;
    for (auto &[u, w] : q) u *= w;
    for (auto [u, w] : q) {
        u *= 2;
        s += u * w;
    }
    for (const auto &[e, k] : v) s += e * k * e;
    for (const auto &[e, k] : m) s *= e - k * k;
    const double steps[] = {1.7, 2.6};
    for (int k : steps) { // a number made of the element
        k *= 2;
        s += k * x[6];
    }
    return s * q[1].a;
}

CASE(swapped_vectors) {
    std::vector<double> a{x[0], x[1]}, b(x, x + n + 3), none;
    double *p = a.data();
    a.swap(b);
    p[1] *= x[3];
    const double s = a[2] * b[1] * (double)a.size();
    std::swap(a, b);
    p[0] += x[4];
    none.swap(b);
    std::vector<double> now(x, x + 4), next(4);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 4; i++) next[i] = now[i] * now[(i + 1) % 4] * 0.5;
        now.swap(next);
    }
    if (n > 1) std::swap(now, a);
    a[0] += now[1] * 0.25;
    return s * a[0] + none[1] * (double)(b.size() + 1);
}

struct summed {
    double &sum;
    const double &weight;
    void add(double v) { sum += weight * v; }
};
CASE(pointers_and_references) {
    double a = x[0], b = x[1], weight = x[2], sum = 0;
    std::vector<double *> t(2);
    t[0] = &a, t[1] = &b;
    *t[n % 2] *= x[3];
    for (const double *p : {x, x + 2, x + n % 3})
        for (int i = 0; i < 3; i++) sum += p[i] * *t[i % 2];
    summed all{sum, weight};
    struct local {
        double &at;
    } one{n % 2 ? a : b};
    summed same = all;
    one.at += x[4];
    weight *= a;
    same.add(b);
    return sum * a * all.sum;
}

CASE(vectors_sized_later) {
    std::vector<double> p, q, w, none;
    p.resize(n + 2);
    q.resize(3, x[0] * x[1]);
    w.reserve(n + 1);
    w.assign(n + 1, x[2]);
    for (std::size_t i = 0; i < p.size(); i++) p[i] += x[i] * q[i % q.size()];
    w[0] *= p.back();
    p.pop_back();
    w[n] *= p.back() * p[0];
    double s = 0;
    for (double e : w) s += e * e;
    const std::size_t left = p.size();
    p.clear();
    for (double e : p) s *= e;
    none.resize(2, s);
    return s * none[0] * (double)left + (p.empty() ? q[2] : x[3]);
}

GW_GRADIENT("y wrt x, w")
GW_DERIVATIVE("y wrt x, w")
void weighted(std::vector<double> &y, const std::vector<double> &x, const std::vector<float> &w) {
    for (std::size_t i = 0; i < y.size(); i++) y[i] = x[i] * x[(i + 1) % x.size()] * w[i % w.size()];
    double s = 0;
    for (double e : x) s += e * e;
    y.back() = s * x.front();
}

GW_GRADIENT("wrt v")
GW_DERIVATIVE("wrt v")
double vector_norm(const std::vector<double> &v) {
    double s = 0;
    for (auto it = v.begin(); it != v.end(); ++it) s += *it * *it;
    std::size_t n = v.size();
    while (n-- > 0) s += v[n] * double(n);
    return std::sqrt(s) + v[0];
}

// Parameters of these types: their adjoints are of the same types.
GW_GRADIENT("out wrt v, c, p")
GW_DERIVATIVE("out wrt v, c, p")
void parameters(std::array<double, 2> &out, const std::array<double, 3> &v, const std::complex<double> *c,
                const std::pair<double, int> &p) {
    out[0] = v[0] * v[1] * c[0].real() + v[p.second];
    out[1] = abs(c[1]) * p.first + norm(c[0]) * v[2];
}

// A deque's elements stay where they are, and what leads to them still does.
CASE(deques) {
    std::deque<double> d, two(2, x[9]);
    for (int i = 0; i < n; i++) d.push_back(x[i]), d.push_back(x[i] * x[i + 1]);
    d.push_back(x[10]);
    double &last = d.back();
    double sum = two[1] * d.front();
    for (double each : d) sum += each * each;
    for (auto at = d.begin(); at != d.end(); ++at) sum += *at * d.at(0);
    while (d.size() > 1) {
        sum += d.front() * d.back();
        d.pop_front();
        last *= 0.5;
    }
    d.pop_front();
    d.emplace_back(x[11] * sum);
    return d.front() + (d.size() == 1 ? sum : 0);
}

struct flat {
    virtual ~flat() = default;
    double by = 2;
    virtual double area(double v) const { return v * by; }
    virtual double twice(double v) const { return 2 * area(v); }
};
struct square : flat {
    double k;
    explicit square(double v) : k(v) {}
    double area(double v) const override { return k * v * v * by; }
};
CASE(shared_pointers) {
    auto p = std::make_shared<double>(x[0]);
    std::shared_ptr<double> q = p, r, empty;
    *q *= x[1];
    r = q;
    const auto moved = std::move(q);
    const std::shared_ptr<flat> shape = std::make_shared<square>(x[2]), same(shape);
    if (same) same->by *= x[3];
    double sum = *p * *r + *moved * shape->area(x[4]) + shape->twice(x[5]);
    std::shared_ptr<double> chosen = n % 2 ? p : std::make_shared<double>(x[6]);
    *chosen += x[7];
    p.swap(chosen);
    if (!q && !empty && empty == nullptr) sum += *p * *chosen * *r.get();
    return sum;
}

#include "library.grad.hpp"

static double with_parameters(const double *x, const float *, int) {
    std::array<double, 2> out{};
    const std::array<double, 3> v{x[0], x[1], x[2]};
    const number c[2] = {{x[3], x[4]}, {x[5], x[6]}};
    parameters(out, v, c, std::pair<double, int>(x[7], 1));
    return out[0] * 2 + out[1] * 3;
}

static void gradient_of_parameters(const double *x, double *d_x) {
    std::array<double, 2> out{}, d_out{2, 3};
    const std::array<double, 3> v{x[0], x[1], x[2]};
    std::array<double, 3> d_v{};
    const number c[2] = {{x[3], x[4]}, {x[5], x[6]}};
    number d_c[2] = {};
    const std::pair<double, int> p(x[7], 1);
    std::pair<double, int> d_p;
    parameters_grad(out, v, c, p, &d_out, &d_v, d_c, &d_p);
    const double all[8] = {d_v[0],        d_v[1],        d_v[2],        d_c[0].real(),
                           d_c[0].imag(), d_c[1].real(), d_c[1].imag(), d_p.first};
    for (int i = 0; i < 8; i++) d_x[i] += all[i];
}

static double tangent_of_parameters(const double *x, const double *t_x, double *t) {
    std::array<double, 2> out{}, t_out{};
    const std::array<double, 3> v{x[0], x[1], x[2]}, t_v{t_x[0], t_x[1], t_x[2]};
    const number c[2] = {{x[3], x[4]}, {x[5], x[6]}}, t_c[2] = {{t_x[3], t_x[4]}, {t_x[5], t_x[6]}};
    const std::pair<double, int> p(x[7], 1), t_p(t_x[7], 0);
    parameters_jvp(out, v, c, p, &t_out, &t_v, t_c, &t_p);
    *t = t_out[0] * 2 + t_out[1] * 3;
    return out[0] * 2 + out[1] * 3;
}

static double with_vectors(const double *x, const float *y, int n) {
    std::vector<double> out(3 + n), in(x, x + 5 + n);
    weighted(out, in, std::vector<float>(y, y + 4));
    double s = vector_norm(in);
    for (std::size_t i = 0; i < out.size(); i++) s += out[i] * (1.0 + (double)i);
    return s;
}

static void gradient_of_vectors(const double *x, const float *y, int n, double *d_x, float *d_y) {
    std::vector<double> out(3 + n), d_out(3 + n), in(x, x + 5 + n), d_in(5 + n);
    std::vector<float> w(y, y + 4), d_w(4);
    for (std::size_t i = 0; i < out.size(); i++) d_out[i] = 1.0 + (double)i;
    weighted_grad(out, in, w, d_out, d_in, d_w);
    vector_norm_grad(in, d_in);
    for (std::size_t i = 0; i < in.size(); i++) d_x[i] += d_in[i];
    for (std::size_t i = 0; i < w.size(); i++) d_y[i] += d_w[i];
}

static double tangent_of_vectors(const double *x, const float *y, int n, const double *t_x, const float *t_y,
                                 double *t) {
    std::vector<double> out(3 + n), t_out(3 + n);
    const std::vector<double> in(x, x + 5 + n), t_in(t_x, t_x + 5 + n);
    const std::vector<float> w(y, y + 4), t_w(t_y, t_y + 4);
    weighted_jvp(out, in, w, t_out, t_in, t_w);
    double s = vector_norm_jvp(in, t_in, t);
    for (std::size_t i = 0; i < out.size(); i++)
        s += out[i] * (1.0 + (double)i), *t += t_out[i] * (1.0 + (double)i);
    return s;
}

int main() {
    CHECK(deques);
    CHECK(shared_pointers);
    CHECK(local_vectors);
    CHECK(assigned_in_place);
    CHECK(vectors_of_nothing);
    CHECK(vectors_of_any_size);
    CHECK(vectors_sized_later);
    CHECK(swapped_vectors);
    CHECK(pointers_and_references);
    CHECK(loops_over_parts);
    language_check("vectors", with_vectors, gradient_of_vectors, tangent_of_vectors, true);
    CHECK(arrays);
    CHECK(filled_with_an_element);
    CHECK(pairs_and_tuples);
    CHECK(complex_numbers);
    CHECK_MIXED(mixed_complex);
    CHECK(algorithms);
    language_check(
        "parameters", with_parameters,
        [](const double *x, const float *, int, double *d_x, float *) { gradient_of_parameters(x, d_x); },
        [](const double *x, const float *, int, const double *t_x, const float *, double *t) {
            return tangent_of_parameters(x, t_x, t);
        },
        false);
    return language_report();
}
