#include <gradwright/gradwright.h>

double f(double x);
double g(const double *const *x);
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
GW_DERIVATIVE_OF("pullback of g(const double *const *)")
void fifth(const double *const *x, double d_return, double *d_x);
GW_DERIVATIVE_OF("pullback of h")
void sixth(double x, int d_return, double *d_x);
GW_DERIVATIVE_OF("gradient of f")
void seventh(double x, double d_return, double *d_x);

__device__ float sampled(const float *x, int i);
GW_DERIVATIVE_OF("pullback of sampled")
__device__ void eighth(const float *x, int i, float d_return, float *d_x);
double by_reference(const double &x);
GW_DERIVATIVE_OF("pullback of by_reference")
void ninth(const double &x, double d_return, double *d_x);
GW_NONDIFFERENTIABLE void counts(double *y, int n);
double dot(const double *x, int n, double scale);
GW_DERIVATIVE_OF("pullback of dot")
void tenth(const double *x, int n, double scale, double d_return, const double *d_x, double *d_scale);
GW_DERIVATIVE_OF("jvp of dot")
double eleventh(const double *x, int n, double scale, const double *t_x, double t_scale);
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
// says:   way out: add the parameters: 'pullback of f(double, int)'
// says: custom_function.cu:15:1: error: 'g' can have no custom derivative: it takes or returns other things than scalars by value, or floating-point numbers of several types [rule-function]
// says: GW_DERIVATIVE_OF("pullback of g(const double *const *)")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: custom_function.cu:17:1: error: 'h' can have no custom derivative: it returns no floating-point number [rule-function]
// says: GW_DERIVATIVE_OF("pullback of h")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: custom_function.cu:19:1: error: cannot read 'gradient of f': it says neither 'pullback of' nor 'jvp of' [bad-rule]
// says: GW_DERIVATIVE_OF("gradient of f")
// says: ^
// says:   way out: write 'pullback of f' or 'jvp of f'
// says: custom_function.cu:23:1: error: 'sampled' can have no custom derivative: it takes pointers on the device [rule-function]
// says: GW_DERIVATIVE_OF("pullback of sampled")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: custom_function.cu:26:1: error: 'by_reference' can have no custom derivative: it takes a reference: take a pointer [rule-function]
// says: GW_DERIVATIVE_OF("pullback of by_reference")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: custom_function.cu:28:1: error: 'counts' can have no custom derivative: it writes floating-point numbers through a pointer, whose derivatives would be lost [rule-function]
// says: GW_NONDIFFERENTIABLE void counts(double *y, int n);
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
// says: custom_function.cu:30:1: error: 'tenth' is no pullback of 'dot': parameter 5 is 'const double *' instead of 'double *' [rule-signature]
// says: GW_DERIVATIVE_OF("pullback of dot")
// says: ^
// says:   way out: declare it as 'void tenth(const double *x, int n, double scale, double d_return, double *d_x, double *d_scale)'
// says: custom_function.cu:32:1: error: 'eleventh' is no jvp of 'dot': it has 5 parameters instead of 6 [rule-signature]
// says: GW_DERIVATIVE_OF("jvp of dot")
// says: ^
// says:   way out: declare it as 'double eleventh(const double *x, int n, double scale, const double *t_x, double t_scale, double *t_return)'
