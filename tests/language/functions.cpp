// standard: c++20
// Lambdas, functors, templates, functions as values, and the statements of newer C++.
#include "language.h"

#include <functional>

template <class F> static double apply(F f, double v) { return f(v) + f(v + 1); }
static auto adder(double by) {
    return [=](double v) { return v * by; };
}
struct affine {
    double k;
    double run(double v) const {
        auto f = [=, this](double t) { return t * k + v; };
        return f(v) * k;
    }
};

static double by_pointer(double (*f)(double), double v) { return f(v) * f(v + 1); }

/* std::function: of lambdas with state, functions, objects, and handed on. */
static double squared(double v) { return v * v; }
struct scaled {
    double k;
    double operator()(double v) const { return k * v; }
};
static double twice(std::function<double(double)> f, double v) { return f(v) + f(2 * v); }
static double handed(const std::function<double(double)> &f, double v) { return f ? twice(f, v) * f(v) : v; }
static double counted(const std::function<double(double)> &f, double v) { return f(v) + f(v); }
CASE(held_state) {
    int count = 0;
    std::function<double(double)> f = [count](double t) mutable { return t * t * ++count; };
    return counted(f, x[0]) + 3 * f(x[1]) + f(x[2]);
}
CASE(held_functions) {
    const double k = x[0];
    std::function<double(double)> g = [&](double t) { return std::sin(t) * k; };
    std::function<double(double)> h = squared, m(scaled{k}), w = g;
    int count = 0;
    std::function<double(double)> counts = [count](double t) mutable { return t * ++count; }, again = counts;
    double s = twice([k](double t) { return t * t * k; }, x[1]) + counts(x[2]) + 3 * counts(x[2]) + again(x[3]);
    s += twice(&squared, x[1]) + handed(g, x[2]) + h(x[3]) * m(x[4]) + w(x[5]);
    return s + handed(scaled{k * n}, x[1]) + twice(squared, k);
}

// Given others by branches and loops, or nothing; copies keep what they hold.
static double cubed(double v) { return v * v * v; }
static double counting(std::function<double(double)> f, double v) { return f(f(v)) + f(v); }
CASE(held_by_branches) {
    std::function<double(double)> f = squared, g;
    const double k = x[0];
    if (x[1] > 0.5) f = [k](double t) { return t * t * k; };
    else if (n > 2) f = scaled{x[2]};
    if (n != 1) g = [&](double t) { return f(t) * k; };
    double s = f(x[3]) * (g ? g(x[4]) : x[4]) + twice(f, x[5]) + handed(g, x[6]);
    std::function<double(double)> h = f;
    f = nullptr;
    if (!f) s *= h(x[7]);
    f = h ? squared : nullptr;
    if (f == nullptr) s += x[8] * x[9];
    else s += f(x[8]);
    return s;
}
CASE(held_by_loops) {
    std::function<double(double)> f = [](double t) { return std::sin(t); }, first;
    double s = x[0];
    for (int i = 0; i < n; i++) {
        const double k = x[i + 1] + s;
        s += f(k);
        if (i == 1) f = [k, i](double t) { return t * k + i; };
        if (i == 3) f = squared;
        std::function<double(double)> own = f;
        if (x[i] > 0.5) own = [k](double t) { return t * k; };
        s = 0.5 * s + 0.25 * own(x[i + 2]);
    }
    return s * f(x[7]);
}
CASE(held_copies) {
    int count = 0;
    std::function<double(double)> f;
    if (n > 1) f = [count](double t) mutable { return t * ++count; };
    else f = squared;
    std::function<double(double)> g = f;
    double s = f(x[0]) + 3 * f(x[1]) + g(x[2]) + counting(f, x[3]) + counting(g, x[4]) + f(x[5]);
    double (*const p)(double) = n > 2 ? squared : cubed;
    f = p;
    return s + f(x[6]) * g(x[7]);
}

template <class R> constexpr R pi = R(3.14159265358979L);
template <int N> constexpr bool is_even = N % 2 == 0;
CASE(variable_templates) {
    if constexpr (is_even<3>) return 0;
    return pi<double> * x[0] * x[0] + (double)pi<float> * x[n] * (is_even<4> ? 2 : 3);
}
CASE(lambdas_by_pointer) {
    const int times = 3;
    double (*given)(double) = [](double v) { return v * v; };
    auto sum = +[](double v, double w) { return v * std::sin(w); };
    double s = given(x[0]) * sum(x[1], x[2]) + by_pointer([](double v) { return v * v * times; }, x[3]);
    given = [](double v) { return std::exp(v); };
    return s * given(x[4]) + (*given)(x[0]) + (+[](double v) { return v * v * v; })(x[5]);
}

