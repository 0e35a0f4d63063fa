/*
 * memory_order.c - which memory operations other threads can see (contract: facts.h).
 *
 * Threads run the same code, so an object that this function never stores to is stored to by nobody. Between
 * two barriers a cell that one thread stores to is no other thread's (race-freedom), so values of cells may be
 * passed on there as in one thread; across a barrier only those of private objects and of objects that do not
 * change.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/query.h"
static bool meets(const gw_func *f, gw_op op) {
    return gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_MEET;
}

bool gw_is_joint(const gw_func *f, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (meets(f, in) || gw_op_rows[gw_op_at(f, in)->code].effect == GW_EFFECT_LANES) return true;
    return false;
}

bool gw_holds_barrier(const gw_func *f, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (meets(f, in)) return true;
    return false;
}

bool gw_region_holds_barrier(const gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r))
        if (meets(f, op)) return true;
    return false;
}

bool gw_holds_block_barrier(const gw_func *f, gw_op op) { return gw_has_op(f, op, GW_OP_BARRIER); }

bool gw_region_holds_block_barrier(const gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r))
        if (gw_op_at(f, op)->code == GW_OP_BARRIER) return true;
    return false;
}

bool *gw_changing_objects(const gw_func *f) {
    bool *changing = gw_alloc(f->objects.count + 1);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || !o->object || gw_object_is_private(gw_object_at(f, o->object)->kind)) continue;
        if (gw_op_rows[o->code].effect == GW_EFFECT_WRITE) changing[o->object] = true;
    }
    return changing;
}

bool *gw_seen_objects(const gw_func *f) {
    bool *seen = gw_changing_objects(f);
    for (gw_object o = 1; o < f->objects.count; o++) seen[o] |= gw_object_at(f, o)->kind == GW_OBJECT_SHARED;
    return seen;
}
