#include <gradwright/gradwright.h>

double f(double x);
GW_DERIVATIVE_OF("pullback of f")
void f_back(double x, double d_return, double *d_x);

GW_DERIVATIVE("wrt x")
double uses(double x) { return f(x) * x; }
// says: custom_missing_jvp.cu:8:32: error: 'f' has no custom jvp, which this derivative needs, and no body here [missing-rule]
// says: double uses(double x) { return f(x) * x; }
// says:                                ^
// says:   way out: write one: GW_DERIVATIVE_OF("jvp of f")
