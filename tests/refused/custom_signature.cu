#include <gradwright/gradwright.h>

double f(double x, int n, double y);
GW_DERIVATIVE_OF("pullback of f")
void one(double x, int n, double y, double d_return, double *d_x, const double *d_y);
GW_DERIVATIVE_OF("pullback of f")
void two(double x, int n, double y, double d_return, double *d_x);
GW_DERIVATIVE_OF("jvp of f")
void three(double x, int n, double y, double t_x, double t_y, double *t_return);
// says: custom_signature.cu:4:1: error: 'one' is no pullback of 'f': parameter 6 is 'const double *' instead of 'double *' [rule-signature]
// says: GW_DERIVATIVE_OF("pullback of f")
// says: ^
// says:   way out: declare it as 'void one(double x, int n, double y, double d_return, double *d_x, double *d_y)'
// says: custom_signature.cu:6:1: error: 'two' is no pullback of 'f': it has 5 parameters instead of 6 [rule-signature]
// says: GW_DERIVATIVE_OF("pullback of f")
// says: ^
// says:   way out: declare it as 'void two(double x, int n, double y, double d_return, double *d_x, double *d_y)'
// says: custom_signature.cu:8:1: error: 'three' is no jvp of 'f': it returns 'void' instead of 'double' [rule-signature]
// says: GW_DERIVATIVE_OF("jvp of f")
// says: ^
// says:   way out: declare it as 'double three(double x, int n, double y, double t_x, double t_y, double *t_return)'
