/*
 * delay.c - a part of the schedule pass: what nobody waits for goes behind what somebody does.
 *
 *  1. An atomic addition, or a posted one, goes behind the loads that follow it in its region. A GPU keeps
 *     loads in their order behind atomics that might change what they read, so in d_bias[k] += v;  h = v *
 *     gain[k]; d_gain[k] += ...;  d_x[i] += h; each load would wait for the one before the addition in front of
 *     it.
 *  2. The zeroing of a cell of the caller's memory goes to where its region ends, and out of branches to where
 *     the region around ends, under the same condition. The store of a zero right behind the load of its cell
 *     holds up the load, and all that wait for it (measured: docs/log/gpu-kernels.md, `scan`).
 *
 * Sound: additions commute, and pass nothing else that touches their object, no point where threads meet and no
 * loop. A cell that ownership gave to the thread for the whole kernel, which is what plain means outside of
 * shared memory, is nobody else's at any time, so its zeroing passes barriers, too; it passes nothing that may
 * touch the cell, but zeroings, and leaves no loop.
 */
#include "rewriters/device/schedule_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "rewriters/motion/motion.h"

bool gw_is_zeroing(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    double x = 1;
    if (o->code != GW_OP_STORE || o->attr != GW_ACCUMULATE_PLAIN) return false;
    return gw_const_real(f, gw_operand(f, op, gw_index_count(f, op)), &x) && x == 0;
}

enum { MOST_DELAYED = 16 /* of a region: what they add stays in registers */ };

typedef GW_VEC(gw_op) op_list;

static bool is_global(const gw_func *f, gw_op op) {
    return !gw_object_is_inner(gw_object_at(f, gw_op_at(f, op)->object)->kind);
}

/* ---- atomic additions ---- */
/* A load, or a plain addition, which loads its cell. */
static bool is_waited_for(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code != GW_OP_LOAD && (o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_PLAIN)) return false;
    return !gw_object_is_private(gw_object_at(f, o->object)->kind);
}

/* The last load that the addition may go behind; 0: there is none. */
static gw_op last_load(const gw_func *f, gw_op add) {
    gw_object object = gw_op_at(f, add)->object;
    gw_op found = 0;
    for (gw_op op = gw_next(f, add); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        bool passes = o->code == GW_OP_ACCUM || !gw_touches(f, op, object, GW_TOUCH_READ | GW_TOUCH_WRITE);
        if (o->regions || o->code == GW_OP_CALL || !passes || gw_holds_barrier(f, op)) break;
        if (is_waited_for(f, op)) found = op;
    }
    return found;
}

static void delay_additions(gw_func *f, gw_region r) {
    op_list list = {0};
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        /* neighbours stay neighbours */
        const gw_way_row *way = gw_way(o->attr);
        bool atomic = (way->as == GW_AS_CALL || way->as == GW_AS_RUN) && way->scope == GW_SUM_OF_THREAD;
        if (o->code == GW_OP_ACCUM && atomic && is_global(f, op)) gw_push(&list, op);
    }
    for (uint32_t i = list.count; i-- > 0 && list.count <= MOST_DELAYED;) {
        /* the last first: so they keep their order */
        gw_op load = last_load(f, list.at[i]);
        if (load) gw_op_move(f, list.at[i], r, gw_next(f, load));
    }
    gw_vec_free(&list);
}

/* ---- zeroing ---- */
/* In a branch or loop: a cell that may be the store's, not one of another member. */
static bool may_touch_inside(const gw_func *f, gw_op op, gw_op store) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_CALL)
        return gw_touches(f, op, gw_op_at(f, store)->object, GW_TOUCH_READ | GW_TOUCH_WRITE);
    if (o->object == gw_op_at(f, store)->object && gw_paths_may_meet(f, op, store)) return true;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(f, o->region[i]); in; in = gw_next(f, in))
            if (may_touch_inside(f, in, store)) return true;
    return false;
}

bool gw_may_touch(const gw_func *f, gw_op op, gw_op store) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->regions || o->code == GW_OP_CALL) return may_touch_inside(f, op, store);
    return o->object == gw_op_at(f, store)->object && gw_alias_ops(f, op, store) != GW_ALIAS_NO;
}

