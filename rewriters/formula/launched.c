/*
 * formula/launched.c - a kernel that programs launch: its gradient, and what a launch tells the runtime of each
 * of its arguments. What is emitted (emit/program/launched.c) and what is said of it (calls/calls.c) ask here.
 */
#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "analysis/ir/leaf.h"
#include "analysis/ir/requests.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

bool gw_launched_has_adjoint(const gw_func *grad, uint32_t param) {
    for (uint32_t i = 0; grad && i < grad->params.count; i++)
        if (grad->params.at[i].is_adjoint && grad->params.at[i].primal_index == param) return true;
    return false;
}

gw_leaves gw_launched_leaves(const gw_func *kernel, const gw_param *p) {
    gw_leaves leaves = {0};
    gw_leaves_of(kernel->session, gw_object_at(kernel, p->object)->type, &leaves);
    return leaves;
}

const gw_func *gw_launched_gradient(const gw_func *program, gw_op launch) {
    const gw_session *s = program->session;
    const int64_t request = gw_launch_request(program, launch);
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        const bool back = f->form == GW_FORM_BWD || (f->form == GW_FORM_GRAD && !gw_is_split(f));
        const bool runs = back || f->form == GW_FORM_JVP;
        if (runs && f->kind == GW_FUNC_KERNEL && f->request == request && !gw_is_along_other(f)) return f;
    }
    return NULL;
}

/* What the source has of it: the kernel of a second derivative is made of another (tangent/second.c). */
static const gw_func *kernel_of(const gw_request *q) {
    return q->func && q->func->second_of ? q->func->second_of : q->func;
}

int64_t gw_launched_as(const gw_func *program, gw_op launch, uint32_t kind) {
    const gw_session *s = program->session;
    const int64_t request = gw_launch_request(program, launch);
    if (request < 0 || s->requests.at[request].kind == kind) return request;
    const gw_request *named = &s->requests.at[request];
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *q = &s->requests.at[i];
        if (kernel_of(q) == kernel_of(named) && q->kind == kind && q->launched &&
            gw_request_asks_same(q, named))
            return i;
    }
    return GW_LAUNCH_NONE;
}

const gw_func *gw_launched_kernel(const gw_func *program, gw_op launch) {
    return gw_func_find(program->session, gw_op_at(program, launch)->callee);
}

/* Whether the gradient of the request gives the adjoint of what is called so. */
static bool names(const gw_request *q, gw_str name) {
    bool found = false;
    for (uint32_t i = 0; i < q->independents.count; i++)
        found |= q->independents.at[i] == name;
    for (uint32_t i = 0; i < q->dependents.count; i++)
        found |= q->dependents.at[i] == name;
    return found;
}

/* What a pointer leads to, or one of those that a struct holds. */
static bool touches(const gw_func *f, gw_object o, unsigned how) {
    if (o && gw_object_at(f, o)->kind == GW_OBJECT_STRUCT) {
        gw_leaves leaves = {0};
        bool found = false;
        gw_leaves_of(f->session, gw_object_at(f, o)->type, &leaves);
        for (uint32_t i = 0; i < leaves.count && !found; i++)
            found = gw_leaf_is_pointer(f->session, &leaves.at[i]) && gw_leaf_touched(f, o, &leaves.at[i], how);
        gw_vec_free(&leaves);
        return found;
    }
    for (gw_op op = gw_first(f, f->entry); o && op; op = gw_next(f, op))
        if (gw_touches(f, op, o, how)) return true;
    return false;
}

bool gw_overwrites(const gw_func *f, gw_object o, const gw_leaf *leaf) {
    for (gw_op op = 1; o && op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (d->dead || d->object != o || (leaf && !gw_leaf_has(f, op, o, leaf))) continue;
        if (d->code == GW_OP_STORE || (d->code == GW_OP_ADDRESS && d->flags & GW_OP_WRITES) ||
            (d->code == GW_OP_ATOMIC && gw_atomic_rows[d->attr].floats != '+'))
            return true;
    }
    return false;
}

bool gw_launched_writes(const gw_func *kernel, uint32_t param) {
    return touches(kernel, kernel->params.at[param].object, GW_TOUCH_WRITE);
}

/* On the way back: the gradient itself, or a kernel that runs with it; of two halves the second, for the first
 * runs forward, and its tape is measured there. */
static bool runs_back(const gw_func *grad, const gw_func *f) {
    if (f == grad) return true;
    const bool beside = f->primal == grad->primal && f->request == grad->request && grad->form == GW_FORM_GRAD;
    return beside && (f->form == GW_FORM_GATHER || f->form == GW_FORM_MEASURE);
}

static bool fetches(const gw_func *f, uint32_t param) {
    const gw_launch_part part = {.param = param, .is_texture = f->params.at[param].is_texture};
    for (gw_op op = 1; part.is_texture && op < f->ops.count; op++)
        if (gw_launch_part_fetches(f, &part, op)) return true;
    return false;
}

