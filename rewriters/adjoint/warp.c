/*
 * adjoint/warp.c - what lanes of a warp do together, in the reverse sweep.
 *
 * A shuffle gives each lane the value of one lane, its source. It is linear, so its adjoint is the transpose:
 * each lane's adjoint is added to that of its source. A lane that keeps its own value gets its own adjoint
 * back; one that is read by nobody gets 0, one that is read by several the sum, in the order of the lanes.
 * Running sums and sums that one lane gets, of the headers of collectives, are linear likewise.
 * warp.def names the transpose of each kind; device.cuh computes them, among the lanes of the mask that have
 * not left the kernel.
 *
 * Sound: control in the reverse sweep is the mirror of that in the primal, so the lanes that came to a shuffle
 * together come to its adjoint together, with the primal's mask; where their loops run differently often, masks
 * that differ keep apart lanes that are in different iterations. Votes, matches and reductions of integers have
 * no adjoint. A part that is run again asks again and gets the same answers, as all lanes of the mask run it
 * again - but for __activemask, which depends on more than the program says: what is around it is recorded. So
 * is what is around a __syncwarp and stores to shared memory: run again it would have to wait for lanes that
 * still read.
 */
#include "analysis/ir/warp.h"
#include "rewriters/adjoint/recursion_private.h"
#include "analysis/facts/facts.h"

/* The lane operand is the same in all lanes. */
static bool one_lane(const gw_func *p, gw_value lane) {
    int64_t constant;
    if (gw_const_int(p, lane, &constant)) return true;
    gw_uniform u;
    gw_uniform_new(&u, p);
    bool same = u.value[lane] <= GW_UNIFORM_BLOCK;
    gw_uniform_free(&u);
    return same;
}

void gw_adjoint_warp(gw_adjoint *a, gw_op op, gw_value g) {
    const gw_func *p = a->primal;
    const gw_warp_row *row = &gw_warp_rows[gw_op_at(p, op)->attr];
    const uint32_t count = gw_op_at(p, op)->operands;
    gw_value given = gw_operand(p, op, 1);
    if (!row->transpose || !gw_active_value(&a->activity, given)) return;
    gw_warp kind = one_lane(p, gw_operand(p, op, 2)) ? row->transpose : row->transpose_apart;
    gw_value operands[4];
    for (uint32_t i = 0; i < count; i++) operands[i] = i == 1 ? g : gw_adjoint_value(a, gw_operand(p, op, i));
    gw_op made = gw_emit(&a->b, GW_OP_WARP, gw_typeof(p, given), 1, operands, count);
    gw_op_at(a->f, made)->attr = (uint16_t)kind;
    gw_adjoint_add(a, given, gw_result(a->f, made, 0));
}

void gw_adjoint_syncwarp(gw_adjoint *a, gw_op op) {
    gw_value mask = gw_adjoint_value(a, gw_operand(a->primal, op, 0));
    gw_emit(&a->b, GW_OP_SYNCWARP, GW_T_VOID, 0, &mask, 1);
}

static bool stores_to_shared(const gw_func *p, gw_op part) {
    for (gw_object o = 1; o < p->objects.count; o++)
        if (gw_object_at(p, o)->kind == GW_OBJECT_SHARED && gw_touches(p, part, o, GW_TOUCH_WRITE)) return true;
    return false;
}

void gw_adjoint_record_lanes(bool *recorded, const gw_func *p) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        bool asks = !o->dead && o->code == GW_OP_WARP && o->attr == GW_WARP_ACTIVE;
        bool meets = !o->dead && o->code == GW_OP_SYNCWARP;
        if (!asks && !meets) continue;
        for (gw_op at = op; (at = gw_op_around(p, at)) != 0;)
            if (asks || stores_to_shared(p, at)) recorded[at] = true;
    }
}