/* Whether it may go from behind `from` to the end of that region. */
static bool may_end(const gw_func *f, gw_op store, gw_op from) {
    for (gw_op op = gw_next(f, from); op; op = gw_next(f, op))
        if (!gw_is_zeroing(f, op) && gw_may_touch(f, op, store)) return false;
    return true;
}

/* The last branch behind `branch` in its region that this side of it runs under the same condition; 0: none. */
static gw_op like_branch(const gw_func *f, gw_op branch) {
    gw_op found = 0;
    for (gw_op op = gw_next(f, branch); op; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_IF && gw_operand(f, op, 0) == gw_operand(f, branch, 0)) found = op;
    return found;
}

/* A branch with nothing but zeroing in it, such as this file makes. */
static bool only_zeroes(const gw_func *f, gw_op op) {
    if (gw_op_at(f, op)->code != GW_OP_IF) return false;
    for (uint32_t side = 0; side < 2; side++)
        for (gw_op in = gw_first(f, gw_op_at(f, op)->region[side]); in; in = gw_next(f, in)) {
            const gw_op_data *o = gw_op_at(f, in);
            if (o->code != GW_OP_YIELD && o->code != GW_OP_CONST && !gw_is_zeroing(f, in)) return false;
        }
    return true;
}

/* Threads meet, or work, behind the branch: else it is where it should be. */
static bool goes_on(const gw_func *f, gw_op branch) {
    for (gw_op op = gw_next(f, branch); op; op = gw_next(f, op))
        if (gw_holds_barrier(f, op) || (gw_op_at(f, op)->regions && !only_zeroes(f, op))) return true;
    return false;
}

static bool leave_branch(gw_func *f, gw_op store) {
    gw_region r = gw_op_at(f, store)->parent;
    gw_op branch = gw_region_at(f, r)->parent;
    if (!branch || gw_op_at(f, branch)->code != GW_OP_IF || !goes_on(f, branch)) return false;
    gw_region outside = gw_op_at(f, branch)->parent;
    if (!gw_address_visible(f, store, outside) || !may_end(f, store, branch)) return false;
    uint32_t side = gw_op_at(f, branch)->region[0] == r ? 0 : 1;
    gw_op like = like_branch(f, branch), end = gw_region_end(f, outside);
    gw_builder b = {f, outside, end, gw_op_at(f, store)->loc};
    gw_value zero = gw_real(&b, gw_typeof(f, gw_operand(f, store, gw_index_count(f, store))), 0);
    gw_set_operand(f, store, gw_index_count(f, store), zero);
    gw_op_at(f, store)->flags &= (uint16_t)~GW_OP_APART;
    if (like) {
        gw_op_move(f, gw_value_at(f, zero)->op, outside, like);
        gw_op_move(f, store, gw_op_at(f, like)->region[side],
                   gw_region_end(f, gw_op_at(f, like)->region[side]));
    } else {
        gw_op_move(f, store, outside, end);
        gw_put_under(f, store, gw_operand(f, branch, 0), side);
    }
    return true;
}

static void delay_zeroing(gw_func *f, gw_op store) {
    if (!may_end(f, store, store)) return;
    gw_region r = gw_op_at(f, store)->parent;
    if (gw_next(f, store) != gw_region_end(f, r)) gw_op_move(f, store, r, gw_region_end(f, r));
    while (leave_branch(f, store)) continue;
}

void gw_delay(gw_func *f, gw_region r) {
    op_list all = {0}, zeroings = {0}; /* as they stand: what is moved here is not visited again */
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        gw_push(&all, op);
        if (gw_is_zeroing(f, op) && is_global(f, op)) gw_push(&zeroings, op);
    }
    for (uint32_t i = 0; i < all.count; i++)
        for (uint32_t k = 0; k < gw_op_at(f, all.at[i])->regions; k++)
            gw_delay(f, gw_op_at(f, all.at[i])->region[k]);
    for (uint32_t i = 0; i < zeroings.count; i++) delay_zeroing(f, zeroings.at[i]);
    gw_vec_free(&zeroings);
    gw_vec_free(&all);
    delay_additions(f, r);
}
