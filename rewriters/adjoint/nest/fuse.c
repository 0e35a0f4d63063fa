/*
 * fuse.c - what a nest's conditions are made of, as one operation each (contract: passes.def).
 *
 *     a || b       becomes one condition, where computing b costs next to nothing and can do no harm: no branch
 * then leads to what an iteration does but its own (accumulate/flat.c), and each of both bounds what it does
 * (invert.c).
 *
 *     q.x * dx * dx + q.z * dy * dy        becomes        fma(q.z * dy, dy, q.x * dx * dx)
 *
 * Conditions have to come out alike in both runs of an iteration, so a compiler must not contract their sums in
 * one run and leave them in the other (gw_nest_round). Contracted here, in the primal that both are made of,
 * they come out alike, too, and with an instruction less each. The value is one that a compiler may give the
 * primal as well, as floating-point contraction is on by default in CUDA: the product is not rounded.
 */
#include "analysis/ir/passes.h"
#include "rewriters/adjoint/nest/nest_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

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

/* ---- conditions ---- */
enum { MOST_COST = 12 };

/* The region computes a bool, of what may be computed in any case. */
static bool is_harmless(const gw_func *p, gw_region r) {
    int cost = 0;
    for (gw_op op = gw_first(p, r); op; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        const bool whole = o->results && gw_type_is_integer(gw_typeof(p, o->first_result));
        if (o->code == GW_OP_YIELD) continue;
        if (o->regions || gw_op_rows[o->code].effect != GW_EFFECT_PURE ||
            (whole && (o->code == GW_OP_DIV || o->code == GW_OP_REM)))
            return false;
        cost += gw_cost_of_op(p, op);
    }
    return cost <= MOST_COST;
}

/* A flag that goes on to the next iteration is looked at as the branches that set it (invert.c). */
static bool is_handed_on(const gw_func *p, gw_value v) {
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && gw_op_at(p, op)->code == GW_OP_YIELD && gw_uses_value(p, op, v))
            return true;
    return false;
}

/* The branch chooses a bool: a constant on one side. */
static void join_choice(gw_func *p, gw_op branch) {
    if (gw_op_at(p, branch)->results != 1 || gw_typeof(p, gw_result(p, branch, 0)) != GW_T_BOOL ||
        is_handed_on(p, gw_result(p, branch, 0)))
        return;
    for (uint32_t side = 0; side < 2; side++) {
        int64_t is;
        const gw_region other = gw_op_at(p, branch)->region[1 - side];
        if (!gw_const_int(p, gw_arm_value(p, branch, side, 0), &is) || !is_harmless(p, other)) continue;
        gw_builder b = {p, gw_op_at(p, branch)->parent, branch, gw_op_at(p, branch)->loc};
        gw_value first = gw_operand(p, branch, 0), second = gw_arm_value(p, branch, 1 - side, 0);
        for (gw_op op = gw_first(p, other), next; op; op = next) {
            next = gw_next(p, op);
            if (gw_op_at(p, op)->code != GW_OP_YIELD) gw_op_move(p, op, b.region, branch);
        }
        if ((side == 0) != (is != 0)) first = gw_unary(&b, GW_OP_NOT, first);
        gw_value_map map = {0};
        gw_map_set(&map, gw_result(p, branch, 0), gw_binary(&b, is ? GW_OP_OR : GW_OP_AND, first, second));
        gw_op_remove(p, branch);
        gw_replace_many(p, &map);
        gw_map_free(&map);
        return;
    }
}

static void join_conditions(gw_func *p, gw_region r) {
    for (gw_op op = gw_first(p, r), next; op; op = next) {
        next = gw_next(p, op);
        for (uint32_t i = 0; i < gw_op_at(p, op)->regions; i++) join_conditions(p, gw_op_at(p, op)->region[i]);
        if (gw_op_at(p, op)->code == GW_OP_IF) join_choice(p, op);
    }
}

static bool is_rounded(const gw_func *p, gw_op op) {
    return !gw_op_at(p, op)->dead && gw_op_at(p, op)->flags & GW_OP_ROUNDED;
}

/* Factors stay as they are, with the bounds that conditions say of what they are made of: those that an earlier
 * request has rounded (gw_nest_round). */
void gw_shape_sums(gw_func *p, const gw_request *q) {
    gw_roles roles;
    gw_activity activity;
    gw_nest n;
    uint32_t ops = p->ops.count;
    bool *before = gw_alloc(ops * sizeof *before);
    for (gw_op op = 1; op < ops; op++) before[op] = is_rounded(p, op);
    gw_roles_find(&roles, p, q);
    gw_activity_new(&activity, p, &roles);
    for (gw_op op = 1; op < ops; op++)
        if (!gw_op_at(p, op)->dead && gw_is_loop(p, op) && gw_nest_find(p, &activity, op, &n)) {
            join_conditions(p, gw_loop_body(p, n.loop[GW_NEST_INNER]));
            gw_nest_round(p, &n, false);
        }
    gw_activity_free(&activity);
    gw_roles_free(&roles);
    for (gw_op op = 1; op < ops; op++)
        if (is_rounded(p, op) && !before[op]) fuse(p, op);
    free(before);
}
