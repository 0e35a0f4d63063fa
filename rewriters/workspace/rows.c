/*
 * rows.c - groups of additions whose values go to rows of the workspace, a COLLECT each, as the text has them
 * in order, and what indices of theirs are made of (contract: workspace.h).
 */
#include "rewriters/workspace/workspace.h"

#include "analysis/ir/rungs.h"

#include <stdlib.h>

static const int64_t far = (int64_t)1 << 40;

static bool is_exact(gw_type t) {
    return gw_type_bits(t) == 64 || (gw_type_bits(t) == 32 && gw_type_is_signed(t));
}

/* Widening keeps the number (or, of a negative one as unsigned, its address); signed arithmetic does not wrap,
 * and that of 64 bits wraps as addresses do. */
gw_slot_index gw_slot_index_of(const gw_func *f, gw_value v) {
    gw_slot_index x = {.base = v, .scale = 1};
    int64_t c;
    for (;;) {
        gw_op op = gw_value_at(f, x.base)->op;
        if (gw_const_int(f, x.base, &c) && llabs(c) < far) return (gw_slot_index){0, 0, x.offset + x.scale * c};
        if (!op) return x;
        const gw_op_data *o = gw_op_at(f, op);
        gw_type type = gw_typeof(f, x.base);
        if (o->code == GW_OP_CAST) {
            gw_type from = gw_typeof(f, gw_operand(f, op, 0));
            bool whole = gw_type_is_integer(from) || from == GW_T_BOOL;
            bool same = gw_type_bits(from) == 64 && gw_type_bits(type) == 64;
            if (!whole || (gw_type_bits(from) >= gw_type_bits(type) && !same) || gw_type_bits(type) < 32)
                return x;
            x.base = gw_operand(f, op, 0);
            continue;
        }
        bool linear = o->code == GW_OP_ADD || o->code == GW_OP_SUB || o->code == GW_OP_MUL;
        bool swapped = o->code != GW_OP_SUB && linear && gw_const_int(f, gw_operand(f, op, 0), &c);
        if (!linear || !is_exact(type) || (!swapped && !gw_const_int(f, gw_operand(f, op, 1), &c)) ||
            llabs(c) >= far)
            return x;
        gw_slot_index next = {gw_operand(f, op, swapped), x.scale, x.offset};
        if (o->code == GW_OP_MUL && llabs(c) * llabs(x.scale) >= far) return x;
        if (o->code == GW_OP_MUL) next.scale *= c;
        else next.offset += o->code == GW_OP_SUB ? -c * x.scale : c * x.scale;
        if (llabs(next.offset) >= far || (o->code != GW_OP_MUL && llabs(c) > far / (llabs(x.scale) + 1)))
            return x;
        x = next;
    }
}

/* ---- groups ---- */
static bool is_group(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_COLLECT && gw_accumulates_in_rows(gw_op_at(f, op)->attr);
}

/* The groups in the region, up to the one that is looked for (0: all). */
static bool count_groups(const gw_func *f, gw_region r, gw_op until, uint32_t number, uint32_t *count,
                         gw_op *found) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            if (count_groups(f, gw_op_at(f, op)->region[i], until, number, count, found)) return true;
        if (!is_group(f, op)) continue;
        if (op == until || *count == number) return *found = op, true;
        ++*count;
    }
    return false;
}

uint32_t gw_slot_groups(const gw_func *f) {
    uint32_t count = 0;
    gw_op found = 0;
    count_groups(f, f->entry, 0, UINT32_MAX, &count, &found);
    return count;
}

gw_op gw_slot_group(const gw_func *f, uint32_t number) {
    uint32_t count = 0;
    gw_op found = 0;
    count_groups(f, f->entry, 0, number, &count, &found);
    return found;
}

uint32_t gw_slot_number(const gw_func *f, gw_op collect) {
    uint32_t count = 0;
    gw_op found = 0;
    count_groups(f, f->entry, collect, UINT32_MAX, &count, &found);
    return count;
}

uint32_t gw_slot_columns(const gw_func *f, gw_op collect) {
    return gw_collected(gw_op_at(f, collect)->operands, gw_op_at(f, collect)->attr);
}

gw_op gw_slot_first(const gw_func *f, gw_op collect) {
    gw_op add = collect;
    for (uint32_t i = 0; i < gw_slot_columns(f, collect); i++) add = gw_prev(f, add);
    return add;
}

bool gw_slot_is_of_list(const gw_func *f, gw_op collect) {
    return gw_accumulates_by_list(gw_op_at(f, collect)->attr);
}
bool gw_slot_is_of_warp(const gw_func *f, gw_op collect) {
    return gw_is_row_of_warp(gw_op_at(f, collect)->attr);
}

bool gw_slot_is_sorted(const gw_func *f, gw_op collect) {
    unsigned how = gw_op_at(f, collect)->attr;
    return gw_way(how)->row == GW_ROW_ASCENDING;
}

bool gw_slot_is_placed(const gw_func *f, gw_op collect) {
    return gw_way(gw_op_at(f, collect)->attr)->row == GW_ROW_PLACE;
}

uint32_t gw_slot_counts(const gw_func *f, gw_op collect) {
    if (gw_slot_is_of_list(f, collect)) return 0;
    if (gw_slot_is_placed(f, collect)) return 2;
    return gw_slot_is_sorted(f, collect) ? 3 : 1;
}

static uint32_t count_such(const gw_func *f, bool (*is_such)(const gw_func *, gw_op)) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < gw_slot_groups(f); i++) count += is_such(f, gw_slot_group(f, i));
    return count;
}

uint32_t gw_slot_lists(const gw_func *f) { return count_such(f, gw_slot_is_of_list); }
uint32_t gw_slot_placed(const gw_func *f) { return count_such(f, gw_slot_is_placed); }

bool gw_slot_is_constant(const gw_func *f, gw_op collect) {
    int64_t key;
    return gw_const_int(f, gw_operand(f, collect, 0), &key);
}

/* ---- the host ---- */
uint32_t gw_slot_numbers(const gw_func *f) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < gw_slot_groups(f); i++) sum += gw_slot_counts(f, gw_slot_group(f, i));
    return sum;
}

/* Rows of a thread. Sorted ones have the least and the greatest position, too, which are none if the host finds
 * no bound; placed ones have these of the number within a position. */
static void count_rows(gw_bounds *b, gw_op group, gw_value out[3]) {
    const gw_func *f = b->from;
    gw_builder *to = b->to;
    gw_interval range = {0, 0};
    uint32_t at = gw_slot_columns(f, group) + 1, from = 0;
    if (gw_slot_is_sorted(f, group)) range = gw_bounds_trusting(b, gw_operand(f, group, at));
    if (gw_slot_is_placed(f, group)) range = gw_bounds_of(b, gw_operand(f, group, at + 1));
    else out[from++] = gw_cast(to, GW_T_U64, gw_bounds_times(b, group));
    bool known = range.low && range.high;
    out[from++] = gw_cast(to, GW_T_U64, known ? range.low : gw_int(to, GW_T_I64, 0));
    out[from] = gw_cast(to, GW_T_U64, known ? range.high : gw_int(to, GW_T_I64, -1));
}

void gw_slot_tell(gw_bounds *b, gw_told_numbers *out) {
    const gw_func *f = b->from;
    for (uint32_t i = 0; i < gw_slot_groups(f); i++) {
        gw_value rows[3];
        uint32_t counts = gw_slot_counts(f, gw_slot_group(f, i));
        if (counts) count_rows(b, gw_slot_group(f, i), rows);
        for (uint32_t k = 0; k < counts; k++) gw_push(out, rows[k]);
    }
}
