/*
 * scalars.c - a local array, or a member of a local struct, whose cells are all reached by constant indices is
 * a handful of values: branches and loops that store to a cell carry it. Other members of the struct may stay
 * in memory.
 *
 * Requires that the object is only loaded and stored, and by that path at constant indices, so that different
 * addresses are different cells. A cell that is read before it is stored to is 0: the object starts so, or the
 * read is undefined.
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/optional.h"

enum { MOST_CELLS = 64 };

typedef struct cells {
    gw_op sample[MOST_CELLS];
    uint32_t count;
    GW_VEC(gw_str) moving; /* paths that are followed by an index that is not constant */
    gw_op declare;
} cells;

static bool moves(const cells *c, gw_str path) {
    for (uint32_t i = 0; i < c->moving.count; i++)
        if (c->moving.at[i] == path) return true;
    return false;
}

/* Notes the op's cell, or that its path moves; false if the object cannot be split. */
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
        if (gw_const_int(f, gw_operand(f, op, i), &constant)) continue;
        gw_push(&c->moving, o->path);
        return true;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (gw_same_address(f, c->sample[i], op)) return true;
    if (c->count == MOST_CELLS) return false;
    c->sample[c->count++] = op;
    return true;
}

static bool replace(gw_func *f, gw_object o, const cells *c) {
    bool any = false;
    gw_region r = c->declare ? gw_op_at(f, c->declare)->parent : f->entry;
    for (uint32_t i = 0; i < c->count; i++) {
        gw_str path = gw_op_at(f, c->sample[i])->path;
        if (moves(c, path)) continue;
        gw_builder b = {f, f->entry, gw_first(f, f->entry), gw_op_at(f, c->sample[i])->loc};
        gw_type type = gw_cell_type(f, o, path);
        gw_value zero = gw_type_is_float(type) ? gw_real(&b, type, 0) : gw_int(&b, type, 0);
        gw_replace_cell(f, c->sample[i], r, zero);
        any = true;
    }
    return any;
}

static bool split(gw_func *f, gw_object o) {
    cells c = {0};
    bool good = true;
    for (gw_op op = 1; op < f->ops.count && good; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == o) good = note(f, op, &c);
    good = good && gw_takes(f->session, GW_OPTIONAL_SCALARS) && replace(f, o, &c);
    gw_vec_free(&c.moving);
    return good;
}

bool gw_split_arrays(gw_func *f) {
    bool changed = false;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_LOCAL) changed |= split(f, o);
    return changed;
}
