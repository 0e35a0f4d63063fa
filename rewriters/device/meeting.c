/*
 * device/meeting.c - barriers, collective operations and additions of several threads, coarsened.
 *
 * Sound because each of these gives all of its threads a value that depends on what each brings, in no order,
 * or only on which of them are active: so the instances' shares are put together in the thread first.
 *
 *   barrier, and/or/count   the and, the or of the instances; a count is the sum of n counts, each of one
 *                           instance
 *   gw_most                 the most of the instances
 *   gw_of_active            the value of the first active instance; active, if one is: all that are have one
 *                           value
 *   gw_saying, gw_all       the or, the and
 *   COLLECT                 values are sums over the instances (one that takes no part brings 0), a thread
 *                           takes part if one of its instances does. All that take part have one cell, in all
 *                           threads that meet: indices that are not known to the whole block come from
 *                           collective operations, which are put together alike; so the warp that meets now
 *                           may be other threads than before
 *   cell += value           where instances share the cell: one addition of their sum
 *   rows of a thread        (slots) are each instance's own: each has rows that nobody else writes
 */
#include "rewriters/device/coarsen_private.h"

#include "analysis/ir/rungs.h"
#include "analysis/ir/warp.h"

enum { MOST_INDICES = 31 };

/* ---- several values to one ---- */
static gw_value fold_values(gw_coarsener *k, gw_value v, gw_opcode code) {
    gw_value made = gw_coarsen_value(k, 0, v);
    for (uint32_t i = 1; i < k->n && k->same.value[v]; i++)
        made = gw_binary(&k->b, code, made, gw_coarsen_value(k, i, v));
    return made;
}

static gw_value sum(gw_coarsener *k, gw_value v) {
    if (k->same.value[v]) return fold_values(k, v, GW_OP_ADD);
    gw_value one = gw_coarsen_value(k, 0, v);
    return gw_binary(&k->b, GW_OP_MUL, one, gw_real(&k->b, gw_typeof(k->f, one), k->n));
}

/* 1 where all instances have other than 0. */
static gw_value all_of(gw_coarsener *k, gw_value v) {
    gw_value zero = gw_int(&k->b, gw_typeof(k->from, v), 0), made = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        gw_value holds = gw_binary(&k->b, GW_OP_NE, gw_coarsen_value(k, i, v), zero);
        made = made ? gw_binary(&k->b, GW_OP_AND, made, holds) : holds;
    }
    return gw_cast(&k->b, GW_T_I32, made);
}

/* ---- places where threads meet ---- */
static bool has_present_mask(const gw_func *f, gw_op op) {
    gw_op mask = gw_op_at(f, op)->operands ? gw_value_at(f, gw_operand(f, op, 0))->op : 0;
    return mask && gw_op_at(f, mask)->code == GW_OP_WARP && gw_op_at(f, mask)->attr == GW_WARP_PRESENT;
}

/* The op is the compiler's own: all lanes that there are come to it. */
static bool is_own(const gw_func *f, gw_op op) {
    switch (gw_op_at(f, op)->attr) {
    case GW_WARP_PRESENT: return true;
    case GW_WARP_MOST:
    case GW_WARP_OF_ACTIVE:
    case GW_WARP_SAYING:
    case GW_WARP_ANY:
    case GW_WARP_ALL: return has_present_mask(f, op);
    default: return false;
    }
}

static bool is_summed_together(const gw_op_data *o) {
    return o->code == GW_OP_ACCUM && gw_is_collected(o->attr);
}

static bool makes_rows(const gw_op_data *o) {
    return (o->code == GW_OP_ACCUM || o->code == GW_OP_COLLECT) && gw_accumulates_in_rows(o->attr) &&
           !gw_is_row_of_warp(o->attr);
}

static bool one_cell(const gw_coarsener *k, gw_op op) {
    for (uint32_t i = 0; i < gw_index_count(k->from, op); i++)
        if (k->same.value[gw_operand(k->from, op, i)]) return false;
    return gw_index_count(k->from, op) <= MOST_INDICES &&
           !gw_object_is_private(gw_object_at(k->from, gw_op_at(k->from, op)->object)->kind);
}

