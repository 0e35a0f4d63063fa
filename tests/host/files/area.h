/* Functions of a header: each source that includes it may have their gradients. */
#ifndef AREA_H
#define AREA_H
#include <math.h>

#include <gradwright/gradwright.h>

struct ring {
    double inner, outer;
    _Bool closed;
};

GW_GRADIENT("wrt r")
static inline double area(const struct ring *restrict r, int corners) {
    double sum = 0, scale = 1;
    for (int i = 0; i < corners; i++) {
        const double angle = 6.25 * i / corners;
        scale = scale * (1 - 0.1 * r->inner) + 0.05 * r->outer;
        sum += (r->outer * cos(angle) + scale) * (r->closed ? r->inner : 1.5f);
    }
    return sum;
}

double second_slope(double inner, double outer, int corners);

#endif
