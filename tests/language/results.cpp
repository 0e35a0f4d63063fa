// Functions that return structs: the seed is a struct of the returned type, and so is the tangent of the
// result.
#include "language.h"

#include <array>
#include <complex>
#include <utility>

struct point {
    double x, y;
    float z;
    int tag;
};
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") point polar(const double *x, int n) {
    point p = {x[0] * std::cos(x[1]), x[0] * std::sin(x[1]), 0, n};
    for (int i = 0; i < n; i++) p.x = p.x * x[i + 2] + p.y;
    if (n == 2) return {p.y, x[5] * x[5], (float)x[3], 2};
    return p;
}

// Arrays and structs inside, written in loops and in branches.
struct row {
    double v[3];
    point of[2];
};
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") row rows(const double *x, int n) {
    row r = {};
    for (int i = 0; i < 3; i++) r.v[i] = i ? x[i] * r.v[i - 1] : x[n];
    r.of[n % 2] = polar(x + 1, 1);
    r.of[1 - n % 2].y = r.v[2] * x[7];
    return r;
}

// A variable that every return names is made in the place of the result: its constructor does not copy it.
struct tripling {
    double v;
    explicit tripling(double x) : v(x) {}
    tripling(const tripling &o) : v(3 * o.v) {}
};
static tripling powered(double x) {
    tripling t(x);
    if (x > 2) return t;
    t.v *= x;
    return t;
}
static tripling passed(tripling t) { return t; }
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double named(double x) {
    tripling t = powered(x);
    return t.v + passed(t).v;
}

// The types of the library, and a class with constructors and private members' friends.
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") std::pair<double, float> two(const double *x, int n) {
    return {x[0] * x[n], (float)(x[1] * x[2])};
}
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") std::complex<double> spiral(const double *x, int n) {
    std::complex<double> z(x[0], x[1]);
    for (int i = 0; i < n; i++) z = z * z + std::complex<double>(x[2], 0.5);
    return z;
}
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") std::array<double, 3> cross(const double *x, int n) {
    return {x[1] * x[5] - x[2] * x[4], x[2] * x[3] - x[n] * x[5], x[0] * x[4] - x[1] * x[3]};
}
class vec {
  public:
    double a, b;
    vec() : a(1), b(2) {}
    vec(double p, double q) : a(p), b(q) {}
    vec operator*(const vec &o) const { return vec(a * o.a, b * o.b + a); }
    GW_GRADIENT("wrt self, f") GW_DERIVATIVE("wrt self, f") vec scaled(double f) const {
        return *this * vec(f, f * f);
    }
};
template <class T, int N> GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") std::array<T, N> powers(T x) {
    std::array<T, N> p;
    p[0] = x;
    for (int i = 1; i < N; i++) p[i] = p[i - 1] * x;
    return p;
}
// A struct is returned beside what is written: each request has its own outputs.
GW_GRADIENT("y wrt x")
GW_GRADIENT("both_of = wrt x") GW_DERIVATIVE("y wrt x") point beside(double *y, const double *x) {
    *y = x[0] * x[1];
    return {x[0] * x[0], *y, 0, 7};
}
// A tape that grows: f_grad says how it went.
GW_GRADIENT("wrt x") point until(double x) {
    point p = {x, 1, 0, 0};
    while (p.x < 40) p.x = p.x * p.x + std::sin(p.x * x), p.y *= std::cos(p.x);
    return p;
}

#include "results.grad.hpp"

static void near(const char *what, double got, double wanted, double tolerance = 1e-7) {
    if (std::fabs(got - wanted) <= tolerance * (1 + std::fabs(wanted))) return;
    std::printf("%s is %.15g, not %.15g\n", what, got, wanted);
    language_failures++;
}

// w weighs the numbers of a result. Gradient with the seed w against differences of <w, f>, and forward mode
// with it.
template <class R> struct parts {
    static constexpr int count = sizeof(R) / sizeof(double);
    static double at(const R &r, int i) { return reinterpret_cast<const double *>(&r)[i]; }
    static void set(R &r, int i, double v) { reinterpret_cast<double *>(&r)[i] = v; }
};
template <> struct parts<point> {
    static constexpr int count = 3;
    static double at(const point &p, int i) { return i == 0 ? p.x : i == 1 ? p.y : (double)p.z; }
    static void set(point &p, int i, double v) {
        if (i < 2) (i ? p.y : p.x) = v;
        else p.z = (float)v;
    }
};
template <> struct parts<row> {
    static constexpr int count = 9;
    static double at(const row &r, int i) { return i < 3 ? r.v[i] : parts<point>::at(r.of[i / 3 - 1], i % 3); }
    static void set(row &r, int i, double v) {
        if (i < 3) r.v[i] = v;
        else parts<point>::set(r.of[i / 3 - 1], i % 3, v);
    }
};
template <> struct parts<std::pair<double, float>> {
    typedef std::pair<double, float> type;
    static constexpr int count = 2;
    static double at(const type &p, int i) { return i ? (double)p.second : p.first; }
    static void set(type &p, int i, double v) {
        if (i) p.second = (float)v;
        else p.first = v;
    }
};
template <class R> static double weighed(const R &r) {
    double sum = 0;
    for (int i = 0; i < parts<R>::count; i++) sum += parts<R>::at(r, i) * (1 + 0.5 * i);
    return sum;
}

