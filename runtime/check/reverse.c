/*
 * reverse.c - the gradient against differences: along random directions, and cell by cell (contract:
 * check_private.h).
 *
 * What a direction tells is traced to one cell by halving it. Cells with a kink within their step are left out
 * of the directions, and said.
 */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 3, CELLS = 24, MOST_KINKS = 64 };

/* ---- the gradient itself ---- */
static bool all_finite(gw_check *c, const double *numbers, const char *prefix, const char *words) {
    for (size_t i = 0; i < c->count; i++) {
        if (isfinite(numbers[i]) || c->once) continue;
        char cell[GW_CHECK_NAME], all[160];
        gw_check_name(c, i, prefix, cell);
        snprintf(all, sizeof all, isnan(numbers[i]) ? "NaN: %s" : "infinite: %s", words);
        gw_check_say(c, "finite", "fail", cell, all);
        return false;
    }
    return true;
}

/* A program adds to the adjoint of an input that is no output, though it overwrites it. */
static bool adds(const gw_check *c, const gw_check_param *p) {
    return c->f->gradient_runs_it && p->input && !p->output;
}

static bool run_primal(gw_check *c) {
    gw_check_restore(c);
    if (!gw_check_run(c, c->f->primal, "primal")) return false;
    gw_check_get_values(c, c->middle);
    for (size_t i = 0; i < c->f->count; i++) {
        const gw_check_param *p = &c->f->params[i];
        c->added[i] = p->role != GW_CHECK_RESULT &&
                      (adds(c, p) || memcmp(p->data, c->entry[i], p->count * p->element) == 0);
    }
    return all_finite(c, c->middle, "",
                      "what the function itself gives here, or there is no such cell: --range, --size");
}

static bool run_gradient(gw_check *c, const double *seeds, double *out) {
    gw_check_restore(c);
    gw_check_put_shadows(c, seeds);
    if (!gw_check_run(c, c->f->gradient, "gradient")) return false;
    gw_check_get_shadows(c, out);
    return c->f->gradient_runs_it || gw_check_unchanged(c, "gradient");
}

/* Adjoints of what a run leaves alone are added to, but for new ones. */
static void check_added(gw_check *c, const double *again) {
    for (size_t i = 0; i < c->count; i++) {
        const gw_check_param *p = gw_check_param_at(c, i);
        if (p->role == GW_CHECK_RESULT) continue;
        const double before = c->added[c->places[i].param] && !p->fresh ? c->seeds[i] : 0,
                     want = c->gradient[i] + before;
        const double allowed = 64 * c->epsilon * (fabs(want) + fabs(before)) + c->tolerance / 10 * fabs(want);
        if (fabs(again[i] - want) <= allowed) continue;
        char cell[GW_CHECK_NAME];
        gw_check_name(c, i, "d_", cell);
        gw_check_compare(c, "added to", "fail", cell, again[i], want, fabs(again[i] - want),
                         p->fresh ? "what stood in the adjoint before is not to matter"
                                  : "what stood in the adjoint before is to be added to");
        return;
    }
    gw_check_say(c, "added to", "ok", "", "");
}

bool gw_check_reverse(gw_check *c) {
    double *seeds = malloc((c->count + 1) * sizeof *seeds), *again = malloc((c->count + 1) * sizeof *again);
    bool good = seeds && again && run_primal(c);
    if (good) gw_check_seeds(c, seeds);
    good = good && run_gradient(c, seeds, c->gradient) &&
           all_finite(c, c->gradient, "d_", "the gradient; the function is finite");
    if (good && !c->once) {
        good = run_gradient(c, c->seeds, again);
        if (good) check_added(c, again);
        if (good && !c->f->gradient_runs_it) gw_check_say(c, "primal bytes", "ok", "", "");
    }
    free(seeds);
    free(again);
    return good;
}

/* ---- against differences ---- */
static bool moves(const gw_check *c, size_t place) {
    return gw_check_param_at(c, place)->role != GW_CHECK_RESULT && !c->excluded[place];
}

static double along(const gw_check *c, const double *direction) {
    double sum = 0;
    for (size_t i = 0; i < c->count; i++)
        if (direction[i] != 0) sum += c->gradient[i] * direction[i];
    return sum;
}

