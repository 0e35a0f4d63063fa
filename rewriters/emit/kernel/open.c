/*
 * emit/kernel/open.c - a kernel's gradient before it is written: what there is to it, and all its names.
 */
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/emit/kernel/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

/* Names of a launch that the user's parameters have not taken; reserved in the current scope. */
void gw_emit_name_launch(gw_kernel *k) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    gw_emit_reserve_used(e, k->grad);
    for (uint32_t i = 0; i < k->params.names.count; i++)
        gw_emit_reserve(e, k->params.names.at[i]);
    e->grid = gw_emit_unique(e, "grid");
    e->block = gw_emit_unique(e, "block");
    k->grid = gw_cstr(s, e->grid);
    k->own_block = k->block = gw_cstr(s, e->block);
    k->shared_bytes = gw_cstr(s, gw_emit_unique(e, "shared_bytes"));
    k->stream = gw_cstr(s, gw_emit_unique(e, "stream"));
    if (k->grad->pack) k->records = gw_cstr(s, gw_emit_unique(e, "records"));
    k->space = gw_cstr(s, gw_emit_unique(e, gw_is_half(k->grad) ? "tape" : "workspace"));
    k->space_bytes = gw_cstr(s, gw_emit_unique(e, gw_is_half(k->grad) ? "tape_bytes" : "workspace_bytes"));
    const bool own = k->behind_tape && k->grad->form == GW_FORM_BWD;
    k->own_space = own ? gw_cstr(s, gw_emit_unique(e, "workspace")) : k->space;
    k->own_space_bytes = own ? gw_cstr(s, gw_emit_unique(e, "workspace_bytes")) : k->space_bytes;
    k->told.count = k->cells.count = k->shared_cells.count = 0;
    gw_emit_space_ask(k);
}

gw_str gw_emit_shared_bytes_name(const gw_func *f) {
    const gw_derived_part part =
        f->form == GW_FORM_GRAD ? GW_DERIVED_SHARED_BYTES : GW_DERIVED_OWN_SHARED_BYTES;
    if (gw_adjoint_shared_moved(f)) return gw_derived_part_name(f, part);
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_SHARED && gw_object_at(f, o)->sized)
            return gw_derived_part_name(f, part);
    return 0;
}

static void name_functions(gw_kernel *k) {
    const gw_session *s = k->e->session;
    const gw_func *grad = k->grad;
    const bool half = gw_is_half(grad);
    gw_str shared = gw_emit_shared_bytes_name(grad);
    if (shared) k->shared = gw_emit_at(grad, shared);
    k->name = gw_emit_at(grad, grad->name);
    k->launch = gw_emit_at(grad, gw_derived_part_name(grad, GW_DERIVED_LAUNCH));
    gw_func users = *grad; /* whose first half makes the tape */
    if (half) users.request = gw_users_request(s, grad->request);
    k->bytes = gw_emit_at(
        grad, gw_derived_part_name(&users, half ? GW_DERIVED_TAPE_BYTES : GW_DERIVED_WORKSPACE_BYTES));
    if (grad->form == GW_FORM_BWD)
        k->own_bytes = gw_emit_at(grad, gw_derived_part_name(grad, GW_DERIVED_OWN_WORKSPACE_BYTES));
    else if (k->measure && !half)
        k->own_bytes = gw_strdup(gw_cstr(s, gw_derived_part_name(grad, GW_DERIVED_BESIDE)));
    else
        k->own_bytes = gw_strdup(k->bytes);
    k->kernel = k->is_private || k->spare
                    ? gw_strdup(gw_cstr(s, gw_derived_part_name(grad, GW_DERIVED_KERNEL)))
                    : gw_strdup(k->name);
    k->needs = gw_cstr(s, gw_derived_part_name(grad, GW_DERIVED_NEEDS));
    k->slots = gw_cstr(s, gw_derived_name(grad->primal ? grad->primal : grad, grad->request, GW_FORM_BOUND));
}

void gw_kernel_open(gw_kernel *k) {
    gw_emit_find_space(k);
    name_functions(k);
    gw_emit_params_of(k->e, k->grad, false, &k->params);
    k->names = k->e->names.count;
    gw_emit_name_launch(k);
}

void gw_kernel_close(gw_kernel *k) {
    gw_emit_release(k->e, k->names);
    free(k->name);
    free(k->launch);
    free(k->kernel);
    free(k->bytes);
    free(k->own_bytes);
    free(k->shared);
    free(k->checked_params);
    free(k->tape);
    gw_vec_free(&k->told);
    gw_vec_free(&k->cells);
    gw_vec_free(&k->shared_cells);
    gw_emit_params_free(&k->params);
}

void gw_emit_asked_sizes(gw_emitter *e, const gw_func *grad, gw_asked_sizes *out) {
    gw_kernel k = {.e = e, .grad = grad, .bound = gw_companion(grad, GW_FORM_BOUND)};
    gw_kernel_open(&k);
    for (uint32_t i = 0; i < k.told.count; i++)
        gw_push(out, k.told.at[i]);
    gw_kernel_close(&k);
}

gw_launch_shape gw_emit_launch_shape(gw_emitter *e, const gw_func *grad) {
    gw_kernel k = {.e = e, .grad = grad, .bound = gw_companion(grad, GW_FORM_BOUND)};
    gw_kernel_open(&k);
    const gw_launch_shape shape = {k.told.count, k.own_space != k.space, 0, k.records != NULL};
    gw_kernel_close(&k);
    return shape;
}
