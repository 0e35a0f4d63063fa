/*
 * barriers_idle.c - barriers that order nothing (contract: barriers.h).
 *
 * A reverse sweep has a barrier wherever the primal has one, and where values are handed over. At the end of a branch, at that of
 * the loop around it and at the loop's begin there may so be three in a row.
 *
 * A barrier is idle if no access of memory that threads of the block share lies on any way from the barriers before it (or the
 * function's begin), or on any way to those behind it (or the end). Sound: what stands before the last barrier in front and what
 * stands behind the idle one are still apart, and as these ways are free of accesses, no two accesses come together that were apart.
 * First those that are idle by what is before them go, then, with what is left, those by what is behind them: of two in a row
 * one stays. A barrier that also counts or votes stays; so does what lanes of a warp meet at.
 */
#include "barriers.h"

#include "memory_order.h"
#include "restructure.h"

#include <stdlib.h>

typedef struct sweep {
    gw_func *f;
    const bool *seen; /* gw_seen_objects */
    bool *reached;    /* by op: on some way to this barrier there is such an access */
    bool backwards;
} sweep;

/* What other threads may see, or what threads do together. */
static bool is_shared_work(const sweep *w, gw_op op) {
    const gw_op_data *o = gw_op_at(w->f, op);
    if (o->object) return w->seen[o->object];
    return o->code == GW_OP_CALL || gw_op_rows[o->code].effect == GW_EFFECT_MEET;
}

static bool pass(sweep *w, gw_region r, bool worked);

static gw_region region_in_turn(const sweep *w, gw_op op, uint32_t i) {
    const gw_op_data *o = gw_op_at(w->f, op);
    return o->region[w->backwards ? o->regions - 1 - i : i];
}

/* A loop may be left behind each of its regions, or not entered. */
static bool pass_loop(sweep *w, gw_op op, bool worked) {
    bool left = worked, before;
    do {
        before = left;
        bool now = left;
        for (uint32_t i = 0; i < gw_op_at(w->f, op)->regions; i++) {
            now = pass(w, region_in_turn(w, op, i), now);
            left |= now;
        }
    } while (left != before);
    return left;
}

static bool pass_branch(sweep *w, gw_op op, bool worked) {
    bool any = gw_op_at(w->f, op)->regions < 2 && worked;
    for (uint32_t i = 0; i < gw_op_at(w->f, op)->regions; i++) any |= pass(w, region_in_turn(w, op, i), worked);
    return any;
}

/* worked: since the last barrier on some way here there was shared work; the same at the region's other end. */
static bool pass(sweep *w, gw_region r, bool worked) {
    for (gw_op op = w->backwards ? gw_region_end(w->f, r) : gw_first(w->f, r); op; op = w->backwards ? gw_prev(w->f, op) : gw_next(w->f, op)) {
        if (gw_op_at(w->f, op)->code == GW_OP_BARRIER) {
            w->reached[op] |= worked;
            worked = false;
        } else if (gw_is_loop(w->f, op)) {
            worked = pass_loop(w, op, worked);
        } else if (gw_op_at(w->f, op)->regions) {
            worked = pass_branch(w, op, worked);
        } else {
            worked |= is_shared_work(w, op);
        }
    }
    return worked;
}

static bool drop(gw_func *f, const bool *seen, bool backwards) {
    sweep w = {.f = f, .seen = seen, .reached = gw_alloc(f->ops.count), .backwards = backwards};
    bool changed = false;
    pass(&w, f->entry, false);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_BARRIER || o->results || w.reached[op]) continue;
        gw_op_remove(f, op);
        changed = true;
    }
    free(w.reached);
    return changed;
}

bool gw_barriers_drop_idle(gw_func *f) {
    bool *seen = gw_seen_objects(f);
    bool before = drop(f, seen, false), behind = drop(f, seen, true);
    free(seen);
    return before || behind;
}
