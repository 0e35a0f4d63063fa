/*
 * formula/launched.c - a kernel that programs launch: its gradient, and what a launch tells the runtime of each
 * of its arguments. What is emitted (emit/program/launched.c) and what is said of it (calls/calls.c) ask here.
 */
#include "analysis/ir/leaf.h"
#include "rewriters/formula/formula.h"

const gw_func *gw_launched_gradient(const gw_session *s, gw_str kernel) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        const bool back = f->form == GW_FORM_BWD || (f->form == GW_FORM_GRAD && !gw_is_split(f));
        if (back && f->kind == GW_FUNC_KERNEL && f->primal->symbol == kernel &&
            s->requests.at[f->request].launched && !gw_is_along_other(f))
            return f;
    }
    return NULL;
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

bool gw_launched_reads_back(const gw_func *grad, uint32_t param) {
    const gw_session *s = grad->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (runs_back(grad, f) && touches(f, f->params.at[param].object, GW_TOUCH_READ)) return true;
    }
    return false;
}

/* ---- its parameters ---- */

bool gw_launched_is_struct(const gw_func *kernel, const gw_param *p) {
    return p->object && gw_object_at(kernel, p->object)->kind == GW_OBJECT_STRUCT;
}

static gw_leaves parts_of(const gw_func *kernel, const gw_param *p) {
    gw_leaves leaves = {0};
    gw_leaves_of(kernel->session, gw_object_at(kernel, p->object)->type, &leaves);
    return leaves;
}

uint32_t gw_launched_parts(const gw_func *kernel, const gw_param *p) {
    if (!gw_launched_is_struct(kernel, p)) return 1;
    gw_leaves leaves = parts_of(kernel, p);
    const uint32_t count = leaves.count;
    gw_vec_free(&leaves);
    return count;
}

bool gw_launched_has_numbers(const gw_func *kernel, const gw_param *p) {
    if (!gw_launched_is_struct(kernel, p)) return p->value && gw_type_is_float(gw_typeof(kernel, p->value));
    gw_leaves leaves = parts_of(kernel, p);
    bool found = false;
    for (uint32_t i = 0; i < leaves.count; i++)
        found |= gw_leaf_is_number(kernel->session, &leaves.at[i]);
    gw_vec_free(&leaves);
    return found;
}

enum { NUMBER_BYTES = 256, MOST_LEAF_BYTES = 16 }; /* between the adjoints of two numbers; aligned */

uint32_t gw_launched_room(const gw_func *kernel, uint32_t param) {
    const gw_param *p = &kernel->params.at[param];
    if (!gw_launched_has_numbers(kernel, p)) return 0;
    if (!gw_launched_is_struct(kernel, p)) return NUMBER_BYTES;
    uint32_t size = kernel->session->types.at[gw_object_at(kernel, p->object)->type].layout.size;
    if (!size) size = gw_launched_parts(kernel, p) * MOST_LEAF_BYTES; /* of a lambda's captures: at most */
    return (size + NUMBER_BYTES - 1) / NUMBER_BYTES * NUMBER_BYTES;
}

bool gw_launched_leaf_read_back(const gw_func *kernel, const gw_func *grad, uint32_t param,
                                const gw_leaf *leaf) {
    const gw_session *s = kernel->session;
    for (uint32_t i = 0; grad && i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (runs_back(grad, f) && gw_leaf_touched(f, f->params.at[param].object, leaf, GW_TOUCH_READ))
            return true;
    }
    return false;
}

bool gw_launched_leaf_has_adjoint(const gw_func *kernel, const gw_func *grad, uint32_t param,
                                  const gw_leaf *leaf) {
    const gw_session *s = kernel->session;
    return gw_type_reaches_float(s, s->types.at[leaf->type].element) &&
           (gw_leaf_touched(kernel, kernel->params.at[param].object, leaf, GW_TOUCH_READ | GW_TOUCH_WRITE) ||
            gw_launched_leaf_read_back(kernel, grad, param, leaf));
}

static bool has_adjoint(const gw_func *grad, uint32_t param) {
    for (uint32_t i = 0; grad && i < grad->params.count; i++)
        if (grad->params.at[i].is_adjoint && grad->params.at[i].primal_index == param) return true;
    return false;
}

void gw_launched_pointers_of(const gw_func *kernel, const gw_func *grad, gw_launched_pointers *out) {
    const gw_session *s = kernel->session;
    uint32_t operand = 0;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const gw_param *p = &kernel->params.at[i];
        const bool asked = has_adjoint(grad, i);
        if (p->object && !gw_launched_is_struct(kernel, p))
            gw_push(out, ((gw_launched_pointer){operand, grad && gw_launched_reads_back(grad, i),
                                                gw_launched_writes(kernel, i), asked,
                                                gw_type_holds_half(s, gw_object_at(kernel, p->object)->type)}));
        if (gw_launched_is_struct(kernel, p)) {
            gw_leaves leaves = parts_of(kernel, p);
            for (uint32_t k = 0; k < leaves.count; k++)
                if (gw_leaf_is_pointer(s, &leaves.at[k]))
                    gw_push(out,
                            ((gw_launched_pointer){
                                operand + k, gw_launched_leaf_read_back(kernel, grad, i, &leaves.at[k]),
                                gw_leaf_touched(kernel, p->object, &leaves.at[k], GW_TOUCH_WRITE),
                                asked && gw_launched_leaf_has_adjoint(kernel, grad, i, &leaves.at[k]), false}));
            gw_vec_free(&leaves);
        }
        operand += gw_launched_parts(kernel, p);
    }
}
