/*
 * quotient.c - a part of the factor pass: quotients of adjoints in a loop by what the loop does not change are
 * products with its reciprocal, which is made once, before the loop.
 *
 *                                        r = 1 / s;
 *     for (k ...) d_x[k] = g[k] / s;     for (k ...) d_x[k] = g[k] * r;
 *
 * A division of floats is some twenty instructions on a GPU and a call where it is a hard one: a softmax's rows
 * waited for it (docs/log/gpu-kernels.md).
 *
 * Not in a loop that adds to cells of the thread's own in an adjoint that is not new: it waits for these, and
 * was 6 to 9 % slower with products (unit_rows, softmax_rows of benchmarks/norms.cu).
 *
 * Sound as what factor.c does is: in real numbers. Quotients that the primal sees (`exact`) stay divisions. As
 * with the reciprocals of adjoint/region.c, that of a subnormal divisor overflows (the result is infinite or
 * NaN), and that of one above 2^126 is subnormal and has fewer digits.
 */
#include "rewriters/device/factor_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

#include <math.h>

/* The outermost loop around that leaves the divisor as it is; 0: none. */
static gw_op loop_around_quotient(const gw_func *f, gw_op division) {
    gw_op found = 0;
    for (gw_op loop = gw_loop_around(f, division); loop; loop = gw_loop_around(f, loop)) {
        if (!gw_value_visible(f, gw_operand(f, division, 1), gw_op_at(f, loop)->parent)) break;
        found = loop;
    }
    return found;
}

static bool is_new(const gw_func *f, gw_object object) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object == object && gw_is_fresh(f, &f->params.at[i], NULL)) return true;
    return false;
}

static bool waits_for_cells(const gw_func *f, gw_op loop) {
    for (gw_op op = loop; op; op = gw_walk_op(f, op, loop)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_PLAIN &&
            gw_object_at(f, o->object)->kind == GW_OBJECT_POINTER && !is_new(f, o->object))
            return true;
    }
    return false;
}

/* Compilers make products of these, or numbers. */
static bool is_folded(const gw_func *f, gw_op division) {
    double by, of;
    int exponent;
    if (!gw_const_real(f, gw_operand(f, division, 1), &by)) return false;
    return fabs(frexp(by, &exponent)) == 0.5 || gw_const_real(f, gw_operand(f, division, 0), &of);
}

bool gw_is_quotient_in_loop(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_DIV || o->flags & GW_OP_ROUNDED) return false;
    const gw_type type = gw_typeof(f, o->first_result);
    return (type == GW_T_F32 || type == GW_T_F64) && loop_around_quotient(f, op) && !is_folded(f, op) &&
           !waits_for_cells(f, gw_loop_around(f, op));
}

void gw_multiply_by_reciprocal(gw_func *f, gw_op op) {
    const gw_op loop = loop_around_quotient(f, op);
    const gw_value quotient = gw_result(f, op, 0), divisor = gw_operand(f, op, 1);
    const gw_type type = gw_typeof(f, quotient);
    gw_builder before = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, op)->loc};
    const gw_value reciprocal = gw_binary(&before, GW_OP_DIV, gw_real(&before, type, 1), divisor);
    gw_builder here = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
    const gw_value product = gw_binary(&here, GW_OP_MUL, gw_operand(f, op, 0), reciprocal);
    gw_value_at(f, product)->name = gw_value_at(f, quotient)->name;
    gw_replace_uses(f, quotient, product);
}
