// Range-for, lambdas and structured bindings.
#include <gradwright/gradwright.h>

struct pair {
    double a, b;
};

GW_GRADIENT("wrt x")
double range(const pair *x) {
    double w[3] = {1, 2, 3}, s = 0;
    auto [a, b] = x[1];
    auto add = [&](double v) { s += v * b; };
    for (double &v : w) v *= a;
    for (double v : w) add(v);
    return s;
}
