/* A program of two files: both have the gradient of a function of their common header. */
#include "files/area.h"

#include "files.grad.h"

#include "difference.h"

static double loss(const double *x) {
    const struct ring r = {x[0], x[1], 1};
    return area(&r, 40);
}

int main(void) {
    const double x[2] = {0.4, 1.1};
    const struct ring r = {x[0], x[1], 1};
    struct ring d_r = {0, 0, 0};
    EXPECT(area_grad(&r, 40, &d_r) == GW_OK);
    const double d[2] = {d_r.inner, d_r.outer};
    check("area", loss, x, 2, d);
    EXPECT(second_slope(x[0], x[1], 40) == d[0]);
    return difference_report();
}
