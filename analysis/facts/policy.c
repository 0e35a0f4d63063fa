/*
 * policy.c - loops of the host that have an execution policy, and what they do to a tape (contract: facts.h).
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/query.h"

gw_op gw_policy_around(const gw_func *f, gw_op op) {
    gw_op found = 0;
    for (gw_op at = f->kind == GW_FUNC_HOST ? op : 0; at; at = gw_op_around(f, at))
        if (gw_op_at(f, at)->policy) found = at;
    return found;
}

static bool hands_tape_on(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    const gw_func *callee = o->code == GW_OP_CALL ? gw_func_find(f->session, o->callee) : NULL;
    return callee && callee->tape_host;
}

static bool works_on_tape(const gw_func *f, gw_op op) {
    const unsigned code = gw_op_at(f, op)->code;
    return code == GW_OP_PUSH || code == GW_OP_POP || code == GW_OP_RESERVE || code == GW_OP_SKIP ||
           code == GW_OP_EXPECT || hands_tape_on(f, op);
}

gw_policy_tape gw_policy_tape_of(const gw_func *f, gw_op loop, uint32_t *bytes) {
    const gw_region body = gw_loop_body(f, loop);
    bool any = false, straight = true, pushes = false, pops = false;
    *bytes = 0;
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!works_on_tape(f, op)) continue;
        any = true;
        pushes |= o->code == GW_OP_PUSH;
        pops |= o->code == GW_OP_POP;
        straight &= (o->code == GW_OP_PUSH || o->code == GW_OP_POP) && o->parent == body;
        if (o->code == GW_OP_PUSH || o->code == GW_OP_POP) *bytes += gw_record_bytes(f, op);
    }
    if (!any) return GW_POLICY_TAPE_NONE;
    if (!gw_leaves_records(f, loop) && !gw_takes_records(f, loop)) return GW_POLICY_TAPE_OWN;
    return straight && pushes != pops ? GW_POLICY_TAPE_INDEXED : GW_POLICY_TAPE_ORDERED;
}