const char *gw_coarsen_cannot_meet(const gw_coarsener *k, gw_op op, const char **way_out) {
    const gw_op_data *o = gw_op_at(k->from, op);
    gw_effect effect = gw_op_rows[o->code].effect;
    bool apart = k->same.region[o->parent];
    *way_out = "let threads exchange values through shared memory";
    if (o->code == GW_OP_WARP && !is_own(k->from, op)) return "lanes of a warp exchange values";
    if (o->code == GW_OP_SYNCWARP) return "lanes of a warp wait for each other";
    if (o->code == GW_OP_CALL) {
        *way_out = "let it be inlined: without recursion and without a derivative of its own";
        return "a function is called that may ask for its threadIdx";
    }
    if (makes_rows(o)) return NULL;
    if (is_summed_together(o) && !one_cell(k, op)) return "lanes add together to cells of their own";
    if (o->code == GW_OP_COLLECT || o->code == GW_OP_BARRIER || o->code == GW_OP_WARP ||
        o->code == GW_OP_CLEAR || o->code == GW_OP_SETTLE_ALL)
        return apart ? "threads meet where only some of its threads may come" : NULL;
    return effect == GW_EFFECT_MEET || effect == GW_EFFECT_LANES ? "threads meet" : NULL;
}

static void barrier(gw_coarsener *k, gw_op op) {
    const gw_op_data o = *gw_op_at(k->from, op);
    gw_value v = gw_operand(k->from, op, 0), total = 0;
    if (o.attr != GW_BARRIER_COUNT) {
        gw_value all = o.attr == GW_BARRIER_AND ? all_of(k, v) : fold_values(k, v, GW_OP_OR);
        gw_coarsen_results(k, op, gw_coarsen_like(k, op, &all, 1));
        return;
    }
    for (uint32_t i = 0; i < k->n; i++) {
        gw_value mine = gw_coarsen_value(k, i, v);
        gw_value counted = gw_op_add_result(k->f, gw_coarsen_like(k, op, &mine, 1), GW_T_I32, 0);
        total = total ? gw_binary(&k->b, GW_OP_ADD, total, counted) : counted;
    }
    for (uint32_t i = 0; i < k->n; i++) gw_map_set(&k->one[i].values, o.first_result, total);
}

static void of_active(gw_coarsener *k, gw_op op) {
    gw_value v = gw_operand(k->from, op, 1), flag = gw_operand(k->from, op, 2);
    gw_value chosen = gw_coarsen_value(k, k->n - 1, v), zero = gw_int(&k->b, gw_typeof(k->from, flag), 0);
    for (uint32_t i = k->n - 1; i-- > 0 && k->same.value[v];) {
        gw_value active = gw_binary(&k->b, GW_OP_NE, gw_coarsen_value(k, i, flag), zero);
        chosen = gw_select(&k->b, active, gw_coarsen_value(k, i, v), chosen);
    }
    gw_value operands[] = {gw_coarsen_value(k, 0, gw_operand(k->from, op, 0)), chosen,
                           fold_values(k, flag, GW_OP_OR)};
    gw_coarsen_results(k, op, gw_coarsen_like(k, op, operands, 3));
}

static void of_lanes(gw_coarsener *k, gw_op op) {
    uint16_t kind = gw_op_at(k->from, op)->attr;
    gw_value v = gw_operand(k->from, op, 1);
    gw_value all;
    if (kind == GW_WARP_MOST) all = fold_values(k, v, GW_OP_IMAX);
    else if (kind == GW_WARP_ANY || kind == GW_WARP_SAYING) all = fold_values(k, v, GW_OP_OR);
    else all = all_of(k, v);
    gw_value operands[] = {gw_coarsen_value(k, 0, gw_operand(k->from, op, 0)), all};
    gw_coarsen_results(k, op, gw_coarsen_like(k, op, operands, 2));
}

