/*
 * memory_order.c - which memory operations other threads can see (contract: memory_order.h).
 *
 * Threads run the same code, so an object that this function never stores to is stored to by nobody. Between two
 * barriers a cell that one thread stores to is no other thread's (race-freedom), so values of cells may be passed on
 * there as in one thread; across a barrier only those of private objects and of objects that do not change.
 */
#include "memory_order.h"

bool gw_region_holds_barrier(const gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op))
        if (gw_holds_barrier(f, op)) return true;
    return false;
}

bool gw_holds_barrier(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (gw_op_rows[o->code].effect == GW_EFFECT_MEET) return true;
    for (uint32_t i = 0; i < o->regions; i++)
        if (gw_region_holds_barrier(f, o->region[i])) return true;
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