bool gw_launched_reads_back(const gw_func *grad, uint32_t param) {
    const gw_session *s = grad->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (!runs_back(grad, f)) continue;
        if (touches(f, f->params.at[param].object, GW_TOUCH_READ) || fetches(f, param)) return true;
    }
    return false;
}

/* ---- its parameters ---- */

bool gw_launched_is_struct(const gw_func *kernel, const gw_param *p) {
    return p->object && gw_object_at(kernel, p->object)->kind == GW_OBJECT_STRUCT;
}

uint32_t gw_launched_parts(const gw_func *kernel, const gw_param *p) {
    if (!gw_launched_is_struct(kernel, p)) return 1;
    gw_leaves leaves = gw_launched_leaves(kernel, p);
    const uint32_t count = leaves.count;
    gw_vec_free(&leaves);
    return count;
}

uint32_t gw_launched_numbers(const gw_func *kernel, uint32_t param) {
    gw_launch_parts parts = {0};
    uint32_t count = 0;
    gw_launch_parts_of(kernel, &parts);
    for (uint32_t i = 0; i < parts.count; i++)
        count += parts.at[i].param == param && parts.at[i].is_number;
    gw_vec_free(&parts);
    return count;
}

bool gw_launched_asks_numbers(const gw_func *kernel, const gw_func *grad, uint32_t param) {
    gw_launch_parts parts = {0};
    bool found = false;
    if (!grad) return false;
    gw_launch_parts_of(kernel, &parts);
    for (uint32_t i = 0; i < parts.count; i++) {
        const gw_launch_part *part = &parts.at[i];
        found |= part->param == param && part->is_number &&
                 names(&kernel->session->requests.at[grad->request], part->name);
    }
    gw_vec_free(&parts);
    return found;
}

bool gw_launched_asks(const gw_func *program, gw_op launch, uint32_t operand) {
    const gw_func *kernel = gw_launched_kernel(program, launch);
    const int64_t request = gw_launch_request(program, launch);
    if (request < 0 || !kernel || operand < GW_LAUNCH_OPERANDS) return false;
    gw_launch_parts parts = {0};
    gw_launch_parts_of(kernel, &parts);
    const uint32_t at = operand - GW_LAUNCH_OPERANDS;
    const bool asked =
        at < parts.count && names(&kernel->session->requests.at[request], parts.at[at].name);
    gw_vec_free(&parts);
    return asked;
}

enum { NUMBER_BYTES = 256, MOST_LEAF_BYTES = 16 }; /* between the adjoints of two numbers; aligned */

uint32_t gw_launched_room(const gw_func *kernel, const gw_func *grad, uint32_t param) {
    const gw_param *p = &kernel->params.at[param];
    if (!gw_launched_asks_numbers(kernel, grad, param)) return 0;
    if (!gw_launched_is_struct(kernel, p)) return NUMBER_BYTES;
    uint32_t size = kernel->session->types.at[gw_object_at(kernel, p->object)->type].layout.size;
    if (!size) size = gw_launched_parts(kernel, p) * MOST_LEAF_BYTES; /* of a lambda's captures: at most */
    return (size + NUMBER_BYTES - 1) / NUMBER_BYTES * NUMBER_BYTES;
}

bool gw_launched_part_read_back(const gw_func *grad, const gw_launch_part *part) {
    if (!part->is_leaf) return grad && gw_launched_reads_back(grad, part->param);
    for (uint32_t i = 0; grad && i < grad->session->funcs.count; i++) {
        const gw_func *f = grad->session->funcs.at[i];
        const gw_object o = runs_back(grad, f) ? f->params.at[part->param].object : 0;
        if (o && gw_leaf_touched(f, o, &part->leaf, GW_TOUCH_READ)) return true;
    }
    return false;
}

bool gw_launched_part_has_adjoint(const gw_func *grad, const gw_launch_part *part) {
    return grad && part->leads_to_numbers && names(&grad->session->requests.at[grad->request], part->name);
}

void gw_launched_pointers_of(const gw_func *kernel, const gw_func *grad, gw_launched_pointers *out) {
    gw_launch_parts parts = {0};
    gw_launch_parts_of(kernel, &parts);
    for (uint32_t i = 0; i < parts.count; i++) {
        const gw_launch_part *part = &parts.at[i];
        const gw_object o = kernel->params.at[part->param].object;
        if (!part->is_pointer) continue;
        const gw_leaf *leaf = part->is_leaf ? &part->leaf : NULL;
        const bool has_adjoint = gw_launched_has_adjoint(grad, part->param);
        gw_push(out, ((gw_launched_pointer){
                         .operand = i,
                         .is_read_back = gw_launched_part_read_back(grad, part),
                         .is_written = leaf ? gw_leaf_touched(kernel, o, leaf, GW_TOUCH_WRITE)
                                            : gw_launched_writes(kernel, part->param),
                         .is_overwritten = gw_overwrites(kernel, o, leaf),
                         .has_adjoint = has_adjoint && (!leaf || gw_launched_part_has_adjoint(grad, part)),
                         .wide = !leaf && gw_type_holds_half(kernel->session, gw_object_at(kernel, o)->type)}));
    }
    gw_vec_free(&parts);
}
