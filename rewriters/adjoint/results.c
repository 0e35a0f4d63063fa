/*
 * adjoint/results.c - what a branch records for a reverse that stands in the same region becomes a result of
 * the branch.
 *
 * A push in a side of a branch and its pop in the mirror image of it, with no loop around either up to the
 * region that holds both: the value leaves the branch as one more result (0 from the other side, where nobody
 * asks for it), and the pop is that value. Registers hold it then, and no tape is needed.
 *
 * An index that is cheap to compute from what both see is computed again instead.
 *
 * Sound: the branch stands before its reverse in that region, so the result is visible there; the pop runs only
 * where the push ran, and takes what that push left, because each slot has one push and one pop.
 */
#include "rewriters/adjoint/adjoint_private.h"

#include <stdlib.h>

typedef struct pair {
    gw_op push, pop;
    uint32_t count; /* ops of the slot */
} pair;

static gw_region around_branch(const gw_func *f, gw_region r) {
    gw_op parent = gw_region_at(f, r)->parent;
    return parent && gw_op_at(f, parent)->code == GW_OP_IF ? gw_op_at(f, parent)->parent : 0;
}

/* The innermost region around both with only branches between, or 0. */
static gw_region meeting_region(const gw_func *f, const pair *p) {
    for (gw_region x = gw_op_at(f, p->push)->parent; x; x = around_branch(f, x))
        for (gw_region y = gw_op_at(f, p->pop)->parent; y; y = around_branch(f, y))
            if (x == y) return x;
    return 0;
}

gw_value gw_leave_branch(gw_func *f, gw_region side, gw_value v, gw_region *outer) {
    gw_op branch = gw_region_at(f, side)->parent;
    gw_builder b = {f, f->entry, gw_first(f, f->entry), gw_op_at(f, branch)->loc};
    gw_type type = gw_typeof(f, v);
    gw_value none = gw_type_is_float(type) ? gw_real(&b, type, 0) : gw_int(&b, type, 0);
    bool first = gw_op_at(f, branch)->region[0] == side;
    gw_str name = gw_value_at(f, v)->name;
    branch = gw_if_rebuild(f, branch, NULL, first ? &v : &none, first ? &none : &v, 1);
    *outer = gw_op_at(f, branch)->parent;
    v = gw_result(f, branch, gw_op_at(f, branch)->results - 1);
    gw_value_at(f, v)->name = name;
    return v;
}

/* An index or comparison of a kernel, one or two cheap ops away from what is visible there: it costs less to
 * compute it again than a register, and ownership sees what it is. */
static bool is_cheap(const gw_func *f, gw_value v, gw_region meeting, int depth) {
    gw_op op = gw_value_at(f, v)->op;
    if (gw_value_visible(f, v, meeting)) return true;
    if (!op || depth == 0 || f->kind != GW_FUNC_KERNEL) return false;
    const gw_op_data *o = gw_op_at(f, op);
    bool integer = gw_type_is_integer(gw_typeof(f, v)) || gw_typeof(f, v) == GW_T_BOOL;
    if (!integer || gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->regions || o->code == GW_OP_DIV ||
        o->code == GW_OP_REM)
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!is_cheap(f, gw_operand(f, op, i), meeting, depth - 1)) return false;
    return true;
}

static gw_value compute_again(gw_cloner *c, gw_value v, gw_region meeting) {
    const gw_func *f = c->from;
    if (gw_value_visible(f, v, meeting) || gw_map_get(&c->values, v)) return gw_clone_value(c, v);
    gw_op op = gw_value_at(f, v)->op;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) compute_again(c, gw_operand(f, op, i), meeting);
    gw_clone_op(c, op);
    return gw_clone_value(c, v);
}

static bool hand_over_anew(gw_func *f, const pair *p, gw_region meeting) {
    gw_value v = gw_operand(f, p->push, 0);
    if (!is_cheap(f, v, meeting, 2)) return false;
    gw_builder b = {f, gw_op_at(f, p->pop)->parent, p->pop, gw_op_at(f, p->pop)->loc};
    gw_cloner c = {.from = f, .to = &b};
    gw_replace_uses(f, gw_result(f, p->pop, 0), compute_again(&c, v, meeting));
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    gw_op_remove(f, p->push);
    gw_op_remove(f, p->pop);
    return true;
}

static void hand_over(gw_func *f, const pair *p, gw_region meeting) {
    if (hand_over_anew(f, p, meeting)) return;
    gw_value v = gw_operand(f, p->push, 0);
    gw_region at = gw_op_at(f, p->push)->parent;
    gw_op_remove(f, p->push);
    while (at != meeting) v = gw_leave_branch(f, at, v, &at);
    gw_replace_uses(f, gw_result(f, p->pop, 0), v);
    gw_op_remove(f, p->pop);
}

void gw_adjoint_hand_over(gw_func *f) {
    pair *pairs = gw_alloc(f->objects.count * sizeof *pairs);
    uint32_t ops = f->ops.count, objects = f->objects.count;
    for (gw_op op = 1; op < ops; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || (o->code != GW_OP_PUSH && o->code != GW_OP_POP)) continue;
        pairs[o->object].count++;
        if (o->code == GW_OP_PUSH) pairs[o->object].push = op;
        else pairs[o->object].pop = op;
    }
    for (gw_object o = 1; o < objects; o++) {
        if (pairs[o].count != 2 || !pairs[o].push || !pairs[o].pop) continue;
        gw_region meeting = meeting_region(f, &pairs[o]);
        if (meeting) hand_over(f, &pairs[o], meeting);
    }
    free(pairs);
}
