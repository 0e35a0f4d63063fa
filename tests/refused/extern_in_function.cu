#include <gradwright/gradwright.h>

#ifdef OBEYED
extern double factor;
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wrt x")
#endif
void scale(double *y, const double *x) {
#ifndef OBEYED
    extern double factor;
#endif
    y[0] = x[0] * factor;
}
// obeys: unsupported
// says: extern_in_function.cu:13:19: error: a variable that is declared extern in a function cannot be differentiated yet [unsupported]
// says:     y[0] = x[0] * factor;
// says:                   ^
// says:   way out: declare it at file scope, before its first use
