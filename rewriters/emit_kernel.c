/*
 * emit_kernel.c - a kernel's gradient: the kernel, the size of its workspace and its launch function.
 *
 * Guarantees the interface of the emitted text: f_grad<<<>>> exists where no workspace is needed and refuses
 * a launch that breaks an assumption; f_workspace_bytes and f_grad_launch always exist, and the launch
 * function starts nothing unless every check passed.
 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

typedef struct kernel {
    gw_emitter *e;
    const gw_func *grad, *bound, *check;
    bool workspace;
    const char *name;   /* saxpy_grad */
    const char *primal; /* saxpy */
    gw_emit_params params; /* the gradient's */
    gw_str grid, block, shared_bytes, stream, space, space_bytes;
} kernel;

/* Names of a launch that the user's parameters have not taken; the scope is the caller's. */
static void name_launch(kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->params.names.count; i++) gw_emit_reserve(e, k->params.names.at[i]);
    e->grid = k->grid = gw_emit_unique(e, "grid");
    e->block = k->block = gw_emit_unique(e, "block");
    k->shared_bytes = gw_emit_unique(e, "shared_bytes");
    k->stream = gw_emit_unique(e, "stream");
    k->space = gw_emit_unique(e, "workspace");
    k->space_bytes = gw_emit_unique(e, "workspace_bytes");
}

/* Checks at the point of writing, by the body of the CHECK function. */
static void write_checks(kernel *k, gw_emit_ret where, const char *owner) {
    gw_emitter *e = k->e;
    if (!k->check) return;
    e->ret = where;
    e->owner = gw_intern(e->session, owner);
    gw_emit_enter(e, k->check);
    gw_emit_body(e);
    gw_emit_leave(e);
}

static void write_kernel(kernel *k) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    gw_emit_params list = {0};
    gw_emit_params_of(e, k->grad, &list);
    gw_emit_scope_open(e);
    for (uint32_t i = 0; i < list.names.count; i++) gw_emit_reserve(e, list.names.at[i]);
    gw_str tape = k->workspace ? gw_emit_unique(e, "tape") : 0;
    if (tape) gw_emit_params_add(&list, s, "gw_tape", gw_cstr(s, tape));
    gw_emit_scope_close(e);
    char *head = gw_format("__global__ void %s%s", k->name, k->workspace ? "_kernel" : "");
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
    gw_emit_scope_open(e);
    if (tape) gw_emit_reserve(e, tape);
    if (!k->workspace) write_checks(k, GW_EMIT_CHECK_KERNEL, k->name);
    e->ret = GW_EMIT_RETURN;
    gw_emit_enter(e, k->grad);
    e->tape = tape;
    gw_emit_discard_unused(e);
    gw_emit_body(e);
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}");
    free(head);
    gw_emit_params_free(&list);
}

/* dim3 grid, dim3 block and the primal's parameters; without names where they are not used. */
static void write_size_head(kernel *k, const char *returns, const char *what, const char *tail, bool named) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    gw_emit_params list = {0};
    gw_emit_params_add(&list, s, "dim3", named ? gw_cstr(s, k->grid) : "");
    gw_emit_params_add(&list, s, "dim3", named ? gw_cstr(s, k->block) : "");
    for (uint32_t i = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (p->is_adjoint) continue;
        gw_emit_params_add(&list, s, gw_cstr(s, p->type_text), named ? gw_cstr(s, k->params.names.at[i]) : "");
    }
    for (uint32_t i = 0; i < list.texts.count; i++) /* "dim3 " without a name */
        for (size_t n = strlen(list.texts.at[i]); n && list.texts.at[i][n - 1] == ' '; n--) list.texts.at[i][n - 1] = 0;
    char *head = gw_format("inline %s %s_%s", returns, k->primal, what);
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, tail);
    free(head);
    gw_emit_params_free(&list);
}

static void write_slots(kernel *k) {
    gw_emitter *e = k->e;
    write_size_head(k, "gw_tape_slots", "tape_slots", " {", true);
    e->ret = GW_EMIT_SLOTS;
    gw_emit_scope_open(e);
    gw_emit_enter(e, k->bound);
    gw_emit_line(e, "(void)%s;", gw_cstr(e->session, k->grid));
    gw_emit_line(e, "(void)%s;", gw_cstr(e->session, k->block));
    gw_emit_discard_unused(e);
    gw_emit_body(e);
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
}

/* f_tape_slots(grid, block, primal arguments) */
static char *slots_call(const kernel *k) {
    gw_session *s = k->e->session;
    gw_text text = {0};
    gw_text_addf(&text, "%s_tape_slots(%s, %s", k->primal, gw_cstr(s, k->grid), gw_cstr(s, k->block));
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!k->grad->params.at[i].is_adjoint) gw_text_addf(&text, ", %s", gw_cstr(s, k->params.names.at[i]));
    gw_text_add(&text, ")");
    return text.at;
}

