// A function with a derivative of one's own takes integers: emitted calls write an enumerator as its number.
#include <gradwright/gradwright.h>

enum kind { even, odd };
#ifdef OBEYED
typedef int parity;
#else
typedef kind parity;
#endif
double f(double x, parity k);
GW_DERIVATIVE_OF("pullback of f")
static void f_back(double x, parity k, double d_return, double *d_x) {
    *d_x += k == odd ? -d_return : d_return * x;
}

GW_GRADIENT("wrt x")
double twice(double x) { return f(x, odd) * f(x, even); }
// says: rule_of_enumeration.cu:11:1: error: 'f' can have no custom derivative: it takes an enumeration: take an integer [rule-function]
// says: GW_DERIVATIVE_OF("pullback of f")
// says: ^
// says:   way out: annotate a function of scalars that returns one, all floating-point ones of one type, or on the host one of scalars and pointers to scalars; or one that names a stream, of numbers, pointers to such and handles, which returns a status or nothing; a library's function that is neither (void *, descriptors) is called in one of your own that is, and that one is annotated
