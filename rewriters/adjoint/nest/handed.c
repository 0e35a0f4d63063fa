/*
 * handed.c - what the outer loop of a nest carries, and hands through to the loops in it (contract: nest.h).
 */
#include "rewriters/adjoint/nest/nest_private.h"

/* v is what the outer loop had, or result *m of the inner one, which was given that. */
static bool comes_back(const gw_func *p, gw_op inner, gw_value v, gw_value arg, uint32_t *m) {
    if (v == arg) return true;
    gw_op op = gw_value_at(p, v)->op;
    uint32_t k = gw_value_at(p, v)->index;
    if (op && gw_op_at(p, op)->code == GW_OP_IF)
        return comes_back(p, inner, gw_arm_value(p, op, 0, k), arg, m) &&
               comes_back(p, inner, gw_arm_value(p, op, 1, k), arg, m);
    if (op != inner || (*m != GW_NEST_NONE && *m != k)) return false;
    *m = k;
    return gw_loop_init(p, inner, k) == arg;
}

static uint32_t handed_to(const gw_func *p, gw_op outer, gw_op inner, uint32_t i) {
    uint32_t m = GW_NEST_NONE;
    return comes_back(p, inner, gw_loop_next(p, outer, i), gw_loop_arg(p, outer, i), &m) ? m : GW_NEST_NONE;
}

gw_op gw_nest_second(const gw_nest *n) {
    return n->loop[GW_NEST_MIDDLE] ? n->loop[GW_NEST_MIDDLE] : n->loop[GW_NEST_INNER];
}

uint32_t gw_nest_handed_between(const gw_func *p, const gw_nest *n, uint32_t i) {
    return handed_to(p, n->loop[GW_NEST_OUTER], gw_nest_second(n), i);
}

uint32_t gw_nest_handed(const gw_func *p, const gw_nest *n, uint32_t i) {
    const uint32_t m = gw_nest_handed_between(p, n, i);
    if (m == GW_NEST_NONE || !n->loop[GW_NEST_MIDDLE]) return m;
    return handed_to(p, n->loop[GW_NEST_MIDDLE], n->loop[GW_NEST_INNER], m);
}

uint32_t gw_nest_handed_as(const gw_func *p, const gw_nest *n, uint32_t m) {
    for (uint32_t i = 0; i < gw_loop_carried(p, n->loop[GW_NEST_OUTER]); i++)
        if (gw_nest_handed(p, n, i) == m) return i;
    return GW_NEST_NONE;
}

bool gw_nest_lacks(gw_nest *n, gw_near_nest_kind what, gw_op op) {
    n->lacks = what, n->shows = op;
    return false;
}

bool gw_nest_starts_low(const gw_func *p, gw_nest *n, uint32_t i, const gw_invert *s) {
    const gw_op outer = n->loop[GW_NEST_OUTER];
    double c;
    if (!s->by_stop) return true;
    if (gw_nest_handed(p, n, i) == s->index && gw_const_real(p, gw_loop_init(p, outer, i), &c) && c > 0 &&
        c <= 1)
        return true;
    return gw_nest_lacks(n, GW_NEAR_NEST_FACTOR, s->factor);
}
