/*
 * row_forms.c - the other derivatives of a row's kernel, against those that row.c checks: the halves of the
 * gradient, Hessians times vectors, several directions at once (contract: row.h).
 */
#include "row_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GARBAGE = 0xA5, POINTS = 4, DIRECTIONS = 4 };
/* Several directions, powers of 2 times the one. */
static const double factors[DIRECTIONS] = {1, -2, 0.5, 4};

/* ---- halves ---- */
static gw_row_call half_of(const gw_row_state *s, const gw_row_function *f, const gw_row_bytes *tape) {
    return (gw_row_call){.f = f, .adjoints = f == &s->row->forward ? NULL : s->c.shadows, .space = tape};
}

/* Both halves say so of a tape that is one byte too small, and leave everything as it was. */
static void check_overflow(gw_row_state *s, size_t needed) {
    const gw_row_bytes small = gw_row_make_bytes(needed - 1);
    gw_status forward = GW_OK, backward = GW_OK;
    double *adjoints = gw_row_numbers(s);
    gw_check_restore(&s->c);
    gw_check_put_shadows(&s->c, s->c.seeds);
    const bool called = gw_row_call_status(s, half_of(s, &s->row->forward, &small), &forward) &&
                        gw_row_call_status(s, half_of(s, &s->row->backward, &small), &backward);
    if (called && (forward != GW_ERROR_OVERFLOW || backward != GW_ERROR_OVERFLOW))
        gw_row_fail(s, "a tape that is too small is taken");
    gw_row_primal_bytes(s);
    gw_check_get_shadows(&s->c, adjoints);
    for (size_t i = 0; i < s->c.count; i++)
        if (adjoints[i] != s->c.seeds[i]) gw_row_fail(s, "without a tape, an adjoint was changed");
    free(adjoints);
    gw_row_free(small.at);
}

/* What the primal leaves, to the byte; null on the device, where threads have no order. */
static unsigned char **bytes_on_exit(const gw_row_state *s) {
    if (!s->test->orders_threads || getenv("GW_CPU_SEED")) return NULL;
    unsigned char **all = calloc(s->f.count + 1, sizeof *all);
    for (size_t i = 0; all && i < s->f.count; i++) {
        const gw_check_param *p = &s->f.params[i];
        all[i] = malloc(gw_check_bytes(p) + 1);
        if (all[i] && p->role == GW_CHECK_ARRAY && p->data) gw_row_copy(all[i], p->data, gw_check_bytes(p));
    }
    return all;
}

static void compare_bytes(const gw_row_state *s, unsigned char *const *want) {
    unsigned char **now = want ? bytes_on_exit(s) : NULL;
    bool same = true;
    for (size_t i = 0; now && i < s->f.count; i++) {
        const gw_check_param *p = &s->f.params[i];
        same = same && now[i] && want[i] &&
               (p->role != GW_CHECK_ARRAY || memcmp(now[i], want[i], gw_check_bytes(p)) == 0);
        free(now[i]);
    }
    if (want && (!now || !same)) gw_row_fail(s, "the first half does not do what the primal does");
    free(now);
}

static void overwrite_outputs(const gw_row_state *s) {
    for (size_t i = 0; i < s->f.count; i++)
        if (s->f.params[i].named && s->row->roles[i].is_output)
            gw_row_fill(s->f.params[i].data, 0xFF, gw_check_bytes(&s->f.params[i]));
}

/* The second half gives the joined form's adjoints, though the outputs are overwritten in between, and again
 * from the same tape. */
static bool check_backward(gw_row_state *s, const gw_row_bytes *tape, const double *want) {
    double *got = gw_row_numbers(s);
    bool good = true;
    for (int round = 0; round < 2 && good; round++) {
        gw_row_put_seeds(s);
        good = gw_row_launched(s, half_of(s, &s->row->backward, tape));
        if (good) gw_check_get_shadows(&s->c, got);
        for (size_t i = 0; good && i < s->f.count; i++)
            gw_row_compare(s, i, got, want, s->is_single ? 1e-4 : 1e-10, 0, NULL);
    }
    free(got);
    return good;
}

