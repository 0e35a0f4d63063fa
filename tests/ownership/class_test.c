/*
 * class_test.c - how much of what is truly owned the proofs find, by class of kernel, and whether they ever
 * call owned what is not.
 *
 *   class_test [cases [seed [solved [class]]]]
 *
 * The solver takes part in one case of so many as `solved` says: 1, all; 0, none.
 *
 * A case is a random kernel of a class. It is truly owned if no two threads ever meet at a cell of an adjoint
 * in any of the launches that were run thread by thread; it counts as proved if every reference is plain and
 * the launch check accepts all of these launches. Launches of other shapes, and with parameters of any sign and
 * size, are run too: there what the pass promises must hold wherever the launch check accepts. Launches whose
 * primal is undefined or has a race say nothing.
 *
 * Without arguments: a fixed seed, and a fresh one that is printed on failure. Shares below their floor fail.
 */
#include "classes.h"
#include "enumerate.h"
#include "analysis/facts/facts.h"
#include "random_kernel.h"
#include "analysis/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLASS_LAUNCHES = 14, WILD_LAUNCHES = 6, AFFINE_FLOOR = 95, ALL_FLOOR = 80, CLASSES_MOST = 32 };

typedef struct class_count {
    uint64_t cases, owned, proved, met, refused;
} class_count;

static const ownership_class *class_now;
static uint64_t solved_of = 1;
static class_count counts[CLASSES_MOST];

static void class_body(kernel *k) {
    draw_from(case_seed);
    class_now->body(k);
}

static void report(kernel *k, const launch *at, gw_op op) {
    gw_text text = {0};
    gw_print_func(k->grad, &text);
    printf("FAIL %s, case seed %llu: threads meet where the pass says they do not\n%s\n%s\n", class_now->name,
           (unsigned long long)case_seed, kernel_note_of(k, op), text.at);
    printf("block %u %u %u, grid %u %u %u, n w h k m = %lld %lld %lld %lld %lld\n", at->dim[2][0],
           at->dim[2][1], at->dim[2][2], at->dim[3][0], at->dim[3][1], at->dim[3][2], (long long)at->params[0],
           (long long)at->params[1], (long long)at->params[2], (long long)at->params[3],
           (long long)at->params[4]);
    gw_text_free(&text);
}

/* ---- one launch ---- */
typedef struct outcome {
    bool counts;   /* the primal is defined and free of races */
    bool met;      /* two threads, at a cell of an adjoint */
    bool accepted; /* by the launch check */
    gw_op broken;  /* a promise that does not hold */
} outcome;

typedef struct runner {
    kernel *k;
    trace primal, grad;
    launch at;
} runner;

static bool any(const uint8_t *bits, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (bits[i]) return true;
    return false;
}

static outcome run_launch(runner *r) {
    kernel *k = r->k;
    outcome o = {0};
    uint8_t *race = gw_alloc(k->primal->ops.count), *meets = gw_alloc(k->grad->ops.count);
    bool defined = enumerate(&r->primal, &r->at, race) && enumerate(&r->grad, &r->at, meets);
    bool promised = !k->primal->promises.count || !(r->primal.e.beyond || r->grad.e.beyond);
    if (defined && promised && !any(race, k->primal->ops.count)) {
        o.counts = true;
        o.met = any(meets, k->grad->ops.count);
        o.accepted = check_accepts(kernel_check(k), &r->at);
        if (o.accepted) o.broken = broken_promise(k->grad, meets);
    }
    free(race);
    free(meets);
    return o;
}

/* ---- one case ---- */
static bool all_plain(const kernel *k) {
    for (uint32_t i = 0; i < k->refs.count; i++)
        if (gw_exclusive_to(k->grad, k->refs.at[i]) != GW_EXCLUSIVE_THREAD) return false;
    return true;
}

