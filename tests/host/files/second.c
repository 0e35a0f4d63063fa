/* The other source of the program: the gradient of the header's function again. */
#include "files/area.h"

#include "second.grad.h"

double second_slope(double inner, double outer, int corners) {
    const struct ring r = {inner, outer, 1};
    struct ring d = {0, 0, 0};
    return area_grad(&r, corners, &d) == GW_OK ? d.inner : NAN;
}
