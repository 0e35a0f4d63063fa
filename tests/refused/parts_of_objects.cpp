// Objects made where others are, and addresses as numbers.
#include <gradwright/gradwright.h>
#include <cstdint>
#include <new>

GW_GRADIENT("wrt x") double made_as_another(double x) {
    double of = x;
    float *at = new (&of) float(2);
    return x * *at;
}
struct unfinished {
    double k;
    explicit unfinished(double x) { k = twice(x); }
    virtual double area(double x) const = 0;
    double twice(double x) const { return 2 * area(x); }
};
struct finished : unfinished {
    explicit finished(double x) : unfinished(x) {}
    double area(double x) const override { return x * x; }
};
GW_GRADIENT("wrt x") double while_it_is_made(double x) { return finished(x).k; }
GW_GRADIENT("wrt x") double an_address(double x, const double *of) {
    return (std::uintptr_t)of % 16 ? x : 2 * x;
}
GW_GRADIENT("wrt x") double an_address_reinterpreted(double x, const double *of) {
    return x * (double)(reinterpret_cast<std::intptr_t>(of) & 8);
}
// says: parts_of_objects.cpp:8:17: error: operator new at a place of another type cannot be differentiated yet [unsupported]
// says:     float *at = new (&of) float(2);
// says:                 ^
// says:   way out: assign to the object that is there
// says: parts_of_objects.cpp:15:47: error: a virtual call cannot be differentiated yet [unsupported]
// says:     double twice(double x) const { return 2 * area(x); }
// says:                                               ^
// says:   way out: call the member of the class that is meant
// says: parts_of_objects.cpp:23:12: error: a pointer used as a number cannot be differentiated yet [unsupported]
// says:     return (std::uintptr_t)of % 16 ? x : 2 * x;
// says:            ^
// says:   way out: use the difference of two pointers
// says: parts_of_objects.cpp:26:25: error: a pointer used as a number cannot be differentiated yet [unsupported]
// says:     return x * (double)(reinterpret_cast<std::intptr_t>(of) & 8);
// says:                         ^
// says:   way out: use the difference of two pointers