static bool run_joined(gw_row_state *s, const gw_row_bytes *space, double *out) {
    gw_check_restore(&s->c);
    gw_row_put_seeds(s);
    const gw_row_call joined = {
        .f = &s->row->gradient, .adjoints = s->c.shadows, .space = space, .is_told = true};
    if (!gw_row_launched(s, joined)) return false;
    gw_check_get_shadows(&s->c, out);
    return true;
}

static void check_halves(gw_row_state *s) {
    size_t size = 0, tape_size = 0;
    double *values = gw_row_numbers(s), *now = gw_row_numbers(s), *want = gw_row_numbers(s);
    gw_check_restore(&s->c); /* a tape may be measured */
    bool good = gw_row_size(s, &s->row->workspace, &s->row->measure, &size) &&
                gw_row_size(s, &s->row->tape, &s->row->measure_tape, &tape_size);
    const gw_row_bytes space = gw_row_make_bytes(size), tape = gw_row_make_bytes(tape_size);
    gw_row_exit_values(s, values);
    unsigned char **bytes = bytes_on_exit(s);
    good = good && run_joined(s, &space, want);
    gw_row_fill(tape.at, 0x5A, tape.size);
    gw_check_restore(&s->c);
    if (good && gw_row_launched(s, half_of(s, &s->row->forward, &tape))) {
        compare_bytes(s, bytes);
        gw_check_get_values(&s->c, now);
        gw_row_compare_exit(s, "value", now, values, s->is_single ? 1e-5 : 1e-13);
        overwrite_outputs(s);
        good = check_backward(s, &tape, want);
        /* One that is measured is found to be too small on the device, by a trap (contract.measure_trap). */
        if (good && !s->row->where.is_measured) check_overflow(s, tape.size);
        if (good) s->test->report(s->test->to, "tape", (double)tape.size);
    }
    for (size_t i = 0; bytes && i < s->f.count; i++)
        free(bytes[i]);
    free(bytes), free(values), free(now), free(want);
    gw_row_free(space.at), gw_row_free(tape.at);
}

/* ---- second derivatives ---- */
/* Turns each parameter's numbers, from its last to its first. */
static void turn(const gw_row_state *s, const double *numbers, double *out) {
    for (size_t i = 0; i < s->f.count; i++)
        for (size_t first = gw_row_first(s, i), end = gw_row_first(s, i + 1), at = first; at < end; at++)
            out[at] = numbers[first + end - 1 - at];
}

/* Adjoints on exit by the gradient, of values and seeds a step along their directions. */
static bool gradient_at(gw_row_state *s, const double *turned, double step, double *out) {
    size_t size = 0;
    double *seeds = gw_row_numbers(s);
    for (size_t i = 0; i < s->c.count; i++)
        seeds[i] = s->c.seeds[i] + step * turned[i];
    gw_check_put_shadows(&s->c, seeds);
    gw_check_move(&s->c, s->direction, step);
    bool good = gw_row_size(s, &s->row->workspace, &s->row->measure, &size);
    const gw_row_bytes space = gw_row_make_bytes(size);
    good = good &&
           gw_row_launched(s, (gw_row_call){.f = &s->row->gradient, .adjoints = s->c.shadows, .space = &space});
    if (good) gw_check_get_shadows(&s->c, out);
    gw_row_free(space.at);
    free(seeds);
    return good;
}

typedef struct second {
    double *turned, *plain, *at[POINTS], *got, *want;
    unsigned char **tangents, **adjoint_tangents;
} second;

