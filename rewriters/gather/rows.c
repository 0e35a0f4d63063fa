/*
 * gather/rows.c - rows of shared arrays that the sums walk along (contract: gather_private.h).
 *
 * A load tile[q][threadIdx.x] becomes tile[threadIdx.x][peer] when a loop is turned: the threads of a warp then
 * read one column, whose cells lie in few of the 32 memory banks if a row has 16 or 32 words, so that the reads
 * wait for each other. One cell more in each row spreads them. The gradient has its own copy of the array, so
 * its layout is nobody else's matter, if each access stays within its row: that is proved for all of them, as
 * `tile[0][t]` may be meant to go on in the next row.
 */
#include "rewriters/gather/gather_private.h"

#include "rewriters/adjoint/adjoint.h"
#include "analysis/prove/prove.h"

static bool is_coordinate(const gw_func *f, gw_value v, unsigned axis) {
    gw_op op;
    while ((op = gw_value_at(f, v)->op) != 0 && gw_op_at(f, op)->code == GW_OP_CAST) v = gw_operand(f, op, 0);
    return op && gw_op_at(f, op)->code == GW_OP_SPECIAL &&
           gw_op_at(f, op)->attr == GW_SPECIAL_ATTR(GW_THREAD_IDX, axis);
}

void gw_gather_note_rows(gw_turn *t) {
    const gw_func *f = t->g->f;
    for (gw_op op = 1; op < f->ops.count && t->axis == 0; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_LOAD || gw_object_at(f, o->object)->kind != GW_OBJECT_SHARED) continue;
        if (!t->needed[op] || o->operands != 2 || !is_coordinate(f, gw_operand(f, op, 1), 0)) continue;
        if (gw_region_inside(f, gw_value_region(f, gw_operand(f, op, 0)), gw_op_at(f, t->loop)->region[0]))
            gw_push(&t->g->rows, o->object);
    }
}

static bool within_row(gw_normal *n, gw_op op, int64_t cells) {
    const gw_func *f = n->f;
    gw_context *c = gw_normal_context(n, gw_op_at(f, op)->parent);
    gw_number index;
    uint64_t assumed = 0;
    gw_normal_exact(n, c, gw_operand(f, op, 1), &index);
    gw_poly room = index.poly;
    gw_poly_scale(&room, -1);
    gw_poly_add_constant(&room, cells - 1);
    return !index.assumed && gw_prove_nonnegative(n, &c->facts, &index.poly, &assumed) &&
           gw_prove_nonnegative(n, &c->facts, &room, &assumed) && !assumed;
}

static bool stays_in_rows(const gw_func *f, gw_object o, int64_t cells) {
    gw_normal *n = gw_normal_new(f);
    bool good = true;
    for (gw_op op = 1; op < f->ops.count && good; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (d->dead || d->object != o || d->code == GW_OP_CLEAR) continue;
        good = (d->code == GW_OP_LOAD || d->code == GW_OP_STORE || d->code == GW_OP_ACCUM) &&
               gw_index_count(f, op) == 2 && within_row(n, op, cells);
    }
    gw_normal_free(n);
    return good;
}

void gw_gather_spread_rows(gw_gather *g) {
    gw_session *s = g->f->session;
    for (uint32_t i = 0; i < g->rows.count; i++) {
        gw_object_data *o = gw_object_at(g->f, g->rows.at[i]);
        const gw_type_data *outer = &s->types.at[o->type];
        if (outer->kind != GW_TYPE_ARRAY) continue;
        const gw_type_data row = s->types.at[outer->element];
        uint32_t count = outer->count;
        if (row.kind != GW_TYPE_ARRAY || row.element >= GW_T_SCALARS || row.count % 8) continue;
        uint64_t have;
        bool fits = gw_adjoint_shared_room(g->f, &have) >= (uint64_t)count * gw_type_bytes(row.element);
        if (fits && stays_in_rows(g->f, g->rows.at[i], row.count))
            o->type = gw_type_array(s, gw_type_array(s, row.element, row.count + 1), count);
    }
}
