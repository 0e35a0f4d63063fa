// The variable keeps what x[0] was in the first call.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
void scale(double *y, const double *x) {
    static const double half = 0.5, table[2] = {half, 2 * half};
    static const double more[1] = {table[1]}, first[2] = {table[0] * half, x[0] * 2};
    y[0] = first[1] * x[1] * more[0];
}
// says: static_of_first_call.cu:7:47: error: a static local variable cannot be differentiated yet [unsupported]
// says:     static const double more[1] = {table[1]}, first[2] = {table[0] * half, x[0] * 2};
// says:                                               ^
// says:   way out: pass it as a parameter
