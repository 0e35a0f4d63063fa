/*
 * emit/kernel/launch.c - what functions of a kernel's launch have in common: parameters and arguments, the
 * block that it is launched with, the status.
 */
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>
#include <string.h>

/* Variables of the device's, which have none, may stand before what has. */
gw_str gw_emit_param_name(const gw_kernel *k, uint32_t param) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < param; i++)
        at += !gw_param_is_hidden(&k->grad->params.at[i]);
    return k->params.names.at[at];
}

char *gw_emit_arguments(const gw_kernel *k, const char *first, const char *second, const bool *wanted) {
    gw_text text = {0};
    gw_text_addf(&text, "%s, %s", first, second);
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!k->grad->params.at[i].is_adjoint && !gw_param_is_hidden(&k->grad->params.at[i]) &&
            (!wanted || wanted[i]))
            gw_text_addf(&text, ", %s", gw_cstr(k->e->session, gw_emit_param_name(k, i)));
    return text.at;
}

void gw_emit_kernel_head(gw_kernel *k, const char *returns, const char *name, const char *tail, bool named,
                         const bool *wanted, bool told) {
    gw_session *s = k->e->session;
    gw_emit_params list = {0};
    gw_emit_params_add(&list, s, "dim3", named ? k->grid : "");
    gw_emit_params_add(&list, s, "dim3", named ? k->block : "");
    for (uint32_t i = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (p->is_adjoint || gw_param_is_hidden(p) || (wanted && !wanted[i])) continue;
        gw_emit_params_add(&list, s, gw_cstr(s, p->type_text),
                           named ? gw_cstr(s, gw_emit_param_name(k, i)) : "");
    }
    for (uint32_t i = 0; told && i < k->told.count; i++)
        gw_emit_params_add(&list, s, "size_t", named ? gw_cstr(s, k->told.at[i].name) : "");
    char *head = gw_format("%s%s%s", returns, returns[strlen(returns) - 1] == '*' ? "" : " ", name);
    gw_emit_call_text(k->e, head, list.texts.at, list.texts.count, tail);
    free(head);
    gw_emit_params_free(&list);
}

void gw_emit_enter_beside(gw_kernel *k, const gw_func *f) {
    gw_emitter *e = k->e;
    gw_emit_enter(e, f);
    for (uint32_t i = 0; i < f->params.count && i < k->grad->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (p->is_adjoint || gw_param_is_hidden(p)) continue;
        gw_str *name = p->value ? &e->variable_name[p->value] : &e->object_name[p->object];
        *name = gw_emit_param_name(k, i);
    }
}

void gw_emit_body_beside(gw_kernel *k, const gw_func *f) {
    gw_emitter *e = k->e;
    gw_emit_scope_open(e);
    gw_emit_enter_beside(k, f);
    gw_emit_line(e, "(void)%s, (void)%s;", k->grid, k->block);
    gw_emit_discard_unused(e);
    gw_emit_body(e);
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
}

/* A thread of it stands for several of the caller's block. */
void gw_emit_own_block(gw_kernel *k) {
    if (!k->grad->coarse) return;
    gw_emitter *e = k->e;
    k->own_block = gw_cstr(e->session, gw_emit_unique(e, "own_block"));
    gw_text length = {0};
    if (k->grad->coarse_axis == GW_WHOLE_BLOCK)
        gw_text_addf(&length, "%s.x * %s.y * %s.z / %u", k->block, k->block, k->block, k->grad->coarse);
    for (uint32_t axis = 0; axis < 3 && k->grad->coarse_axis != GW_WHOLE_BLOCK; axis++) {
        gw_text_addf(&length, "%s%s.%c", axis ? ", " : "", k->block, "xyz"[axis]);
        if (axis == k->grad->coarse_axis) gw_text_addf(&length, " / %u", k->grad->coarse);
    }
    gw_emit_line(e, "const dim3 %s(%s);", k->own_block, length.at);
    gw_text_free(&length);
}

void gw_emit_size_params(const gw_kernel *k, gw_emit_params *list) {
    gw_emit_params_add(list, k->e->session, "dim3", k->grid);
    gw_emit_params_add(list, k->e->session, "dim3", k->block);
    gw_emit_primal_params(k, list);
}

void gw_emit_primal_params(const gw_kernel *k, gw_emit_params *list) {
    gw_session *s = k->e->session;
    for (uint32_t i = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (!p->is_adjoint && !gw_param_is_hidden(p))
            gw_emit_params_add(list, s, gw_cstr(s, p->type_text), gw_cstr(s, gw_emit_param_name(k, i)));
    }
    gw_emit_told_params(k, list);
}

void gw_emit_told_params(const gw_kernel *k, gw_emit_params *list) {
    gw_session *s = k->e->session;
    for (uint32_t i = 0; i < k->told.count; i++)
        gw_emit_params_add(list, s, "size_t", gw_cstr(s, k->told.at[i].name));
}

char *gw_emit_told(const gw_kernel *k) {
    gw_text text = {0};
    for (uint32_t i = 0; i < k->told.count; i++)
        gw_text_addf(&text, ", %s", gw_cstr(k->e->session, k->told.at[i].name));
    return text.at ? text.at : gw_strdup("");
}

void gw_emit_launch_params(const gw_kernel *k, gw_emit_params *list) {
    gw_session *s = k->e->session;
    gw_emit_params_add(list, s, "dim3", k->grid);
    gw_emit_params_add(list, s, "dim3", k->block);
    gw_emit_params_add(list, s, "size_t", k->shared_bytes);
    gw_emit_params_add(list, s, "cudaStream_t", k->stream);
    for (uint32_t i = 0; i < k->params.texts.count; i++) {
        gw_push(&list->texts, gw_strdup(k->params.texts.at[i]));
        gw_push(&list->names, k->params.names.at[i]);
    }
    if (k->records) gw_emit_params_add(list, s, "size_t", k->records);
    gw_emit_told_params(k, list);
    if (gw_takes_space(k)) {
        gw_emit_params_add(list, s, "void *", k->space);
        gw_emit_params_add(list, s, "size_t", k->space_bytes);
    }
    if (k->own_space != k->space) {
        gw_emit_params_add(list, s, "void *", k->own_space);
        gw_emit_params_add(list, s, "size_t", k->own_space_bytes);
    }
}

void gw_emit_declare_status(gw_kernel *k) {
    if (k->status) return;
    k->status = gw_cstr(k->e->session, gw_emit_unique(k->e, "status"));
    gw_emit_line(k->e, "gw_status %s;", k->status);
}

void gw_emit_leave_unless_good(const gw_kernel *k) {
    gw_emit_line(k->e, "if (%s != GW_OK) return %s;", k->status, k->status);
}

char *gw_emit_step(const gw_kernel *k, const char *call, bool last) {
    return last ? gw_format("return %s", call) : gw_format("%s = %s", k->status, call);
}
