/*
 * tangent/device.c - forward derivatives of programs: what a function of the host does to memory that kernels
 * see, with tangents beside.
 *
 * Each call stands as in the primal. Where the tangents of memory lie the runtime knows (gradwright/program.h):
 * where the adjoint lies in a gradient. So a copy moves tangents too, a fill makes them zero, and a launch is
 * one of the kernel's forward derivative (emit/program/along.c); nothing is saved and nothing runs twice. What
 * numbers change by, which go by way of the host, are values beside them: behind the operands of a LAUNCH and a
 * SEND, one for each floating-point number among these, and behind the results of a FETCH.
 *
 * Requires what the pass `launched` has found: a call without a derivative stands as it is. Sound as that is
 * (programs/flow.c): memory that has no derivative has the tangent zero, or no output needs it.
 */
#include "rewriters/tangent/tangent_private.h"

#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

void gw_tangent_add_address(gw_tangent *t, uint32_t index) {
    const gw_param x = t->primal->params.at[index];
    gw_param p = {.name = gw_tangent_name(t, x.name, 0), .is_adjoint = !t->second, .primal_index = index};
    if (t->second) p.tangent_of = index + 1, p.primal_index = 0;
    p.type_text = gw_signature_address_text(t->f->session, x.type_text);
    p.is_vector = x.is_vector;
    p.loc = x.loc;
    for (uint32_t i = 0; x.part_of && i < t->primal->params.count; i++)
        if (t->primal->params.at[i].object == x.part_of) p.part_of = gw_map_get(&t->shadow[0], x.part_of);
    p.value = gw_region_arg(t->f, t->f->entry, GW_T_ADDRESS, p.name);
    gw_push(&t->f->params, p);
}

static gw_value tangent_address(const gw_tangent *t, uint32_t index) {
    for (uint32_t i = 0; i < t->f->params.count; i++) {
        const gw_param *p = &t->f->params.at[i];
        if (p->is_adjoint && p->primal_index == index) return p->value;
    }
    return 0;
}

void gw_tangent_give_addresses(gw_tangent *t) {
    const uint32_t count = t->primal->params.count;
    for (uint32_t turn = 0; turn < 2 * count; turn++) { /* last, what must lead to none of the memory before */
        const uint32_t i = turn % count;
        const gw_param x = t->f->params.at[i];
        const bool is_address = x.value && !x.is_handle && gw_typeof(t->f, x.value) == GW_T_ADDRESS;
        if (!is_address || x.is_apart != (turn >= count)) continue;
        gw_value pair[2] = {x.value, tangent_address(t, i)};
        if (!pair[1]) pair[1] = gw_int(&t->b, GW_T_ADDRESS, 0);
        const gw_op op = gw_emit(&t->b, GW_OP_DEVICE, GW_T_VOID, 0, pair, 2);
        gw_op_at(t->f, op)->attr = GW_DEVICE_GIVEN;
    }
}

/* ---- calls ---- */

/* The same call, with the tangents of its floating-point operands from `first` on behind them. */
static gw_op clone_with_tangents(gw_tangent *t, gw_op op, uint32_t first) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    GW_VEC(gw_value) operands = {0};
    for (uint32_t i = 0; i < o.operands; i++)
        gw_push(&operands, gw_clone_value(&t->c, gw_operand(t->primal, op, i)));
    for (uint32_t i = first; i < o.operands; i++) {
        const gw_value x = gw_operand(t->primal, op, i);
        if (gw_type_is_float(gw_typeof(t->primal, x))) gw_push(&operands, gw_tangent_or_zero(t, x, 0));
    }
    const gw_op made = gw_emit(&t->b, GW_OP_DEVICE, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_data *d = gw_op_at(t->f, made);
    d->attr = o.attr;
    d->callee = o.callee;
    d->flags = o.flags;
    d->imm = o.imm;
    return made;
}

static void fetch(gw_tangent *t, gw_op op) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    const gw_op made = gw_clone_op(&t->c, op);
    for (uint32_t i = 0; i < o.results; i++) {
        const gw_value x = gw_result(t->primal, op, i);
        if (!gw_type_is_float(gw_typeof(t->primal, x))) continue;
        const gw_value tangent =
            gw_op_add_result(t->f, made, gw_typeof(t->primal, x), gw_tangent_value_name(t, x, 0));
        if (gw_active_value(&t->activity, x)) gw_tangent_set(t, x, 0, tangent);
    }
}

static void refuse_rule(gw_session *s, const gw_op_data *o) {
    const char *name = gw_cstr(s, o->callee); /* and a number, of overloads */
    char *what = gw_format("the call of '%.*s', which has a pullback alone, in forward mode,",
                           (int)strcspn(name, "'"), name);
    gw_diag(s, GW_DIAG_UNSUPPORTED, o->loc, what,
            "ask for GW_GRADIENT, or give the function one along tangents (GW_DERIVATIVE_OF, 'jvp of')");
    free(what);
}

/* A library's function works on memory that it alone looks into: it has a derivative along tangents of its own.
 * Operand 0 says that this is asked; behind the arguments stand the tangents of numbers and of variables, and
 * behind the results those of variables that are written. */
static void rule(gw_tangent *t, gw_op op) {
    gw_session *s = t->f->session;
    const gw_op_data o = *gw_op_at(t->primal, op);
    const gw_rule *r = gw_rule_find(s, o.callee);
    const bool along = !r->is_nondifferentiable && r->jvp;
    if (!r->is_nondifferentiable && !r->jvp) refuse_rule(s, &o);
    const gw_op made = along ? clone_with_tangents(t, op, GW_RULE_OPERANDS) : gw_clone_op(&t->c, op);
    gw_set_operand(t->f, made, 0, gw_int(&t->b, GW_T_U32, along));
    for (uint32_t i = 0; along && i < o.results; i++) {
        const gw_value x = gw_result(t->primal, op, i);
        gw_map_set(&t->c.values, x, gw_op_add_result(t->f, made, gw_typeof(t->primal, x),
                                                     gw_value_at(t->primal, x)->name));
    }
    for (uint32_t i = 0; along && i < o.results; i++) {
        const gw_value x = gw_result(t->primal, op, i);
        if (!gw_type_is_float(gw_typeof(t->primal, x))) continue;
        const gw_value tangent =
            gw_op_add_result(t->f, made, gw_typeof(t->primal, x), gw_tangent_value_name(t, x, 0));
        if (gw_active_value(&t->activity, x)) gw_tangent_set(t, x, 0, tangent);
    }
}

void gw_tangent_device(gw_tangent *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    const bool passive = gw_device_is_passive(t->primal, op);
    if (t->second) {
        gw_tangent_device_beside(t, op);
    } else if (o->attr == GW_DEVICE_RULE) {
        rule(t, op);
    } else if (o->attr == GW_DEVICE_LAUNCH && !passive) {
        const int64_t request = gw_launched_as(t->primal, op, GW_REQUEST_DERIVATIVE);
        gw_launch_set_request(t->f, clone_with_tangents(t, op, GW_LAUNCH_OPERANDS), request);
    } else if (o->attr == GW_DEVICE_SEND && !passive) {
        clone_with_tangents(t, op, GW_SEND_OPERANDS);
    } else if (o->attr == GW_DEVICE_FETCH && !passive) {
        fetch(t, op);
    } else {
        gw_clone_op(&t->c, op);
    }
}
