/*
 * tangent/beside.c - programs that carry tangents and have a gradient: second derivatives of functions of the
 * host that launch kernels (second.c says why that is enough).
 *
 * Tangents lie in memory beside: each buffer of the program has another, which is a buffer like others. So what
 * a call does to memory it does to that beside as well, by calls that the reverse knows already: a copy is two
 * copies, a fill another one with zeros, and a launch is one of the kernel that carries tangents, with pointers
 * to both. Where the other buffer is the runtime knows (BESIDE), as it knows where adjoints are, however a
 * pointer has come about; the caller's are told first (PAIR), and what the program allocates has one that is
 * made along with it.
 *
 * Requires what device.c does, and that kernels were done before the program: a launch has the parameters of
 * the kernel that was made.
 */
#include "rewriters/tangent/tangent_private.h"

#include "analysis/facts/facts.h"
#include "analysis/facts/parts.h"
#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"

#include <string.h>

typedef GW_VEC(gw_value) values;

static gw_op emit(gw_tangent *t, gw_device what, const gw_value *operands, uint32_t count) {
    const gw_op made = gw_emit(&t->b, GW_OP_DEVICE, GW_T_VOID, 0, operands, count);
    gw_op_at(t->f, made)->attr = (uint16_t)what;
    return made;
}

/* The place of the tangents of what a primal address leads to, for a call on that stream. */
static gw_value beside(gw_tangent *t, gw_value address, gw_value stream) {
    int64_t null;
    const gw_value operands[2] = {gw_clone_value(&t->c, address), gw_clone_value(&t->c, stream)};
    if (gw_const_int(t->primal, address, &null)) return operands[0];
    const gw_op made = emit(t, GW_DEVICE_BESIDE, operands, 2);
    const gw_value found = gw_op_add_result(t->f, made, GW_T_ADDRESS, gw_tangent_value_name(t, address, 0));
    gw_op_add_result(t->f, made, GW_T_I32, 0);
    return found;
}

static void pair(gw_tangent *t, gw_value address, gw_value tangents) {
    const gw_value operands[2] = {address, tangents ? tangents : gw_int(&t->b, GW_T_ADDRESS, 0)};
    emit(t, GW_DEVICE_PAIR, operands, 2);
}

void gw_tangent_pair_addresses(gw_tangent *t) {
    for (uint32_t i = 0; i < t->primal->params.count; i++) {
        const gw_param *x = &t->f->params.at[i];
        gw_value tangents = 0;
        if (!x->value || x->is_handle || x->is_apart || gw_typeof(t->f, x->value) != GW_T_ADDRESS) continue;
        for (uint32_t k = 0; k < t->f->params.count; k++)
            if (t->f->params.at[k].tangent_of == i + 1) tangents = t->f->params.at[k].value;
        pair(t, x->value, tangents);
    }
}

/* ---- calls ---- */

static void refuse(const gw_tangent *t, gw_op op, const char *what, const char *way_out) {
    gw_diag(t->f->session, GW_DIAG_UNSUPPORTED, gw_op_at(t->primal, op)->loc, what, way_out);
}

static bool fills(uint16_t what) {
    return what == GW_DEVICE_SET || what == GW_DEVICE_SET_QUEUED || what == GW_DEVICE_SET_2D ||
           what == GW_DEVICE_SET_2D_QUEUED || what == GW_DEVICE_SET_3D || what == GW_DEVICE_SET_3D_QUEUED;
}

static gw_value stream_of(const gw_tangent *t, gw_op op) {
    const char *operands = gw_device_rows[gw_op_at(t->primal, op)->attr].operands;
    return gw_operand(t->primal, op, (uint32_t)strcspn(operands, "s"));
}

/* A copy or a fill once more, of the memory beside. */
static void move(gw_tangent *t, gw_op op) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    const char *letters = gw_device_rows[o.attr].operands;
    const uint32_t byte = (uint32_t)strcspn(letters, "i");
    int64_t element = 0;
    gw_const_int(t->primal, gw_operand(t->primal, op, o.operands - 1), &element);
    gw_clone_op(&t->c, op);
    if (element == GW_ELEMENT_HALF || element == GW_ELEMENT_BFLOAT)
        refuse(t, op, "a copy or fill of half precision, in second derivatives,", "keep float in that memory");
    values operands = {0};
    for (uint32_t i = 0; i < o.operands; i++) {
        const gw_value x = gw_operand(t->primal, op, i);
        if (letters[i] == 'a')
            gw_push(&operands, beside(t, x, stream_of(t, op)));
        else
            gw_push(&operands, fills(o.attr) && i == byte ? gw_int(&t->b, GW_T_I32, 0)
                                                          : gw_clone_value(&t->c, x));
    }
    const gw_op made = emit(t, (gw_device)o.attr, operands.at, operands.count);
    gw_op_add_result(t->f, made, GW_T_I32, 0);
    gw_vec_free(&operands);
}

