/*
 * kept.c - a choice that puts back what is in its cell stores nothing (contract: formula.h).
 *
 *     a[i] = a[i] < s ? a[i] : s;        becomes        if (!(a[i] < s)) a[i] = s;
 *
 * In loops of the host, before a derivative is made. What the reverse keeps of an iteration that changes
 * nothing is then the decision alone, and its adjoints stay where they are: dynamic programming is made of such
 * iterations. A minimum or maximum stores where something changes, and where both numbers are equal, which
 * share the derivative (extremum.c).
 *
 * Sound: the cell has the value that the choice was given, since nothing between its load and the store writes
 * to the object, and both stand in one region.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/query.h"
#include "rewriters/formula/formula.h"

static bool is_in_loop(const gw_func *p, gw_op op) {
    while ((op = gw_op_around(p, op)) != 0)
        if (gw_is_loop(p, op)) return true;
    return false;
}

/* The value is what the cell of the store holds when it is reached. */
static bool is_there(const gw_func *p, gw_op store, gw_value v) {
    const gw_op load = gw_made_by(p, v, GW_OP_LOAD);
    if (!load || gw_op_at(p, load)->parent != gw_op_at(p, store)->parent || !gw_same_address(p, load, store))
        return false;
    for (gw_op op = gw_next(p, load); op && op != store; op = gw_next(p, op))
        if (gw_touches(p, op, gw_op_at(p, store)->object, GW_TOUCH_WRITE)) return false;
    return true;
}

/* A SELECT, or a branch of one result whose sides do nothing. */
static bool is_choice(const gw_func *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p, op);
    if (o->code == GW_OP_SELECT) return true;
    return o->code == GW_OP_IF && o->results == 1 &&
           gw_first(p, o->region[0]) == gw_region_end(p, o->region[0]) &&
           gw_first(p, o->region[1]) == gw_region_end(p, o->region[1]);
}

/* The choice of numbers that the store puts into its cell, *side the one that is there already; 0: none. */
static gw_op choice_of(const gw_func *p, gw_op store, uint32_t *side) {
    const gw_value v = gw_operand(p, store, gw_index_count(p, store));
    const gw_op choice = gw_value_at(p, v)->op;
    if (!choice || !is_choice(p, choice) || !gw_type_is_float(gw_typeof(p, v)) || gw_count_uses(p, v) != 1)
        return 0;
    if (gw_op_at(p, choice)->parent != gw_op_at(p, store)->parent || !is_in_loop(p, store)) return 0;
    for (*side = 0; *side < 2; ++*side)
        if (is_there(p, store, gw_extremum_side(p, choice, 0, *side))) return choice;
    return 0;
}

/* What decides, made of its own comparison: the one in front belongs to the branch. */
static gw_value again(gw_builder *b, gw_value condition) {
    const gw_func *p = b->f;
    bool truth = true;
    const gw_op asked = gw_value_at(p, gw_behind_not(p, condition, &truth))->op;
    const gw_value operands[2] = {gw_operand(p, asked, 0), gw_operand(p, asked, 1)};
    const gw_opcode code = (gw_opcode)gw_op_at(p, asked)->code;
    const gw_value made = gw_pure(b, code, GW_T_BOOL, gw_op_at(p, asked)->flags, operands, 2);
    return truth ? made : gw_unary(b, GW_OP_NOT, made);
}

static void guard(gw_func *p, gw_op store, gw_op choice, uint32_t side) {
    gw_builder b = {p, gw_op_at(p, store)->parent, store, gw_op_at(p, store)->loc};
    const gw_value condition = gw_operand(p, choice, 0);
    const gw_value numbers[2] = {gw_extremum_side(p, choice, 0, 0), gw_extremum_side(p, choice, 0, 1)};
    const bool shares = gw_extremum_of(p, choice, 0);
    gw_value changes = side ? condition : gw_unary(&b, GW_OP_NOT, condition);
    if (shares) {
        const gw_value equal = gw_binary(&b, GW_OP_EQ, numbers[0], numbers[1]);
        changes = gw_binary(&b, GW_OP_OR, changes, equal);
    }
    const gw_op branch = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &changes, 1);
    gw_builder then = {p, gw_region_new(p, branch), 0, b.loc}, other = {p, gw_region_new(p, branch), 0, b.loc};
    const gw_value stored =
        shares ? gw_select(&then, again(&then, condition), numbers[0], numbers[1]) : numbers[1 - side];
    if (shares) gw_emit(&then, GW_OP_EQ, GW_T_BOOL, 1, numbers, 2); /* gw_extremum_tie */
    gw_set_operand(p, store, gw_index_count(p, store), stored);
    gw_op_remove(p, choice);
    gw_op_move(p, store, then.region, 0);
    gw_yield(&then, NULL, 0);
    gw_yield(&other, NULL, 0);
}

void gw_shape_kept(gw_func *p, const gw_request *q) {
    (void)q;
    for (gw_op op = 1, count = p->ops.count; p->kind == GW_FUNC_HOST && op < count; op++) {
        uint32_t side;
        if (gw_op_at(p, op)->dead || gw_op_at(p, op)->code != GW_OP_STORE) continue;
        const gw_op choice = choice_of(p, op, &side);
        if (choice && gw_takes(p->session, GW_OPTIONAL_KEPT)) guard(p, op, choice, side);
    }
}
