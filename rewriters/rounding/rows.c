/*
 * rounding/rows.c - the rows that the terms of a rounding error belong to, read off the marks of a function.
 */
#include "rewriters/rounding/rounding.h"

#include "analysis/ir/restructure.h"

static gw_rounded row_of(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return (gw_rounded){o->path, o->loc, gw_typeof(f, o->first_result), o->attr};
}

static bool is_same(const gw_rounded *a, const gw_rounded *b) {
    return a->name == b->name && a->type == b->type && a->halves == b->halves && a->loc.line == b->loc.line &&
           a->loc.file == b->loc.file;
}

uint32_t gw_rounding_row(const gw_rounded_rows *rows, const gw_func *f, gw_op op) {
    const gw_rounded wanted = row_of(f, op);
    uint32_t i = 0;
    while (i < rows->count && !is_same(&rows->at[i], &wanted)) i++;
    return i;
}

static void add_rows(const gw_func *f, gw_region r, gw_rounded_rows *out) {
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) {
        if (gw_op_at(f, op)->code != GW_OP_ROUNDING || gw_rounding_row(out, f, op) < out->count) continue;
        gw_push(out, row_of(f, op));
    }
}

void gw_rounding_rows(const gw_func *f, gw_rounded_rows *out) { add_rows(f, f->entry, out); }

gw_object gw_rounding_terms(const gw_func *f) { return f->params.at[f->params.count - 1].object; }

void gw_rounding_drop(gw_func *f) {
    gw_value_map map = {0};
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || gw_op_at(f, op)->code != GW_OP_ROUNDING) continue;
        gw_map_set(&map, gw_result(f, op, 0), gw_operand(f, op, 0));
    }
    gw_replace_many(f, &map);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_ROUNDING) gw_op_remove(f, op);
    gw_map_free(&map);
}
