/*
 * accumulate/slots.c - the slots rung: additions to cells that only run time tells, d_x[idx[i]] += v, without
 * atomics and in a fixed order.
 *
 * Each time a thread comes to an addition it writes (key, value) to a row that only it writes: the n-th time,
 * the row n * threads + its number. When the kernel has run, rows are sorted by key and summed (reduce.cuh),
 * and each sum is added to its cell by one thread. Rows that no thread came to keep the unused key.
 *
 * Sound because
 *   - what is added is the same, cell by cell: the key tells the cell, which is base + key * stride with both
 *     known at the launch;
 *   - nothing but additions reaches the object in this kernel, so nobody sees that they come late; additions
 *     that are proved plain stay where they are, and are over by then;
 *   - a thread writes at most as many rows as the product of the bounds of the loops around the addition, which
 *     the host computes;
 *   - rows of one key stand in the order of their numbers, which is the same on every run, as is the tree that
 *     sums them.
 *
 * With --deterministic, what lanes of a warp add to one cell is summed first: such additions are collected as
 * for the warp rung (accumulate.c), and a row is the warp's, its n-th the row n * warps + its number. The sum
 * is a fixed tree over the lanes.
 *
 * Rows of a key that is an entry of a sorted list may stand in the order of the list and need no sort
 * (accumulate/sorted.c).
 *
 * Where no bound of a loop around is known, a warp's row may be that of its position in a list
 * (accumulate/list.c); how long the list is, the caller of the launch says.
 *
 * Nor of threads: a thread's row is that of its position, and of a number within that (accumulate/placed.c).
 *
 * Additions of one region whose indices are multiples of one number (plus constants) are columns of one row: it
 * is sorted once. A cell that all threads share has a constant key: its rows, filled with zeros before, need no
 * sort.
 */
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "rewriters/accumulate/slots_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/restructure.h"
#include "rewriters/formula/formula.h"
#include "rewriters/tape/tape.h"
#include "analysis/ir/query.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 16 }; /* GW_REDUCE_COLUMNS */

/* ---- keys ---- */
/* The one number that the addition's indices are made of; 0 for constants. False if there are several. */
static bool find_base(const gw_func *f, gw_op add, gw_value *base) {
    *base = 0;
    for (uint32_t i = 0; i < gw_index_count(f, add); i++) {
        gw_value here = gw_slot_index_of(f, gw_operand(f, add, i)).base;
        if (here && *base && here != *base) return false;
        if (here) *base = here;
    }
    return true;
}

static gw_type key_type(const gw_func *f, gw_value base) {
    gw_type type = base ? gw_typeof(f, base) : (gw_type)GW_T_I32;
    bool narrow = type == GW_T_BOOL || gw_type_bits(type) < 32 || type == GW_T_I32;
    return narrow ? GW_T_I32 : GW_T_I64;
}

/* ---- what can be done ---- */

static gw_reason why_not(gw_func *f, gw_op add, gw_value *base) {
    const gw_op_data *o = gw_op_at(f, add);
    if (gw_object_at(f, o->object)->kind == GW_OBJECT_SHARED) return GW_REASON_LIES_IN_SHARED;
    if (!gw_rung_host_knows(f, add)) return GW_REASON_HOST_DOES_NOT_KNOW;
    if (!gw_rung_only_added_to(f, add)) return GW_REASON_ADJOINT_IS_READ;
    if (!find_base(f, add, base)) return GW_REASON_TWO_INDICES;
    return gw_tape_is_bounded(f, add) ? GW_REASON_NONE : GW_REASON_UNBOUNDED;
}

/* Before a warp's additions are collected, it is not known whether a list has a place for them. */
gw_reason gw_slots_refuse(gw_func *f, gw_op add) {
    gw_value base;
    gw_reason why = why_not(f, add, &base);
    return why == GW_REASON_UNBOUNDED && gw_list_may_place(f) ? GW_REASON_NONE : why;
}

/* ---- doing it ---- */
typedef struct column {
    gw_op add;
    gw_value base, active; /* 0: whoever comes */
    gw_value position;     /* of a sorted list; 0: none */
    gw_placement placed;   /* of another list */
} column;
typedef GW_VEC(column) columns;

/* Whatever the keys of the two are: distinct members, or an index that is never the same number in both. */
static bool are_apart(const gw_func *f, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    if (a->object != b->object || a->path != b->path) return true;
    for (uint32_t i = 0; i < gw_index_count(f, x); i++) {
        gw_slot_index p = gw_slot_index_of(f, gw_operand(f, x, i)),
                      q = gw_slot_index_of(f, gw_operand(f, y, i));
        int64_t distance = p.offset - q.offset;
        if (p.scale == q.scale && (p.scale ? distance % p.scale != 0 : distance != 0)) return true;
    }
    return false;
}

/* One thread adds the sums of a key to all its columns, and others those of other keys: columns must be
 * apart. */
static bool goes_with(const gw_func *f, const column *group, uint32_t count, const column *c) {
    bool fits = gw_op_at(f, c->add)->parent == gw_op_at(f, group->add)->parent && c->base == group->base &&
                gw_added_type(f, c->add) == gw_added_type(f, group->add);
    for (uint32_t i = 0; i < count && fits; i++) fits = are_apart(f, group[i].add, c->add);
    return fits;
}

/* Somebody adds in any case: who else does is not asked, what the others bring is 0 where they do not. */
static bool one_always_adds(const gw_func *f, const column *list, uint32_t count) {
    int64_t known;
    for (uint32_t i = 0; i < count; i++)
        if (!list[i].active || (gw_const_int(f, list[i].active, &known) && known)) return true;
    return false;
}

