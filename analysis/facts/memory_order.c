/*
 * memory_order.c - which memory operations other threads can see (contract: facts.h).
 *
 * Threads run the same code, so an object that this function never stores to is stored to by nobody. Between
 * two barriers a cell that one thread stores to is no other thread's (race-freedom), so values of cells may be
 * passed on there as in one thread; across a barrier only those of private objects and of objects that do not
 * change.
 */
#include "analysis/facts/facts.h"

static bool holds(const gw_func *f, gw_op op, bool of_block);

static bool region_holds(const gw_func *f, gw_region r, bool of_block) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op))
        if (holds(f, op, of_block)) return true;
    return false;
}

static bool holds(const gw_func *f, gw_op op, bool of_block) {
    const gw_op_data *o = gw_op_at(f, op);
    if (of_block ? o->code == GW_OP_BARRIER : gw_op_rows[o->code].effect == GW_EFFECT_MEET) return true;
    for (uint32_t i = 0; i < o->regions; i++)
        if (region_holds(f, o->region[i], of_block)) return true;
    return false;
}

bool gw_is_joint(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    const gw_effect effect = gw_op_rows[o->code].effect;
    if (effect == GW_EFFECT_MEET || effect == GW_EFFECT_LANES) return true;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(f, o->region[i]); in; in = gw_next(f, in))
            if (gw_is_joint(f, in)) return true;
    return false;
}

bool gw_holds_barrier(const gw_func *f, gw_op op) { return holds(f, op, false); }
bool gw_region_holds_barrier(const gw_func *f, gw_region r) { return region_holds(f, r, false); }
bool gw_holds_block_barrier(const gw_func *f, gw_op op) { return holds(f, op, true); }
bool gw_region_holds_block_barrier(const gw_func *f, gw_region r) { return region_holds(f, r, true); }

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
