/*
 * accumulate/warp.c - the warp rung: additions that lanes of a warp make to one cell are summed in registers
 * (contract: accumulate.h).
 *
 * A COLLECT stands where all lanes come, so they can exchange values; each addition in front of it has, in all
 * lanes that take part, one cell; the others add 0 (accumulate.c). So the sum over all lanes, added by one
 * lane, is what they would have added. Several values are summed in little more than one shuffle each if that
 * is done together (collectives.cuh), so COLLECTs of a region become one, where the additions of the first may
 * move to the last: they pass no access of their object but additions, and no point where threads meet. The
 * cells are put into the order of memory, so that lanes which hold sums of neighbours write neighbours.
 */
#include "analysis/ir/passes.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"

#include <stdlib.h>

enum { MOST_VALUES = 32 };

bool gw_rung_continues(const gw_func *f, gw_op add) {
    gw_op before = gw_prev(f, add), collect = add;
    uint32_t behind = 0;
    if (!before || gw_op_at(f, before)->code != GW_OP_ACCUM || gw_op_at(f, add)->code != GW_OP_ACCUM)
        return false;
    for (; collect && gw_op_at(f, collect)->code == GW_OP_ACCUM; collect = gw_next(f, collect)) behind++;
    uint32_t n = collect ? gw_op_at(f, collect)->operands : 0;
    if (!n || gw_op_at(f, collect)->code != GW_OP_COLLECT || behind + 1 >= n) return false;
    return gw_operand(f, collect, n - behind) == gw_operand(f, collect, n - behind - 1) &&
           gw_rung_next_cell(f, before, add);
}

/* ---- groups ---- */
static gw_op first_of(const gw_func *f, gw_op collect) {
    gw_op add = collect;
    for (uint32_t i = 1; i < gw_op_at(f, collect)->operands; i++) add = gw_prev(f, add);
    return add;
}

static gw_type type_of(const gw_func *f, gw_op collect) {
    gw_op add = gw_prev(f, collect);
    return gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
}

/* The additions never have one cell: fields of different names, or indices of which one differs by a
 * constant. */
static bool apart(const gw_func *f, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    if (a->object != b->object || a->path != b->path) return true;
    for (uint32_t i = 0; i < gw_index_count(f, x); i++) {
        gw_value from, to;
        if (gw_rung_offset(f, gw_operand(f, x, i), &from) != gw_rung_offset(f, gw_operand(f, y, i), &to) &&
            from == to)
            return true;
    }
    return false;
}

static bool all_apart(const gw_func *f, gw_op x, gw_op y) {
    for (gw_op p = first_of(f, x); p != x; p = gw_next(f, p))
        for (gw_op q = first_of(f, y); q != y; q = gw_next(f, q))
            if (!apart(f, p, q)) return false;
    return true;
}

static bool alike(const gw_func *f, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    if (b->code != GW_OP_COLLECT || a->attr != b->attr || a->operands + b->operands - 2 > MOST_VALUES)
        return false;
    if (type_of(f, x) != type_of(f, y)) return false;
    if (a->attr == GW_ACCUMULATE_BLOCK && !all_apart(f, x, y)) return false;
    return !gw_accumulates_by_block(a->attr) || gw_operand(f, x, 1) == gw_operand(f, y, 1);
}

static bool may_move(const gw_func *f, gw_op collect, gw_op to) {
    gw_op add = collect;
    for (uint32_t i = 1; i < gw_op_at(f, collect)->operands; i++) {
        add = gw_prev(f, add);
        if (gw_cannot_pass(f, collect, first_of(f, to), gw_op_at(f, add)->object)) return false;
    }
    return true;
}

static void join(gw_func *f, gw_op collect, gw_op to) {
    gw_op before = first_of(f, to);
    GW_VEC(gw_value) operands = {0};
    for (uint32_t i = 0; i < gw_op_at(f, collect)->operands; i++) gw_push(&operands, gw_operand(f, collect, i));
    for (uint32_t i = 1; i < gw_op_at(f, to)->operands; i++) gw_push(&operands, gw_operand(f, to, i));
    for (gw_op add = first_of(f, collect), next; add != collect; add = next) {
        next = gw_next(f, add);
        gw_op_move(f, add, gw_op_at(f, to)->parent, before);
    }
    gw_op_remove(f, collect);
    gw_op_set_operands(f, to, operands.at, operands.count);
    gw_vec_free(&operands);
}

/* Chains of neighbours, in the order of memory. */
static void sort(gw_func *f, gw_op collect) {
    uint32_t n = gw_op_at(f, collect)->operands - 1;
    gw_op adds[MOST_VALUES];
    gw_value active[MOST_VALUES + 1] = {gw_operand(f, collect, 0)};
    bool done[MOST_VALUES] = {false};
    gw_op add = first_of(f, collect);
    for (uint32_t i = 0; i < n; i++, add = gw_next(f, add)) adds[i] = add;
    for (uint32_t placed = 0; placed < n;) {
        uint32_t at = 0;
        for (uint32_t i = n; i-- > 0;) { /* one without a neighbour before it, if there is such */
            bool has = false;
            for (uint32_t k = 0; k < n; k++)
                has |= k != i && !done[k] && gw_rung_next_cell(f, adds[k], adds[i]);
            if (!done[i] && (!has || done[at])) at = i;
        }
        for (bool more = true; more;) {
            gw_op_move(f, adds[at], gw_op_at(f, collect)->parent, collect);
            active[++placed] = gw_operand(f, collect, 1 + at);
            done[at] = true;
            more = false;
            for (uint32_t k = 0; k < n && !more; k++)
                if (!done[k] && gw_rung_next_cell(f, adds[at], adds[k])) at = k, more = true;
        }
    }
    gw_op_set_operands(f, collect, active, n + 1);
}

static void group(gw_func *f, gw_region r) {
    GW_VEC(gw_op) list = {0};
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) group(f, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code == GW_OP_COLLECT) gw_push(&list, op);
    }
    for (uint32_t i = 0; i < list.count; i++)
        for (uint32_t k = i + 1; k < list.count; k++) {
            if (!alike(f, list.at[i], list.at[k]) || !may_move(f, list.at[i], list.at[k])) continue;
            join(f, list.at[i], list.at[k]);
            break;
        }
    for (uint32_t i = 0; i < list.count; i++)
        if (!gw_op_at(f, list.at[i])->dead) sort(f, list.at[i]);
    gw_vec_free(&list);
}

void gw_rung_group(gw_func *f) { group(f, f->entry); }
