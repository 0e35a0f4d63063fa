#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
void scale(double *y, const double *x) {
    extern double factor;
    y[0] = x[0] * factor;
}
// says: extern_in_function.cu:6:19: error: a variable that is declared extern in a function cannot be differentiated yet [unsupported]
// says:     y[0] = x[0] * factor;
// says:                   ^
// says:   way out: declare it at file scope, before its first use