static bool judge_by(gw_check *c, const double *direction, double part, gw_check_slope *slope,
                     gw_check_verdict *verdict, double *off) {
    size_t cells = 0;
    for (size_t i = 0; i < c->count && cells < 2; i++)
        cells += direction[i] != 0;
    if (!gw_check_slope_along(c, direction, part, slope)) return false;
    /* of many cells only one may be wrong, while what rounding does to each evens out */
    const double share = cells > 1 ? 0.1 : 1;
    *verdict = gw_check_judge(c, along(c, direction), share, slope, off);
    return true;
}

static bool judge(gw_check *c, const double *direction, gw_check_slope *slope, gw_check_verdict *verdict,
                  double *off) {
    return judge_by(c, direction, 1, slope, verdict, off);
}

static void say_kink(gw_check *c, size_t place, const gw_check_slope *slope) {
    char cell[GW_CHECK_NAME], words[120];
    c->excluded[place] = true;
    if (c->kinks++ >= 4) return; /* the count is said at the end */
    gw_check_name(c, place, "", cell);
    snprintf(words, sizeof words, "one-sided slopes from %.3g to %.3g: not counted",
             slope->low / c->scale[place], slope->high / c->scale[place]);
    gw_check_say(c, "differences", "kink", cell, words);
}

static void say_cell(gw_check *c, size_t place, const char *result, const gw_check_slope *slope,
                     const char *words) {
    char cell[GW_CHECK_NAME];
    const double got = c->gradient[place], want = slope->value / c->scale[place];
    const double size = fmax(slope->size / c->scale[place], fabs(got));
    gw_check_name(c, place, "d_", cell);
    if (!slope->finite) words = "the differences are no finite numbers: a step leaves the domain";
    gw_check_compare(c, "differences", result, cell, got, want, size > 0 ? fabs(got - want) / size : 0, words);
}

/* Halves the direction until one cell is left that does not agree; SIZE_MAX: only together they do not. */
static size_t trace(gw_check *c, double *direction, bool *good) {
    double *half = malloc((c->count + 1) * sizeof *half);
    size_t left = 0, last = SIZE_MAX;
    for (size_t i = 0; i < c->count; i++)
        if (direction[i] != 0) left++, last = i;
    while (half && *good && left > 1) {
        bool found = false;
        for (unsigned side = 0; side < 2 && *good && !found; side++) {
            size_t seen = 0, kept = 0, at = last;
            for (size_t i = 0; i < c->count; i++) {
                const bool in = direction[i] != 0 && (seen++ < left / 2) == (side == 0);
                half[i] = in ? direction[i] : 0;
                if (in) kept++, at = i;
            }
            gw_check_slope slope;
            gw_check_verdict verdict;
            double off;
            *good = judge(c, half, &slope, &verdict, &off);
            found = *good && verdict != GW_CHECK_AGREES;
            if (found) memcpy(direction, half, c->count * sizeof *half), left = kept, last = at;
        }
        if (!found) last = SIZE_MAX, left = 0;
    }
    free(half);
    return last;
}

static bool judge_cell(gw_check *c, size_t place, gw_check_slope *slope, gw_check_verdict *verdict,
                       double *off) {
    double *direction = calloc(c->count + 1, sizeof *direction);
    bool good = direction != NULL;
    if (good) direction[place] = c->scale[place];
    good = good && judge(c, direction, slope, verdict, off);
    free(direction);
    return good;
}

/* Many small jumps, each of another cell, are within one step of a direction and not within a shorter one:
 * there the function must be smooth, and its slope no lost one, so that a wrong gradient does not agree. */
static bool agrees_nearer(gw_check *c, const double *direction, double got, gw_check_slope *out) {
    for (double part = 1. / 16; part > 1. / 5000; part /= 16) {
        gw_check_slope slope;
        gw_check_verdict verdict;
        double off;
        if (!judge_by(c, direction, part, &slope, &verdict, &off) || gw_check_drowns(&slope, got)) return false;
        if (!slope.smooth || gw_check_unsure(&slope) > slope.size / 100 || verdict != GW_CHECK_AGREES) continue;
        *out = slope;
        char words[80];
        snprintf(words, sizeof words, "the function jumps within a step; compared in 1/%.0f of it", 1 / part);
        gw_check_say(c, "directions", "kink", "", words);
        return true;
    }
    return false;
}

