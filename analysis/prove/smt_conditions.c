/*
 * smt_conditions.c - the conditions of a region for the solver (contract: smt_terms_private.h): enclosing
 * branches with all that the rules on inequalities leave out, disjunctions, negations, "is not equal".
 *
 * A comparison is asserted of the mathematical values of its sides, under what these assume; where a side's
 * value is not known, and for all that is no comparison of integers, the condition is a choice that each thread
 * has free.
 */
#include "analysis/ir/restructure.h"
#include "analysis/prove/smt_terms_private.h"

enum { DEPTH_MOST = 24 };

static Z3_ast choice(gw_smt_question *q, gw_value v, bool other) {
    if (gw_normal_uniform(q->n, v)) other = false;
    for (uint32_t i = 0; i < q->choices.count; i++)
        if (q->choices.at[i].value == v && q->choices.at[i].other == other) return q->choices.at[i].is;
    Z3_ast made = gw_smt_fresh(q, true);
    gw_push(&q->choices, ((gw_smt_choice){v, other, made}));
    return made;
}

static Z3_ast related(gw_smt_question *q, gw_opcode code, Z3_ast a, Z3_ast b) {
    switch (code) {
    case GW_OP_LT:
        return Z3_mk_lt(q->z, a, b);
    case GW_OP_LE:
        return Z3_mk_le(q->z, a, b);
    case GW_OP_GT:
        return Z3_mk_gt(q->z, a, b);
    case GW_OP_GE:
        return Z3_mk_ge(q->z, a, b);
    case GW_OP_EQ:
        return Z3_mk_eq(q->z, a, b);
    default:
        return Z3_mk_not(q->z, Z3_mk_eq(q->z, a, b));
    }
}

static bool is_comparison(uint16_t code) {
    return code == GW_OP_LT || code == GW_OP_LE || code == GW_OP_GT || code == GW_OP_GE || code == GW_OP_EQ ||
           code == GW_OP_NE;
}

static Z3_ast comparison(gw_smt_question *q, gw_context *c, gw_value v, gw_op op, bool other) {
    const gw_func *f = q->n->f;
    gw_number a, b;
    gw_value x = gw_operand(f, op, 0), y = gw_operand(f, op, 1);
    if (!gw_type_is_integer(gw_typeof(f, x))) return choice(q, v, other);
    gw_normal_exact(q->n, c, x, &a);
    gw_normal_exact(q->n, c, y, &b);
    if (a.poly.broken || b.poly.broken) return choice(q, v, other);
    Z3_ast means = related(q, (gw_opcode)gw_op_at(f, op)->code, gw_smt_poly(q, &a.poly, other),
                           gw_smt_poly(q, &b.poly, other));
    if (!(a.assumed | b.assumed)) return means;
    Z3_ast is = choice(q, v, other);
    gw_smt_assert(q, Z3_mk_iff(q->z, is, means), a.assumed | b.assumed);
    return is;
}

static Z3_ast condition(gw_smt_question *q, gw_context *c, gw_value v, bool other, int depth) {
    const gw_func *f = q->n->f;
    gw_op op = gw_value_at(f, v)->op;
    int64_t constant;
    if (gw_const_int(f, v, &constant)) return constant ? Z3_mk_true(q->z) : Z3_mk_false(q->z);
    if (!op || depth > DEPTH_MOST) return choice(q, v, other);
    const gw_op_data o = *gw_op_at(f, op);
    bool of_bools = o.operands > 0 && gw_typeof(f, gw_operand(f, op, o.operands - 1)) == GW_T_BOOL;
    if (o.code == GW_OP_NOT && of_bools)
        return Z3_mk_not(q->z, condition(q, c, gw_operand(f, op, 0), other, depth + 1));
    if ((o.code == GW_OP_AND || o.code == GW_OP_OR || o.code == GW_OP_SELECT) && of_bools) {
        Z3_ast part[3] = {0};
        for (uint32_t i = 0; i < o.operands && i < 3; i++)
            part[i] = condition(q, c, gw_operand(f, op, i), other, depth + 1);
        if (o.code == GW_OP_SELECT) return Z3_mk_ite(q->z, part[0], part[1], part[2]);
        return o.code == GW_OP_AND ? Z3_mk_and(q->z, 2, part) : Z3_mk_or(q->z, 2, part);
    }
    if (o.code == GW_OP_IF) { /* a && b, a || b as branches */
        uint32_t index = gw_value_at(f, v)->index;
        gw_op yes = gw_region_end(f, o.region[0]), no = gw_region_end(f, o.region[1]);
        if (!yes || !no) return choice(q, v, other);
        return Z3_mk_ite(q->z, condition(q, c, gw_operand(f, op, 0), other, depth + 1),
                         condition(q, c, gw_operand(f, yes, index), other, depth + 1),
                         condition(q, c, gw_operand(f, no, index), other, depth + 1));
    }
    return is_comparison(o.code) && !of_bools ? comparison(q, c, v, op, other) : choice(q, v, other);
}

Z3_ast gw_smt_condition(gw_smt_question *q, gw_context *c, gw_value v, bool other) {
    return condition(q, c, v, other, 0);
}

void gw_smt_path(gw_smt_question *q, gw_context *c, bool other) {
    const gw_func *f = q->n->f;
    gw_region r = c->region;
    gw_op parent;
    while ((parent = gw_region_at(f, r)->parent) != 0) {
        const gw_op_data o = *gw_op_at(f, parent);
        if (o.code == GW_OP_IF) {
            Z3_ast taken = condition(q, c, gw_operand(f, parent, 0), other, 0);
            gw_smt_assert(q, o.region[0] == r ? taken : Z3_mk_not(q->z, taken), 0);
        }
        r = o.parent;
    }
}