/* Numbers between memory and the host, and the tangents of these. */
static void exchange(gw_tangent *t, gw_op op) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    const bool sends = o.attr == GW_DEVICE_SEND;
    const gw_value first = sends ? gw_operand(t->primal, op, GW_SEND_OPERANDS) : o.first_result;
    gw_clone_op(&t->c, op);
    if (!gw_type_is_float(gw_typeof(t->primal, first))) return;
    values operands = {0};
    for (uint32_t i = 0; i < o.operands; i++) {
        const gw_value x = gw_operand(t->primal, op, i);
        if (i >= GW_SEND_OPERANDS)
            gw_push(&operands, gw_tangent_or_zero(t, x, 0));
        else
            gw_push(&operands, i ? gw_clone_value(&t->c, x) : beside(t, x, stream_of(t, op)));
    }
    const gw_op made = emit(t, (gw_device)o.attr, operands.at, operands.count);
    gw_op_at(t->f, made)->callee = o.callee;
    for (uint32_t i = 0; i < o.results; i++) {
        const gw_value x = gw_result(t->primal, op, i);
        const gw_value tangent =
            gw_op_add_result(t->f, made, gw_typeof(t->primal, x), gw_tangent_value_name(t, x, 0));
        if (gw_active_value(&t->activity, x)) gw_tangent_set(t, x, 0, tangent);
    }
    gw_vec_free(&operands);
}

/* ---- launches ---- */

static bool holds_half(const gw_func *kernel) {
    for (gw_object o = 1; o < kernel->objects.count; o++)
        if (gw_type_holds_half(kernel->session, gw_object_at(kernel, o)->type)) return true;
    return false;
}

/* The operand that a part of a tangent belongs to, by its number among the kernel's arguments. */
static uint32_t counterpart(const gw_func *kernel, const gw_launch_parts *parts, uint32_t part) {
    const uint32_t param = parts->at[part].param, of = kernel->params.at[param].tangent_of - 1;
    uint32_t first = part, at = 0;
    while (first && parts->at[first - 1].param == param) first--;
    while (parts->at[at].param != of) at++;
    return at + part - first;
}

static gw_value tangent_part(gw_tangent *t, gw_op op, gw_value x, const gw_launch_part *part) {
    const gw_type type = gw_typeof(t->primal, x);
    if (type == GW_T_ADDRESS)
        return part->leads_to_numbers ? beside(t, x, gw_operand(t->primal, op, GW_LAUNCH_OPERANDS - 1))
                                      : gw_int(&t->b, GW_T_ADDRESS, 0);
    return gw_type_is_float(type) ? gw_tangent_or_zero(t, x, 0) : gw_zero(&t->b, type);
}

static void launch(gw_tangent *t, gw_op op) {
    const int64_t request = gw_launched_as(t->primal, op, GW_REQUEST_HVP);
    const gw_func *kernel = request >= 0 ? t->f->session->requests.at[request].func : NULL;
    if (!kernel || !kernel->second_of) return; /* it was refused */
    if (holds_half(kernel))
        refuse(t, op, "a kernel with numbers of half precision, in a program's second derivatives,",
               "use float in that kernel");
    gw_launch_parts parts = {0};
    values operands = {0};
    gw_launch_parts_of(kernel, &parts);
    for (uint32_t i = 0; i < GW_LAUNCH_OPERANDS; i++)
        gw_push(&operands, gw_clone_value(&t->c, gw_operand(t->primal, op, i)));
    for (uint32_t i = 0; i < parts.count; i++) {
        const bool is_tangent = kernel->params.at[parts.at[i].param].tangent_of != 0;
        const uint32_t of = is_tangent ? counterpart(kernel, &parts, i) : i;
        const gw_value x = gw_operand(t->primal, op, GW_LAUNCH_OPERANDS + of);
        gw_push(&operands, is_tangent ? tangent_part(t, op, x, &parts.at[of]) : gw_clone_value(&t->c, x));
    }
    const gw_op made = emit(t, GW_DEVICE_LAUNCH, operands.at, operands.count);
    gw_op_at(t->f, made)->callee = kernel->symbol;
    gw_launch_set_request(t->f, made, request);
    gw_vec_free(&operands);
    gw_vec_free(&parts);
}

static bool makes_memory(uint16_t what) {
    return what == GW_DEVICE_ALLOC || what == GW_DEVICE_ALLOC_MANAGED || what == GW_DEVICE_ALLOC_PINNED ||
           what == GW_DEVICE_SYMBOL || what == GW_DEVICE_VARIABLE;
}

void gw_tangent_device_beside(gw_tangent *t, gw_op op) {
    const uint16_t what = gw_op_at(t->primal, op)->attr;
    const bool passive = gw_device_is_passive(t->primal, op);
    const gw_rule *rule =
        what == GW_DEVICE_RULE ? gw_rule_find(t->f->session, gw_op_at(t->primal, op)->callee) : NULL;
    if (rule && !rule->is_nondifferentiable)
        refuse(t, op, "a call that has a pullback, in second derivatives,",
               "write the kernel of it, or take differences of the gradient along the direction");
    if (what == GW_DEVICE_LAUNCH && !passive) {
        launch(t, op);
    } else if ((what == GW_DEVICE_SEND || what == GW_DEVICE_FETCH) && !passive) {
        exchange(t, op);
    } else if (gw_device_element((gw_device)what) && !passive) {
        move(t, op);
    } else {
        gw_clone_op(&t->c, op);
        if (makes_memory(what)) pair(t, gw_clone_value(&t->c, gw_result(t->primal, op, 0)), 0);
    }
}
