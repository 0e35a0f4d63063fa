/* Gradients of functions whose bodies are in two.c. */
#include "pair.h"
#include <gradwright/gradwright.h>
#include <math.h>
#include <stdio.h>

struct cell { /* another one than two.c's */
    double a;
};
static double helper(struct cell c) { return c.a * c.a; }

GW_GRADIENT("wrt x, p.u")
double one(const double *x, struct pair p, int n) {
    const struct cell c = {x[0]};
    return two(x, n) * helper(c) + of_pair(&p) + power(x[1], 4) + large(x[0], x[1]);
}

GW_GRADIENT("y wrt x")
void filled(double *y, const double *x, int n) { fill(y, x, n); }

#include "one.grad.h"

int main(void) {
    double x[3] = {0.7, 1.2, -0.4}, d_x[3] = {0}, y[3], d_y[3] = {1, 1, 1};
    struct pair p = {1.5, 2}, d_p = {0, 0};
    int failed = one_grad(x, p, 3, d_x, &d_p) != GW_OK;
    for (int i = 0; i < 4; i++) {
        double *at = i < 3 ? &x[i] : &p.u, is = i < 3 ? d_x[i] : d_p.u, was = *at, h = 1e-5;
        *at = was + h;
        const double above = one(x, p, 3);
        *at = was - h;
        const double want = (above - one(x, p, 3)) / (2 * h);
        *at = was;
        if (fabs(is - want) > 1e-6 * fmax(1, fabs(want))) failed = 1, printf("%d: %g, not %g\n", i, is, want);
    }
    d_x[0] = d_x[1] = d_x[2] = 0;
    filled_grad(y, x, 3, d_y, d_x);
    for (int i = 0; i < 3; i++) failed |= fabs(d_x[i] - 3 * x[i] * x[i]) > 1e-12;
    return failed;
}
