/*
 * accumulate/exact.c - the exact rung: each value goes into an accumulator in the workspace that is as long as
 * all numbers of its type, and is rounded once behind the kernel (gradwright/emitted/exact.cuh).
 *
 *     gw_exact_add(d_x_exact, &d_x[list[i]], v);
 *
 * Sound because
 *   - an accumulator holds the sum of up to GW_EXACT_ADDITIONS values with all its bits, so the sum is one
 *     number, whatever the order in which threads come, and rounding it gives the same bits on every run, in
 *     every shape of the launch;
 *   - how many additions a cell may be given the host computes, as it bounds loops for the tape (tape.c); where
 *     it finds more, or no bound, they are counted by cell, and the kernel behind refuses one that had more;
 *   - where the kernel reads or overwrites a cell to which additions may have come, they are rounded into it
 *     first (settle.c);
 *   - a cell has the accumulator of its number, which is looked for among those that there are: an index
 *     outside of them ends the launch. How many there are is the greatest index that the host finds, or what
 *     the caller of the launch says where it finds none. A cell's number is its distance from where the array
 *     begins.
 *
 * A block has accumulators for itself of an array in shared memory. What pointers in memory lead to has a table
 * of them, where a cell's address finds its own (emitted/exact_table.cuh); the caller of the launch says for
 * how many cells.
 *
 * A pullback of a device function that the user calls takes the accumulators as parameters: there the caller
 * clears them before the kernel and has them rounded behind it. Generated code calls none that adds to memory
 * of its caller.
 *
 * With --deterministic it is what remains where no other rung has a fixed order. Sums over a warp that were
 * made for rows, and got none, are taken apart again: a value each, so that bits do not depend on who shares a
 * warp.
 */
#include "rewriters/accumulate/accumulate_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/formula/formula.h"
#include "rewriters/workspace/workspace.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

/* ---- what can be done ---- */
/* Numbers lie at multiples of their size behind the array's begin, so each has an accumulator of its own; what
 * lies between them has some that nobody uses. */
static bool has_number(const gw_func *f, gw_op add) {
    const gw_type element = gw_exact_element(f, add);
    const uint32_t bytes = gw_type_bytes(gw_added_type(f, add));
    gw_rung_cell c;
    if (element == gw_added_type(f, add)) return true;
    return gw_exact_numbers(f, add) && gw_rung_place(f, add, &c) && c.offset % bytes == 0 &&
           c.align % bytes == 0 && gw_type_layout(f->session, element).align % bytes == 0;
}

/* What the host knows of the index. */
static bool has_bound(gw_func *f, gw_op add) {
    gw_probe probe;
    gw_probe_open(&probe, f);
    const bool bounded = gw_exact_index_cells(&probe.bounds, add) != 0;
    gw_probe_close(&probe);
    return bounded;
}

/* A pointer in memory leads to the cell, on the device alone. */
static bool is_pointed(const gw_func *f, gw_op add) {
    const gw_object_kind kind = gw_object_at(f, gw_op_at(f, add)->object)->kind;
    return (kind == GW_OBJECT_POINTER || kind == GW_OBJECT_STRUCT) && gw_exact_is_pointed(f, add);
}

/* Nothing that is emitted calls it: it would have none to hand over. */
static bool is_called(const gw_func *f) {
    const gw_session *s = f->session;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (gw_op op = 1; op < s->funcs.at[i]->ops.count; op++) {
            const gw_op_data *o = gw_op_at(s->funcs.at[i], op);
            if (!o->dead && o->code == GW_OP_CALL && o->callee == f->symbol) return true;
        }
    return false;
}

static gw_reason why_not(const gw_func *f, gw_op add) {
    const gw_object_data *d = gw_object_at(f, gw_op_at(f, add)->object);
    const gw_type type = gw_added_type(f, add);
    const bool pointed = is_pointed(f, add);
    if (f->kind != GW_FUNC_KERNEL && is_called(f)) return GW_REASON_HOST_DOES_NOT_KNOW;
    if (d->is_reference || (!gw_accesses_shared(f, add) && !pointed && !gw_rung_host_knows(f, add)))
        return GW_REASON_HOST_DOES_NOT_KNOW;
    if (type != GW_T_F32 && type != GW_T_F64) return GW_REASON_NUMBERS_APART;
    return pointed || has_number(f, add) ? GW_REASON_NONE : GW_REASON_NUMBERS_APART;
}

/* ---- doing it ---- */
static gw_reason how_rounded(gw_func *f, gw_op add) {
    const bool told = gw_object_at(f, gw_op_at(f, add)->object)->sized;
    if (f->kind != GW_FUNC_KERNEL) return GW_REASON_EXACT_SUMS_GIVEN;
    if (is_pointed(f, add)) return GW_REASON_EXACT_SUMS_POINTED;
    if (gw_accesses_shared(f, add))
        return told ? GW_REASON_EXACT_SUMS_SHARED_TOLD : GW_REASON_EXACT_SUMS_SHARED;
    return has_bound(f, add) ? GW_REASON_EXACT_SUMS : GW_REASON_EXACT_SUMS_TOLD;
}

