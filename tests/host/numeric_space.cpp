// GW_NUMERIC in C++: overloads in a namespace, functions that throw in the midst of differences (what these
// allocated is freed then), members that call them, and names that the differences would like to have.
#include <gradwright/gradwright.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace lib {
GW_NUMERIC("wrt x") double bump(double x);
GW_NUMERIC("bump wrt x, i") double bump(double x, double i);
GW_NUMERIC("wrt x[0:n * 2]") double norm(const double *x, int n);
enum class side { left, right };
GW_NUMERIC("wrt x") double at(side s, double x);
} // namespace lib

namespace lib {
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double sided(double x) { return at(side::right, x) * x + at(x > 1 ? side::right : side::left, x); }
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double two(double x) { return bump(x) * bump(x, x * x); }
} // namespace lib

struct model {
    double k;
    GW_GRADIENT("wrt x, self.k") GW_DERIVATIVE("wrt x, self.k")
    double value(double x) const { return lib::bump(k * x) + k * lib::two(x); }
};

GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x")
double length(const std::vector<double> &x) { return lib::norm(x.data(), 2) * x[1]; }

// What differences would call their own.
GW_NUMERIC("up[0:step], i[0:1] wrt count[0:step], reach")
void taken(double *up, long double *i, int step, const double *count, double reach);
GW_GRADIENT("wrt x, y") GW_DERIVATIVE("wrt x, y")
double sum(double x, double y) {
    double out[2] = {0, 0}, in[2] = {x, x * y};
    long double last[1] = {0};
    taken(out, last, 2, in, y);
    return out[0] * out[1] + (double)last[0];
}

#include "numeric_space.grad.hpp"

#include "difference.h"

static double limit = 1e9;
double lib::bump(double x) { return std::sin(x) * x; }
double lib::at(side s, double x) { return s == side::left ? x * x : std::exp(x); }
double lib::bump(double x, double i) { return x * i + std::cos(i); }
double lib::norm(const double *x, int n) {
    double all = 0;
    for (int i = 0; i < 2 * n; i++) {
        if (x[i] > limit) throw std::range_error("far");
        all += x[i] * x[i];
    }
    return std::sqrt(all);
}
void taken(double *up, long double *i, int step, const double *count, double reach) {
    for (int k = 0; k < step; k++) up[k] = count[k] * count[k] * reach + k;
    *i = std::exp((long double)(reach * count[0]));
}

static double value_loss(const double *x) { return model{x[1]}.value(x[0]); }
static double length_loss(const double *x) { return length({x, x + 4}); }
static double sided_loss(const double *x) { return lib::sided(x[0]); }
static double sum_loss(const double *x) { return sum(x[0], x[1]); }

int main() {
    const double at[2] = {0.7, 1.2};
    double d_x = 0, t = 0;
    model m{at[1]}, d_m{0}, t_m{0.5};
    model_value_grad(m, at[0], &d_m, &d_x);
    const double d[2] = {d_x, d_m.k};
    check_within("value", value_loss, at, 2, d, 1e-7, 1e-3);
    EXPECT(model_value_jvp(m, at[0], &t_m, 2, &t) == m.value(at[0]));
    EXPECT(std::fabs(t - 2 * d[0] - 0.5 * d[1]) <= 1e-7 * (std::fabs(t) + 1));

    const std::vector<double> x{0.3, -0.4, 1.2, 0.8}, v{1, 2, 3, 4};
    std::vector<double> d_v(4);
    length_grad(x, d_v);
    check_within("length", length_loss, x.data(), 4, d_v.data(), 1e-7, 1e-3);
    EXPECT(length_jvp(x, v, &t) == length(x));
    EXPECT(std::fabs(t - d_v[0] - 2 * d_v[1] - 3 * d_v[2] - 4 * d_v[3]) <= 1e-7);
    limit = 1.2; // the point itself is fine, the one behind it is not
    bool thrown = false;
    try {
        length_grad(x, d_v);
    } catch (const std::range_error &) { thrown = true; }
    EXPECT(thrown);

    double d_at = 0;
    lib::sided_grad(at[0], &d_at);
    check_within("sided", sided_loss, at, 1, &d_at, 1e-7, 1e-3);
    EXPECT(lib::sided_jvp(at[0], 1, &t) == lib::sided(at[0]));
    EXPECT(std::fabs(t - d_at) <= 1e-7 * (std::fabs(t) + 1));

    double d_s[2] = {0, 0};
    sum_grad(at[0], at[1], &d_s[0], &d_s[1]);
    check_within("sum", sum_loss, at, 2, d_s, 1e-7, 1e-3);
    EXPECT(sum_jvp(at[0], at[1], 1, -1, &t) == sum(at[0], at[1]));
    EXPECT(std::fabs(t - d_s[0] + d_s[1]) <= 1e-7 * (std::fabs(t) + 1));
    return difference_report();
}
