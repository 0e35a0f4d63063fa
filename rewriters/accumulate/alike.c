/*
 * accumulate/alike.c - a condition that all lanes of a warp agree on stands around a sum of lanes (contract:
 * accumulate.h).
 *
 *     for (j = most; j >= 0; --j) {                for (j = most; j >= 0; --j) {
 *         if (j <= own) {                              if (word >> j & 1) {
 *             if (word >> j & 1) { v = ... }   becomes     if (j <= own) { v = ... }
 *         }                                                collect(adds, v)
 *         collect(adds, v)                             }
 *     }                                            }
 *
 * The warp passes over such an iteration at once; behind the condition, what lanes read is what one of them
 * reads in its own iteration (flat.c), and a warp may ask for 32 iterations together (candidates.c).
 *
 * Requires a loop that runs as often as in the lane that runs it most, in whose body the branch on the lane's
 * own iteration has one on the condition inside, which is made of whole numbers that are there before it.
 * Sound because nothing happens where the condition does not hold: no lane takes part in a COLLECT, what is
 * carried stays as it is, and all else is pure. All lanes come to the COLLECT, or none, because they agree.
 */
#include "analysis/ir/warp.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/ir/restructure.h"

typedef struct around {
    gw_func *f;
    const gw_uniform *uniform; /* of the function as it was */
    gw_op loop, own, inner;
} around;

gw_op gw_rung_own_loop(const gw_uniform *u, const gw_func *f, gw_op branch) {
    gw_op at = gw_op_around(f, branch);
    while (at && gw_op_at(f, at)->code == GW_OP_IF) {
        const gw_value asked = gw_operand(f, at, 0);
        if (asked >= u->f->values.count || u->value[asked] > GW_UNIFORM_WARP) return 0;
        at = gw_op_around(f, at);
    }
    const gw_op test = gw_value_at(f, gw_operand(f, branch, 0))->op;
    if (!at || gw_op_at(f, at)->code != GW_OP_FOR || !test || gw_op_at(f, test)->operands != 2) return 0;
    const uint16_t code = gw_op_at(f, test)->code, compare = gw_op_at(f, at)->attr;
    const bool up = code == compare && (code == GW_OP_LT || code == GW_OP_LE);
    const bool down = code == GW_OP_LE && compare == GW_OP_GE;
    const gw_op most = gw_value_at(f, gw_operand(f, at, up ? 1 : 0))->op;
    const bool own = (up || down) && gw_operand(f, test, 0) == gw_arg(f, gw_loop_body(f, at), 0) && most &&
                     gw_op_at(f, most)->code == GW_OP_WARP && gw_op_at(f, most)->attr == GW_WARP_MOST &&
                     gw_operand(f, most, 1) == gw_operand(f, test, 1);
    return own ? at : 0;
}

gw_op gw_rung_only_branch(const gw_func *f, gw_region r) {
    gw_op found = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        if (!gw_op_at(f, op)->regions) continue;
        if (found || gw_op_at(f, op)->code != GW_OP_IF) return 0;
        found = op;
    }
    return found;
}

/* v, a result of the lane's own branch, is `idle` where the condition does not hold; 0: it is false there. */
static bool stays(const around *a, gw_value v, gw_value idle) {
    const gw_func *f = a->f;
    int64_t c;
    gw_op branches[] = {a->own, a->inner};
    for (uint32_t i = 0; i < 2; i++) {
        if (v == idle || (!idle && v == gw_operand(f, a->inner, 0))) return true;
        if (gw_value_at(f, v)->op != branches[i]) return false;
        const uint32_t k = gw_value_at(f, v)->index;
        const gw_value other = gw_arm_value(f, branches[i], 1, k);
        if (idle ? other != idle : !gw_const_int(f, other, &c) || c) return false;
        v = gw_arm_value(f, branches[i], 0, k);
    }
    return true;
}

