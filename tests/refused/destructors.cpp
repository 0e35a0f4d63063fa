// Classes with destructors where their objects' ends cannot be told.
#include <gradwright/gradwright.h>
#include <vector>
struct counted {
    double x;
    ~counted() { x = 0; }
};
struct hidden {
    double *at;
    ~hidden();
};
struct table {
    double at[4];
    ~table() { at[0] = 0; }
};
GW_GRADIENT("wrt c") double a_parameter(counted c) { return c.x; }
GW_GRADIENT("wrt x") double a_vector_of_them(double x) {
    std::vector<counted> all(2);
    all[0].x = x;
    return all[0].x;
}
GW_GRADIENT("wrt x") double defined_elsewhere(double x) {
    hidden h{&x};
    return *h.at;
}
GW_GRADIENT("wrt x") double with_an_array(double x) {
    table t{{x}};
    return t.at[0];
}
GW_GRADIENT("wrt x") double in_the_head(double x, int n) {
    for (counted c{x}; n > 0; n--) x += c.x;
    return x;
}
static counted made(double x) { return counted{x}; }
GW_GRADIENT("wrt x") double in_a_condition(double x, int n) { return n > 2 && made(x).x > 1 ? x : 2 * x; }
GW_GRADIENT("wrt x") double its_end(double x) {
    counted c{x};
    c.~counted();
    return c.x;
}
GW_GRADIENT("wrt x") double bound_in_the_head(double x, int n) {
    for (const counted &c = made(x); n > 0; n--) x += c.x;
    return x;
}
struct view {
    const counted &of;
};
GW_GRADIENT("wrt x") double bound_by_a_list(double x) {
    view v{made(x)};
    return v.of.x;
}
// says: destructors.cpp:16:49: error: a class with a destructor cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt c") double a_parameter(counted c) { return c.x; }
// says:                                                 ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: destructors.cpp:18:26: error: a class with a destructor cannot be differentiated yet [unsupported]
// says:     std::vector<counted> all(2);
// says:                          ^
// says:   way out: pass or hold what the class holds: numbers, arrays, pointers
// says: destructors.cpp:23:12: error: a class whose destructor is defined elsewhere cannot be differentiated yet [unsupported]
// says:     hidden h{&x};
// says:            ^
// says:   way out: define it in this translation unit
// says: destructors.cpp:27:11: error: a class with arrays and a destructor cannot be differentiated yet [unsupported]
// says:     table t{{x}};
// says:           ^
// says:   way out: hold the array outside of the class
// says: destructors.cpp:31:18: error: a class with a destructor in the head of a statement cannot be differentiated yet [unsupported]
// says:     for (counted c{x}; n > 0; n--) x += c.x;
// says:                  ^
// says:   way out: declare the variable in a block around the statement
// says: destructors.cpp:35:63: error: an object without a name whose class has a destructor, in a condition, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double in_a_condition(double x, int n) { return n > 2 && made(x).x > 1 ? x : 2 * x; }
// says:                                                               ^
// says:   way out: declare a variable of it before
// says: destructors.cpp:38:5: error: a class with a destructor cannot be differentiated yet [unsupported]
// says:     c.~counted();
// says:     ^
// says:   way out: pass or hold what the class holds: numbers, arrays, pointers
// says: destructors.cpp:42:25: error: an object without a name whose class has a destructor, and that lives on, cannot be differentiated yet [unsupported]
// says:     for (const counted &c = made(x); n > 0; n--) x += c.x;
// says:                         ^
// says:   way out: declare a variable of it before
// says: destructors.cpp:49:10: error: an object without a name whose class has a destructor, and that lives on, cannot be differentiated yet [unsupported]
// says:     view v{made(x)};
// says:          ^
// says:   way out: declare a variable of it before
