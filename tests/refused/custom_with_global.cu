#include <gradwright/gradwright.h>

static double table[4], scale;
static double looked_up(int i) { return table[i % 4] * scale; }
double energy(double x, int i) { return x * looked_up(i); }
GW_DERIVATIVE_OF("pullback of energy")
void energy_back(double x, int i, double d_return, double *d_x) {
    (void)x;
    *d_x += d_return * looked_up(i);
}

GW_GRADIENT("wrt x, table")
double read_by_both(double x, int i) { return energy(x, i) + table[0] * x; }
GW_DERIVATIVE("wrt scale")
double read_by_callee(double x, int i) { return energy(x, i); }
GW_GRADIENT("wrt x, missing")
double read_by_none(double x, int i) { return energy(x, i); }
// says: custom_with_global.cu:12:1: error: a request for a variable that a function with a custom derivative uses cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x, table")
// says: ^
// says:   way out: pass the variable as a parameter
// says: custom_with_global.cu:14:1: error: a request for a variable that a function with a custom derivative uses cannot be differentiated yet [unsupported]
// says: GW_DERIVATIVE("wrt scale")
// says: ^
// says:   way out: pass the variable as a parameter
// says: custom_with_global.cu:16:1: error: 'missing' names no parameter of 'read_by_none' [unknown-name]
// says: GW_GRADIENT("wrt x, missing")
// says: ^
// says:   way out: name one of 'x', 'i'
