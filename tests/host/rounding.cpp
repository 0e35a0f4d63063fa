// GW_ERROR in C++: members, containers, overloads with names of their own, functions that are inlined although
// they are large, parallel loops; the bounds against long double.
#include <gradwright/gradwright.h>
#include <gradwright/rounding.h>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace physics {

struct spring {
    double stiffness, rest;
    GW_ERROR("wrt self, x") double energy(double x) const {
        const double away = std::hypot(x, rest) - rest;
        return stiffness * away * away / 2;
    }
};

// Called twice with a loop inside: a derivative would call its pullback.
template <class T> T series(T x, int n) {
    T term = 1, sum = 1;
    for (int i = 1; i < n; i++) {
        term = term * x / i;
        sum = sum + term;
    }
    return sum;
}

GW_ERROR("of_double = wrt x") double ratio(double x, int n) { return series(x, n) / series(-x, n + 1); }
GW_ERROR("of_float = wrt x") float ratio(float x, int n) { return series(x, n) / series(-x, n + 1); }

GW_ERROR("y wrt x")
void normalise(std::vector<double> &y, const std::vector<double> &x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); i++) sum += x[i] * x[i];
    for (std::size_t i = 0; i < x.size(); i++) y[i] = x[i] / std::sqrt(sum);
}

} // namespace physics

#include "rounding.grad.hpp"

#include "difference.h"

static void compare(const char *name, double bound, long double error, double factor) {
    const double e = (double)std::fabs(error);
    EXPECT(bound >= e);
    EXPECT(bound <= factor * e);
    if (bound < e || bound > factor * e) std::printf("%s: bound %g, error %g\n", name, bound, e);
}

static void check_member() {
    const physics::spring s{3.7, 0.9};
    double bound = 0;
    EXPECT(physics::spring_energy_error(s, 0.01, &bound) == GW_OK);
    const long double away = std::hypot(0.01L * 1, (long double)s.rest) - s.rest,
                      exact = s.stiffness * away * away / 2;
    long double error = exact - s.energy(0.01); // 0.01 is a double here as there, but for its own rounding
    compare("energy", bound, error, 1e4);
    bool named = false;
    const gw_error_table table = physics::spring_energy_error_table();
    for (std::size_t i = 0; i < table.count; i++)
        named |= std::string(table.rows[i].name) == "self.rest" && table.rows[i].unit > 0;
    EXPECT(named);
}

static void check_overloads() {
    double bound = 0, wide = 0;
    EXPECT(physics::of_double(1.3, 30, &bound) == GW_OK && physics::of_float(1.3f, 30, &wide) == GW_OK);
    compare("double", bound, physics::series<long double>(1.3, 30) / physics::series<long double>(-1.3, 31) -
                                 physics::ratio(1.3, 30), 1e4);
    compare("float", wide, physics::series<double>(1.3f, 30) / physics::series<double>(-1.3f, 31) -
                               (long double)physics::ratio(1.3f, 30), 1e4);
    EXPECT(wide > 1e6 * bound);
}

static void check_containers() {
    std::vector<double> x{0.3, 1.7, 2.9}, y(3), d_y{1, 0, 0};
    double bound = 0, terms[8] = {};
    EXPECT(physics::normalise_error(y, x, d_y, &bound) == GW_OK);
    physics::normalise(y, x);
    long double sum = 0;
    for (double v : x) sum += (long double)v * v;
    compare("normalise", bound, x[0] / std::sqrt(sum) - y[0], 1e4);
    const gw_error_table table = physics::normalise_error_table();
    EXPECT(table.count <= 8);
    d_y[0] = 1;
    physics::normalise_error_terms(y, x, terms, d_y);
    double again = 0;
    for (std::size_t i = 0; i < table.count; i++) again += terms[i] * table.rows[i].weight;
    EXPECT(again == bound);
}

int main() {
    check_member();
    check_overloads();
    check_containers();
    return difference_report();
}
