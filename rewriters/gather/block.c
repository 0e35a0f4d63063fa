/*
 * gather/block.c - how long a kernel's blocks are, as far as its shared arrays tell (facts/lengths.c; contract:
 * gather_private.h). An axis that the kernel never looks at is 1 long, as in ownership/pairs.c.
 */
#include "rewriters/gather/gather_private.h"

#include "analysis/facts/facts.h"

static bool looks_at(const gw_func *f, unsigned axis) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool block = o->attr / 4 == GW_THREAD_IDX || o->attr / 4 == GW_BLOCK_DIM;
        if (!o->dead && o->code == GW_OP_SPECIAL && block && o->attr % 4 == axis) return true;
    }
    return false;
}

bool gw_gather_is_unused(const gw_func *f, unsigned axis) {
    return !looks_at(f, axis) && !looks_at(f->primal, axis);
}

void gw_gather_lengths(gw_gather *g) {
    gw_block_lengths(g->f->primal, g->least, g->most);
    for (unsigned axis = 0; axis < 3; axis++) {
        if (g->least[axis] > g->most[axis]) g->most[axis] = g->least[axis] = 0;
        bool unused = axis && !g->most[axis] && gw_gather_is_unused(g->f, axis);
        if (unused) g->most[axis] = 1;
        if (g->most[axis] && !g->least[axis]) g->least[axis] = 1;
    }
}
