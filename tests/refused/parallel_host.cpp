#include <gradwright/gradwright.h>
#include <algorithm>
#include <execution>
#include <vector>
GW_GRADIENT("wrt x") double a(const double *x, int n) {
    std::vector<double> u(x, x + n);
    std::partial_sort(std::execution::par, u.begin(), u.begin() + 1, u.end());
    return u[0];
}
GW_GRADIENT("wrt x") double b(const double *x, int n) {
    std::vector<double> u(x, x + n);
    auto e = std::unique(std::execution::par_unseq, u.begin(), u.end());
    return e == u.end() ? u[0] : u[1];
}
GW_GRADIENT("wrt x") double c(const double *x, int n) {
    return *std::find_if(std::execution::seq, x, x + n, [](double v) { return v > 1; });
}
bool used_elsewhere(const std::vector<double> &u) { return std::count(std::execution::par, u.begin(), u.end(), 0.0) > 2 && std::all_of(std::execution::par, u.begin(), u.end(), [](double v) { return v > 0; }); }
