/*
 * adjoint/query.c - questions about an op or value that the choice, the nests that were found and the frames
 * answer; nothing is changed.
 */
#include "rewriters/adjoint/adjoint_private.h"
#include "rewriters/adjoint/nest/nest.h"

bool gw_adjoint_is_stale(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    bool address = !o->dead && o->code == GW_OP_ADDRESS;
    return address ? o->flags & (GW_OP_STALE | GW_OP_UNSURE)
                   : !o->dead && o->code == GW_OP_LOAD && o->flags & GW_OP_STALE;
}

bool gw_adjoint_is_outer(const gw_adjoint *a, gw_op loop) {
    return a->kept[loop].nest && a->kept[loop].nest->loop[GW_NEST_OUTER] == loop;
}

bool gw_adjoint_is_inner(const gw_adjoint *a, gw_op loop) {
    return a->kept[loop].nest && a->kept[loop].nest->loop[GW_NEST_INNER] == loop;
}

bool gw_mark_is(const gw_adjoint *a, gw_value v, gw_opcode code) {
    return a->choice->mark[v] && gw_op_at(a->primal, a->choice->mark[v])->code == code;
}

bool gw_adjoint_is_segmented(const gw_adjoint *a, gw_op op) {
    const gw_choice *c = a->choice;
    bool marked = gw_is_loop(a->primal, op) && gw_op_at(a->primal, op)->imm.i;
    if (!marked || c->recorded[op] || a->kept[op].nest) return false;
    return c->program || (c->split && !a->again);
}

gw_op gw_adjoint_segments_around(const gw_choice *c, const gw_func *p, gw_op op) {
    gw_op found = 0;
    for (gw_op at = op; c->split && at; at = gw_op_around(p, at))
        if (gw_is_loop(p, at) && gw_op_at(p, at)->imm.i && !c->recorded[at]) found = at;
    return found;
}

/* The frame of a primal region, or frames.count. */
uint32_t gw_adjoint_frame(const gw_adjoint *a, gw_region r) {
    uint32_t i = a->first_frame;
    while (i < a->frames.count && a->frames.at[i].primal != r) i++;
    return i;
}

bool gw_adjoint_leaves_branch(const gw_adjoint *a, gw_value primal) {
    if (a->choice->split) return false;
    uint32_t frame = gw_adjoint_frame(a, gw_value_region(a->primal, primal));
    for (uint32_t i = a->first_frame; i <= frame && i < a->frames.count; i++)
        if (gw_is_loop(a->primal, gw_region_at(a->primal, a->frames.at[i].primal)->parent)) return false;
    return true;
}