static void say(gw_func *f, gw_op add, const gw_why *refused) {
    gw_why why = gw_because(refused->reason);
    if (refused->reason) why = *refused;
    else {
        why.reason = how_rounded(f, add);
        gw_why_add(f->session, &why, NULL, gw_exact_bytes_of(gw_added_type(f, add)));
    }
    const bool is_refused = refused->reason != GW_REASON_NONE;
    gw_ownership_choose(f, add,
                        (gw_rung_choice){.rung = GW_RUNG_EXACT, .refused = is_refused, .why = why});
}

/* Nobody else has given it an order. */
static bool is_wanted(const gw_func *f, gw_op add) {
    const gw_rung rung = gw_asked_rung_at(f, add);
    return rung == GW_RUNG_EXACT || (rung == GW_RUNG_AUTO && f->session->options.deterministic);
}

static bool is_left(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_ATOMIC && is_wanted(f, op);
}

static void refuse(gw_func *f, gw_op add) {
    const gw_why refused = gw_because(why_not(f, add));
    say(f, add, &refused);
}

/* All additions to an object or none, since the kernel may need what they add up to. */
static void take_object(gw_func *f, gw_object object) {
    const uint32_t count = f->ops.count;
    bool *taken = gw_alloc(count), any = false;
    for (gw_op op = 1; op < count; op++) {
        if (gw_op_at(f, op)->object != object || !is_left(f, op)) continue;
        if (why_not(f, op)) refuse(f, op);
        else any = taken[op] = true;
    }
    const gw_op reader = any ? gw_settle(f, object, taken) : 0;
    gw_why refused = gw_because(reader ? GW_REASON_SUM_IS_UNSETTLED : GW_REASON_NONE);
    if (reader) gw_why_add(f->session, &refused, NULL, gw_op_at(f, reader)->loc.line);
    for (gw_op op = 1; op < count; op++) {
        if (!taken[op]) continue;
        say(f, op, &refused);
        if (!reader) gw_ownership_raise(f, op, GW_ACCUMULATE_EXACT);
    }
    free(taken);
}

/* if (active) with the addition alone. */
static void put_under(gw_func *f, gw_op add, gw_value active) {
    int64_t always;
    if (gw_const_int(f, active, &always) && always) return;
    gw_builder b = {f, gw_op_at(f, add)->parent, gw_next(f, add), gw_op_at(f, add)->loc};
    const gw_op branch = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &active, 1);
    gw_builder in = {f, gw_region_new(f, branch), 0, b.loc}, out = {f, gw_region_new(f, branch), 0, b.loc};
    gw_op_move(f, add, in.region, 0);
    gw_yield(&in, NULL, 0);
    gw_yield(&out, NULL, 0);
}

/* Sums of a warp that are left: all of them or none, as they were collected. Each value is then an addition by
 * itself, to be taken like others. */
static void take_apart(gw_func *f, gw_op collect) {
    const uint32_t count = gw_collected(gw_op_at(f, collect)->operands, gw_op_at(f, collect)->attr);
    gw_op add = collect, *list = gw_alloc(count * sizeof *list);
    bool all = true;
    for (uint32_t i = count; i-- > 0;) {
        list[i] = add = gw_prev(f, add);
        all &= is_wanted(f, add) && why_not(f, add) == GW_REASON_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (all) gw_ownership_withdraw(f, list[i], GW_RUNG_WARP, GW_REASON_SUM_IS_ROUNDED);
        if (all) gw_op_at(f, list[i])->attr = GW_ACCUMULATE_ATOMIC;
        else if (why_not(f, list[i])) refuse(f, list[i]);
    }
    for (uint32_t i = 0; i < count && all; i++)
        put_under(f, list[i], gw_operand(f, collect, 1 + i));
    if (all) gw_op_remove(f, collect);
    free(list);
}

bool gw_rung_has_own_order(const gw_func *f) {
    const bool both = f->kind == GW_FUNC_DEVICE || f->kind == GW_FUNC_HOST_DEVICE,
               adds = f->form == GW_FORM_PULLBACK || f->form == GW_FORM_GRAD;
    return gw_is_gradient_kernel(f) || (both && adds && f->session->options.deterministic);
}

void gw_rung_exact(gw_func *f) {
    const uint32_t count = f->ops.count;
    for (gw_op op = 1; op < count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_COLLECT || o->attr != GW_ACCUMULATE_WARP) continue;
        if (f->session->options.deterministic) take_apart(f, op);
    }
    for (gw_object object = 1; object < f->objects.count; object++) take_object(f, object);
}
