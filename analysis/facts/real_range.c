/*
 * facts/real_range.c - bounds of floating-point values by interval arithmetic, and by the branches around.
 *
 * They hold for every value but NaN, which stays NaN.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"

#include <math.h>

typedef gw_real_range range;
static const range anything = {-INFINITY, INFINITY};

/* r: a region in which it is that, by the branches around, too; 0: anywhere */
static range range_of(const gw_func *p, gw_value v, gw_region r, int depth);

static range range_of_select(const gw_func *p, gw_op op, gw_region r, int depth) {
    range x = range_of(p, gw_operand(p, op, 1), r, depth), y = range_of(p, gw_operand(p, op, 2), r, depth);
    return (range){fmin(x.low, y.low), fmax(x.high, y.high)};
}

/* An end that arithmetic made NaN (inf - inf) says nothing. */
static range tidy(range r) {
    return (range){isnan(r.low) ? -INFINITY : r.low, isnan(r.high) ? INFINITY : r.high};
}

/* fmin and fmax give the number where the other operand is a NaN, so only a constant operand bounds them
 * whatever the other is. */
static double surely(const gw_func *p, gw_op op, double x, double y, double (*either)(double, double)) {
    double c;
    if (gw_const_real(p, gw_operand(p, op, 0), &c)) return x;
    return gw_const_real(p, gw_operand(p, op, 1), &c) ? y : either(x, y);
}

/* x is *c times y. */
static bool is_square(const gw_func *p, gw_value x, gw_value y, double *c) {
    const gw_op op = gw_made_by(p, x, GW_OP_MUL);
    *c = 1;
    return x == y || (op && gw_operand(p, op, 1) == y && gw_const_real(p, gw_operand(p, op, 0), c)) ||
           (op && gw_operand(p, op, 0) == y && gw_const_real(p, gw_operand(p, op, 1), c));
}

static range range_of_binary(const gw_func *p, gw_op op, gw_region r, int depth) {
    double c;
    range x = range_of(p, gw_operand(p, op, 0), r, depth), y = range_of(p, gw_operand(p, op, 1), r, depth);
    switch (gw_op_at(p, op)->code) {
    case GW_OP_ADD: return tidy((range){x.low + y.low, x.high + y.high});
    case GW_OP_SUB: return tidy((range){x.low - y.high, x.high - y.low});
    case GW_OP_MUL:
        if (is_square(p, gw_operand(p, op, 0), gw_operand(p, op, 1), &c))
            return c < 0 ? (range){-INFINITY, 0} : (range){0, INFINITY};
        if (x.low == x.high) /* a constant; infinite ends of the other may meet its 0 */
            return tidy(x.low < 0 ? (range){x.low * y.high, x.low * y.low}
                                  : (range){x.low * y.low, x.low * y.high});
        return x.low >= 0 && y.low >= 0 ? tidy((range){x.low * y.low, x.high * y.high}) : anything;
    case GW_OP_DIV: /* of constants, up to its rounding */
        if (x.low != x.high || y.low != y.high || !(x.low > 0) || !(y.low > 0)) return anything;
        return (range){x.low / y.low * (1 - 1e-6), x.low / y.low * (1 + 1e-6)};
    case GW_OP_FMIN: return (range){fmin(x.low, y.low), surely(p, op, x.high, y.high, fmax)};
    case GW_OP_FMAX: return (range){surely(p, op, x.low, y.low, fmin), fmax(x.high, y.high)};
    default: return anything;
    }
}

/* An approximate one may be off by far more than a rounding, but not by a hundredth. */
static range range_of_exp(range x) {
    return (range){0, x.high <= 80 ? exp(x.high) * 1.01 : INFINITY};
}

/* The range of what the op makes. */
static range range_made(const gw_func *p, gw_op op, gw_region r, int depth) {
    const gw_op_data *o = gw_op_at(p, op);
    range x = anything;
    switch (o->code) {
    case GW_OP_EXP: return range_of_exp(range_of(p, gw_operand(p, op, 0), r, depth));
    case GW_OP_SATURATE: return (range){0, 1};
    case GW_OP_FABS: return (range){0, INFINITY};
    case GW_OP_SQRT:
        x = range_of(p, gw_operand(p, op, 0), r, depth);
        return x.low > 0 ? (range){sqrt(x.low) * (1 - 1e-6), INFINITY} : (range){0, INFINITY};
    case GW_OP_NEG: x = range_of(p, gw_operand(p, op, 0), r, depth); return (range){-x.high, -x.low};
    case GW_OP_SELECT: return range_of_select(p, op, r, depth);
    default: return o->operands == 2 && !o->regions ? range_of_binary(p, op, r, depth) : anything;
    }
}

static range both(range x, range y) { return (range){fmax(x.low, y.low), fmin(x.high, y.high)}; }

/* What comparisons with constants say of v where the condition is `truth`. */
static range range_if(const gw_func *p, gw_value condition, bool truth, gw_value v) {
    bool negated = !truth;
    gw_op test = gw_value_at(p, gw_behind_not(p, condition, &negated))->op;
    if (!test || gw_op_at(p, test)->operands != 2) return anything;
    gw_value x = gw_operand(p, test, 0), y = gw_operand(p, test, 1);
    if (gw_op_at(p, test)->code == (negated ? GW_OP_OR : GW_OP_AND))
        return both(range_if(p, x, !negated, v), range_if(p, y, !negated, v));
    if (x != v) return anything;
    range bound = range_of(p, y, 0, 0);
    switch (gw_op_at(p, test)->code) {
    case GW_OP_LT:
    case GW_OP_LE: return negated ? (range){bound.low, INFINITY} : (range){-INFINITY, bound.high};
    case GW_OP_GT:
    case GW_OP_GE: return negated ? (range){-INFINITY, bound.high} : (range){bound.low, INFINITY};
    default: return anything;
    }
}

static range range_of(const gw_func *p, gw_value v, gw_region r, int depth) {
    const gw_op op = gw_value_at(p, v)->op;
    gw_op at;
    double c;
    if (gw_const_real(p, v, &c)) return (range){c, c};
    if (depth > 16 || !gw_type_is_float(gw_typeof(p, v))) return anything;
    range known = op ? range_made(p, op, r, depth + 1) : anything;
    for (gw_region in = r; in && (at = gw_region_at(p, in)->parent) != 0; in = gw_op_at(p, at)->parent)
        if (gw_op_at(p, at)->code == GW_OP_IF)
            known = both(known, range_if(p, gw_operand(p, at, 0), gw_op_at(p, at)->region[0] == in, v));
    return known;
}

gw_real_range gw_real_range_of(const gw_func *p, gw_value v, gw_region r) { return range_of(p, v, r, 0); }
