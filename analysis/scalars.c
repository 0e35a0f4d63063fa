/*
 * scalars.c - a local array or struct whose cells are all reached by constant indices is a handful of values: branches and loops
 * that store to a cell carry it.
 *
 * Requires that the object is only loaded and stored, at constant indices, so that different addresses are different
 * cells. A cell that is read before it is stored to is 0: the object starts so, or the read is undefined.
 */
#include "simplify.h"

#include "address.h"
#include "restructure.h"

enum { MOST_CELLS = 64 };

typedef struct cells {
    gw_op sample[MOST_CELLS];
    uint32_t count;
    gw_op declare;
} cells;

/* Notes the op's cell; false if the object cannot be split. */
static bool note(const gw_func *f, gw_op op, cells *c) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_DECLARE) {
        bool first = !c->declare;
        c->declare = op;
        return first;
    }
    if (o->code != GW_OP_LOAD && o->code != GW_OP_STORE) return false;
    for (uint32_t i = 0; i < gw_index_count(f, op); i++) {
        int64_t constant;
        if (!gw_const_int(f, gw_operand(f, op, i), &constant)) return false;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (gw_same_address(f, c->sample[i], op)) return true;
    if (c->count == MOST_CELLS) return false;
    c->sample[c->count++] = op;
    return true;
}

static bool split(gw_func *f, gw_object o) {
    cells c = {0};
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == o && !note(f, op, &c)) return false;
    if (!c.count) return false;
    gw_region r = c.declare ? gw_op_at(f, c.declare)->parent : f->entry;
    gw_builder b = {f, f->entry, gw_first(f, f->entry), gw_op_at(f, c.sample[0])->loc};
    for (uint32_t i = 0; i < c.count; i++) {
        gw_type type = gw_cell_type(f, o, gw_op_at(f, c.sample[i])->path);
        gw_value zero = gw_type_is_float(type) ? gw_real(&b, type, 0) : gw_int(&b, type, 0);
        gw_replace_cell(f, c.sample[i], r, zero);
    }
    return true;
}

bool gw_split_arrays(gw_func *f) {
    bool changed = false;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_LOCAL) changed |= split(f, o);
    return changed;
}
