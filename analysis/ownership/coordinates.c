/*
 * ownership/coordinates.c - which coordinates of the thread an index may depend on, for the words of a decision
 * (contract: ownership.h). What is not followed may depend on all: tapes, variables, what a loop carries,
 * memory that the kernel writes.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/ir/restructure.h"

enum { STEPS_MOST = 400 };

typedef struct search {
    const gw_ownership *w;
    uint32_t steps; /* a value that is used twice is looked at twice: bounded */
} search;

static uint32_t of_value(search *s, gw_value v);

static uint32_t of_operands(search *s, gw_op op, uint32_t count) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found != GW_COORDINATES_ALL; i++)
        found |= of_value(s, gw_operand(s->w->f, op, i));
    return found;
}

/* A parameter; a loop's variable, which runs over the same numbers in threads for which its header is the
 * same. */
static uint32_t of_argument(search *s, gw_value v) {
    const gw_func *f = s->w->f;
    const gw_value_data *d = gw_value_at(f, v);
    gw_op loop = gw_region_at(f, d->region)->parent;
    if (d->region == f->entry) return 0;
    return gw_op_at(f, loop)->code == GW_OP_FOR && d->index == 0
               ? of_operands(s, loop, gw_loop_first_init(f, loop))
               : GW_COORDINATES_ALL;
}

static uint32_t of_value(search *s, gw_value v) {
    const gw_func *f = s->w->f;
    gw_op op = gw_value_at(f, v)->op;
    if (s->steps++ == STEPS_MOST) return GW_COORDINATES_ALL;
    if (!op) return of_argument(s, v);
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_SPECIAL) {
        unsigned special = o->attr / 4, axis = o->attr % 4;
        if (special == GW_BLOCK_DIM || special == GW_GRID_DIM) return 0;
        if (axis > 2) return GW_COORDINATES_ALL;
        return 1u << (axis + (special == GW_BLOCK_IDX ? 3 : 0));
    }
    return (o->code == GW_OP_LOAD && gw_normal_fixed(s->w->n, o)) ||
                   gw_op_rows[o->code].effect == GW_EFFECT_PURE
               ? of_operands(s, op, o->operands)
               : GW_COORDINATES_ALL;
}

uint32_t gw_ownership_coordinates(const gw_ownership *w, gw_op op) {
    search s = {.w = w};
    return of_operands(&s, op, gw_index_count(w->f, op));
}
