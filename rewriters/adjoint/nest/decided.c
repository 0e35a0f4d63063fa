/*
 * nest/decided.c - whether a product that is divided out again (invert.c) decides anything but the stop.
 *
 * The division does not give back the last bit, so a comparison of it may come out the other way in the
 * reverse, and an index that is cut from it may be another one. The stop is not asked again there.
 */
#include "rewriters/adjoint/nest/nest_private.h"

#include <stdlib.h>

/* By value: it is made of the product, as far as is known. */
typedef struct made {
    const gw_invert *s;
    bool *is;
} made;

static bool is_it(const made *m, gw_value v) { return v == m->s->arg || m->is[v]; }

/* Carried value i of a loop inside. */
static bool is_carried(const made *m, gw_op loop, uint32_t i) {
    return is_it(m, gw_loop_init(m->s->p, loop, i)) || is_it(m, gw_loop_next(m->s->p, loop, i));
}

/* A branch hands on what its sides do; which side, its condition decides, which is asked by itself. */
static bool is_result(const made *m, gw_op op, uint32_t i) {
    const gw_func *p = m->s->p;
    bool found = false;
    if (gw_is_loop(p, op)) return is_carried(m, op, i);
    if (gw_op_at(p, op)->code == GW_OP_IF)
        return is_it(m, gw_arm_value(p, op, 0, i)) || is_it(m, gw_arm_value(p, op, 1, i));
    for (uint32_t k = 0; k < gw_op_at(p, op)->operands && !found; k++) found = is_it(m, gw_operand(p, op, k));
    return found;
}

static bool mark(made *m, gw_value v, bool found) {
    const bool more = found && !m->is[v];
    m->is[v] |= found;
    return more;
}

/* What the op makes, and what a loop carries into its regions; whether anything came in. */
static bool mark_op(made *m, gw_op op) {
    const gw_func *p = m->s->p;
    bool more = false;
    for (uint32_t i = 0; i < gw_op_at(p, op)->results; i++)
        more |= mark(m, gw_result(p, op, i), is_result(m, op, i));
    for (uint32_t i = 0; gw_is_loop(p, op) && i < gw_loop_carried(p, op); i++) {
        more |= mark(m, gw_loop_arg(p, op, i), is_carried(m, op, i));
        if (gw_op_at(p, op)->code == GW_OP_WHILE)
            more |= mark(m, gw_arg(p, gw_op_at(p, op)->region[0], i), is_carried(m, op, i));
    }
    return more;
}

/* A comparison, or a number that is cut to an integer. */
static bool is_decision(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    if (!o->operands || !gw_type_is_float(gw_typeof(p, gw_operand(p, op, 0)))) return false;
    const bool cuts = o->code == GW_OP_CAST && !gw_type_is_float(gw_typeof(p, gw_result(p, op, 0)));
    return cuts || (o->code >= GW_OP_EQ && o->code <= GW_OP_GE);
}

gw_op gw_invert_decides_else(const gw_invert *s) {
    made m = {s, gw_alloc((s->p->values.count + 1) * sizeof *m.is)};
    gw_op found = 0;
    for (bool again = true; again;) {
        again = false;
        for (gw_op op = gw_first(s->p, s->body); op; op = gw_walk(s->p, op, s->body)) again |= mark_op(&m, op);
    }
    for (gw_op op = gw_first(s->p, s->body); op && !found; op = gw_walk(s->p, op, s->body)) {
        if (!is_decision(s->p, op) || gw_result(s->p, op, 0) == s->test) continue;
        for (uint32_t i = 0; i < gw_op_at(s->p, op)->operands && !found; i++)
            if (is_it(&m, gw_operand(s->p, op, i))) found = op;
    }
    free(m.is);
    return found;
}
