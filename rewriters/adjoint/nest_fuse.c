/*
 * nest_fuse.c - sums of products that a nest's conditions are made of, as one operation each (contract:
 * adjoint.h).
 *
 *     q.x * dx * dx + q.z * dy * dy        becomes        fma(q.z * dy, dy, q.x * dx * dx)
 *
 * Conditions have to come out alike in both runs of an iteration, so a compiler must not contract their sums in
 * one run and leave them in the other (gw_nest_round). Contracted here, in the primal that both are made of,
 * they come out alike, too, and with an instruction less each. The value is one that a compiler may give the
 * primal as well, as floating-point contraction is on by default in CUDA: the product is not rounded.
 */
#include "analysis/ir/passes.h"
#include "rewriters/adjoint/adjoint_private.h"
#include "rewriters/adjoint/nest_private.h"

/* v = sign * a * b */
static bool is_product(const gw_func *p, gw_value v, gw_value *factor, bool *negative) {
    gw_op op = gw_value_at(p, v)->op;
    for (; op && gw_op_at(p, op)->code == GW_OP_NEG; op = gw_value_at(p, gw_operand(p, op, 0))->op)
        *negative = !*negative;
    if (!op || gw_op_at(p, op)->code != GW_OP_MUL) return false;
    for (uint32_t i = 0; i < 2; i++) factor[i] = gw_operand(p, op, i);
    return true;
}

/* The product behind stays apart if both are products: instances of a coarsened thread rather have the one in
 * front in common. */
static void fuse(gw_func *p, gw_op sum) {
    gw_builder b = {p, gw_op_at(p, sum)->parent, sum, gw_op_at(p, sum)->loc};
    gw_value part[] = {gw_operand(p, sum, 0), gw_operand(p, sum, 1)}, operands[3];
    gw_type type = gw_typeof(p, gw_result(p, sum, 0));
    bool minus = gw_op_at(p, sum)->code == GW_OP_SUB;
    for (uint32_t i = 2; i-- > 0;) {
        bool negative = minus && i == 1;
        if (!is_product(p, part[i], operands, &negative)) continue;
        if (negative) operands[0] = gw_unary(&b, GW_OP_NEG, operands[0]);
        operands[2] = minus && i == 0 ? gw_unary(&b, GW_OP_NEG, part[1]) : part[1 - i];
        gw_value made = gw_result(p, gw_emit(&b, GW_OP_FMA, type, 1, operands, 3), 0);
        gw_value_map map = {0};
        gw_value_at(p, made)->name = gw_value_at(p, gw_result(p, sum, 0))->name;
        gw_map_set(&map, gw_result(p, sum, 0), made);
        gw_rename_from(p, gw_next(p, sum), &map);
        gw_map_free(&map);
        gw_op_remove(p, sum);
        return;
    }
}

void gw_shape_sums(gw_func *p, const gw_request *q) {
    gw_roles roles;
    gw_activity activity;
    gw_nest n;
    uint32_t ops = p->ops.count;
    gw_roles_find(&roles, p, q);
    gw_activity_new(&activity, p, &roles);
    for (gw_op op = 1; op < ops; op++)
        if (!gw_op_at(p, op)->dead && gw_is_loop(p, op) && gw_nest_find(p, &activity, op, &n))
            gw_nest_round(p, &n);
    gw_activity_free(&activity);
    gw_roles_free(&roles);
    for (gw_op op = 1; op < ops; op++)
        if (!gw_op_at(p, op)->dead && gw_op_at(p, op)->flags & GW_OP_ROUNDED) fuse(p, op);
}