/* All that stands behind the branch does nothing if no lane takes part. */
static bool is_idle_without(const around *a) {
    const gw_func *f = a->f;
    const gw_region body = gw_loop_body(f, a->loop);
    const gw_op end = gw_region_end(f, body);
    for (gw_op op = gw_next(f, a->own); op && op != end; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_COLLECT) {
            for (uint32_t i = 1; i < o->operands; i++)
                if (!stays(a, gw_operand(f, op, i), 0)) return false;
        } else if (o->code != GW_OP_ACCUM && !(o->code == GW_OP_WARP && o->attr == GW_WARP_OF_ACTIVE) &&
                   (o->regions || gw_op_rows[o->code].effect != GW_EFFECT_PURE)) {
            return false;
        } else if (o->code == GW_OP_ACCUM && gw_op_at(f, gw_next(f, op))->code != GW_OP_COLLECT) {
            return false;
        }
    }
    for (uint32_t i = 0; i < gw_op_at(f, end)->operands; i++)
        if (!stays(a, gw_operand(f, end, i), gw_arg(f, body, 1 + i))) return false;
    return true;
}

static bool find(around *a, gw_op collect) {
    const gw_func *f = a->f;
    a->own = gw_value_at(f, gw_operand(f, collect, 1))->op;
    if (!a->own || gw_op_at(f, a->own)->code != GW_OP_IF) return false;
    a->loop = gw_rung_own_loop(a->uniform, f, a->own);
    const gw_region way = gw_op_at(f, a->own)->region[0];
    a->inner = a->loop && !(gw_op_at(f, a->loop)->flags & GW_OP_EXIT) ? gw_rung_only_branch(f, way) : 0;
    if (!a->inner || gw_op_at(f, collect)->parent != gw_loop_body(f, a->loop) ||
        gw_op_at(f, a->own)->parent != gw_loop_body(f, a->loop))
        return false;
    const gw_value asked = gw_operand(f, a->inner, 0);
    const bool alike = asked < a->uniform->f->values.count && a->uniform->value[asked] <= GW_UNIFORM_WARP;
    return alike && gw_is_pure_but(f, way, a->inner) && gw_is_pure_but(f, gw_op_at(f, a->own)->region[1], 0) &&
           gw_is_pure_but(f, gw_op_at(f, a->inner)->region[1], 0) && is_idle_without(a);
}

static bool put_around(around *a) {
    gw_func *f = a->f;
    const gw_region body = gw_loop_body(f, a->loop);
    const gw_op end = gw_region_end(f, body);
    gw_builder b = {f, body, a->own, gw_op_at(f, a->inner)->loc};
    const gw_value asked = gw_value_outside(&b, gw_operand(f, a->inner, 0), NULL);
    if (!asked) return false;
    const gw_op guard = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &asked, 1);
    GW_VEC(gw_value) sides[2] = {{0}, {0}};
    for (uint32_t i = 0; i < gw_op_at(f, end)->operands; i++) {
        const gw_value v = gw_operand(f, end, i), old = gw_arg(f, body, 1 + i);
        if (v == old) continue;
        gw_push(&sides[0], v);
        gw_push(&sides[1], old);
        gw_set_operand(f, end, i, gw_op_add_result(f, guard, gw_typeof(f, v), gw_value_at(f, v)->name));
    }
    gw_builder in = {f, gw_region_new(f, guard), 0, b.loc}, out = {f, gw_region_new(f, guard), 0, b.loc};
    for (gw_op op = a->own, next; op != end; op = next) {
        next = gw_next(f, op);
        gw_op_move(f, op, in.region, 0);
    }
    gw_yield(&in, sides[0].at, sides[0].count);
    gw_yield(&out, sides[1].at, sides[1].count);
    gw_open_branch(f, a->inner);
    gw_vec_free(&sides[0]);
    gw_vec_free(&sides[1]);
    return true;
}

void gw_rung_alike(gw_func *f) {
    gw_uniform u;
    gw_func *before = gw_func_copy(f);
    gw_uniform_new(&u, before);
    for (gw_op op = 1; op < before->ops.count; op++) {
        around a = {.f = f, .uniform = &u};
        if (!gw_op_at(before, op)->dead && gw_op_at(before, op)->code == GW_OP_COLLECT && find(&a, op))
            put_around(&a);
    }
    gw_uniform_free(&u);
    gw_func_free(before);
}
