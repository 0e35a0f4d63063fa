/*
 * formula/launched.c - a kernel that programs launch: its gradient, and what a launch tells the runtime of each
 * of its arguments. What is emitted (emit/launched.c) and what is said of it (report/calls.c) ask here.
 */
#include "analysis/ir/leaf.h"
#include "rewriters/formula/formula.h"

const gw_func *gw_launched_gradient(const gw_session *s, gw_str kernel) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (f->form == GW_FORM_GRAD && f->kind == GW_FUNC_KERNEL && f->primal->symbol == kernel &&
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

/* The gradient itself, or a kernel that runs with it. */
bool gw_launched_reads_back(const gw_func *grad, uint32_t param) {
    const gw_session *s = grad->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        const bool runs = f == grad || f->form == GW_FORM_GATHER || f->form == GW_FORM_MEASURE;
        if (runs && f->primal == grad->primal && f->request == grad->request &&
            touches(f, f->params.at[param].object, GW_TOUCH_READ))
            return true;
    }
    return false;
}
