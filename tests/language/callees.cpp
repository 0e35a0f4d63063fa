// Functions that stay calls: the one meant among those of a name, templates that call themselves, arrays.
#include "language.h"

namespace first {
static double fall(double v, int n) { return n == 0 ? v : v * fall(v, n - 1); }
} // namespace first
namespace second {
static double fall(double v, int n) { return n == 0 ? 1 : v + fall(v * v * 0.3, n - 1); }
} // namespace second
static double climb(double v, int n) { return n <= 0 ? v * v : std::sin(v) * climb(v, n - 1); }
static double climb(double v, double w, int n) { return n <= 0 ? v * w : climb(v, n) + climb(v, w * 0.5, n - 2); }
static double climb(int n, double v) { return n <= 0 ? 2 * v : v * climb(n - 1, v * 0.9); }

CASE(of_one_name) { return first::fall(x[0], n) + second::fall(x[1], n) * first::fall(x[2], 2); }
CASE(overloads) { return climb(x[0], n) + climb(x[1], x[2], n) * climb(n, x[3]); }

template <class T> static T falling(T v, int n) { return n == 0 ? v : v * falling(v * T(0.75), n - 1); }
template <int STEP> static double stepping(double v, double w, int n) {
    return n <= 0 ? v + w : STEP * v * stepping<STEP>(v * 0.5, w * v, n - STEP);
}
CASE(templates) { return falling(x[0], n) + falling((float)n, 2) * stepping<1>(x[1], x[2], n) - stepping<2>(x[3], x[4], n); }

namespace third {
static double blend(double a) { return a * a; }
GW_DERIVATIVE_OF("pullback of third::blend") static void back(double a, double d_return, double *d_a) { *d_a += 2 * a * d_return; }
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

#include "callees.grad.hpp"

int main() {
    CHECK(of_one_name);
    CHECK(overloads);
    CHECK(templates);
    CHECK(custom_of_one_name);
    return language_report();
}
