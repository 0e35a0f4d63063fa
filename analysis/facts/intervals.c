/*
 * intervals.c - barrier intervals (contract: facts.h).
 *
 * All threads of a block pass the same barriers in the same order (they stand in uniform control), so at any
 * time they are between the same two. An op belongs to the intervals that begin at the barriers from which
 * control reaches it without passing another one, over branches and the back edges of loops. Ops without a
 * common begin are never run at the same time. The lanes of a warp are so between two points where all of the
 * warp meet: barriers, and __syncwarp of all lanes in control that is uniform over the warp.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
    gw_intervals *v;
    const gw_func *f;
    uint32_t *number; /* by op: of a barrier, from 1 */
} walk;

typedef uint64_t *set;

static bool join(const walk *w, set to, const uint64_t *from) {
    bool changed = false;
    for (uint32_t i = 0; i < w->v->words; i++) {
        changed |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return changed;
}

static set new_set(const walk *w) { return gw_alloc(w->v->words * sizeof(uint64_t)); }

static void pass(walk *w, gw_region r, set now);

static void pass_loop(walk *w, gw_op op, set now) {
    const gw_op_data *o = gw_op_at(w->f, op);
    set round = new_set(w);
    do {
        memcpy(round, now, w->v->words * sizeof *round);
        for (uint32_t i = 0; i < o->regions; i++) pass(w, o->region[i], round);
    } while (join(w, now, round));
    free(round);
}

static void pass_branch(walk *w, gw_op op, set now) {
    const gw_op_data *o = gw_op_at(w->f, op);
    set all = new_set(w), side = new_set(w);
    for (uint32_t i = 0; i < o->regions; i++) {
        memcpy(side, now, w->v->words * sizeof *side);
        pass(w, o->region[i], side);
        join(w, all, side);
    }
    memcpy(now, all, w->v->words * sizeof *all);
    free(all);
    free(side);
}

/* `now`: the begins that reach the region's begin, then those that reach its end. */
static void pass(walk *w, gw_region r, set now) {
    for (gw_op op = gw_first(w->f, r); op; op = gw_next(w->f, op)) {
        const gw_op_data *o = gw_op_at(w->f, op);
        join(w, w->v->begin + (size_t)op * w->v->words, now);
        if (w->number[op]) {
            memset(now, 0, w->v->words * sizeof *now);
            now[w->number[op] / 64] = (uint64_t)1 << w->number[op] % 64;
        } else if (gw_is_loop(w->f, op)) {
            pass_loop(w, op, now);
        } else if (o->regions) {
            pass_branch(w, op, now);
        }
    }
}

bool gw_is_warps_barrier(const gw_uniform *lanes, gw_op op) {
    const gw_op_data *o = gw_op_at(lanes->f, op);
    int64_t mask;
    return o->code == GW_OP_SYNCWARP && gw_const_int(lanes->f, gw_operand(lanes->f, op, 0), &mask) &&
           (uint32_t)mask == UINT32_MAX && lanes->region[o->parent] <= GW_UNIFORM_WARP;
}

/* `lanes`: also where those of a warp meet. */
static void find(gw_intervals *v, const gw_func *f, const gw_uniform *lanes) {
    walk w = {.v = v, .f = f, .number = gw_alloc(f->ops.count * sizeof *w.number)};
    uint32_t count = 1; /* 0: the function's begin */
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead) continue;
        if (gw_op_at(f, op)->code == GW_OP_BARRIER || (lanes && gw_is_warps_barrier(lanes, op)))
            w.number[op] = count++;
    }
    v->words = count / 64 + 1;
    v->begin = gw_alloc((size_t)f->ops.count * v->words * sizeof *v->begin);
    set now = new_set(&w);
    now[0] = 1;
    pass(&w, f->entry, now);
    free(now);
    free(w.number);
}

void gw_intervals_new(gw_intervals *v, const gw_func *f) { find(v, f, NULL); }

void gw_intervals_of_lanes(gw_intervals *v, const gw_uniform *lanes) { find(v, lanes->f, lanes); }

void gw_intervals_free(gw_intervals *v) { free(v->begin); }

bool gw_intervals_meet(const gw_intervals *v, gw_op x, gw_op y) {
    for (uint32_t i = 0; i < v->words; i++)
        if (v->begin[(size_t)x * v->words + i] & v->begin[(size_t)y * v->words + i]) return true;
    return false;
}

bool gw_intervals_same(const gw_func *f, gw_op x, gw_op y) {
    gw_region r = gw_op_at(f, x)->parent;
    gw_op at = y;
    while (at && gw_op_at(f, at)->parent != r) at = gw_op_around(f, at);
    if (!at || (at != y && gw_holds_barrier(f, at))) return false;
    for (int turn = 0; turn < 2; turn++) { /* either may come first */
        gw_op from = turn ? at : x, to = turn ? x : at;
        bool met = false;
        for (gw_op op = from; op; op = gw_next(f, op)) {
            if (op == to) return !met;
            met |= gw_holds_barrier(f, op);
        }
    }
    return false;
}
