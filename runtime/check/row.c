/*
 * row.c - a row's gradient and forward derivative (contract: row.h).
 *
 * Each adjoint against differences; both ways together by <s, tangents on exit> = <adjoints on exit, v>, to
 * rounding. Beside that: the primal's bytes are as they were, a second launch on refilled seeds gives the same
 * again, and the workspace is exactly as large as asked for and starts as garbage.
 */
#include "row_private.h"

#include <math.h>
#include <stdlib.h>

enum { GARBAGE = 0xA5, POINTS = 4 };
static const double steps[POINTS] = {1, -1, 2, -2};

/* ---- comparisons ---- */
/* |got - want| <= tolerance * max(|want|, scale); NaN never is. */
static bool near(double got, double want, double tolerance, double scale) {
    return fabs(got - want) <= tolerance * (fabs(want) > scale ? fabs(want) : scale);
}

static double mean_size(const double *numbers, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(numbers[i]) / (double)count;
    return sum;
}

/* The cells of one parameter. */
void gw_row_compare(const gw_row_state *s, size_t param, const double *got, const double *want,
                    double tolerance, double noise, double *worst) {
    const size_t first = gw_row_first(s, param), end = gw_row_first(s, param + 1);
    const double scale = noise / tolerance + mean_size(want + first, end - first);
    for (size_t i = first; i < end; i++) {
        if (!near(got[i], want[i], tolerance, scale))
            gw_row_fail(s, "adjoint of parameter %zu, cell %zu is %.15g, not %.15g", param, i - first, got[i],
                        want[i]);
        const double size = fmax(fabs(want[i]), scale);
        if (size > 0 && worst) *worst = fmax(*worst, fabs(got[i] - want[i]) / size);
    }
}

void gw_row_compare_exit(const gw_row_state *s, const char *what, const double *got, const double *want,
                         double tolerance) {
    const double scale = mean_size(want, s->c.count);
    for (size_t i = 0; i < s->c.count; i++)
        if (!near(got[i], want[i], tolerance, scale))
            gw_row_fail(s, "%s %zu of the named parameters is %.15g, not %.15g", what, i, got[i], want[i]);
}

void gw_row_primal_bytes(const gw_row_state *s) {
    size_t at;
    for (size_t i = 0; (i = gw_check_changed(&s->c, i, &at)) < s->f.count; i++)
        gw_row_fail(s, "the gradient changed the primal's parameter %zu", i);
}

/* An input whose adjoint stays what it was would pass with a gradient that does nothing. */
static void check_moved(const gw_row_state *s, size_t param, const double *adjoints) {
    const size_t first = gw_row_first(s, param), end = gw_row_first(s, param + 1);
    double moved = 0;
    for (size_t i = first; i < end; i++)
        moved = fmax(moved, fabs(adjoints[i] - s->c.seeds[i]));
    if (!s->row->roles[param].is_output && moved < 1e-6) gw_row_fail(s, "no gradient in parameter %zu", param);
}

/* ---- values and differences ---- */
void gw_row_exit_values(gw_row_state *s, double *out) {
    gw_check_restore(&s->c);
    gw_row_run_primal(s);
    gw_check_get_values(&s->c, out);
}

typedef struct points {
    double *at[POINTS];
} points;

static points make_points(const gw_row_state *s) {
    points p;
    for (int k = 0; k < POINTS; k++)
        p.at[k] = gw_row_numbers(s);
    return p;
}

static void free_points(points p) {
    for (int k = 0; k < POINTS; k++)
        free(p.at[k]);
}

/* Not watched: at the point itself (gw_row_exit_values) it was. Watching would take most of the time. */
static void values_around(gw_row_state *s, const double *direction, double h, points p) {
    gw_row_watch(false);
    for (int k = 0; k < POINTS; k++) {
        gw_check_move(&s->c, direction, steps[k] * h);
        gw_row_run_primal(s);
        gw_check_get_values(&s->c, p.at[k]);
    }
    gw_row_watch(true);
}

/* Without the division by 12 h: equal values cancel exactly. */
static double five_points(points p, size_t i) {
    return 8 * (p.at[0][i] - p.at[1][i]) - (p.at[2][i] - p.at[3][i]);
}

/* dL/d(value on entry) of each cell of a parameter. */
static void differences(gw_row_state *s, size_t param, double *out) {
    double *direction = gw_row_numbers(s);
    points p = make_points(s);
    for (size_t i = gw_row_first(s, param), end = gw_row_first(s, param + 1); i < end; i++) {
        const double x = s->c.values[i], size = fabs(x) > 0.125 ? fabs(x) : 0.125;
        const double h = ldexp(1, ilogb(size) - 12);
        double sum = 0;
        direction[i] = 1;
        values_around(s, direction, h, p);
        direction[i] = 0;
        for (size_t c = 0; c < s->c.count; c++)
            sum += s->c.seeds[c] * five_points(p, c);
        out[i] = sum / (12 * h);
    }
    free(direction), free_points(p);
}

