#include <math.h>

#include <gradwright/gradwright.h>

GW_DERIVATIVE("wrt x, y")
double product(double x, double y) { return x * y + sin(x) / y; }

/* What is stored without a derivative has the tangent 0. */
GW_DERIVATIVE("x wrt x, dt")
void step(int n, double *x, const double *v, double dt) {
    for (int i = 1; i < n; i++) x[i] -= x[i - 1] * x[i] + v[i] * dt;
    x[0] = 1;
}
