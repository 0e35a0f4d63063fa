/*
 * schedule.c - the schedule pass: a kernel's gradient loads all adjoints that it needs before it computes.
 *
 * A gradient of a map is bound by memory latency: the loads of its owned adjoint cells are independent, but
 * written as `d_x[i] += v` at the end they start one after the other, behind the arithmetic. An addition
 * that ownership made plain is split: its load goes up, in its region, to where the address is known, its
 * store stays. Reads of consumed adjoints go up likewise, and zeroing goes down: a store right behind the load
 * of the same cell stalls the loads after it. Then what nobody waits for goes last (delay.c).
 *
 * Requires ownership's decisions. Sound because a load passes no op that may write its cell, and no other
 * thread touches a plain cell. It does not pass a loop: the value would hold a register all that time.
 */
#include "rewriters/device/schedule_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

enum {
    FEWEST_LOADS = 3, /* a region with fewer has its loads in flight anyway */
    MOST_LOADS = 16   /* more ahead of one region's arithmetic would cost registers, hence occupancy: those of
                       * further   additions go together before the first addition */
};

static bool is_owned_access(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->attr != GW_ACCUMULATE_PLAIN) return false;
    return o->code == GW_OP_ACCUM || (o->code == GW_OP_LOAD && !(o->flags & GW_OP_EARLY));
}

static bool defines_index(const gw_func *f, gw_op op, gw_op access) {
    for (uint32_t i = 0; i < gw_index_count(f, access); i++)
        if (gw_value_at(f, gw_operand(f, access, i))->op == op) return true;
    return false;
}

/* Whether the access's load may not move above `op`. */
static bool blocks(const gw_func *f, gw_op op, gw_op access) {
    const gw_op_data *o = gw_op_at(f, op);
    gw_object object = gw_op_at(f, access)->object;
    if (gw_is_loop(f, op) || o->code == GW_OP_CALL || o->code == GW_OP_PUSH || o->code == GW_OP_POP)
        return true;
    if (defines_index(f, op, access) || gw_holds_barrier(f, op)) return true;
    if (o->regions) return gw_touches(f, op, object, GW_TOUCH_WRITE);
    bool writes =
        o->code == GW_OP_STORE || o->code == GW_OP_ACCUM || o->code == GW_OP_ATOMIC ||
        o->code == GW_OP_DECLARE || o->code == GW_OP_SETTLE;
    return writes && o->object == object &&
           (o->code == GW_OP_DECLARE || gw_alias_ops(f, op, access) != GW_ALIAS_NO);
}

/* The op before which the load goes, not above `first`: loads that already stand there keep their order. */
static gw_op place_for(const gw_func *f, gw_op access, gw_op first) {
    gw_op at = access;
    for (gw_op op = gw_prev(f, access); op && at != first && !blocks(f, op, access); op = gw_prev(f, op))
        at = op;
    while (at != access && gw_op_at(f, at)->code == GW_OP_LOAD) at = gw_next(f, at);
    return at;
}

/* To the end of the region, past zeroings and accesses of other cells. */
static void sink_zeroing(gw_func *f, gw_op store) {
    gw_object object = gw_op_at(f, store)->object;
    gw_region r = gw_op_at(f, store)->parent;
    gw_op end = gw_region_end(f, r);
    for (gw_op op = gw_next(f, store); op && op != end; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        bool inside = o->regions && gw_touches(f, op, object, GW_TOUCH_READ | GW_TOUCH_WRITE);
        bool access = o->object == object && !gw_is_zeroing(f, op);
        if (inside || o->code == GW_OP_CALL || gw_holds_barrier(f, op) ||
            (access && gw_alias_ops(f, op, store) != GW_ALIAS_NO))
            return;
    }
    gw_op_move(f, store, r, end);
}

static void visit_region(gw_func *f, gw_region r) {
    GW_VEC(gw_op) accesses = {0}, zeroings = {0};
    gw_op first = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op))
        if (gw_op_at(f, op)->flags & GW_OP_APART && gw_is_zeroing(f, op)) gw_push(&zeroings, op);
    for (uint32_t i = 0; i < zeroings.count; i++) sink_zeroing(f, zeroings.at[i]);
    gw_vec_free(&zeroings);
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (is_owned_access(f, op)) gw_push(&accesses, op);
        if (!first && is_owned_access(f, op) && gw_op_at(f, op)->code == GW_OP_ACCUM) first = op;
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) visit_region(f, gw_op_at(f, op)->region[i]);
    }
    for (uint32_t i = 0; accesses.count >= FEWEST_LOADS && i < accesses.count; i++) {
        gw_op op = accesses.at[i], at = place_for(f, op, i < MOST_LOADS ? 0 : first);
        if (gw_op_at(f, op)->code == GW_OP_LOAD && at != op && i < MOST_LOADS) gw_op_move(f, op, r, at);
        if (gw_op_at(f, op)->code == GW_OP_ACCUM && at != op) gw_split_addition(f, op, at);
    }
    gw_vec_free(&accesses);
}

bool gw_pass_schedule(gw_run *run) {
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        if (f->form != GW_FORM_GRAD || f->kind != GW_FUNC_KERNEL) continue;
        gw_go_past_zeros(f, f->entry);
        visit_region(f, f->entry);
        gw_delay(f, f->entry);
        gw_load_ahead(f);
    }
    return true;
}
