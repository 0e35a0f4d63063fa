// A header would mean something else in another source, which is read behind this one.
// args: others/other_meaning.cpp
// obeys: not-together
#ifdef OBEYED
#define REAL float
#endif
#include "others/real.h"
#include <gradwright/gradwright.h>
double narrowed(double x);
GW_GRADIENT("wrt x") double f(double x) { return narrowed(x) * rounded(x); }
// says: ./others/real.h:5:13: error: './others/other_meaning.cpp' has the body of a function that 'others_meaning.cpp' calls, but cannot be read behind it: 'rounded' would mean something else [not-together]
// says: inline REAL rounded(REAL x) { return x; }
// says:             ^
// says:   way out: rename it in one of them, or let both see the same declarations and macros
