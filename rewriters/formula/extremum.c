/*
 * extremum.c - maxima and minima that are written as choices (contract: formula.h).
 *
 *     a > b ? a : b        if (b >= a) a = b;        !(a < b) ? a : b
 *
 * A choice gives its derivative to the side that was taken. Where both sides are equal that is either, and
 * lanes of a warp that find one maximum together take different ones: each calls its own number a. So such a
 * choice shares as fmax and fmin do in deriv.def, half to each. Where the comparison decides more than the two
 * numbers, all that it decides is taken from one side.
 *
 * Requires: equal expressions are one value (gw_clean).
 */
#include "analysis/ir/query.h"
#include "rewriters/formula/formula.h"

static gw_value side_of(const gw_func *f, gw_op op, uint32_t result, uint32_t side) {
    bool selects = gw_op_at(f, op)->code == GW_OP_SELECT;
    return selects ? gw_operand(f, op, 1 + side) : gw_arm_value(f, op, side, result);
}

/* The numbers that a choice's condition compares; false if it does not. */
static bool compared_by(const gw_func *f, gw_op op, gw_value compared[2]) {
    const uint16_t code = gw_op_at(f, op)->code;
    bool truth = true;
    if (code != GW_OP_SELECT && code != GW_OP_IF) return false;
    const gw_op asked = gw_value_at(f, gw_behind_not(f, gw_operand(f, op, 0), &truth))->op;
    if (!asked || gw_op_at(f, asked)->code < GW_OP_LT || gw_op_at(f, asked)->code > GW_OP_GE) return false;
    for (uint32_t i = 0; i < 2; i++) compared[i] = gw_operand(f, asked, i);
    return true;
}

static bool is_one_of(const gw_func *f, gw_op op, uint32_t result, const gw_value compared[2]) {
    if (!gw_type_is_float(gw_typeof(f, gw_result(f, op, result)))) return false;
    const gw_value x = side_of(f, op, result, 0), y = side_of(f, op, result, 1);
    return x != y && ((x == compared[0] && y == compared[1]) || (x == compared[1] && y == compared[0]));
}

/* Another number comes of a choice on the same numbers, or goes into memory. */
static bool chooses_others(const gw_func *f, gw_op op, const gw_value compared[2]) {
    for (uint32_t i = 0; i < gw_op_at(f, op)->results; i++)
        if (gw_type_is_float(gw_typeof(f, gw_result(f, op, i))) && !is_one_of(f, op, i, compared)) return true;
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        for (uint32_t i = 0; gw_op_at(f, in)->code == GW_OP_STORE && i < gw_op_at(f, in)->operands; i++)
            if (gw_type_is_float(gw_typeof(f, gw_operand(f, in, i)))) return true;
    return false;
}

/* A comparison that decides other numbers too is a branch, whose sides belong together: the sum that is scaled
 * where a new maximum is found, or a reference to the larger of two, through which one of them is written. */
static bool is_branch(const gw_func *f, const gw_value compared[2]) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        gw_value other[2];
        if (gw_op_at(f, op)->dead || !compared_by(f, op, other)) continue;
        if (other[0] == compared[0] && other[1] == compared[1] && chooses_others(f, op, compared)) return true;
    }
    return false;
}

bool gw_extremum_of(const gw_func *f, gw_op op, uint32_t result) {
    gw_value compared[2];
    return compared_by(f, op, compared) && is_one_of(f, op, result, compared) && !is_branch(f, compared);
}

gw_value gw_extremum_side(const gw_func *f, gw_op op, uint32_t result, uint32_t side) {
    return side_of(f, op, result, side);
}

gw_value gw_extremum_tie(const gw_func *f, gw_op op) {
    const gw_op next = gw_next(f, op);
    if (gw_op_at(f, op)->code != GW_OP_SELECT || !next || gw_op_at(f, next)->code != GW_OP_EQ) return 0;
    const bool same = gw_operand(f, next, 0) == gw_operand(f, op, 1) &&
                      gw_operand(f, next, 1) == gw_operand(f, op, 2);
    return same ? gw_result(f, next, 0) : 0;
}

gw_value gw_extremum_share(gw_builder *b, gw_value tie, gw_value condition, const gw_value of[2]) {
    gw_value sum = gw_binary(b, GW_OP_ADD, of[0], of[1]);
    gw_value half = gw_binary(b, GW_OP_MUL, gw_real(b, gw_typeof(b->f, sum), 0.5), sum);
    return gw_select(b, tie, half, gw_select(b, condition, of[0], of[1]));
}
