// obeys: unsupported
// Containers of the library, and the ways out of them.
#include <gradwright/gradwright.h>
#include <functional>
#include <map>
#include <set>
#include <valarray>
#include <variant>
#include <vector>

#ifndef OBEYED
GW_GRADIENT("wrt x") double variants(double x) {
    std::variant<double, int> v = x * x;
    if (x > 2) v = 3;
    return std::holds_alternative<double>(v) ? std::get<double>(v) : x * std::get<int>(v);
}
GW_GRADIENT("wrt x") double arrays(double x) {
    std::valarray<double> a(x, 3);
    return (a * a).sum();
}
static double power(double a, double b) { return a * a * b; }
GW_GRADIENT("wrt x") double bound(double x) {
    return std::bind(power, x, std::placeholders::_1)(x);
}
GW_GRADIENT("wrt x") double sets(double x) {
    std::set<double> s{x, x * x};
    return *s.begin();
}
GW_GRADIENT("wrt x") double tables(double x, int n) {
    const std::map<int, double> scale{{1, 2.5}};
    return scale.at(n) * x * x;
}
#else
GW_GRADIENT("wrt x") double variants(double x) {
    struct { int which; double real; int whole; } v{0, x * x, 0};
    if (x > 2) v.which = 1, v.whole = 3;
    return v.which == 0 ? v.real : x * v.whole;
}
GW_GRADIENT("wrt x") double arrays(double x) {
    std::vector<double> a(3, x);
    double sum = 0;
    for (double each : a) sum += each * each;
    return sum;
}
static double power(double a, double b) { return a * a * b; }
GW_GRADIENT("wrt x") double bound(double x) {
    return [&](double b) { return power(x, b); }(x);
}
GW_GRADIENT("wrt x") double sets(double x) {
    std::vector<double> s{x, x * x};
    if (s[1] < s[0]) std::swap(s[0], s[1]);
    return s[0];
}
static const std::map<int, double> scale{{1, 2.5}};
GW_GRADIENT("wrt x") double tables(double x, int n) { return scale.at(n) * x * x; }
#endif
// says: containers.cpp:13:31: error: a std::variant cannot be differentiated yet [unsupported]
// says:     std::variant<double, int> v = x * x;
// says:                               ^
// says:   way out: hold its alternatives as members, and a number that says which one is meant
// says: containers.cpp:18:27: error: a std::valarray cannot be differentiated yet [unsupported]
// says:     std::valarray<double> a(x, 3);
// says:                           ^
// says:   way out: use a std::vector and loops
// says: containers.cpp:19:13: error: a std::_Expr cannot be differentiated yet [unsupported]
// says:     return (a * a).sum();
// says:             ^
// says:   way out: use a std::vector and loops
// says: containers.cpp:23:12: error: a std::_Bind cannot be differentiated yet [unsupported]
// says:     return std::bind(power, x, std::placeholders::_1)(x);
// says:            ^
// says:   way out: use a lambda
// says: containers.cpp:26:22: error: a std::set cannot be differentiated yet [unsupported]
// says:     std::set<double> s{x, x * x};
// says:                      ^
// says:   way out: use a sorted std::vector; a table that nobody changes may be const at file scope
// says: containers.cpp:30:33: error: a std::map cannot be differentiated yet [unsupported]
// says:     const std::map<int, double> scale{{1, 2.5}};
// says:                                 ^
// says:   way out: use a std::vector; a table that nobody changes may be const at file scope