/* Behind a direction that does not agree. False: the check ends, for a cell is found or there is none. */
static bool explain(gw_check *c, double *direction, double got, gw_check_slope *whole, bool *nearer) {
    bool good = true;
    gw_check_slope slope;
    gw_check_verdict verdict;
    double off, *const before = malloc((c->count + 1) * sizeof *before);
    if (before) memcpy(before, direction, c->count * sizeof *before);
    const size_t place = before ? trace(c, direction, &good) : 0;
    *nearer = before && good && place == SIZE_MAX && agrees_nearer(c, before, got, whole);
    good = good && before;
    free(before);
    if (!good || *nearer) return good;
    if (place == SIZE_MAX) {
        gw_check_compare(c, "directions", "fail", "", got, whole->value, fabs(got - whole->value) / whole->size,
                         "no single cell differs by itself");
        return false;
    }
    if (!judge_cell(c, place, &slope, &verdict, &off)) return false;
    if (verdict == GW_CHECK_KINK) {
        say_kink(c, place, &slope);
        return true;
    }
    say_cell(c, place, "fail", &slope, "found by halving a direction");
    return false;
}

static void random_direction(gw_check *c, double *direction) {
    for (size_t i = 0; i < c->count; i++) {
        const double sign = gw_check_random(&c->random) & 1 ? 1 : -1;
        const double size = gw_check_uniform(&c->random, 0.25, 1);
        direction[i] = moves(c, i) ? sign * size * c->scale[i] : 0;
    }
}

static bool measure_noise(gw_check *c) {
    double *direction = malloc((c->count + 1) * sizeof *direction);
    bool good = direction != NULL;
    const uint64_t random = c->random;
    for (unsigned k = 0; k < DIRECTIONS && good; k++) {
        random_direction(c, direction);
        good = gw_check_measure_noise(c, direction);
    }
    c->random = random;
    free(direction);
    return good;
}

static bool check_directions(gw_check *c) {
    double *direction = malloc((c->count + 1) * sizeof *direction), worst = 0;
    gw_check_slope slope, kept = {0};
    double got = 0;
    unsigned agreed = 0;
    while (direction && agreed < DIRECTIONS && c->kinks <= MOST_KINKS) {
        gw_check_verdict verdict;
        double off;
        bool nearer = false;
        random_direction(c, direction);
        const double sum = along(c, direction);
        bool good = judge(c, direction, &slope, &verdict, &off);
        if (good && verdict == GW_CHECK_AGREES) {
            if (off >= worst) worst = off, kept = slope, got = sum;
            c->counted += !gw_check_drowns(&slope, sum);
            agreed++;
        } else if (!good || !explain(c, direction, sum, &slope, &nearer)) {
            break;
        }
        if (nearer) agreed++, kept = slope, got = sum;
    }
    free(direction);
    const bool drowns = gw_check_drowns(&kept, got);
    if (agreed == DIRECTIONS)
        gw_check_compare(c, "directions", drowns ? "note" : "ok", "", got, kept.value,
                         kept.size > 0 ? fabs(got - kept.value) / kept.size : 0,
                         drowns ? "it drowns in rounding" : "");
    else if (c->kinks > MOST_KINKS)
        gw_check_say(c, "directions", "note", "", "not checked: too many cells have a kink within a step");
    return agreed == DIRECTIONS;
}

/* Whether the cell is looked at by itself: the first and last of its parameter, the greatest, and any. */
static void choose(gw_check *c, size_t first, size_t count, bool *chosen) {
    memset(chosen, 0, count * sizeof *chosen);
    size_t left = count < CELLS ? count : CELLS;
    if (left == count) memset(chosen, 1, count * sizeof *chosen);
    if (left == count) return;
    chosen[0] = chosen[count - 1] = true;
    for (unsigned k = 0; k < CELLS / 3; k++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++)
            if (!chosen[i] && (chosen[most] || fabs(c->gradient[first + i]) > fabs(c->gradient[first + most])))
                most = i;
        chosen[most] = true;
    }
    for (unsigned k = 0; k < CELLS - CELLS / 3; k++)
        chosen[gw_check_random(&c->random) % count] = true;
}

