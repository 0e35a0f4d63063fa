// Parts of objects whose whole nobody knows, and objects made where others are.
#include <gradwright/gradwright.h>
#include <cstdint>
#include <new>

struct base {
    virtual double area(double x) const { return x; }
    double twice(double x) const { return 2 * area(x); }
};
struct square : base {
    double area(double x) const override { return x * x; }
};
GW_GRADIENT("wrt x") double by_its_base(double x, const square &of) { return of.twice(x); }

template <class D> struct crtp {
    double first() const { return static_cast<const D *>(this)->at(0); }
};
struct three : crtp<three> {
    double x[3];
    double at(int i) const { return x[i]; }
};
GW_GRADIENT("wrt x") double only_a_base(double x, const crtp<three> &of) { return x * of.first(); }
GW_GRADIENT("wrt x") double made_as_another(double x) {
    double of = x;
    float *at = new (&of) float(2);
    return x * *at;
}
GW_GRADIENT("wrt x") double an_address(double x, const double *of) {
    return (std::uintptr_t)of % 16 ? x : 2 * x;
}
GW_GRADIENT("wrt x") double an_address_reinterpreted(double x, const double *of) {
    return x * (double)(reinterpret_cast<std::intptr_t>(of) & 8);
}
// says: parts_of_objects.cpp:8:47: error: a virtual call cannot be differentiated yet [unsupported]
// says:     double twice(double x) const { return 2 * area(x); }
// says:                                               ^
// says:   way out: call the member of the class that is meant
// says: parts_of_objects.cpp:16:35: error: a pointer cast to another type cannot be differentiated yet [unsupported]
// says:     double first() const { return static_cast<const D *>(this)->at(0); }
// says:                                   ^
// says:   way out: access memory by its own type
// says: parts_of_objects.cpp:25:17: error: operator new at a place of another type cannot be differentiated yet [unsupported]
// says:     float *at = new (&of) float(2);
// says:                 ^
// says:   way out: assign to the object that is there
// says: parts_of_objects.cpp:29:12: error: a pointer used as a number cannot be differentiated yet [unsupported]
// says:     return (std::uintptr_t)of % 16 ? x : 2 * x;
// says:            ^
// says:   way out: use the difference of two pointers
// says: parts_of_objects.cpp:32:25: error: a pointer used as a number cannot be differentiated yet [unsupported]
// says:     return x * (double)(reinterpret_cast<std::intptr_t>(of) & 8);
// says:                         ^
// says:   way out: use the difference of two pointers
