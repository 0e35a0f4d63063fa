/* Plain C, an unnamed parameter, effects that have no derivative. */
#include <assert.h>
#include <gradwright/gradwright.h>
#include <stdio.h>

GW_GRADIENT("y wrt x")
void nothing(double *restrict y, const double *x, int n) {
    assert(n > 0);
    if (x[0] > 1e3) printf("large: %f\n", x[0]);
    y[0] = x[0] * (n > 2);
}