typedef struct cells {
    size_t looked, drowned, count;
} cells;

/* The worst of them; of none that could be compared, that there is none. */
static void say_worst(gw_check *c, cells of, double rough, size_t worst, const char *result,
                      const gw_check_slope *slope) {
    char words[160];
    size_t n = (size_t)snprintf(words, sizeof words, "%zu of %zu cells", of.looked, of.count);
    if (rough > 10 * c->tolerance)
        n += (size_t)snprintf(words + n, sizeof words - n, ", differences good to %.0e", rough);
    if (of.drowned) snprintf(words + n, sizeof words - n, ", %zu more drown in rounding", of.drowned);
    if (of.looked)
        say_cell(c, worst, result, slope, words);
    else if (of.drowned)
        gw_check_say(c, "differences", "note", gw_check_param_at(c, worst)->name, words);
}

/* An input by which all is 0, adjoints and differences alike, tells nothing of its gradient. */
static bool is_idle(const gw_check *c, size_t first, size_t count) {
    bool idle = gw_check_param_at(c, first)->input;
    for (size_t i = first; i < first + count && idle; i++)
        idle = c->gradient[i] == 0;
    return idle;
}

/* The cells of one parameter, from `first` on; the worst is said. */
static bool check_cells(gw_check *c, size_t first, size_t count, const bool *chosen) {
    gw_check_slope slope, worst_slope = {0};
    gw_check_verdict verdict;
    double worst = -1, rough = 0, off;
    size_t worst_place = first, looked = 0, drowned = 0;
    bool fails = false, idle = is_idle(c, first, count);
    for (size_t i = first; i < first + count; i++) {
        if (!chosen[i - first] || !moves(c, i)) continue;
        if (!judge_cell(c, i, &slope, &verdict, &off)) return false;
        if (verdict == GW_CHECK_KINK) {
            say_kink(c, i, &slope);
            continue;
        }
        const bool drowns = verdict == GW_CHECK_AGREES && gw_check_drowns(&slope, c->gradient[i]);
        drowned += drowns;
        if (drowns) continue;
        looked++;
        c->counted += slope.size > 0;
        idle = idle && !(slope.size > 0);
        fails = fails || verdict == GW_CHECK_DIFFERS;
        if (slope.size > 0) rough = fmax(rough, gw_check_unsure(&slope) / slope.size);
        if (off > worst) worst = off, worst_slope = slope, worst_place = i;
    }
    if (idle && looked && !drowned)
        gw_check_say(c, "differences", "fail", gw_check_param_at(c, first)->name,
                     "nothing is compared: no output depends on it here; --set, --size, --range");
    else
        say_worst(c, (cells){looked, drowned, count}, rough, worst_place, fails ? "fail" : "ok", &worst_slope);
    return true;
}

/* What is too small to count: beside the greatest gradient, each in steps of its parameter. */
static double small(const gw_check *c) {
    double most = 0;
    for (size_t i = 0; i < c->count; i++)
        if (moves(c, i)) most = fmax(most, fabs(c->gradient[i] * c->scale[i]));
    return c->tolerance / 1000 * most;
}

void gw_check_differences(gw_check *c) {
    bool *chosen = malloc((c->count + 1) * sizeof *chosen), good = chosen != NULL && measure_noise(c);
    c->floor = small(c);
    for (size_t i = 0, end; good && i < c->count; i = end) {
        for (end = i; end < c->count && c->places[end].param == c->places[i].param;)
            end++;
        if (gw_check_param_at(c, i)->role == GW_CHECK_RESULT) continue;
        choose(c, i, end - i, chosen);
        good = check_cells(c, i, end - i, chosen);
    }
    free(chosen);
    if (good && !c->failed) check_directions(c);
    if (good && !c->failed && !c->counted)
        gw_check_say(c, "differences", "fail", "",
                     "nothing is compared: no cell is smooth, or none matters: --range");
    if (c->kinks > 4) {
        char words[80];
        snprintf(words, sizeof words, "%zu cells have a kink within a step: not counted", c->kinks);
        gw_check_say(c, "differences", "kink", "", words);
    }
}
