/*
 * ownership/step.c - what two threads of a block agree on because they are between the same two barriers
 * (contract: ownership.h).
 *
 * All threads of a block pass the same barriers in the same order, so two of them are at two references to
 * shared memory at the same time only if both have passed the same number of barriers. Let a loop around both
 * have a barrier of its own in its body, which each iteration passes, and let none stand between the two
 * references in that body. Then the way from one in an iteration to the other in a later one, of this run of
 * the loop or of another, passes that barrier: they are in the same iteration, and so in the same one of every
 * loop around it. What is the same in all threads of a block that run one execution of it (uniformity.c) is
 * then one number for both, if no other loop computes it anew.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/ir/restructure.h"

static gw_op around(const gw_func *f, gw_op op) { return gw_region_at(f, gw_op_at(f, op)->parent)->parent; }

/* The op of the region that is `op` or has it inside; 0: none. */
static gw_op holder(const gw_func *f, gw_op op, gw_region r) {
    while (op && gw_op_at(f, op)->parent != r) op = around(f, op);
    return op;
}

static bool is_in_step(const gw_func *f, gw_op loop, gw_op x, gw_op y) {
    gw_region body = gw_loop_body(f, loop);
    gw_op a = holder(f, x, body), b = holder(f, y, body);
    bool open = false, any = false;
    if (!a || !b) return false;
    for (gw_op op = gw_first(f, body); op; op = gw_next(f, op)) {
        bool barrier = gw_op_at(f, op)->code == GW_OP_BARRIER;
        any |= barrier;
        if (barrier && open) return false;
        if ((op == a) != (op == b)) open = !open;
    }
    return any;
}

static gw_op innermost_step(const gw_func *f, gw_op x, gw_op y) {
    for (gw_op at = around(f, x); at; at = around(f, at))
        if (gw_is_loop(f, at) && is_in_step(f, at, x, y)) return at;
    return 0;
}

static gw_op loop_of(const gw_func *f, gw_region r) {
    gw_op at = gw_region_at(f, r)->parent;
    while (at && !gw_is_loop(f, at)) at = around(f, at);
    return at;
}

static bool holds_loop(const gw_func *f, gw_op step, gw_op loop) {
    for (; step; step = around(f, step))
        if (step == loop) return true;
    return !loop;
}

const gw_atom *gw_ownership_alike(gw_ownership *w, gw_op x, gw_op y, uint32_t *count) {
    const gw_func *f = w->f;
    gw_op step = innermost_step(f, x, y);
    if (!w->uniform.f) gw_uniform_new(&w->uniform, f);
    w->alike.count = 0;
    for (uint32_t i = 1; i < w->n->atoms.count; i++) {
        const gw_atom_data *a = &w->n->atoms.at[i];
        bool alike = a->kind == GW_ATOM_TRIP && step && holds_loop(f, step, a->value);
        if (a->kind == GW_ATOM_VALUE && !a->uniform)
            alike = w->uniform.value[a->value] <= GW_UNIFORM_BLOCK &&
                    holds_loop(f, step, loop_of(f, gw_value_region(f, a->value)));
        if (alike) gw_push(&w->alike, (gw_atom)i);
    }
    *count = w->alike.count;
    return w->alike.at;
}