static bool run_second(gw_row_state *s, const second *of) {
    size_t size = 0;
    gw_check_restore(&s->c);
    gw_row_put_seeds(s);
    gw_check_put_numbers(&s->c, of->tangents, s->direction);
    gw_check_put_numbers(&s->c, of->adjoint_tangents, of->turned);
    bool good = gw_row_second_size(s, of->tangents, &size);
    const gw_row_bytes space = gw_row_make_bytes(size);
    gw_row_fill(space.at, GARBAGE, space.size);
    good = good && gw_row_launched(s, (gw_row_call){.f = &s->row->second,
                                                    .tangents = of->tangents,
                                                    .adjoints = s->c.shadows,
                                                    .adjoint_tangents = of->adjoint_tangents,
                                                    .space = &space});
    gw_row_free(space.at);
    return good;
}

static void compare_second(gw_row_state *s, const second *of, double h) {
    gw_row_primal_bytes(s);
    gw_check_get_shadows(&s->c, of->got);
    for (size_t i = 0; i < s->f.count; i++)
        gw_row_compare(s, i, of->got, of->plain, s->is_single ? 1e-4 : 1e-10, 0, NULL);
    if (s->is_single) return;
    for (size_t i = 0; i < s->c.count; i++)
        of->want[i] = (8 * (of->at[0][i] - of->at[1][i]) - (of->at[2][i] - of->at[3][i])) / (12 * h);
    gw_check_get_numbers(&s->c, of->adjoint_tangents, of->got);
    for (size_t i = 0; i < s->f.count; i++)
        gw_row_compare(s, i, of->got, of->want, 1e-6, 0, NULL);
}

/* What is left of the gradient is the gradient, and its tangent the difference quotient of gradients along the
 * directions of values and seeds. */
static void check_second(gw_row_state *s) {
    static const double steps[POINTS] = {1, -1, 2, -2};
    const double h = s->is_single ? 1 : ldexp(1, -12);
    second of = {gw_row_numbers(s),    gw_row_numbers(s),   {NULL}, gw_row_numbers(s), gw_row_numbers(s),
                 gw_row_shadows(s, 1), gw_row_shadows(s, 1)};
    turn(s, s->direction, of.turned);
    bool good = gradient_at(s, of.turned, 0, of.plain);
    for (int k = 0; k < POINTS; k++) {
        of.at[k] = gw_row_numbers(s);
        good = good && (s->is_single || gradient_at(s, of.turned, steps[k] * h, of.at[k]));
    }
    if (good && run_second(s, &of)) compare_second(s, &of, h);
    for (int k = 0; k < POINTS; k++)
        free(of.at[k]);
    free(of.turned), free(of.plain), free(of.got), free(of.want);
    gw_row_free_shadows(s, of.tangents), gw_row_free_shadows(s, of.adjoint_tangents);
}

/* ---- several directions ---- */
static size_t whole_of(const gw_row_state *s, size_t param) {
    const gw_row_type *type = s->kernel->params[param];
    return s->row->roles[param].content == GW_ROW_VALUE ? type->size : type->element->whole;
}

/* Those of one direction into its lane of the blocks, or out of it. */
static void lane_of(const gw_row_state *s, size_t param, size_t lane, unsigned char *blocks, unsigned char *one,
                    bool into) {
    const size_t whole = whole_of(s, param), bytes = gw_check_bytes(&s->f.params[param]);
    for (size_t at = 0; at < bytes; at += whole) {
        unsigned char *there = blocks + at * DIRECTIONS + lane * whole;
        memcpy(into ? there : one + at, into ? one + at : there, whole);
    }
}

