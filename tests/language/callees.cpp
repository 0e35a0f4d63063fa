// Functions that stay calls: the one meant among those of a name, templates that call themselves, arrays.
#include "language.h"

#include <array>
#include <vector>

namespace first {
static double fall(double v, int n) { return n == 0 ? v : v * fall(v, n - 1); }
} // namespace first
namespace second {
static double fall(double v, int n) { return n == 0 ? 1 : v + fall(v * v * 0.3, n - 1); }
} // namespace second
static double climb(double v, int n) { return n <= 0 ? v * v : std::sin(v) * climb(v, n - 1); }
static double climb(double v, double w, int n) {
    return n <= 0 ? v * w : climb(v, n) + climb(v, w * 0.5, n - 2);
}
static double climb(int n, double v) { return n <= 0 ? 2 * v : v * climb(n - 1, v * 0.9); }

CASE(of_one_name) { return first::fall(x[0], n) + second::fall(x[1], n) * first::fall(x[2], 2); }
CASE(overloads) { return climb(x[0], n) + climb(x[1], x[2], n) * climb(n, x[3]); }

template <class T> static T falling(T v, int n) { return n == 0 ? v : v * falling(v * T(0.75), n - 1); }
template <int STEP> static double stepping(double v, double w, int n) {
    return n <= 0 ? v + w : STEP * v * stepping<STEP>(v * 0.5, w * v, n - STEP);
}
CASE(templates) {
    return falling(x[0], n) + falling((float)n, 2) * stepping<1>(x[1], x[2], n) - stepping<2>(x[3], x[4], n);
}

namespace third {
static double blend(double a) { return a * a; }
GW_DERIVATIVE_OF("pullback of third::blend") static void back(double a, double d_return, double *d_a) {
    *d_a += 2 * a * d_return;
}
} // namespace third
namespace fourth {
static double blend(double a) { return a * a * a; }
static double blend(double a, double b) { return a * b; }
GW_DERIVATIVE_OF("pullback of fourth::blend(double)") static void back(double a, double d_return, double *d_a) {
    *d_a += 3 * a * a * d_return;
}
GW_DERIVATIVE_OF("pullback of fourth::blend(double, double)")
static void back(double a, double b, double d_return, double *d_a, double *d_b) {
    *d_a += b * d_return;
    *d_b += a * d_return;
}
} // namespace fourth
CASE(custom_of_one_name) { return third::blend(x[0]) * fourth::blend(x[1]) + fourth::blend(x[2] * n, x[3]); }

// by reference, a local number; mutual recursion over arrays
static void odd(const double *x, int n, double &sum);
static void even(const double *x, int n, double &sum) {
    if (n == 0) return;
    sum += x[0] * x[0];
    odd(x + 1, n - 1, sum);
}
static void odd(const double *x, int n, double &sum) {
    if (n == 0) return;
    double half = 0.5;
    even(x + 1, n - 1, half);
    sum += half * x[0];
}
CASE(references) {
    double s = x[5], t[4] = {x[0], x[1] * x[2], x[3], x[4]};
    even(x, n + 3, s);
    odd(t, 4, s);
    even(x + 2, 3, t[3]);
    return s * t[3];
}
static float mixed(const float *y, const double *x, int n, float by) {
    return n <= 0 ? by : y[0] * (float)x[0] + mixed(y + 1, x + 1, n - 1, by * y[0]);
}
MIXED(two_types) { return mixed(y, x, 4, (float)x[5]) * x[6]; }
static double total(const double *x, int n) { return n == 0 ? 0 : x[0] * x[0] + total(x + 1, n - 1); }
static void fill(double *y, const double *x, int n) {
    if (n == 0) return;
    y[0] = std::sin(x[0]);
    fill(y + 1, x + 1, n - 1);
}
CASE(containers) {
    std::vector<double> v(n + 2);
    std::array<double, 5> a{};
    fill(v.data(), x, n + 2);
    fill(&a[1], v.data(), 2);
    struct { double in[3], out[3]; } s = {};
    fill(s.in, x + 2, 3);
    fill(s.out, s.in, 3);
    return total(v.data(), n + 2) * total(a.data(), 5) + total(s.out, 2) * s.in[1];
}
CASE(loops) {
    double t[6] = {}, s = 0;
    for (int i = 0; i < n + 2; i++) {
        if (i % 2) fill(t + 1, x + i, 3);
        else t[i] = x[i] * s;
        for (int k = 0; k < i; k++) {
            s += total(t, 4) * x[k] * 0.1;
            if (s > 3) break;
            t[k] += s;
        }
    }
    while (s < 20 && n > 0) s = s + 1 + total(t + 2, n) * 0.3;
    return s;
}
template <class T> static T weigh(const T *x, int n) {
    return n <= 1 ? x[0] : weigh(x, n / 2) * weigh(x + n / 2, n - n / 2) + T(0.25);
}
MIXED(templates_of_arrays) { return weigh(x, n + 1) + weigh(y, 3); }
static double table[6] = {1, 2, 3, 4, 5, 6};
CASE(globals) { return total(table, 4) * total(x, n + 1); }
static void swap_down(double *t, int n) {
    if (n < 2) return;
    double keep = t[0];
    t[0] = t[n - 1];
    t[n - 1] = keep;
    swap_down(t + 1, n - 2);
}
CASE(reversed) {
    double t[5];
    fill(t, x, 5);
    swap_down(t, 5);
    return t[0] * x[0] + t[1] * t[3];
}

#include "callees.grad.hpp"

int main() {
    CHECK(of_one_name);
    CHECK(overloads);
    CHECK(templates);
    CHECK(custom_of_one_name);
    CHECK(references);
    CHECK_MIXED(two_types);
    CHECK(containers);
    CHECK(loops);
    CHECK_MIXED(templates_of_arrays);
    CHECK(globals);
    CHECK(reversed);
    return language_report();
}
