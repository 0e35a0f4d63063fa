/*
 * gather/slice.c - what additions to shared adjoint cells are made of (contract: gather_private.h; rules:
 * gather.c).
 *
 * An addition in the loop's body, or in a branch of it, is taken if its address is the same for the threads
 * along the axis, and its value, address and conditions come from the loop's index, from values that were there
 * before the loop, from pure ops, and from cells that nobody stores to between the barriers around the loop.
 * Then any thread of the block can make the value for any other thread and iteration.
 */
#include "rewriters/gather/gather_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is needed ---- */
static bool need(gw_turn *t, gw_value v);

/* The op and all that is in it: pure ops, loads, control. */
static bool need_op(gw_turn *t, gw_op op) {
    const gw_func *f = t->g->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (t->needed[op]) return true;
    t->needed[op] = true;
    bool control = o->regions || o->code == GW_OP_YIELD;
    if (o->code == GW_OP_LOAD ? !gw_gather_is_readable(t->g, op)
                              : gw_op_rows[o->code].effect != GW_EFFECT_PURE && !control)
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!need(t, gw_operand(f, op, i))) return false;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(f, o->region[i]); in; in = gw_next(f, in))
            if (!need_op(t, in)) return false;
    return true;
}

static bool need_from_outside(gw_turn *t, gw_value v) {
    if (!gw_gather_varies(t, v)) return true;
    for (uint32_t i = 0; i < t->live.count; i++)
        if (t->live.at[i] == v) return true;
    if (!gw_gather_is_place(t, v) && !gw_gather_can_stage(t, v)) return false;
    gw_push(&t->live, v);
    return true;
}

static bool need(gw_turn *t, gw_value v) {
    const gw_func *f = t->g->f;
    gw_region body = gw_loop_body(f, t->loop), r = gw_value_region(f, v);
    gw_op op = gw_value_at(f, v)->op;
    if (!gw_region_inside(f, r, body)) return need_from_outside(t, v);
    if (!op && r == body) return gw_value_at(f, v)->index == 0; /* the index; not what the loop carries */
    if (!op) return t->needed[gw_region_at(f, r)->parent];
    return need_op(t, op);
}

/* ---- additions ---- */
static bool has_plain_index(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return true;
    const gw_op_data *o = gw_op_at(f, op);
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->code == GW_OP_DIV || o->code == GW_OP_REM)
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!has_plain_index(f, gw_operand(f, op, i))) return false;
    return true;
}

/* The index is used where the conditions around the addition are not known: it is made of pure ops then. */
static bool address_is_shared(gw_turn *t, gw_op add) {
    const gw_func *f = t->g->f;
    bool moves = false, guarded = gw_op_at(f, add)->parent != gw_loop_body(f, t->loop);
    for (uint32_t i = 0; i < gw_index_count(f, add); i++) {
        gw_value v = gw_operand(f, add, i);
        if (gw_gather_varies(t, v) || (guarded && !has_plain_index(f, v))) return false;
        moves |= gw_region_inside(f, gw_value_region(f, v), gw_loop_body(f, t->loop));
    }
    return moves;
}

static bool needs_met(gw_turn *t, gw_op add) {
    const gw_func *f = t->g->f;
    for (uint32_t i = 0; i < gw_op_at(f, add)->operands; i++)
        if (!need(t, gw_operand(f, add, i))) return false;
    for (gw_op at = gw_op_around(f, add); at != t->loop; at = gw_op_around(f, at))
        if (!need(t, gw_operand(f, at, 0))) return false;
    return true;
}

/* Nothing but additions reaches the object while threads are at the loop. */
static bool only_added_to(const gw_gather *g, gw_op add) {
    gw_object object = gw_op_at(g->f, add)->object;
    for (gw_op at = 1; at < g->f->ops.count; at++) {
        const gw_op_data *o = gw_op_at(g->f, at);
        if (o->dead || o->object != object || o->code == GW_OP_ACCUM) continue;
        if (gw_intervals_meet(&g->intervals, at, add)) return false;
    }
    return true;
}

static bool takes(gw_turn *t, gw_op add) {
    const gw_func *f = t->g->f;
    gw_object_kind kind = gw_object_at(f, gw_op_at(f, add)->object)->kind;
    if (gw_object_is_private(kind) || !gw_gather_may(f, add) || !only_added_to(t->g, add) ||
        !address_is_shared(t, add))
        return false;
    uint32_t live = t->live.count;
    bool *before = gw_alloc(f->ops.count + 1);
    memcpy(before, t->needed, f->ops.count);
    bool good = needs_met(t, add);
    if (!good) {
        t->live.count = live;
        memcpy(t->needed, before, f->ops.count);
    }
    free(before);
    return good;
}

static void collect(gw_turn *t, gw_region r) {
    const gw_func *f = t->g->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_ACCUM && takes(t, op)) gw_push(&t->adds, op);
        for (uint32_t i = 0; o->code == GW_OP_IF && i < 2; i++) collect(t, o->region[i]);
    }
}

bool gw_gather_slice(gw_turn *t) {
    const gw_func *f = t->g->f;
    t->needed = gw_alloc(f->ops.count + 1);
    t->varies = gw_alloc(f->values.count + 1);
    collect(t, gw_loop_body(f, t->loop));
    return t->adds.count != 0;
}

void gw_gather_slice_free(gw_turn *t) {
    free(t->needed);
    free(t->varies);
    gw_vec_free(&t->adds);
    gw_vec_free(&t->live);
}
