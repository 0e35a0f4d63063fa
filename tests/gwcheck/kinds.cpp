// The same of the host.
#include <gradwright/gradwright.h>
#include <cmath>
#include <vector>

struct point {
    double x, y;
};
struct spring {
    double k, rest;
    GW_GRADIENT("wrt length, self.k") double force(double length) const { return -k * (length - rest); }
};

template <class T> GW_GRADIENT("wrt x") T norm(const std::vector<T> &x) {
    T sum = 0;
    for (const T &each : x) sum += each * each;
    return std::sqrt(sum);
}
template double norm(const std::vector<double> &);

GW_GRADIENT("wrt p") point turned(point p, bool back) {
    return back ? point{p.y * p.x, -p.x} : point{-p.y, p.x * p.x};
}
GW_GRADIENT("area wrt d.x") void area(double *area, point d, int n) { *area = d.x * d.x * d.y * n; }
GW_GRADIENT("first = y wrt x") GW_GRADIENT("second = y wrt e")
void two(double *y, const double (&x)[3], float e[2]) {
    y[0] = x[0] * x[1] * e[0];
}
namespace ns {
GW_GRADIENT("wrt v") double settle(double v, double tolerance) {
    while (std::fabs(v) > tolerance) v -= 0.1 * std::sin(v);
    return v;
}
} // namespace ns

// the slopes by x and k stand out from what rounding does to the sum, that by the others drowns in it
GW_GRADIENT("wrt x, y, k")
float sums(const float *x, const float *y, float k, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += k * (x[i] * x[i] + 1e-4f * y[i]);
    return sum;
}

#include "kinds.grad.hpp"

int main() { return 0; }
