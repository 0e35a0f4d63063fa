/* Functions that are called and requested: the call's derivatives have more inputs and names of their own. */
#include "difference.h"

#include <gradwright/gradwright.h>

/* Too large to be inlined. */
#define STEP(k) s = s * x + sin(s * y) - k * x / (1 + y * y);
#define STEPS(k) STEP(k) STEP(k + 1) STEP(k + 2) STEP(k + 3) STEP(k + 4) STEP(k + 5) STEP(k + 6) STEP(k + 7)
double large(double x, double y);

GW_GRADIENT("wrt x, y") GW_DERIVATIVE("wrt x") double product(double x, double y) {
    return large(x, y) * large(y, x);
}

GW_GRADIENT("wrt x")
GW_GRADIENT("large_wrt_y = wrt y") GW_DERIVATIVE("wrt y") double large(double x, double y) {
    double s = x;
    STEPS(0) STEPS(1) STEPS(2) STEPS(3)
    return s;
}

GW_GRADIENT("wrt x") double after(double x, double y) { return large(y, x) * x; }

#include "called.grad.h"

static double loss_product(const double *x) { return product(x[0], x[1]); }
static double loss_large(const double *x) { return large(x[0], x[1]); }
static double loss_after(const double *x) { return after(x[0], 0.4); }

int main(void) {
    const double at[2] = {0.3, 0.4};
    double d[2] = {0, 0}, t = 0;
    product_grad(at[0], at[1], &d[0], &d[1]);
    check("product", loss_product, at, 2, d);
    double both = d[0];
    product_jvp(at[0], at[1], 1, &t);
    EXPECT(fabs(t - both) <= 1e-9 * fabs(both));
    d[0] = d[1] = 0;
    large_grad(at[0], at[1], &d[0]);
    large_wrt_y(at[0], at[1], &d[1]);
    check("large", loss_large, at, 2, d);
    large_jvp(at[0], at[1], 1, &t);
    EXPECT(fabs(t - d[1]) <= 1e-9 * fabs(d[1]));
    d[0] = 0;
    large_wrt_y_pullback(at[0], at[1], 2, &d[0]);
    EXPECT(fabs(2 * t - d[0]) <= 1e-9 * fabs(d[0]));
    d[0] = 0;
    after_grad(at[0], 0.4, &d[0]);
    check("after", loss_after, at, 1, d);
    return difference_report();
}