void gw_coarsen_meeting(gw_coarsener *k, gw_op op) {
    const gw_op_data *o = gw_op_at(k->from, op);
    bool alone = true;
    for (uint32_t i = 0; i < o->operands; i++) alone &= !k->same.value[gw_operand(k->from, op, i)];
    bool counts = o->code == GW_OP_BARRIER && o->attr == GW_BARRIER_COUNT;
    if (alone && !counts) gw_coarsen_once(k, op);
    else if (o->code == GW_OP_BARRIER) barrier(k, op);
    else if (o->attr == GW_WARP_OF_ACTIVE) of_active(k, op);
    else of_lanes(k, op);
}

/* ---- additions ---- */
static gw_op add_sum(gw_coarsener *k, gw_op add, gw_value value) {
    gw_value operands[MOST_INDICES + 1];
    uint32_t n = gw_index_count(k->from, add);
    for (uint32_t i = 0; i < n; i++) operands[i] = gw_coarsen_value(k, 0, gw_operand(k->from, add, i));
    operands[n] = value;
    return gw_coarsen_like(k, add, operands, n + 1);
}

/* The sums first: nothing may stand between the additions and their COLLECT, nor between those that are one
 * instruction. */
static void add_sums(gw_coarsener *k, gw_op op, gw_op end) {
    GW_VEC(gw_value) sums = {0};
    for (gw_op add = op; add != end; add = gw_next(k->from, add))
        gw_push(&sums, sum(k, gw_operand(k->from, add, gw_index_count(k->from, add))));
    uint32_t at = 0;
    for (gw_op add = op; add != end; add = gw_next(k->from, add)) add_sum(k, add, sums.at[at++]);
    gw_vec_free(&sums);
}

static void collect(gw_coarsener *k, gw_op op, gw_op end) {
    GW_VEC(gw_value) flags = {0};
    gw_push(&flags, gw_coarsen_value(k, 0, gw_operand(k->from, end, 0)));
    const gw_op_data o = *gw_op_at(k->from, end);
    uint32_t count = gw_collected(o.operands, o.attr);
    for (uint32_t i = 1; i <= count; i++)
        gw_push(&flags, fold_values(k, gw_operand(k->from, end, i), GW_OP_OR));
    for (uint32_t i = 1 + count; i < o.operands; i++)
        gw_push(&flags, gw_coarsen_value(k, 0, gw_operand(k->from, end, i)));
    add_sums(k, op, end);
    gw_coarsen_like(k, end, flags.at, flags.count);
    gw_vec_free(&flags);
}

gw_op gw_coarsen_addition(gw_coarsener *k, gw_op op) {
    const gw_func *from = k->from;
    gw_object object = gw_op_at(from, op)->object;
    uint16_t how = gw_op_at(from, op)->attr;
    /* each value goes to its accumulator as it is: a sum of two would be rounded */
    bool shared = one_cell(k, op) && gw_way(how)->into != GW_INTO_ACCUMULATOR,
         alike = gw_object_is_private(gw_object_at(from, object)->kind) && !k->same.object[object];
    gw_op end = gw_next(from, op), last = op;
    const bool neighbours =
        gw_way(how)->as == GW_AS_RUN || gw_is_collected(how) || gw_way(how)->scope == GW_SUM_OF_WARP;
    for (; neighbours && gw_op_at(from, end)->code == GW_OP_ACCUM && gw_op_at(from, end)->attr == how;
         end = gw_next(from, end)) {
        if (!is_summed_together(gw_op_at(from, op)) && one_cell(k, end) != shared) break;
        last = end;
    }
    if (makes_rows(gw_op_at(from, op))) {
        for (uint32_t i = 0; i < k->n; i++)
            for (gw_op in = op; in != gw_next(from, end); in = gw_next(from, in)) gw_clone_op(&k->one[i], in);
        return end;
    }
    if (is_summed_together(gw_op_at(from, op))) {
        collect(k, op, end);
        return end;
    }
    if (shared) add_sums(k, op, end);
    else if (alike) gw_coarsen_once(k, op);
    for (uint32_t i = 0; i < k->n && !shared && !alike; i++) /* neighbours stay neighbours */
        for (gw_op add = op; add != end; add = gw_next(from, add)) gw_clone_op(&k->one[i], add);
    return last;
}
