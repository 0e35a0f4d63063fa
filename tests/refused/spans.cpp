// flags: -std=c++20
// std::span and std::optional where they are no variables of their own.
#include <gradwright/gradwright.h>
#include <optional>
#include <span>
#include <vector>

GW_GRADIENT("wrt x") double a_parameter(std::span<const double> x) { return x[0] * x[0]; }
GW_GRADIENT("wrt x") double an_option(double x, std::optional<double> k) { return x * k.value_or(2); }
struct holder {
    std::optional<double> by;
    double of(double x) const { return x * x; }
};
GW_GRADIENT("wrt x") double a_member(double x, const holder &h) { return h.of(x); }
static holder at_file_scope;
static std::optional<double> alone;
GW_GRADIENT("wrt x") double a_variable(double x) { return alone ? x * x : at_file_scope.of(x); }
GW_GRADIENT("wrt x") std::optional<double> a_result(double x) { return x * x; }
GW_GRADIENT("wrt x") double a_part(const double *x) {
    const std::span<const double> all(x, 4);
    return all.subspan<1, 2>()[0] * x[0];
}
GW_GRADIENT("wrt x") double an_array(double x) {
    holder h[2];
    return h[0].of(x);
}
GW_GRADIENT("wrt x") double elements(double x) {
    std::vector<std::optional<double>> all(2);
    all[0] = x;
    return *all[0] * x;
}
GW_GRADIENT("wrt x") double caught(double x) {
    std::optional<double> none;
    try {
        return none.value() * x;
    } catch (const std::bad_optional_access &) { return x * x; }
}
static double asked(const std::optional<double> &o) { return o.value(); }
GW_GRADIENT("wrt x") double caught_in_a_call(double x) {
    std::optional<double> none;
    double y = x;
    try {
        y = asked(none);
    } catch (...) { y = x * x; }
    return y;
}
GW_GRADIENT("wrt x") double of_another(float x) {
    std::optional<float> o = x;
    std::optional<double> wide = o;
    return *wide * x;
}
struct mine {
    double v[2];
    const double *begin() const { return v; }
    const double *end() const { return v + 2; }
    const double *data() const { return v; }
    size_t size() const { return 2; }
};
GW_GRADIENT("wrt x") double of_a_class(double x) {
    mine m{{x, 2}};
    std::span<const double> all(m);
    return all[0] * all[1] * x;
}
// says: spans.cpp:8:65: error: a std::span as a parameter cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double a_parameter(std::span<const double> x) { return x[0] * x[0]; }
// says:                                                                 ^
// says:   way out: pass a pointer and a number
// says: spans.cpp:9:71: error: a std::optional as a parameter cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double an_option(double x, std::optional<double> k) { return x * k.value_or(2); }
// says:                                                                       ^
// says:   way out: pass the value, and whether there is one
// says: spans.cpp:14:62: error: a std::optional in a parameter cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double a_member(double x, const holder &h) { return h.of(x); }
// says:                                                              ^
// says:   way out: pass a struct of plain members
// says: spans.cpp:16:30: error: a std::optional at file scope cannot be differentiated yet [unsupported]
// says: static std::optional<double> alone;
// says:                              ^
// says:   way out: hold the value, and a bool that says whether there is one
// says: spans.cpp:18:44: error: a returned std::optional or std::span cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") std::optional<double> a_result(double x) { return x * x; }
// says:                                            ^
// says:   way out: return a scalar or a struct of such, or write through a pointer parameter
// says: spans.cpp:21:12: error: a part of a std::span whose numbers are template arguments cannot be differentiated yet [unsupported]
// says:     return all.subspan<1, 2>()[0] * x[0];
// says:            ^
// says:   way out: give them as arguments: v.subspan(1, 2)
// says: spans.cpp:24:12: error: a std::optional in an array cannot be differentiated yet [unsupported]
// says:     holder h[2];
// says:            ^
// says:   way out: hold the value, and a bool that says whether there is one
// says: spans.cpp:28:40: error: a std::optional in an array cannot be differentiated yet [unsupported]
// says:     std::vector<std::optional<double>> all(2);
// says:                                        ^
// says:   way out: hold the value, and a bool that says whether there is one
// says: spans.cpp:35:16: error: what may throw in a try block, and nobody sees whether it does, cannot be differentiated yet [unsupported]
// says:         return none.value() * x;
// says:                ^
// says:   way out: do it before or behind the block, or say noexcept where it throws nothing
// says: spans.cpp:38:62: error: what may throw in a try block, and nobody sees whether it does, cannot be differentiated yet [unsupported]
// says: static double asked(const std::optional<double> &o) { return o.value(); }
// says:                                                              ^
// says:   way out: do it before or behind the block, or say noexcept where it throws nothing
// says: spans.cpp:49:34: error: a std::optional that is made of one of another type cannot be differentiated yet [unsupported]
// says:     std::optional<double> wide = o;
// says:                                  ^
// says:   way out: give it the value
// says: spans.cpp:61:29: error: a std::span of such a container cannot be differentiated yet [unsupported]
// says:     std::span<const double> all(m);
// says:                             ^
// says:   way out: give it a pointer and a number
