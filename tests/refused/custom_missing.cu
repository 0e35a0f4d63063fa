#include <gradwright/gradwright.h>

double f(double x);
GW_DERIVATIVE_OF("jvp of f")
#ifdef OBEYED
double f_forward(double x, double t_x, double *t_return);
GW_DERIVATIVE_OF("pullback of f") void f_back(double x, double d_return, double *d_x);
#else
double f_forward(double x, double t_x, double *t_return);
#endif

GW_GRADIENT("wrt x")
double uses(double x) { return f(x) * x; }
// obeys: missing-rule
// says: custom_missing.cu:13:32: error: 'f' has no custom pullback, which this derivative needs, and no body here [missing-rule]
// says: double uses(double x) { return f(x) * x; }
// says:                                ^
// says:   way out: write one: GW_DERIVATIVE_OF("pullback of f")