/* One COLLECT behind the last of them, which stand in the order of the text: nothing but additions reaches
 * their objects, so they may move down to it. */
static void collect(gw_func *f, const column *list, uint32_t count, gw_accumulate how, gw_placement row) {
    gw_op last = list[count - 1].add;
    gw_builder b = {f, gw_op_at(f, last)->parent, gw_next(f, last), gw_op_at(f, last)->loc};
    gw_value operands[3 + MOST_COLUMNS];
    gw_value base = list[0].base;
    operands[0] = base ? gw_cast(&b, key_type(f, base), base) : gw_int(&b, GW_T_I32, 0);
    bool always = one_always_adds(f, list, count);
    for (uint32_t i = 0; i < count; i++) operands[1 + i] = always ? gw_int(&b, GW_T_BOOL, 1) : list[i].active;
    if (row.position) operands[1 + count] = gw_cast(&b, GW_T_I64, row.position);
    if (row.within) operands[2 + count] = gw_cast(&b, GW_T_I64, row.within);
    gw_op end =
        gw_emit(&b, GW_OP_COLLECT, GW_T_VOID, 0, operands, 1 + count + (row.position != 0) + (row.within != 0));
    gw_op_at(f, end)->attr = (uint16_t)how;
    for (uint32_t i = 0; i < count; i++) {
        gw_op_move(f, list[i].add, b.region, end);
        gw_ownership_raise(f, list[i].add, how);
    }
}

/* Why not, or what rows. */
static void say(gw_func *f, gw_op add, bool refused, gw_why why) {
    gw_ownership_choose(f, add, (gw_rung_choice){.rung = GW_RUNG_SLOTS, .refused = refused, .why = why});
}

static bool is_asked(const gw_func *f, gw_op add) {
    gw_rung rung = gw_asked_rung_at(f, add);
    return rung == GW_RUNG_SLOTS || (rung == GW_RUNG_AUTO && f->session->options.deterministic);
}

static void find_columns(gw_func *f, gw_region r, columns *list) {
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) {
        const gw_op_data *o = gw_op_at(f, op);
        column c = {.add = op};
        if (o->code != GW_OP_ACCUM || o->attr != GW_ACCUMULATE_ATOMIC || !is_asked(f, op)) continue;
        gw_why why = gw_because(why_not(f, op, &c.base));
        bool taken = !why.reason;
        if (taken) c.position = gw_sorted_position(f, op, c.base, &why);
        else if (why.reason == GW_REASON_UNBOUNDED) taken = gw_placed_rows(f, op, c.base, &c.placed, &why);
        say(f, op, !taken, why);
        if (taken) gw_push(list, c);
    }
}

/* `position`: of rows of a list. */
static void collect_all(gw_func *f, columns *list, gw_accumulate how, gw_value position) {
    for (uint32_t i = 0; i < list->count; i++) {
        column group[MOST_COLUMNS];
        uint32_t count = 0;
        if (!list->at[i].add) continue;
        group[count++] = list->at[i];
        for (uint32_t k = i + 1; k < list->count && count < MOST_COLUMNS; k++)
            if (list->at[k].add && goes_with(f, group, count, &list->at[k])) {
                group[count++] = list->at[k];
                list->at[k].add = 0;
            }
        if (group->placed.position) collect(f, group, count, GW_ACCUMULATE_PLACED_SLOTS, group->placed);
        else if (group->position)
            collect(f, group, count, GW_ACCUMULATE_SORTED_SLOTS, (gw_placement){group->position, 0});
        else
            collect(f, group, count,
                    position && gw_sorted_ascends(f, group->base, position) ? GW_ACCUMULATE_ORDERED_LIST_SLOTS
                                                                            : how,
                    (gw_placement){position, 0});
    }
    gw_vec_free(list);
}

/* What a COLLECT of the warp rung sums goes to rows: it stands where all lanes come, and they know the
 * cells. */
static void convert(gw_func *f, gw_op warp) {
    columns list = {0};
    uint32_t i = 1;
    gw_reason why = GW_REASON_NONE;
    bool bounded = true;
    for (gw_op add = gw_slot_first(f, warp); add != warp && !why; add = gw_next(f, add), i++) {
        column c = {.add = add, .active = gw_operand(f, warp, i)};
        why = why_not(f, add, &c.base);
        bounded &= why != GW_REASON_UNBOUNDED;
        if (why == GW_REASON_UNBOUNDED) why = GW_REASON_NONE;
        gw_push(&list, c);
    }
    GW_VEC(gw_value) keys = {0};
    for (uint32_t k = 0; k < list.count; k++) gw_push(&keys, list.at[k].base);
    gw_value position = !why && !bounded ? gw_list_position(f, warp, keys.at, keys.count) : 0;
    gw_vec_free(&keys);
    if (!why && !bounded && !position) why = GW_REASON_UNBOUNDED_UNPLACED;
    if (why) { /* all or none: what is left is an error */
        for (uint32_t k = 0; k < list.count; k++) say(f, list.at[k].add, true, gw_because(why));
        gw_vec_free(&list);
        return;
    }
    collect_all(f, &list, bounded ? GW_ACCUMULATE_WARP_SLOTS : GW_ACCUMULATE_LIST_SLOTS, position);
    gw_op_remove(f, warp);
}

void gw_rung_slots(gw_func *f) {
    if (f->kind != GW_FUNC_KERNEL) return;
    columns list = {0};
    uint32_t count = f->ops.count;
    for (gw_op op = 1; op < count && f->session->options.deterministic; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_COLLECT && o->attr == GW_ACCUMULATE_WARP) convert(f, op);
    }
    find_columns(f, f->entry, &list);
    collect_all(f, &list, GW_ACCUMULATE_SLOTS, 0);
}
