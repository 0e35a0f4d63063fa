// The same of the host.
#include <gradwright/gradwright.h>

#ifdef PRIMAL_BYTES // a pullback that writes to what it is given
double first(double *x) { return x[0] * x[0]; }
GW_DERIVATIVE_OF("pullback of first") void first_back(double *x, double d_return, double *d_x) {
    d_x[0] += 2 * x[0] * d_return;
    x[1] = 7;
}
GW_GRADIENT("wrt x") double defect(double *x) { return first(x); }
#endif

#ifdef FORWARD // the forward derivative is wrong, the gradient is not
double square(double x) { return x * x; }
GW_DERIVATIVE_OF("pullback of square") void square_back(double x, double d_return, double *d_x) {
    *d_x += 2 * x * d_return;
}
GW_DERIVATIVE_OF("jvp of square") double square_forward(double x, double t_x, double *t_return) {
    *t_return = 2.2 * x * t_x;
    return x * x;
}
GW_GRADIENT("wrt x") double defect(double x) { return square(x) + x; }
#endif

#ifdef ADDED // a pullback overwrites the adjoint instead of adding to it
double square(double *x) { return x[0] * x[0]; }
GW_DERIVATIVE_OF("pullback of square") void square_back(double *x, double d_return, double *d_x) {
    d_x[0] = 2 * x[0] * d_return;
}
GW_GRADIENT("wrt x") double defect(double *x) { return square(x); }
#endif

#ifdef CRASH
GW_GRADIENT("wrt x") double defect(const double *x, const int *list) { return x[100000000 + list[0]] * x[0]; }
#endif

#include "defects.grad.hpp"
