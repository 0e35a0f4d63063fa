#include <gradwright/gradwright.h>
#include <cmath>

#ifdef OBEYED
GW_GRADIENT("wrt x") double a_special_function(double x) { return x * x; }
#else
GW_GRADIENT("wrt x") double a_special_function(double x) { return std::cyl_bessel_j(0.5, x); }
#endif
GW_GRADIENT("wrt x") double memory_of_the_device(double x) {
#ifndef OBEYED
    cudaHostRegister(&x, sizeof x, 0);
#endif
    return x * x;
}
struct base { double weight; };
#ifdef OBEYED
struct hiding : base { double other_weight; };
#else
struct hiding : base { double weight; };
#endif
GW_GRADIENT("wrt s.weight") double a_hidden_member(hiding s) { return s.weight * s.weight; }
struct counted {
    double x;
#ifndef OBEYED
    ~counted() { x = 0; }
#endif
};
GW_GRADIENT("wrt x") double a_destructor(double x) {
    counted c{x};
    const double y = c.x * x;
#ifdef OBEYED
    c.x = 0;
#else
    c.~counted();
#endif
    return y + c.x;
}
// obeys: unsupported
// says: library_calls.cu:7:67: error: std::cyl_bessel_j of the library cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double a_special_function(double x) { return std::cyl_bessel_j(0.5, x); }
// says:                                                                   ^
// says:   way out: write it with loops and assignments
// says: library_calls.cu:11:5: error: cudaHostRegister of the library cannot be differentiated yet [unsupported]
// says:     cudaHostRegister(&x, sizeof x, 0);
// says:     ^
// says:   way out: call it outside of the function: allocate, copy and launch there, and request gradients of kernels
// says: library_calls.cu:21:1: error: a member that hides one of a base class cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt s.weight") double a_hidden_member(hiding s) { return s.weight * s.weight; }
// says: ^
// says:   way out: give the two members different names
// says: library_calls.cu:34:5: error: a class with a destructor cannot be differentiated yet [unsupported]
// says:     c.~counted();
// says:     ^
// says:   way out: pass or hold what the class holds: numbers, arrays, pointers
