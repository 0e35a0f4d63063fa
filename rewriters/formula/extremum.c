/*
 * extremum.c - maxima and minima that are written as choices (contract: formula.h).
 *
 *     a > b ? a : b        if (b >= a) a = b;        !(a < b) ? a : b
 *
 * A choice gives its derivative to the side that was taken. Where both sides are equal that is either, and
 * lanes of a warp that find one maximum together take different ones: each calls its own number a. So such a
 * choice shares as fmax and fmin do in deriv.def, half to each.
 *
 * Requires: equal expressions are one value (gw_clean).
 */
#include "analysis/ir/query.h"
#include "rewriters/formula/formula.h"

static gw_value side_of(const gw_func *f, gw_op op, uint32_t result, uint32_t side) {
    bool selects = gw_op_at(f, op)->code == GW_OP_SELECT;
    return selects ? gw_operand(f, op, 1 + side) : gw_arm_value(f, op, side, result);
}

bool gw_extremum_of(const gw_func *f, gw_op op, uint32_t result) {
    const uint16_t code = gw_op_at(f, op)->code;
    bool truth = true;
    if (code != GW_OP_SELECT && code != GW_OP_IF) return false;
    if (!gw_type_is_float(gw_typeof(f, gw_result(f, op, result)))) return false;
    const gw_op asked = gw_value_at(f, gw_behind_not(f, gw_operand(f, op, 0), &truth))->op;
    if (!asked || gw_op_at(f, asked)->code < GW_OP_LT || gw_op_at(f, asked)->code > GW_OP_GE) return false;
    const gw_value x = side_of(f, op, result, 0), y = side_of(f, op, result, 1);
    const gw_value a = gw_operand(f, asked, 0), b = gw_operand(f, asked, 1);
    return x != y && ((x == a && y == b) || (x == b && y == a));
}

gw_value gw_extremum_side(const gw_func *f, gw_op op, uint32_t result, uint32_t side) {
    return side_of(f, op, result, side);
}

gw_value gw_extremum_share(gw_builder *b, const gw_value primal[2], gw_value condition, const gw_value of[2]) {
    gw_value sum = gw_binary(b, GW_OP_ADD, of[0], of[1]), tie = gw_binary(b, GW_OP_EQ, primal[0], primal[1]);
    gw_value half = gw_binary(b, GW_OP_MUL, gw_real(b, gw_typeof(b->f, sum), 0.5), sum);
    return gw_select(b, tie, half, gw_select(b, condition, of[0], of[1]));
}
