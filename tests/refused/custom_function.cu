#include <gradwright/gradwright.h>

double f(double x);
double g(const double *x);
double g(double x);
int h(double x);
GW_DERIVATIVE_OF("pullback of f")
void first(double x, double d_return, double *d_x);
GW_DERIVATIVE_OF("pullback of f")
void second(double x, double d_return, double *d_x);
GW_DERIVATIVE_OF("pullback of missing")
void third(double x, double d_return, double *d_x);
GW_DERIVATIVE_OF("pullback of g")
void fourth(double x, double d_return, double *d_x);
GW_DERIVATIVE_OF("pullback of g(const double *)")
void fifth(const double *x, double d_return, double *d_x);
GW_DERIVATIVE_OF("pullback of h")
void sixth(double x, int d_return, double *d_x);
GW_DERIVATIVE_OF("gradient of f")
void seventh(double x, double d_return, double *d_x);
// says: custom_function.cu:9:1: error: 'f' has another custom pullback already: 'first' [rule-twice]
// says: GW_DERIVATIVE_OF("pullback of f")
// says: ^
// says:   way out: keep one of them
// says: custom_function.cu:11:1: error: no function 'missing' in this translation unit [unknown-function]
// says: GW_DERIVATIVE_OF("pullback of missing")
// says: ^
// says:   way out: check the spelling, or qualify the name with its namespace
// says: custom_function.cu:13:1: error: cannot read 'pullback of g': several functions have this name [bad-rule]
// says: GW_DERIVATIVE_OF("pullback of g")
// says: ^
// says:   way out: write 'pullback of f' or 'jvp of f'; of one of several functions, 'pullback of f(double, int)'
// says: custom_function.cu:15:1: error: 'g' can have no custom derivative: it takes or returns other things than scalars by value, or floating-point numbers of several types [rule-function]
// says: GW_DERIVATIVE_OF("pullback of g(const double *)")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type
// says: custom_function.cu:17:1: error: 'h' can have no custom derivative: it returns no floating-point number [rule-function]
// says: GW_DERIVATIVE_OF("pullback of h")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type
// says: custom_function.cu:19:1: error: cannot read 'gradient of f': it says neither 'pullback of' nor 'jvp of' [bad-rule]
// says: GW_DERIVATIVE_OF("gradient of f")
// says: ^
// says:   way out: write 'pullback of f' or 'jvp of f'; of one of several functions, 'pullback of f(double, int)'
