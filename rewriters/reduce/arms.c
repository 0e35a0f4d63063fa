/*
 * arms.c - a part of the reduce pass: additions to one adjoint cell in both arms of a branch become one behind
 * it.
 *
 *     if (c) { d_s[t - o] += v; d_s[t] += v; }          if (c) d_s[t - o] += v;
 *     else d_s[t] += v;                           ->    d_s[t] += v;
 *
 * What the arms add is yielded where it differs. Sound because additions commute: between each of them and the
 * end of its arm nothing accesses the object otherwise, and no threads meet. The addition runs where one of the
 * two ran. It keeps the primal access that it comes from only if that is one: race-freedom of an access in one
 * arm says nothing about threads in the other.
 */
#include "rewriters/reduce/sink_private.h"

#include "analysis/facts/facts.h"
#include "rewriters/motion/motion.h"
#include "analysis/ir/restructure.h"

static bool may_leave(const gw_func *f, gw_op branch, gw_op add) {
    const gw_op_data *o = gw_op_at(f, add);
    return o->code == GW_OP_ACCUM && gw_address_visible(f, add, gw_op_at(f, branch)->parent) &&
           !gw_cannot_pass(f, add, 0, o->object);
}

static gw_op partner(const gw_func *f, gw_op branch, gw_op add) {
    for (gw_op op = gw_first(f, gw_op_at(f, branch)->region[1]); op; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_ACCUM && gw_same_address(f, add, op) && may_leave(f, branch, op))
            return op;
    return 0;
}

/* The new branch. */
static gw_op join(gw_func *f, gw_op branch, gw_op then, gw_op other) {
    uint32_t last = gw_index_count(f, then), results = gw_op_at(f, branch)->results;
    gw_value v = gw_operand(f, then, last), w = gw_operand(f, other, last);
    gw_region outside = gw_op_at(f, branch)->parent;
    gw_op_data *o = gw_op_at(f, then);
    if (o->origin != gw_op_at(f, other)->origin) o->origin = 0;
    gw_op_remove(f, other);
    gw_op_move(f, then, outside, gw_next(f, branch));
    if (v == w && gw_value_visible(f, v, outside)) return branch;
    branch = gw_if_rebuild(f, branch, NULL, &v, &w, 1);
    gw_set_operand(f, then, last, gw_result(f, branch, results));
    return branch;
}

static gw_op join_arms(gw_func *f, gw_op branch) {
    for (gw_op op = gw_first(f, gw_op_at(f, branch)->region[0]), next; op; op = next) {
        next = gw_next(f, op);
        gw_op other = may_leave(f, branch, op) ? partner(f, branch, op) : 0;
        if (!other) continue;
        gw_op made = join(f, branch, op, other);
        if (made != branch) return join_arms(f, made); /* its ops are others now */
    }
    return branch;
}

void gw_join_additions(gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            gw_join_additions(f, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code == GW_OP_IF) op = join_arms(f, op);
    }
}
