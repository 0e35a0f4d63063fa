/*
 * truths.c - truths take a byte each on a tape of the host (a step of the passes `room`).
 *
 * Slots are of four bytes or more, as a thread's tape on the device has them. A tape of the host has pieces of
 * any length, and what a loop's iterations have decided is often all that is kept of them.
 */
#include "analysis/ir/passes.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

static bool is_slot(const gw_func *f, gw_object o) { return gw_object_at(f, o)->kind == GW_OBJECT_TAPE; }

/* What is pushed is a truth made wider. */
static bool pushes_truth(const gw_func *f, gw_op push) {
    const gw_op cast = gw_made_by(f, gw_operand(f, push, 0), GW_OP_CAST);
    return cast && gw_typeof(f, gw_operand(f, cast, 0)) == GW_T_BOOL;
}

/* By object: all that it is pushed are truths. */
static bool *truths_of(const gw_func *f) {
    bool *truths = gw_alloc(f->objects.count * sizeof *truths);
    for (gw_object o = 1; o < f->objects.count; o++)
        truths[o] = is_slot(f, o) && gw_object_at(f, o)->type == GW_T_U32;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (!d->dead && d->object && d->code != GW_OP_POP)
            truths[d->object] &= d->code == GW_OP_PUSH && pushes_truth(f, op);
    }
    return truths;
}

void gw_narrow_truths(gw_func *f) {
    bool *truths = truths_of(f);
    for (gw_op op = 1, count = f->ops.count; op < count; op++) {
        const gw_op_data d = *gw_op_at(f, op);
        if (d.dead || !d.object || !truths[d.object]) continue;
        gw_object_at(f, d.object)->type = GW_T_U8;
        if (d.code == GW_OP_POP) {
            gw_value_at(f, d.first_result)->type = GW_T_U8;
            continue;
        }
        gw_builder b = {f, d.parent, op, d.loc};
        const gw_value truth = gw_operand(f, gw_made_by(f, gw_operand(f, op, 0), GW_OP_CAST), 0);
        gw_set_operand(f, op, 0, gw_cast(&b, GW_T_U8, truth));
    }
    free(truths);
}