/* d(values on exit) along the direction. */
static void differences_along(gw_row_state *s, double *out) {
    const double h = ldexp(1, -13);
    points p = make_points(s);
    values_around(s, s->direction, h, p);
    for (size_t i = 0; i < s->c.count; i++)
        out[i] = five_points(p, i) / (12 * h);
    free_points(p);
}

/* What difference quotients of sums may be off by where two launches add in different orders, as atomics do
 * unless the order of the threads is the natural one of the CPU device. */
static double noise_of_order(gw_row_state *s) {
    if (s->test->orders_threads && !getenv("GW_CPU_SEED")) return 0;
    double *values = gw_row_numbers(s), size = 0;
    gw_row_exit_values(s, values);
    for (size_t i = 0; i < s->c.count; i++)
        size += fabs(s->c.seeds[i] * values[i]);
    free(values);
    return 1e-10 * size;
}

/* ---- the checks ---- */
static void compare_sides(const gw_row_state *s, const double *tangents, const double *adjoints) {
    const gw_check_sides is = gw_check_dot(s->c.count, s->c.seeds, tangents, adjoints, s->direction);
    const double tolerance = s->is_single ? s->row->tolerance : 1e-11;
    if (!(fabs(is.forward - is.reverse) <= tolerance * is.size))
        gw_row_fail(s, "forward mode says %.15g, reverse mode %.15g", is.forward, is.reverse);
    s->test->report(s->test->to, "dot", is.forward);
}

static void check_forward(gw_row_state *s, gw_row_state *model, const double *adjoints) {
    double *values = gw_row_numbers(s), *now = gw_row_numbers(s), *tangents = gw_row_numbers(s);
    gw_row_exit_values(s, values);
    gw_check_restore(&s->c);
    gw_check_put_shadows(&s->c, s->direction);
    if (gw_row_launched(s, (gw_row_call){.f = &s->row->tangent, .tangents = s->c.shadows})) {
        gw_check_get_shadows(&s->c, tangents);
        gw_check_get_values(&s->c, now);
        gw_row_compare_exit(s, "value", now, values, s->is_single ? 1e-5 : 1e-13);
        compare_sides(s, tangents, adjoints);
        if (!s->test->is_quick) {
            differences_along(model, values);
            gw_row_compare_exit(s, "tangent", tangents, values, s->row->tolerance);
        }
    }
    free(values), free(now), free(tangents);
}

static bool run_gradient(gw_row_state *s, const gw_row_bytes *space, double *out) {
    gw_row_put_seeds(s);
    gw_row_fill(space->at, GARBAGE, space->size);
    if (!gw_row_launched(
            s,
            (gw_row_call){.f = &s->row->gradient, .adjoints = s->c.shadows, .space = space, .is_told = true}))
        return false;
    gw_check_get_shadows(&s->c, out);
    return true;
}

static void check_parameter(gw_row_state *s, gw_row_state *model, size_t param, double *const got[2],
                            double noise, double *worst) {
    const size_t first = gw_row_first(s, param), end = gw_row_first(s, param + 1);
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += got[0][i];
    gw_row_compare(s, param, got[1], got[0], s->row->tolerance, 0, NULL);
    if (first == end) return;
    s->test->report(s->test->to, "sum", sum);
    check_moved(s, param, got[0]);
    if (s->test->is_quick) return;
    double *want = gw_row_numbers(s);
    differences(model, param, want);
    gw_row_compare(s, param, got[0], want, s->row->tolerance, noise, worst);
    free(want);
}

static void check_derivatives(gw_row_state *s, gw_row_state *model) {
    double *got[2] = {gw_row_numbers(s), gw_row_numbers(s)}, worst = 0;
    size_t size = 0;
    gw_check_restore(&s->c); /* a tape may be measured */
    bool good = gw_row_size(s, &s->row->workspace, &s->row->measure, &size);
    const gw_row_bytes space = gw_row_make_bytes(size);
    gw_check_restore(&s->c);
    good = good && run_gradient(s, &space, got[0]) && run_gradient(s, &space, got[1]);
    if (good) {
        gw_row_primal_bytes(s);
        check_forward(s, model, got[0]);
        s->test->report(s->test->to, "tolerance", s->row->tolerance);
        const double noise = noise_of_order(model);
        for (size_t i = 0; i < s->f.count; i++)
            check_parameter(s, model, i, got, noise, &worst);
    }
    if (good && !s->test->is_quick) {
        char words[60];
        snprintf(words, sizeof words, " (error %.15g)", (double)(float)worst);
        s->test->note(s->test->to, words);
    }
    gw_row_free(space.at);
    free(got[0]), free(got[1]);
}

void gw_row_check(const gw_row *row, const gw_row_test *test) {
    gw_row_state s, model;
    const bool good = gw_row_begin(&s, row, &row->kernel, test);
    if (good && gw_row_begin(&model, row, &row->reference, test)) {
        if (s.c.count == model.c.count)
            check_derivatives(&s, &model);
        else
            gw_row_fail(&s, "the reference has other numbers than the kernel");
    }
    const char *failure = gw_row_failure();
    if (failure) gw_row_fail(&s, "CUDA: %s", failure);
    if (good) gw_row_end(&model);
    gw_row_end(&s);
}
