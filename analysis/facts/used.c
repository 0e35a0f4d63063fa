/*
 * used.c - which values of a function are used whatever its numbers are (contract: facts.h).
 *
 * The adjoint of a value that nothing uses is 0, though the value may stand at a pole of what made it. A guard
 * is a branch, or a choice, about numbers: what it leaves out is not used. A condition about integers, such as
 * i < n, keeps nobody from a pole, and a loop counts as one that runs.
 *
 * The least fixed point: a value is used if something takes it that is used. What is not followed, as through a
 * local array, counts as unused, so that a gradient guards its products for nothing at worst.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/query.h"

bool gw_is_about_numbers(const gw_func *f, gw_value condition, int depth) {
    const gw_op op = gw_value_at(f, condition)->op;
    const gw_op_data *o = gw_op_at(f, op);
    if (gw_type_is_float(gw_typeof(f, condition)) || depth > 16) return true;
    if (op && o->code == GW_OP_POP) return true; /* recorded, as an integer */
    if (!op || o->regions || o->code == GW_OP_LOAD) return gw_typeof(f, condition) == GW_T_BOOL;
    for (uint32_t i = 0; i < o->operands; i++)
        if (gw_is_about_numbers(f, gw_operand(f, op, i), depth + 1)) return true;
    return false;
}

static bool is_guarded(const gw_func *f, gw_op op) {
    for (gw_op up = gw_op_around(f, op); up; up = gw_op_around(f, up))
        if (gw_op_at(f, up)->code == GW_OP_IF && gw_is_about_numbers(f, gw_operand(f, up, 0), 0)) return true;
    return false;
}

static bool use(const gw_func *f, bool *used, gw_value v) {
    const bool is_new = !used[v] && gw_type_is_float(gw_typeof(f, v));
    used[v] |= is_new;
    return is_new;
}

static bool use_regions(const gw_func *f, bool *used, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    bool grown = false;
    for (uint32_t i = 0; i < o->results; i++) {
        const gw_value result = gw_result(f, op, i);
        if (o->code == GW_OP_IF) {
            const bool is_taken = used[result] && !gw_is_about_numbers(f, gw_operand(f, op, 0), 0);
            for (uint32_t side = 0; side < 2 && is_taken; side++)
                grown |= use(f, used, gw_arm_value(f, op, side, i));
            continue;
        }
        if (!used[result] && !used[gw_loop_arg(f, op, i)]) continue;
        grown |= use(f, used, gw_loop_next(f, op, i));
        grown |= use(f, used, gw_loop_init(f, op, i));
    }
    return grown;
}

/* All of its derivatives are 0 nowhere but at single points. */
static bool passes_on(gw_opcode code) {
    switch (code) {
    case GW_OP_SELECT:
    case GW_OP_FMIN:
    case GW_OP_FMAX:
    case GW_OP_FDIM:
    case GW_OP_FABS:
    case GW_OP_SATURATE:
    case GW_OP_COPYSIGN:
        return false;
    case GW_OP_CAST:
    case GW_OP_WARP:
        return true;
    default:
        return gw_op_rows[code].effect == GW_EFFECT_PURE && gw_op_rows[code].adjoint != GW_ADJOINT_NONE;
    }
}

static bool use_op(const gw_func *f, bool *used, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    bool grown = false;
    if (o->code == GW_OP_IF || o->code == GW_OP_FOR || o->code == GW_OP_WHILE) return use_regions(f, used, op);
    if (o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC) {
        const bool is_own = gw_object_at(f, o->object)->kind == GW_OBJECT_LOCAL;
        return !is_own && !is_guarded(f, op) && use(f, used, gw_operand(f, op, o->operands - 1));
    }
    bool is_taken = o->code == GW_OP_CALL || o->code == GW_OP_RET || o->code == GW_OP_COLLECT;
    is_taken = is_taken && !is_guarded(f, op);
    for (uint32_t i = 0; i < o->results; i++)
        is_taken |= used[gw_result(f, op, i)] && passes_on((gw_opcode)o->code);
    for (uint32_t i = 0; i < o->operands && is_taken; i++)
        grown |= use(f, used, gw_operand(f, op, i));
    return grown;
}

void gw_find_used(const gw_func *f, bool *used) {
    for (bool grown = true; grown;) {
        grown = false;
        for (gw_op op = f->ops.count - 1; op; op--)
            if (!gw_op_at(f, op)->dead) grown |= use_op(f, used, op);
    }
}
