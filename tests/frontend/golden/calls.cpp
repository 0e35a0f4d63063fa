// Calls are inlined with their returns structured.
#include <algorithm>
#include <cmath>
#include <gradwright/gradwright.h>

static double root(double x) {
    if (x < 0) return 0;
    return std::sqrt(x);
}
template <class T> T limit(T v, T high = T(4)) { return std::min(v, high); }
static void split(double v, double &whole, double *part) { whole = std::floor(v), *part = v - whole; }

GW_GRADIENT("wrt x")
float calls(double x, int n) {
    float f = (float)limit(root(x));
    double whole, part;
    split(x, whole, &part);
    f += whole * part * std::max(n, 2);
    return std::fabs(f) + std::pow(f, 2);
}
