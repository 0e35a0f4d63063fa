/*
 * adjoint/device.c - the reverse of what a program does to memory that kernels see.
 *
 * Each call is told again on the way back, with the operands that it had (marked BACK): what that means, where
 * the contents are that it found and where their adjoints are, is known where the program runs
 * (gradwright/program.h). The adjoints of a kernel's numbers come back as results. All that a program does is
 * recorded: a launch that ran again would overwrite what it reads.
 */
#include "rewriters/adjoint/adjoint_private.h"

static void add_numbers(gw_adjoint *a, gw_op op, gw_op made) {
    for (uint32_t i = GW_LAUNCH_OPERANDS; i < gw_op_at(a->primal, op)->operands; i++) {
        gw_value x = gw_operand(a->primal, op, i);
        gw_type type = gw_typeof(a->primal, x);
        if (!gw_type_is_float(type)) continue;
        gw_value d = gw_op_add_result(a->f, made, type, 0);
        gw_adjoint_add(a, x, d);
    }
}

void gw_adjoint_device(gw_adjoint *a, gw_op op) {
    const gw_op_data o = *gw_op_at(a->primal, op);
    if (!gw_device_rows[o.attr].reverses) return;
    GW_VEC(gw_value) operands = {0};
    for (uint32_t i = 0; i < o.operands; i++)
        gw_push(&operands, gw_adjoint_value(a, gw_operand(a->primal, op, i)));
    const char *results = gw_device_rows[o.attr].results;
    for (uint32_t i = 0; i < o.results; i++)
        if (results[i] == 'a') gw_push(&operands, gw_adjoint_value(a, gw_result(a->primal, op, i)));
    gw_op made = gw_emit(&a->b, GW_OP_DEVICE, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_data *d = gw_op_at(a->f, made);
    d->attr = o.attr;
    d->callee = o.callee;
    d->flags = GW_OP_BACK;
    if (o.attr == GW_DEVICE_LAUNCH) add_numbers(a, op, made);
}
