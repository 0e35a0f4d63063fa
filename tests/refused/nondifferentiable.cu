#include <gradwright/gradwright.h>

struct log {
    int lines;
#ifdef OBEYED
    GW_NONDIFFERENTIABLE int number(double x) const { return lines + (x > 0); }
#else
    GW_NONDIFFERENTIABLE void changes(double x) { lines += x > 0; }
    GW_NONDIFFERENTIABLE virtual int is_virtual(double x) const { return x > 0; }
    GW_NONDIFFERENTIABLE const int *no_number(double) const { return &lines; }
#endif
};
GW_GRADIENT("wrt x") double square(double x) { return x * x; }
// obeys: no-mark
// says: nondifferentiable.cu:8:5: error: 'log::changes' cannot be GW_NONDIFFERENTIABLE: it may change its object or what it is given: make it const [no-mark]
// says:     GW_NONDIFFERENTIABLE void changes(double x) { lines += x > 0; }
// says:     ^
// says:   way out: mark functions that return a number or nothing and change nothing
// says: nondifferentiable.cu:9:5: error: 'log::is_virtual' cannot be GW_NONDIFFERENTIABLE: it is virtual: mark a function that it calls [no-mark]
// says:     GW_NONDIFFERENTIABLE virtual int is_virtual(double x) const { return x > 0; }
// says:     ^
// says:   way out: mark functions that return a number or nothing and change nothing
// says: nondifferentiable.cu:10:5: error: 'log::no_number' cannot be GW_NONDIFFERENTIABLE: it returns no number [no-mark]
// says:     GW_NONDIFFERENTIABLE const int *no_number(double) const { return &lines; }
// says:     ^
// says:   way out: mark functions that return a number or nothing and change nothing
