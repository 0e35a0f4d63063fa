/*
 * barriers_idle.c - barriers that order nothing (contract: clean.h).
 *
 * A reverse sweep has a barrier wherever the primal has one, and where values are handed over. At the end of a
 * branch, at that of the loop around it and at the loop's begin there may so be three in a row.
 *
 * A barrier is idle if no access of memory that threads of the block share lies on any way to it from the
 * barriers before it or the function's begin; or, outside of branches and loops, on the way from it to the end.
 * Sound: what stands before the last barrier in front and what stands behind the idle one are still apart, and
 * as these ways are free of accesses, no two accesses come together that were apart. One that also counts or
 * votes stays, and so does what lanes of a warp meet at.
 *
 * One that is idle by what is behind it, in a branch or loop, stays: of two in a row it may be the other that
 * is taken away, and without the inner one nvcc makes the splatting's kernels 4 % slower
 * (docs/log/gaussian-splatting.md).
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

typedef struct sweep {
    gw_func *f;
    bool *seen;    /* gw_seen_objects */
    bool *reached; /* by op: on some way to this barrier there is such an access */
} sweep;

/* What other threads may see, or what threads do together. */
static bool is_shared_work(const sweep *w, gw_op op) {
    const gw_op_data *o = gw_op_at(w->f, op);
    if (o->object) return w->seen[o->object];
    return o->code == GW_OP_CALL || gw_op_rows[o->code].effect == GW_EFFECT_MEET;
}

/* worked: since the last barrier on some way here there was shared work; the same at the region's end. */
static bool pass(void *with, gw_region r, bool worked) {
    sweep *w = with;
    for (gw_op op = gw_first(w->f, r); op; op = gw_next(w->f, op)) {
        if (gw_op_at(w->f, op)->code == GW_OP_BARRIER) {
            w->reached[op] |= worked;
            worked = false;
        } else if (gw_op_at(w->f, op)->regions) {
            worked = gw_flows_through(w->f, op, worked, pass, w);
        } else {
            worked |= is_shared_work(w, op);
        }
    }
    return worked;
}

static bool is_plain(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_BARRIER && !o->results;
}

static bool drop_last(sweep *w) {
    gw_op op = gw_region_end(w->f, w->f->entry);
    while (op && !gw_op_at(w->f, op)->regions && !is_shared_work(w, op)) op = gw_prev(w->f, op);
    bool found = op && is_plain(w->f, op) && gw_takes(w->f->session, GW_OPTIONAL_IDLE_BARRIERS);
    if (found) gw_op_remove(w->f, op);
    return found;
}

bool gw_barriers_drop_idle(gw_func *f) {
    sweep w = {.f = f, .seen = gw_seen_objects(f), .reached = gw_alloc(f->ops.count)};
    bool changed = false;
    pass(&w, f->entry, false);
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (!is_plain(f, op) || w.reached[op] || !gw_takes(f->session, GW_OPTIONAL_IDLE_BARRIERS)) continue;
        gw_op_remove(f, op);
        changed = true;
    }
    changed |= drop_last(&w);
    free(w.seen);
    free(w.reached);
    return changed;
}