/* Between the blocks and numbers of each lane, through the shadows: of all parameters. */
static void each_lane(gw_row_state *s, unsigned char *const *blocks, double *const lanes[DIRECTIONS],
                      bool into) {
    for (size_t i = 0; i < s->f.count; i++) {
        const size_t bytes = gw_check_bytes(&s->f.params[i]);
        if (!blocks[i]) continue;
        unsigned char *all = calloc(DIRECTIONS, bytes), *one = calloc(1, bytes);
        if (!all || !one) abort();
        if (!into) gw_row_copy(all, blocks[i], DIRECTIONS * bytes);
        for (size_t lane = 0; lane < DIRECTIONS; lane++) {
            if (!into) lane_of(s, i, lane, all, one, false), gw_row_copy(s->c.shadows[i], one, bytes);
            if (into) gw_check_put_shadows(&s->c, lanes[lane]);
            if (into) gw_row_copy(one, s->c.shadows[i], bytes), lane_of(s, i, lane, all, one, true);
            if (into) continue;
            double *numbers = gw_row_numbers(s);
            gw_check_get_shadows(&s->c, numbers);
            for (size_t at = gw_row_first(s, i), end = gw_row_first(s, i + 1); at < end; at++)
                lanes[lane][at] = numbers[at] / factors[lane];
            free(numbers);
        }
        if (into) gw_row_copy(blocks[i], all, DIRECTIONS * bytes);
        free(all), free(one);
    }
}

static bool all_finite(const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

/* Each of them, a multiple of v, gives that multiple of what the one direction gives. */
static void compare_lanes(const gw_row_state *s, double *const lanes[DIRECTIONS], const double *tangents) {
    double sum = 0;
    for (size_t lane = 0; lane < DIRECTIONS && all_finite(tangents, s->c.count); lane++)
        gw_row_compare_exit(s, "tangent", lanes[lane], tangents, s->is_single ? 1e-4 : 1e-11);
    for (size_t i = 0; i < s->c.count; i++) /* an input's, and an untouched cell's, stay what they were */
        if (tangents[i] != s->direction[i]) sum += fabs(tangents[i]);
    if (!(sum > 1e-6)) gw_row_fail(s, "no tangent in any direction");
}

static void check_directions(gw_row_state *s) {
    double *values = gw_row_numbers(s), *now = gw_row_numbers(s), *tangents = gw_row_numbers(s),
           *lanes[DIRECTIONS];
    unsigned char **blocks = gw_row_shadows(s, DIRECTIONS);
    gw_row_exit_values(s, values);
    for (size_t lane = 0; lane < DIRECTIONS; lane++) {
        lanes[lane] = gw_row_numbers(s);
        for (size_t i = 0; i < s->c.count; i++)
            lanes[lane][i] = s->direction[i] * factors[lane];
    }
    each_lane(s, blocks, lanes, true);
    gw_check_restore(&s->c);
    gw_check_put_shadows(&s->c, s->direction);
    bool good = gw_row_launched(s, (gw_row_call){.f = &s->row->tangent, .tangents = s->c.shadows});
    if (good) gw_check_get_shadows(&s->c, tangents);
    gw_check_restore(&s->c);
    good = good && gw_row_launched(s, (gw_row_call){.f = &s->row->tangents, .blocks = blocks});
    if (good) {
        gw_check_get_values(&s->c, now);
        gw_row_compare_exit(s, "value", now, values, s->is_single ? 1e-5 : 1e-13);
        each_lane(s, blocks, lanes, false);
        compare_lanes(s, lanes, tangents);
    }
    for (size_t lane = 0; lane < DIRECTIONS; lane++)
        free(lanes[lane]);
    free(values), free(now), free(tangents);
    gw_row_free_shadows(s, blocks);
}

/* ---- a row in each of them ---- */
static void in_form(const gw_row *row, const gw_row_test *test, void (*check)(gw_row_state *)) {
    gw_row_state s;
    if (gw_row_begin(&s, row, &row->kernel, test)) check(&s);
    const char *failure = gw_row_failure();
    if (failure) gw_row_fail(&s, "CUDA: %s", failure);
    gw_row_end(&s);
}

void gw_row_check_halves(const gw_row *row, const gw_row_test *test) { in_form(row, test, check_halves); }
void gw_row_check_second(const gw_row *row, const gw_row_test *test) { in_form(row, test, check_second); }
void gw_row_check_directions(const gw_row *row, const gw_row_test *test) {
    in_form(row, test, check_directions);
}