MIXED(lambdas) {
    double p = x[0], q = x[1];
    auto copies = [=](double v) { return v * p + n; };
    auto mixed = [p, &q](double v) {
        q += v;
        return p * v;
    };
    auto init = [z = p * q, w = q](double v) mutable {
        z *= v;
        return z * w;
    };
    p = x[2], q *= x[3];
    double s = copies(x[4]) * mixed(x[5]) + init(x[6]) * init(2);
    auto again = init;
    s += again(x[7]) + init(1) + adder(x[8])(x[9]) + apply(adder(2), p) + affine{x[10]}.run(q);
    double values[3] = {1, x[11], 3};
    auto held = [values](int at) { return values[at] * values[1]; };
    values[1] = 0;
    auto generic = [p](auto u, auto v) { return u * p + v; };
    return s * held(n % 3) + generic(q, n) + generic(y[0], 1.5) + q;
}

template <class T> static T sum_all(T v) { return v; }
template <class T, class... R> static T sum_all(T v, R... rest) { return v * sum_all(rest...); }
template <class... A> static double fold(A... v) { return (v + ...) * (1.0 * ... * v); }
template <int N> static double power(double v) {
    if constexpr (N == 0) return 1;
    else return v * power<N - 1>(v);
}
template <double (*F)(double)> static double twice(double v) { return F(F(v)); }
template <class F> static double map(F f, const double *p, int count) {
    double s = 0;
    for (int i = 0; i < count; i++) s += f(p[i]);
    return s;
}
static double square(double v) { return v * v; }
static double half(double v) { return v / 2; }
static double (*const chosen)(double) = half;
struct squarer {
    double k;
    double operator()(double v) const { return v * v * k; }
};

CASE(templates) {
    double s = sum_all(x[0], x[1], 2.5f, 3) + fold(x[2], x[3], 2) + power<4>(x[4]) + twice<square>(x[5]);
    double (*pointer)(double) = square;
    s += pointer(x[6]) * chosen(x[7]) + map(square, x, 3) + map(squarer{x[8]}, x, n);
    pointer = &half;
    return s + map(pointer, x, 2) * map([](double v) { return std::exp(v); }, x, 2);
}

// Headers that macros write, or that stand in an argument of one.
#define STARTED if (s *= x[3]; n > 1)
#define ASKED(c) if (c) s += x[4]
#define GIVEN(text) text
CASE(in_macros) {
    double s = x[0];
    STARTED s *= x[1];
    else s += x[2];
    ASKED(s *= x[5]; n > 2);
    ASKED(s > x[6]);
    GIVEN(if (s *= x[7]; n > 3) s *= x[8]; else if (n > 0 &&
                                                     s > 0.1) s *= x[9];)
    GIVEN(if (double t = s * s; n > 2) s += t; else s -= t;)
    return s;
}
CASE(statements) {
    double p = x[0], q = x[1], s = 0;
    s += ({
        double t = p * q;
        for (int i = 0; i < 3; i++) t *= i < n ? x[i] : x[3];
        t;
    });
    s += x[2] * (n ?: 7);
    (n > 2 ? p : q) = x[3] * x[4];
    (n > 1 ? p : q) *= x[5];
    switch (int t = n & 3; t) {
    case 0 ... 1: s *= p; break;
    case 2: s += q; [[fallthrough]];
    default: s *= x[6] * t;
    }
    if (double t = x[7] * p; t > 1) s += t * t;
    else if (double v = t * 2; v > 1) s -= v * x[8];
    for (double z[3] = {1, q, p}; double w : z) s += w * w;
    int j = 0;
    while (j < n % 3) {
        j++;
        s += x[j] * x[j + 1];
    }
    do s += x[9] * j, j++;
    while (j < 3);
    bool flag = n > 1 && (s += x[10], s > 0);
    return s * p + q * flag;
}

struct pair_of {
    double first, second;
};
static pair_of both(double v) { return {v * v, v + 1}; }

CASE(bindings) {
    auto [p, q] = both(x[0]);
    pair_of memory = {x[1], x[2]};
    auto &[r, t] = memory;
    r *= q, t += p;
    double list[2] = {x[3], x[4]};
    auto &[l, m] = list;
    l *= x[5];
    auto [u, v] = list;
    m = 100;
    const auto [c, d] = memory;
    return p * q + memory.first * memory.second + list[0] * u * v + c * d * (n + 1) + m;
}

static double mixed_types(float f, double d, long double l) {
    f = f * (float)d;
    d += f * f;
    l = l * d + f;
    return (double)(l * l);
}

MIXED(mixed_numbers) {
    float f = y[0] * y[1];
    f += (float)x[0];
    double s = mixed_types(f, x[1], x[2]);
    unsigned w = (unsigned)n - 7;
    w = w * 2654435761u + 12345;
    int at = (int)((w << 5 | w >> 27) % 12);
    unsigned count = w - ((w >> 1) & 0x55555555u);
    return s * x[at] + y[2] * x[(count >> 3) % 12] + (w & 1 ? x[3] : x[4] * f);
}

#include "functions.grad.hpp"

int main() {
    CHECK(held_functions);
    CHECK(held_state);
    CHECK(variable_templates);
    CHECK(lambdas_by_pointer);
    CHECK_MIXED(lambdas);
    CHECK(templates);
    CHECK(in_macros);
    CHECK(statements);
    CHECK(bindings);
    CHECK_MIXED(mixed_numbers);
    return language_report();
}
