/*
 * adjoint/device.c - the reverse of what a program does to memory that kernels see.
 *
 * Each call is told again on the way back, with the operands that it had (marked BACK): what that means, where
 * the contents are that it found and where their adjoints are, is known where the program runs
 * (gradwright/program.h). The adjoints of a kernel's numbers come back as results.
 *
 * All that a program does is recorded, but for loops with GW_CHECKPOINT: these are segments
 * (adjoint/segment.c), run forward without a record. A launch that ran again by itself would read what it has
 * overwritten, so each segment begins with a MARK, or each snapshot of GW_CHECKPOINT_BINOMIAL has one. Before
 * the segment runs again, a RESTORE brings memory to what it was at the last mark. Marks are a stack, as what
 * the tape holds is: a loop that leaves marks is inside recorded parts only, and its reverse takes all of them
 * away.
 */
#include "rewriters/adjoint/adjoint_private.h"

/* All results first: they are consecutive values. */
static void add_numbers(gw_adjoint *a, gw_op op, gw_op made, uint32_t first) {
    const uint32_t operands = gw_op_at(a->primal, op)->operands;
    for (uint32_t i = first; i < operands; i++) {
        const gw_type type = gw_typeof(a->primal, gw_operand(a->primal, op, i));
        if (gw_type_is_float(type)) gw_op_add_result(a->f, made, type, 0);
    }
    for (uint32_t i = first, result = 0; i < operands; i++) {
        const gw_value x = gw_operand(a->primal, op, i);
        if (gw_type_is_float(gw_typeof(a->primal, x))) gw_adjoint_add(a, x, gw_result(a->f, made, result++));
    }
}

static gw_value adjoint_of(gw_adjoint *a, gw_value x) {
    const gw_value d = gw_adjoint_of(a, x);
    return d ? d : gw_adjoint_zero(a, x);
}

void gw_adjoint_device_mark(gw_adjoint *a, gw_op loop, gw_builder *b, gw_device what) {
    if (!gw_has_op(a->primal, loop, GW_OP_DEVICE)) return;
    gw_op made = gw_emit(b, GW_OP_DEVICE, GW_T_VOID, 0, NULL, 0);
    gw_op_at(a->f, made)->attr = (uint16_t)what;
}

void gw_adjoint_device(gw_adjoint *a, gw_op op) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    if (!gw_device_rows[o.attr].reverses) return;
    GW_VEC(gw_value) operands = {0};
    const uint32_t needed = o.attr == GW_DEVICE_SEND ? GW_SEND_OPERANDS : o.operands; /* not what was sent */
    for (uint32_t i = 0; i < needed; i++)
        gw_push(&operands, gw_adjoint_value(a, gw_operand(a->primal, op, i)));
    const char *results = gw_device_rows[o.attr].results;
    for (uint32_t i = 0; i < o.results; i++)
        if (results[i] == 'a') gw_push(&operands, gw_adjoint_value(a, gw_result(a->primal, op, i)));
    for (uint32_t i = 0; i < o.results && o.attr == GW_DEVICE_FETCH; i++)
        if (gw_type_is_float(gw_typeof(a->primal, gw_result(a->primal, op, i))))
            gw_push(&operands, adjoint_of(a, gw_result(a->primal, op, i)));
    gw_op made = gw_emit(&a->b, GW_OP_DEVICE, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_data *d = gw_op_at(a->f, made);
    d->attr = o.attr;
    d->callee = o.callee;
    d->flags = GW_OP_BACK;
    if (o.attr == GW_DEVICE_LAUNCH) add_numbers(a, op, made, GW_LAUNCH_OPERANDS);
    if (o.attr == GW_DEVICE_SEND) add_numbers(a, op, made, GW_SEND_OPERANDS);
}
