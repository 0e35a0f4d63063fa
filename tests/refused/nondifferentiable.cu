#include <gradwright/gradwright.h>

struct log {
    int lines;
    GW_NONDIFFERENTIABLE void changes(double x) { lines += x > 0; }
    GW_NONDIFFERENTIABLE virtual int is_virtual(double x) const { return x > 0; }
    GW_NONDIFFERENTIABLE const int *no_number(double) const { return &lines; }
};
GW_GRADIENT("wrt x") double square(double x) { return x * x; }
// says: nondifferentiable.cu:5:5: error: 'log::changes' cannot be GW_NONDIFFERENTIABLE: it may change its object or what it is given: make it const [no-mark]
// says:     GW_NONDIFFERENTIABLE void changes(double x) { lines += x > 0; }
// says:     ^
// says:   way out: mark functions that return a number or nothing and change nothing
// says: nondifferentiable.cu:6:5: error: 'log::is_virtual' cannot be GW_NONDIFFERENTIABLE: it is virtual: mark a function that it calls [no-mark]
// says:     GW_NONDIFFERENTIABLE virtual int is_virtual(double x) const { return x > 0; }
// says:     ^
// says:   way out: mark functions that return a number or nothing and change nothing
// says: nondifferentiable.cu:7:5: error: 'log::no_number' cannot be GW_NONDIFFERENTIABLE: it returns no number [no-mark]
// says:     GW_NONDIFFERENTIABLE const int *no_number(double) const { return &lines; }
// says:     ^
// says:   way out: mark functions that return a number or nothing and change nothing
