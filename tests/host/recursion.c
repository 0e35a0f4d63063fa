/* Functions that call themselves, directly and through each other, with and without a tape; the requested
 * function itself, and helpers of it. */
#include <math.h>

#include <gradwright/gradwright.h>

static double power(double v, int n) { return n == 0 ? 1.0 : v * power(v, n - 1); }

static double odd(double x, int n);
static double even(double x, int n) {
    if (n == 0) return x;
    return sin(odd(x, n - 1)) + 0.5 * x;
}
static double odd(double x, int n) {
    if (n == 0) return x * x;
    return x * even(x * 0.9, n - 1);
}

/* Adaptive Simpson: two calls each time, as deep as the values ask for. */
static double curve(double t, double a) {
    double y = t;
    while (y < 4) y = y * y * 0.1 + a + y;
    return exp(-y * y * 0.02) * a;
}
static double integral(double lo, double hi, double a, int depth) {
    double middle = 0.5 * (lo + hi), h = hi - lo;
    double coarse = h / 6 * (curve(lo, a) + 4 * curve(middle, a) + curve(hi, a));
    if (depth == 0 || h < 0.1) return coarse;
    return integral(lo, middle, a, depth - 1) + integral(middle, hi, a, depth - 1) + 0.01 * coarse;
}

GW_GRADIENT("wrt x, y")
GW_DERIVATIVE("wrt x, y")
double helpers(double x, double y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += power(x, i) * even(y, i) + odd(x * y, i) * sum;
    return sum + integral(0, x, y, 4);
}

GW_GRADIENT("wrt x")
double itself(double x, double scale, int n) {
    double t[4] = {x, 1, 2, 3};
    if (n <= 1) return x * scale;
    for (int i = 0; i < n; i++) t[i % 4] = t[i % 4] * t[(i + 1) % 4] * 0.4 + x;
    return itself(0.5 * x + t[n % 4] * 0.1, scale, n - 1) * cos(x) + itself(t[0], 0.5, n - 2);
}

#include "recursion.grad.h"

#include "difference.h"

static int count;
static double helpers_loss(const double *x) { return helpers(x[0], x[1], count); }
static double itself_loss(const double *x) { return itself(x[0], 0.75, count); }

int main(void) {
    double x[2] = {0.7, 1.3};
    for (count = 0; count < 8; count++) {
        double d[2] = {0, 0}, t_return;
        EXPECT(helpers_grad(x[0], x[1], count, &d[0], &d[1]) == GW_OK);
        check("helpers", helpers_loss, x, 2, d);
        EXPECT(helpers_jvp(x[0], x[1], count, 1, 2, &t_return) == helpers(x[0], x[1], count));
        EXPECT(fabs(t_return - (d[0] + 2 * d[1])) < 1e-11 * (1 + fabs(t_return)));
        d[0] = 0;
        EXPECT(itself_grad(x[0], 0.75, count, &d[0]) == GW_OK);
        check("itself", itself_loss, x, 1, d);
    }
    return difference_report();
}
