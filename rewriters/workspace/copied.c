/*
 * copied.c - which objects have copies in the workspace, and how long a copy is (the rung: accumulate/copies.c;
 * contract: workspace.h).
 */
#include "rewriters/workspace/workspace.h"

#include "analysis/facts/facts.h"

static bool is_copied(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_COPIES;
}

static bool has_copies(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_op_at(f, op)->object == object && is_copied(f, op)) return true;
    return false;
}

uint32_t gw_copied_number(const gw_func *f, gw_object object) {
    uint32_t count = 0;
    for (gw_object o = 1; o < object && o < f->objects.count; o++) count += has_copies(f, o);
    return count;
}

uint32_t gw_copied_objects(const gw_func *f) { return gw_copied_number(f, f->objects.count); }

gw_object gw_copied_object(const gw_func *f, uint32_t number) {
    gw_object o = 1;
    while (!has_copies(f, o) || number--) o++;
    return o;
}

bool gw_copies_are_asked(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_op_at(f, op)->object == object && is_copied(f, op) && gw_asked_rung_at(f, op) == GW_RUNG_COPIES)
            return true;
    return false;
}

/* ---- the host ---- */
static gw_value number(gw_bounds *b, int64_t x) { return gw_int(b->to, GW_T_I64, x); }

gw_value gw_copied_index(gw_bounds *b, gw_op add, bool *per_block) {
    gw_interval range = gw_first_index(b, add, per_block);
    if (!range.high) return 0;
    return gw_select(b->to, gw_binary(b->to, GW_OP_LT, range.low, number(b, 0)), number(b, -1), range.high);
}

gw_value gw_copied_last(gw_bounds *b, gw_object object) {
    const gw_func *f = b->from;
    gw_value last = 0, none = number(b, -1), fits = gw_int(b->to, GW_T_BOOL, 1);
    bool several = false, per_block;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->object != object || !is_copied(f, op)) continue;
        gw_value index = gw_copied_index(b, op, &per_block);
        if (!index) index = none;
        fits = gw_binary(b->to, GW_OP_AND, fits, gw_binary(b->to, GW_OP_GE, index, number(b, 0)));
        several |= last && last != index;
        last = several ? gw_binary(b->to, GW_OP_IMAX, last, index) : index;
    }
    return several ? gw_select(b->to, fits, last, none) : last;
}
