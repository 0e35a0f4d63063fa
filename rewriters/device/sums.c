/*
 * device/sums.c - sums of what branches of several instances give become running sums (contract:
 * coarsen_private.h).
 *
 *     if (a) v = ...; else v = 0;                 if (a) v = ...; else v = 0;
 *     if (b) w = ...; else w = 0;     becomes     if (b) s = v + ...; else s = v;
 *     s = v + w;
 *
 * so that one register is live where there were as many as instances, and an instance that brings nothing costs
 * no addition. Likewise where both come from one branch. Sound because v is there before the branch of w,
 * nothing else uses w, and v + 0 is v (but for the sign of a zero, which a sum into an adjoint does not keep
 * anyway). Moved into a branch, an addition can be looked at again there, when what it was moved from is gone,
 * as its operand may come from a branch further in.
 */
#include "rewriters/device/coarsen_private.h"
#include "analysis/ir/optional.h"

/* The branch in the region of `add` whose result v is, if nothing else uses it and one side gives 0: *side is
 * the other. */
static gw_op branch_of(const gw_func *f, gw_op add, gw_value v, uint32_t *side) {
    gw_op op = gw_made_by(f, v, GW_OP_IF);
    if (!op || gw_op_at(f, op)->parent != gw_op_at(f, add)->parent) return 0;
    for (*side = 0; *side < 2; ++*side)
        if (gw_is_zero(f, gw_arm_value(f, op, 1 - *side, gw_value_at(f, v)->index)))
            return gw_count_uses(f, v) == 1 ? op : 0;
    return 0;
}

static bool is_before(const gw_func *f, gw_value v, gw_op op) {
    gw_op made = gw_value_at(f, v)->op;
    if (!made || gw_op_at(f, made)->parent != gw_op_at(f, op)->parent) return true; /* of a region around it */
    for (gw_op at = gw_prev(f, op); at; at = gw_prev(f, at))
        if (at == made) return true;
    return false;
}

static gw_value given(const gw_func *f, gw_op branch, uint32_t side, gw_value v) {
    return gw_value_at(f, v)->op == branch ? gw_arm_value(f, branch, side, gw_value_at(f, v)->index) : v;
}

/* x + y at the end of the side; the other side has x where that is there before, else 0. */
static void move_into(gw_func *f, gw_op add, gw_op branch, uint32_t side) {
    gw_value x = gw_operand(f, add, 0), y = gw_operand(f, add, 1);
    gw_value kept = gw_value_at(f, y)->op != branch ? y : 0;
    if (gw_value_at(f, x)->op != branch) kept = x;
    gw_region in = gw_op_at(f, branch)->region[side], out = gw_op_at(f, branch)->region[1 - side];
    gw_builder b = {f, in, gw_region_end(f, in), gw_op_at(f, add)->loc},
               other = {f, out, gw_region_end(f, out), b.loc};
    gw_value sum = gw_binary(&b, GW_OP_ADD, given(f, branch, side, x), given(f, branch, side, y));
    gw_value rest = kept ? kept : gw_real(&other, gw_typeof(f, x), 0);
    gw_str name = gw_value_at(f, gw_result(f, add, 0))->name;
    gw_op made = gw_if_rebuild(f, branch, NULL, side ? &rest : &sum, side ? &sum : &rest, 1);
    gw_value now = gw_result(f, made, gw_op_at(f, made)->results - 1);
    gw_value_at(f, now)->name = name;
    gw_value_map map = {0};
    gw_map_set(&map, gw_result(f, add, 0), now);
    gw_rename_from(f, add, &map);
    gw_op_remove(f, add);
    gw_map_free(&map);
}

/* Whether it moved. */
static bool try_addition(gw_func *f, gw_op add) {
    uint32_t side[2];
    gw_value v[2] = {gw_operand(f, add, 0), gw_operand(f, add, 1)};
    gw_op branch[2];
    for (uint32_t i = 0; i < 2; i++) branch[i] = branch_of(f, add, v[i], &side[i]);
    if (!branch[0] && !branch[1]) return false;
    if (!gw_takes(f->session, GW_OPTIONAL_COARSE_SUMS)) return false;
    if (branch[0] && branch[0] == branch[1] && side[0] == side[1]) move_into(f, add, branch[0], side[0]);
    else if (branch[1] && gw_value_at(f, v[0])->op != branch[1] && is_before(f, v[0], branch[1]))
        move_into(f, add, branch[1], side[1]);
    else if (branch[0] && gw_value_at(f, v[1])->op != branch[0] && is_before(f, v[1], branch[0]))
        move_into(f, add, branch[0], side[0]);
    return gw_op_at(f, add)->dead;
}

bool gw_coarsen_sums(gw_func *f, gw_region r) {
    bool moved = false;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_ADD && !(o->flags & GW_OP_ROUNDED) &&
            gw_type_is_float(gw_typeof(f, o->first_result)))
            moved |= try_addition(f, op);
    }
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op))
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            moved |= gw_coarsen_sums(f, gw_op_at(f, op)->region[i]);
    return moved;
}
