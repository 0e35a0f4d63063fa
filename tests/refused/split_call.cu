#include <gradwright/gradwright.h>

double power(const double *x, int n) { return n == 0 ? 1 : x[0] * power(x, n - 1); }

GW_SPLIT_GRADIENT("y wrt x")
void with_pointer(double *y, const double *x) {
    double work[8] = {x[0]};
    *y = power(work, 3);
}
// says: split_call.cu:8:10: error: a call with pointers, in two halves, cannot be differentiated yet [unsupported]
// says:     *y = power(work, 3);
// says:          ^
// says:   way out: ask for GW_GRADIENT, which runs both in one call