static void write_workspace_bytes(kernel *k) {
    gw_emitter *e = k->e;
    if (!k->workspace) {
        write_size_head(k, "size_t", "workspace_bytes", " { return 0; }\n", false);
        return;
    }
    write_slots(k);
    char *slots = slots_call(k);
    write_size_head(k, "size_t", "workspace_bytes", " {", true);
    e->depth++;
    gw_emit_line(e, "return gw_tape_bytes(%s, %s, %s);", slots, gw_cstr(e->session, k->grid),
                 gw_cstr(e->session, k->block));
    e->depth--;
    gw_emit_line(e, "}\n");
    free(slots);
}

static void write_launch_head(kernel *k) {
    gw_session *s = k->e->session;
    gw_emit_params list = {0};
    gw_emit_params_add(&list, s, "dim3", gw_cstr(s, k->grid));
    gw_emit_params_add(&list, s, "dim3", gw_cstr(s, k->block));
    gw_emit_params_add(&list, s, "size_t", gw_cstr(s, k->shared_bytes));
    gw_emit_params_add(&list, s, "cudaStream_t", gw_cstr(s, k->stream));
    for (uint32_t i = 0; i < k->params.texts.count; i++) {
        gw_push(&list.texts, gw_strdup(k->params.texts.at[i]));
        gw_push(&list.names, k->params.names.at[i]);
    }
    gw_emit_params_add(&list, s, "void *", gw_cstr(s, k->space));
    gw_emit_params_add(&list, s, "size_t", gw_cstr(s, k->space_bytes));
    char *head = gw_format("inline gw_status %s_launch", k->name);
    gw_emit_call_text(k->e, head, list.texts.at, list.texts.count, " {");
    free(head);
    gw_emit_params_free(&list);
}

static void write_workspace_check(kernel *k) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    if (!k->workspace) {
        gw_emit_line(e, "(void)%s;", gw_cstr(s, k->space));
        gw_emit_line(e, "(void)%s;", gw_cstr(s, k->space_bytes));
        return;
    }
    char *slots = slots_call(k);
    gw_emit_line(e, "const gw_tape_slots gw_slots = %s;", slots);
    gw_emit_line(e, "const gw_status gw_space = gw_tape_check(\"%s_launch\", gw_slots, %s, %s, %s, %s);", k->name,
                 gw_cstr(s, k->grid), gw_cstr(s, k->block), gw_cstr(s, k->space), gw_cstr(s, k->space_bytes));
    gw_emit_line(e, "if (gw_space != GW_OK) return gw_space;");
    free(slots);
}

static void write_launch(kernel *k) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    char *launch = gw_format("%s_launch", k->name);
    write_launch_head(k);
    gw_emit_scope_open(e);
    write_checks(k, GW_EMIT_CHECK_HOST, launch);
    write_workspace_check(k);
    GW_VEC(char *) items = {0};
    gw_push(&items, gw_format("\"%s\"", launch));
    gw_push(&items, gw_format("%s%s", k->name, k->workspace ? "_kernel" : ""));
    const gw_str shape[] = {k->grid, k->block, k->shared_bytes, k->stream};
    for (uint32_t i = 0; i < 4; i++) gw_push(&items, gw_strdup(gw_cstr(s, shape[i])));
    for (uint32_t i = 0; i < k->params.names.count; i++)
        gw_push(&items, gw_strdup(gw_cstr(s, k->params.names.at[i])));
    if (k->workspace)
        gw_push(&items, gw_format("gw_tape_over(%s, gw_slots, %s, %s)", gw_cstr(s, k->space), gw_cstr(s, k->grid),
                                  gw_cstr(s, k->block)));
    gw_emit_call_text(e, "return gw_launch", items.at, items.count, ";");
    for (uint32_t i = 0; i < items.count; i++) free(items.at[i]);
    gw_vec_free(&items);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}");
    free(launch);
}

void gw_emit_kernel(gw_emitter *e, const gw_func *grad, const gw_func *bound, const gw_func *check) {
    gw_session *s = e->session;
    kernel k = {.e = e, .grad = grad, .bound = bound, .check = check};
    k.workspace = bound && !grad->tape_local;
    k.name = gw_cstr(s, grad->name);
    k.primal = gw_cstr(s, grad->primal ? grad->primal->name : grad->name);
    gw_emit_params_of(e, grad, &k.params);
    write_kernel(&k);
    gw_emit_line(e, "%s", "");
    uint32_t names = e->names.count; /* those of the launch stay reserved while its functions are written */
    name_launch(&k);
    write_workspace_bytes(&k);
    write_launch(&k);
    e->names.count = names;
    gw_emit_params_free(&k.params);
}
