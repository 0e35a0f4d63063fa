/*
 * slope.c - the slope of L along a direction by central differences, and whether it has one (contract:
 * check_private.h).
 *
 * The rule. A step is eps^(1/4) of what the function's least precise number has, times the greatest value of
 * the array that moves, or of that member of its elements: 0.019 of it for float, 1.2e-4 for double. Values are
 * taken at one step, a half and a quarter of it to both sides; the sums over cells are made in double. The
 * slope is Richardson's of the first two; what the second is from it, or from the third, is what it may be off
 * by. One-sided differences come together in proportion to the step where the function is smooth; where they do
 * not, a kink or a jump lies within the step.
 *
 * What rounding does to a value is measured: in fourth differences over steps a thousandth as long, of all
 * cells at once, nothing else is left of a smooth function, and little of a kink. A slope is off by that over
 * the step, however small it is itself: so this is allowed whole, and a slope that drowns in it is not one that
 * was compared.
 */
#include "check_private.h"

#include <math.h>

enum { STEPS = 3 };
static const double ROUGH = 0.2; /* share of a slope: what is less certain is not compared */

typedef struct samples {
    double central[STEPS], ahead[STEPS], behind[STEPS], noise[STEPS], rounding[STEPS], size;
} samples;

static bool values_at(gw_check *c, const double *direction, double by, double *out) {
    gw_check_move(c, direction, by);
    if (!gw_check_run(c, c->f->primal, "primal")) return false;
    gw_check_get_values(c, out);
    return true;
}

/* What one run may put the value off by. */
static double rounding(const gw_check *c, size_t place) {
    return fmax(c->noise[place], c->epsilon / 2 * fabs(c->middle[place]));
}

/* A value that does not change tells nothing of less than its own rounding: of all of them, the worst one's. */
static double rounding_of_one(const gw_check *c) {
    double most = 0;
    for (size_t i = 0; i < c->count; i++)
        if (!c->added[c->places[i].param]) most = fmax(most, fabs(c->seeds[i]) * rounding(c, i));
    return most;
}

static void sum(const gw_check *c, double step, unsigned k, samples *out) {
    out->central[k] = out->ahead[k] = out->behind[k] = out->noise[k] = out->rounding[k] = 0;
    double size = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->added[c->places[i].param]) continue;
        const double ahead = c->above[i] - c->middle[i], behind = c->middle[i] - c->below[i];
        const double seed = c->seeds[i], range = 2 * c->epsilon * fabs(c->middle[i]);
        if (ahead == 0 && behind == 0) continue;
        out->central[k] += seed * (c->above[i] - c->below[i]) / (2 * step);
        out->ahead[k] += seed * ahead / step;
        out->behind[k] += seed * behind / step;
        out->noise[k] += fabs(seed) * fmax(c->noise[i], range) / step;
        out->rounding[k] += fabs(seed) * rounding(c, i) / step;
        size += fabs(seed) * fabs(c->above[i] - c->below[i]) / (2 * step);
    }
    if (out->rounding[k] == 0) out->rounding[k] = rounding_of_one(c) / step;
    if (k == 0) out->size = size;
}

bool gw_check_measure_noise(gw_check *c, const double *direction) {
    /* three times a value's standard deviation, which is 1/8.4 of a fourth difference's */
    const double part = 3 / sqrt(70), step = pow(c->epsilon, 0.25) / 4096;
    bool good = true;
    for (unsigned k = 0; k < STEPS && good; k++) {
        const double by = step * (1 << k);
        good = values_at(c, direction, by, c->above) && values_at(c, direction, -by, c->below);
        for (size_t i = 0; good && i < c->count; i++) {
            const double even = c->above[i] - c->middle[i] + (c->below[i] - c->middle[i]);
            if (k) c->noise[i] = fmax(c->noise[i], part * fabs(even - 4 * c->even[i]));
            c->even[i] = even;
        }
    }
    return good;
}

/* The distance of the one-sided slopes is to be half and a quarter of what it was. */
static bool is_smooth(const samples *s, double tolerance) {
    double apart[STEPS];
    for (unsigned k = 0; k < STEPS; k++)
        apart[k] = fabs(s->ahead[k] - s->behind[k]);
    const double threshold = 4 * tolerance * s->size + 64 * s->noise[0];
    if (fmax(apart[0], apart[2]) <= threshold) return true;
    const double first = apart[1] / apart[0], second = apart[2] / apart[0];
    return first > 0.3 && first < 0.7 && second > 0.1 && second < 0.4;
}

bool gw_check_slope_along(gw_check *c, const double *direction, double part, gw_check_slope *out) {
    samples s = {0};
    const double largest = part * pow(c->epsilon, 0.25);
    for (unsigned k = 0; k < STEPS; k++) {
        const double step = largest / (1 << k);
        if (!values_at(c, direction, step, c->above) || !values_at(c, direction, -step, c->below)) return false;
        sum(c, step, k, &s);
    }
    out->value = (4 * s.central[1] - s.central[0]) / 3;
    out->error = fmax(fabs(out->value - s.central[1]), fabs(s.central[2] - s.central[1]));
    out->noise = 1.5 * s.rounding[1]; /* 4/3 of the middle step's, 1/3 of that of one twice as long */
    out->size = s.size;
    out->low = out->high = s.ahead[0];
    for (unsigned k = 0; k < STEPS; k++) {
        out->low = fmin(out->low, fmin(s.ahead[k], s.behind[k]));
        out->high = fmax(out->high, fmax(s.ahead[k], s.behind[k]));
    }
    out->smooth = is_smooth(&s, c->tolerance);
    out->finite = isfinite(out->value);
    return true;
}

double gw_check_unsure(const gw_check_slope *slope) {
    return fmin(2 * slope->error, ROUGH * slope->size) + slope->noise;
}

bool gw_check_drowns(const gw_check_slope *slope, double got) {
    return slope->noise > ROUGH * slope->size && (slope->size > 0 || got != 0);
}

gw_check_verdict gw_check_judge(const gw_check *c, double got, double share, const gw_check_slope *slope,
                                double *off) {
    const double strict = share * c->tolerance * slope->size + c->floor;
    const double allowed = strict + gw_check_unsure(slope);
    const double apart = fabs(got - slope->value);
    *off = apart / (slope->smooth ? allowed : strict + slope->noise);
    if (!isfinite(got) || !slope->finite) {
        *off = INFINITY;
        return GW_CHECK_DIFFERS;
    }
    if (*off <= 1) return GW_CHECK_AGREES;
    const bool between = got >= slope->low - allowed && got <= slope->high + allowed;
    return !slope->smooth && between ? GW_CHECK_KINK : GW_CHECK_DIFFERS;
}