static bool run_case(runner *r, class_count *count) {
    bool met = false, ran = false, accepted = true;
    for (int i = 0; i < CLASS_LAUNCHES + WILD_LAUNCHES; i++) {
        bool wild = i >= CLASS_LAUNCHES;
        if (wild)
            random_launch(&r->at);
        else
            class_launch(&r->at, class_now->axes);
        keep_promises(r->k->primal, &r->at);
        outcome o = run_launch(r);
        if (o.broken) {
            report(r->k, &r->at, o.broken);
            return false;
        }
        if (wild || !o.counts) continue;
        ran = true;
        met |= o.met;
        accepted &= o.accepted;
    }
    count->cases += ran;
    count->met += met;
    count->owned += ran && !met;
    count->proved += ran && !met && accepted && all_plain(r->k);
    return true;
}

static bool check_case(size_t c, uint64_t seed, uint64_t number, bool show) {
    kernel k;
    bool good = true;
    case_seed = seed;
    class_now = &ownership_classes[c];
    kernel_build(&k, class_body);
    k.s->options.smt_off = solved_of == 0 || number % solved_of != 0;
    if (kernel_decide(&k)) {
        runner r = {.k = &k};
        uint64_t proved = counts[c].proved, owned = counts[c].owned;
        trace_start(&r.primal, k.primal, &r.at);
        trace_start(&r.grad, k.grad, &r.at);
        good = run_case(&r, &counts[c]);
        trace_end(&r.primal);
        trace_end(&r.grad);
        if (show && counts[c].owned > owned && counts[c].proved == proved) {
            gw_text text = {0};
            gw_print_func(k.primal, &text);
            printf("seed %llu: truly owned, not proved: %s\n%s\n", (unsigned long long)seed, kernel_note(&k, 0),
                   text.at);
            gw_text_free(&text);
        }
    } else {
        counts[c].refused++;
    }
    kernel_free(&k);
    return good;
}

static bool check_cases(uint64_t seed, uint64_t count, const char *only) {
    for (uint64_t i = 0; i < count; i++)
        for (size_t c = 0; c < ownership_class_count; c++) {
            if (only && !strstr(ownership_classes[c].name, only)) continue;
            if (check_case(c, (seed * 1000003 + i) * 31 + c, i, only != NULL)) continue;
            printf("seed %llu\n", (unsigned long long)seed);
            return false;
        }
    return true;
}

/* ---- the table ---- */
static double share(const class_count *c) {
    return c->owned ? 100.0 * (double)c->proved / (double)c->owned : 100;
}

static bool print_table(bool floors) {
    double affine = 0, all = 0;
    int affines = 0, classes = 0;
    printf("%-34s %8s %8s %8s %8s\n", "class", "cases", "owned", "proved", "share");
    for (size_t c = 0; c < ownership_class_count; c++) {
        const class_count *n = &counts[c];
        printf("%-34s %8llu %8llu %8llu %7.1f%%\n", ownership_classes[c].name, (unsigned long long)n->cases,
               (unsigned long long)n->owned, (unsigned long long)n->proved, share(n));
        if (ownership_classes[c].kind >= CLASS_BESIDE) continue;
        classes++;
        all += share(n);
        if (ownership_classes[c].kind != CLASS_AFFINE) continue;
        affines++;
        affine += share(n);
        if (floors && share(n) < (double)AFFINE_FLOOR)
            printf("FAIL %s is below %d %%\n", ownership_classes[c].name, AFFINE_FLOOR), floors = false;
    }
    printf("affine classes %.1f %%, all classes %.1f %%; no false \"owned\"\n", affine / affines,
           all / classes);
    return affine / affines >= (double)AFFINE_FLOOR && all / classes >= (double)ALL_FLOOR;
}

int main(int argc, char **argv) {
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) / ownership_class_count : 50;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    solved_of = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    const char *only = argc > 4 ? argv[4] : NULL;
    if (only) count *= ownership_class_count;
    bool good = check_cases(seed, count, only);
    if (good && argc <= 2) good = check_cases((uint64_t)time(NULL), count / 4, NULL);
    if (good) good = print_table(!only) || only || solved_of != 1;
    return !good;
}