template <class F, class G, class T> static void check(const char *name, F f, G grad, T jvp) {
    typedef decltype(f((const double *)nullptr, 0)) result;
    for (int n = 0; n < 4; n++) {
        double x[DOUBLES], d_x[DOUBLES], t_x[DOUBLES], along = 0, size = 0, largest = 0;
        for (int i = 0; i < DOUBLES; i++)
            x[i] = 0.75 + 0.0625 * ((i * 7 + n * 3) % 13), d_x[i] = i, t_x[i] = 1 - 0.25 * (i % 5);
        result seed = {}, tangent = {};
        for (int i = 0; i < parts<result>::count; i++) parts<result>::set(seed, i, 1 + 0.5 * i);
        grad(x, n, seed, d_x);
        for (int i = 0; i < DOUBLES; i++) {
            const double keep = x[i], h = 0x1p-10;
            double slope = 0;
            const double weight[4] = {1, -8, 8, -1}, step[4] = {-2, -1, 1, 2};
            for (int k = 0; k < 4; k++) x[i] = keep + step[k] * h, slope += weight[k] * weighed(f(x, n));
            x[i] = keep, slope /= 12 * h;
            near(name, d_x[i] - i, slope, sizeof(result) % 16 ? 1e-7 : 1e-4);
            along += t_x[i] * (d_x[i] - i), size += std::fabs(t_x[i] * (d_x[i] - i));
            largest = std::fmax(largest, std::fabs(slope));
        }
        const result value = jvp(x, n, t_x, &tangent), wanted = f(x, n);
        for (int i = 0; i < parts<result>::count; i++)
            near(name, parts<result>::at(value, i), parts<result>::at(wanted, i), 1e-12);
        if (std::fabs(weighed(tangent) - along) > 1e-6 * size) near(name, weighed(tangent), along, 0);
        if (largest == 0) near("slope", 0, 1);
    }
}
#define CHECK_RESULT(f) check(#f, f, [](auto... a) { f##_grad(a...); }, [](auto... a) { return f##_jvp(a...); })

static void closed_forms() {
    const vec v(3, 5), t_v(1, 2);
    vec d_v(0, 0), tangent;
    double d_f = 0;
    vec_scaled_grad(v, 2, vec(1, 10), &d_v, &d_f); // (a f, b f^2 + a)
    near("d_v.a", d_v.a, 2 + 10);
    near("d_v.b", d_v.b, 40);
    near("d_f", d_f, 3 + 10 * 20);
    const vec s = vec_scaled_jvp(v, 2, &t_v, 1, &tangent);
    near("s.a", s.a, 6);
    near("s.b", s.b, 23);
    near("tangent.a", tangent.a, 2 + 3);
    near("tangent.b", tangent.b, 2 * 4 + 1 + 5 * 4);
    float d_x = 1;
    near("powers", powers<float, 4>(2)[3], 16);
    const std::array<float, 4> ones = {1, 1, 1, 1};
    powers_grad<float, 4>(2, ones, &d_x);
    near("d_x", d_x, 1 + 1 + 4 + 12 + 32);
    double y = 0, d_y = 2, d_two[2] = {0, 0}, t_y = 0;
    const double two_numbers[2] = {3, 5}, t_two[2] = {1, -1};
    beside_grad(&y, two_numbers, &d_y, d_two);
    near("d_y", d_y, 0);
    near("d_two[0]", d_two[0], 10);
    near("d_two[1]", d_two[1], 6);
    both_of(&y, two_numbers, point{1, 10, 0, 0}, d_two);
    near("d_two[0]", d_two[0], 10 + 6 + 50);
    near("d_two[1]", d_two[1], 6 + 30);
    near("beside", beside_jvp(&y, two_numbers, &t_y, t_two).y, 15);
    near("t_y", t_y, 5 - 3);
    double d_named = 0, t_named = 0; // x x (1 + 9): once into passed, once out of it
    named_grad(1.5, &d_named);
    near("named", named_jvp(1.5, 1, &t_named), named(1.5));
    near("d_named", d_named, 2 * 1.5 * 10);
    near("t_named", t_named, 2 * 1.5 * 10);
    double d = 0;
    near("status", until_grad(1.25, point{1, 0.5, 0, 0}, &d), GW_OK);
    const auto sum = [](double x) { return until(x).x + until(x).y / 2; };
    const double h = 1e-4;
    near("until", d, (8 * (sum(1.25 + h) - sum(1.25 - h)) - sum(1.25 + 2 * h) + sum(1.25 - 2 * h)) / (12 * h),
         1e-6);
}

int main() {
    CHECK_RESULT(polar);
    CHECK_RESULT(rows);
    CHECK_RESULT(two);
    CHECK_RESULT(spiral);
    CHECK_RESULT(cross);
    closed_forms();
    return language_report();
}
