/*
 * emit_kernel.c - a kernel's gradient: the kernel, what a launch of it must satisfy, the size of its workspace
 * and its launch function.
 *
 * Guarantees the interface of the emitted text: f_grad<<<>>> exists where no workspace is needed and refuses
 * a launch that breaks an assumption; f_workspace_bytes and f_grad_launch always exist, and the launch
 * function starts nothing unless every check passed.
 */
#include "emit.h"
#include "memory_order.h"
#include "slots.h"
#include "split.h"

#include <stdlib.h>
#include <string.h>

typedef struct kernel {
    gw_emitter *e;
    const gw_func *grad, *bound, *check;
    bool workspace, tape;  /* it takes one; the tape is in it */
    uint32_t groups;       /* of additions whose rows are in it */
    bool is_private;       /* the kernel is not what callers launch: it takes a workspace, others run before it, or it is coarsened */
    char *name;            /* saxpy_grad, render_grad<3> */
    char *launch;          /* saxpy_grad_launch, render_grad_launch<3> */
    char *kernel;          /* the one that is launched */
    char *bytes;           /* saxpy_workspace_bytes */
    char *shared;          /* saxpy_shared_bytes, where the size of its shared memory is the launch's; else NULL */
    const char *needs, *slots; /* of check and bound */
    gw_emit_params params; /* the gradient's, as a caller sees them */
    bool *checked_params;  /* those that the check reads */
    const char *own_block; /* what the kernel is launched with: shorter than the caller's block if it is coarsened */
    const char *grid, *block, *shared_bytes, *stream, *records, *space, *space_bytes;
    const char *status; /* of the launch, where it has been declared */
} kernel;

static void find_space(kernel *k) {
    k->groups = k->bound ? gw_slot_groups(k->grad) : 0;
    k->tape = k->bound && !k->grad->tape_local;
    k->workspace = k->tape || k->groups;
    k->is_private = k->workspace || k->grad->has_gathers || k->grad->coarse || k->grad->pack;
}

/* A forward derivative needs no workspace, and its launch takes none. */
static bool is_forward(const kernel *k) { return k->grad->form == GW_FORM_JVP; }

/* The halves of a split gradient have one tape, which one function sizes. */
static bool sizes_space(const kernel *k) { return !is_forward(k) && k->grad->form != GW_FORM_BWD; }

/* Names of a launch that the user's parameters have not taken; reserved in the current scope. */
static void name_launch(kernel *k) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
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
}

/* "first, second" and the names of the primal's parameters, those that `wanted` holds (NULL: all). */
static char *arguments(const kernel *k, const char *first, const char *second, const bool *wanted) {
    gw_text text = {0};
    gw_text_addf(&text, "%s, %s", first, second);
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!k->grad->params.at[i].is_adjoint && !gw_param_is_hidden(&k->grad->params.at[i]) && (!wanted || wanted[i]))
            gw_text_addf(&text, ", %s", gw_cstr(k->e->session, k->params.names.at[i]));
    return text.at;
}

/* Head of a function of grid, block and the primal's parameters; without names where nothing reads them. */
static void write_head(kernel *k, const char *returns, const char *name, const char *tail, bool named,
                       const bool *wanted) {
    gw_session *s = k->e->session;
    gw_emit_params list = {0};
    gw_emit_params_add(&list, s, "dim3", named ? k->grid : "");
    gw_emit_params_add(&list, s, "dim3", named ? k->block : "");
    for (uint32_t i = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (p->is_adjoint || gw_param_is_hidden(p) || (wanted && !wanted[i])) continue;
        gw_emit_params_add(&list, s, gw_cstr(s, p->type_text), named ? gw_cstr(s, k->params.names.at[i]) : "");
    }
    char *head = gw_format("%s%s%s", returns, returns[strlen(returns) - 1] == '*' ? "" : " ", name);
    gw_emit_call_text(k->e, head, list.texts.at, list.texts.count, tail);
    free(head);
    gw_emit_params_free(&list);
}

/* ---- assumptions ---- */
static void find_checked_params(kernel *k) {
    k->checked_params = gw_alloc((k->grad->params.count + 1) * sizeof *k->checked_params);
    if (!k->check) return;
    gw_emit_plan plan;
    gw_emit_plan_make(&plan, k->check, true, false);
    for (uint32_t i = 0; i < k->check->params.count && i < k->grad->params.count; i++) {
        const gw_param *p = &k->check->params.at[i];
        k->checked_params[i] = p->value && plan.values[p->value].needed;
    }
    gw_emit_plan_free(&plan);
}

static void discard_unused_shape(kernel *k) {
    const gw_emit_plan *p = &k->e->plan;
    bool grid = false, block = false;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const gw_op_data *o = gw_op_at(p->f, p->order.at[i]);
        grid |= o->code == GW_OP_SPECIAL && o->attr / 4 == GW_GRID_DIM;
        block |= o->code == GW_OP_SPECIAL && o->attr / 4 == GW_BLOCK_DIM;
    }
    if (!grid) gw_emit_line(k->e, "(void)%s;", k->grid);
    if (!block) gw_emit_line(k->e, "(void)%s;", k->block);
}

static void write_needs(kernel *k) {
    gw_emitter *e = k->e;
    if (!k->check) return;
    gw_emit_line(e, "// What a launch of %s must satisfy and does not; null if all is well.", k->name);
    char *returns = gw_format("__host__ __device__ %sconst char *", gw_emit_linkage(k->check, false));
    write_head(k, returns, k->needs, " {", true, k->checked_params);
    free(returns);
    e->ret = GW_EMIT_NEEDS;
    gw_emit_scope_open(e);
    gw_emit_enter(e, k->check);
    discard_unused_shape(k);
    gw_emit_body(e);
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
}

static void write_refusal(kernel *k) {
    if (!k->check || k->is_private) return;
    char *list = arguments(k, "gridDim", "blockDim", k->checked_params);
    gw_emit_line(k->e, "if (gw_refuse(\"%s\", %s(%s))) return;", k->name, k->needs, list);
    free(list);
}

static void write_assumptions(kernel *k) {
    if (!k->check) return;
    char *list = arguments(k, k->grid, k->block, k->checked_params);
    gw_str name = gw_emit_unique(k->e, "needs");
    const char *needs = gw_cstr(k->e->session, name);
    gw_emit_line(k->e, "const char *%s = %s(%s);", needs, k->needs, list);
    gw_emit_line(k->e, "if (%s) return gw_report(GW_ERROR_LAUNCH, \"%s: needs %%s\", %s);", needs, k->launch,
                 needs);
    free(list);
}

/* ---- the kernel ---- */
/* With --checked, claims say after how many barriers they are made. */
static void count_barriers(gw_emitter *e) {
    bool claimed = false;
    for (uint32_t i = 0; i < e->plan.order.count; i++) claimed |= gw_emit_is_claimed(e->f, e->plan.order.at[i]);
    if (!e->session->options.checked || !claimed || !gw_region_holds_barrier(e->f, e->f->entry)) return;
    e->barriers = gw_emit_unique(e, "barriers");
    gw_emit_line(e, "unsigned int %s = 0;", gw_cstr(e->session, e->barriers));
}

static void write_kernel(kernel *k) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    gw_emit_params list = {0};
    gw_emit_params_of(e, k->grad, true, &list);
    gw_emit_scope_open(e);
    for (uint32_t i = 0; i < list.names.count; i++)
        gw_emit_reserve(e, list.names.at[i]);
    gw_str tape = k->tape ? gw_emit_unique(e, "tape") : 0;
    if (tape) gw_emit_params_add(&list, s, gw_is_half(k->grad) ? "gw_split_tape" : "gw_tape", gw_cstr(s, tape));
    gw_emit_slot_names(e, k->grad);
    gw_emit_slot_params(e, k->grad, &list);
    const char *linkage = k->grad->is_internal ? "[[maybe_unused]] static " : "";
    bool is_specialization = k->grad->template_head && !k->is_private;
    char *head = gw_format("%s__global__ void %s", is_specialization ? "template <> " : linkage, k->kernel);
    e->depth--;
    gw_emit_comment(e, k->grad);
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
    e->depth++;
    write_refusal(k);
    if (k->grad->form == GW_FORM_BWD) gw_emit_line(e, "if (gw_split_refuse(\"%s\", %s)) return;", k->name, gw_cstr(s, tape));
    e->ret = GW_EMIT_RETURN;
    gw_emit_enter(e, k->grad);
    e->tape = tape;
    count_barriers(e);
    gw_emit_discard_unused(e);
    gw_emit_slots_begin(e);
    gw_emit_body(e);
    if (k->grad->form == GW_FORM_FWD) gw_emit_line(e, "gw_split_end(&%s);", gw_cstr(s, tape));
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
    free(e->slots);
    e->slots = NULL;
    free(head);
    gw_emit_params_free(&list);
}

/* ---- kernels that run before it ---- */
static const gw_func *next_gather(const kernel *k, uint32_t *at) {
    const gw_session *s = k->e->session;
    for (; k->grad->has_gathers && *at < s->funcs.count; ++*at) {
        const gw_func *f = s->funcs.at[*at];
        if (f->form == GW_FORM_GATHER && f->primal == k->grad->primal && f->request == k->grad->request) return s->funcs.at[(*at)++];
    }
    return NULL;
}

static void write_gathers(const kernel *k) {
    uint32_t at = 0;
    for (const gw_func *f; (f = next_gather(k, &at)) != NULL;) {
        kernel gather = {.e = k->e, .grad = f, .is_private = true, .kernel = gw_strdup(gw_cstr(f->session, f->name))};
        uint32_t names = k->e->names.count;
        write_kernel(&gather);
        gw_emit_release(k->e, names);
        free(gather.kernel);
    }
}

/* A thread of it stands for several of the caller's block. */
static void write_own_block(kernel *k) {
    if (!k->grad->coarse) return;
    gw_emitter *e = k->e;
    k->own_block = gw_cstr(e->session, gw_emit_unique(e, "own_block"));
    gw_text length = {0};
    for (uint32_t axis = 0; axis < 3; axis++) {
        gw_text_addf(&length, "%s%s.%c", axis ? ", " : "", k->block, "xyz"[axis]);
        if (axis == k->grad->coarse_axis) gw_text_addf(&length, " / %u", k->grad->coarse);
    }
    gw_emit_line(e, "const dim3 %s(%s);", k->own_block, length.at);
    gw_text_free(&length);
}

/* ---- the workspace ---- */
static void write_slots(kernel *k) {
    gw_emitter *e = k->e;
    char *type = gw_emit_counts_type(k->groups), *returns = gw_format("%s%s", gw_emit_linkage(k->bound, false), type);
    free(type);
    write_head(k, returns, k->slots, " {", true, NULL);
    free(returns);
    e->ret = GW_EMIT_SLOTS;
    gw_emit_scope_open(e);
    gw_emit_enter(e, k->bound);
    gw_emit_line(e, "(void)%s, (void)%s;", k->grid, k->block);
    gw_emit_discard_unused(e);
    gw_emit_body(e);
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
}

static void write_workspace_head(kernel *k, const char *tail) {
    char *returns = gw_format("%ssize_t", gw_emit_linkage(k->grad, true));
    write_head(k, returns, k->bytes, tail, k->workspace, NULL);
    free(returns);
}

/* Of the tape, and behind it the rows of each group. */
static void write_bytes_of_rows(kernel *k, const char *list) {
    gw_emitter *e = k->e;
    gw_emit_scope_open(e);
    const char *counts = gw_cstr(e->session, gw_emit_unique(e, "counts")), *bytes = gw_cstr(e->session, gw_emit_unique(e, "bytes"));
    char *type = gw_emit_counts_type(k->groups);
    gw_emit_line(e, "const %s %s = %s(%s);", type, counts, k->slots, list);
    gw_emit_line(e, "size_t %s = gw_tape_bytes(%s.tape, %s, %s);", bytes, counts, k->grid, k->own_block);
    gw_emit_slots_bytes(e, k->grad, k->own_block, counts, bytes);
    gw_emit_line(e, "return %s;", bytes);
    gw_emit_scope_close(e);
    free(type);
}

static void write_workspace_bytes(kernel *k) {
    gw_emitter *e = k->e;
    if (!sizes_space(k)) return;
    if (k->workspace) write_slots(k);
    write_workspace_head(k, k->workspace ? " {" : " { return 0; }\n");
    if (!k->workspace) return;
    e->depth++;
    write_own_block(k);
    e->depth--;
    char *list = arguments(k, k->grid, k->own_block, NULL);
    if (k->groups) write_bytes_of_rows(k, list);
    else gw_emit_line(e, "    return %s(%s(%s), %s, %s);", gw_is_half(k->grad) ? "gw_split_bytes" : "gw_tape_bytes", k->slots, list, k->grid, k->own_block);
    gw_emit_line(e, "}\n");
    free(list);
}

/* ---- shared memory ---- */
static void write_shared_head(kernel *k, const char *block, const char *bytes, const char *tail) {
    gw_emitter *e = k->e;
    gw_emit_line(e, "%ssize_t %s(dim3%s, size_t%s)%s", gw_emit_linkage(k->grad, true), k->shared, block, bytes, tail);
}

static bool has_dynamic_shadow(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const gw_object_data *d = gw_object_at(f, o->object);
        if (!o->dead && d->kind == GW_OBJECT_SHARED && d->sized && d->shadow_of) return true;
    }
    return false;
}

/* Room for the array and, behind it, as much for its shadow. */
static void write_shared_bytes(kernel *k) {
    if (!k->shared) return;
    write_shared_head(k, "", " primal_bytes", " {");
    gw_emit_line(k->e, has_dynamic_shadow(k->grad) ? "    return gw_with_shadow_bytes(primal_bytes);" : "    return primal_bytes;");
    gw_emit_line(k->e, "}\n");
}

/* The same where rows of groups lie in it too, each of which gets its part. */
static char *write_rows_check(kernel *k) {
    gw_emitter *e = k->e;
    char *list = arguments(k, k->grid, k->own_block, NULL), *asked = arguments(k, k->grid, k->block, NULL), *type = gw_emit_counts_type(k->groups);
    const char *counts = gw_cstr(e->session, gw_emit_unique(e, "counts")), *used = gw_cstr(e->session, gw_emit_unique(e, "used"));
    k->status = gw_cstr(e->session, gw_emit_unique(e, "status"));
    gw_emit_line(e, "const %s %s = %s(%s);", type, counts, k->slots, list);
    gw_emit_line(e, "gw_status %s =", k->status);
    gw_emit_line(e, "    gw_slots_check(\"%s\", %s(%s), %s, %s);", k->launch, k->bytes, asked, k->space, k->space_bytes);
    gw_emit_line(e, "if (%s != GW_OK) return %s;", k->status, k->status);
    gw_emit_line(e, "size_t %s = gw_tape_bytes(%s.tape, %s, %s);", used, counts, k->grid, k->own_block);
    gw_emit_slot_names(e, k->grad);
    gw_emit_slots_place(e, k->grad, k->own_block, k->launch, counts, k->space, used, k->status, k->stream);
    free(list), free(asked), free(type);
    return k->tape ? gw_format("gw_tape_over(%s, %s.tape, %s, %s)", k->space, counts, k->grid, k->own_block) : NULL;
}

/* Leaves the launch function if the workspace does not serve; returns the tape's text, NULL without one. */
static char *write_workspace_check(kernel *k) {
    gw_emitter *e = k->e;
    if (is_forward(k)) return NULL;
    if (!k->workspace) {
        gw_emit_line(e, "(void)%s, (void)%s;", k->space, k->space_bytes);
        return NULL;
    }
    if (k->groups) return write_rows_check(k);
    bool half = gw_is_half(k->grad); /* the tape is that of the first half's threads */
    const char *block = half ? k->block : k->own_block;
    char *list = arguments(k, k->grid, block, NULL);
    gw_str names[2] = {gw_emit_unique(e, "slots"), gw_emit_unique(e, "status")};
    const char *slots = gw_cstr(e->session, names[0]), *status = gw_cstr(e->session, names[1]);
    gw_emit_line(e, "const gw_tape_slots %s = %s(%s);", slots, k->slots, list);
    gw_emit_line(e, "const gw_status %s =", status);
    gw_emit_line(e, "    %s(\"%s\", %s, %s, %s, %s, %s);", half ? "gw_split_check" : "gw_tape_check", k->launch, slots,
                 k->grid, block, k->space, k->space_bytes);
    gw_emit_line(e, "if (%s != GW_OK) return %s;", status, status);
    free(list);
    if (half) return gw_format("gw_split_over(\"%s\", %s, %s, %s, %s)", k->bytes, k->space, slots, k->grid, block);
    return gw_format("gw_tape_over(%s, %s, %s, %s)", k->space, slots, k->grid, block);
}

/* ---- the launch function ---- */
static void write_launch_head(kernel *k, const char *tail) {
    gw_session *s = k->e->session;
    gw_emit_params list = {0};
    gw_emit_params_add(&list, s, "dim3", k->grid);
    gw_emit_params_add(&list, s, "dim3", k->block);
    gw_emit_params_add(&list, s, "size_t", k->shared_bytes);
    gw_emit_params_add(&list, s, "cudaStream_t", k->stream);
    for (uint32_t i = 0; i < k->params.texts.count; i++) {
        gw_push(&list.texts, gw_strdup(k->params.texts.at[i]));
        gw_push(&list.names, k->params.names.at[i]);
    }
    if (k->records) gw_emit_params_add(&list, s, "size_t", k->records);
    if (!is_forward(k)) gw_emit_params_add(&list, s, "void *", k->space);
    if (!is_forward(k)) gw_emit_params_add(&list, s, "size_t", k->space_bytes);
    char *head = gw_format("%sgw_status %s", gw_emit_linkage(k->grad, true), k->launch);
    gw_emit_call_text(k->e, head, list.texts.at, list.texts.count, tail);
    free(head);
    gw_emit_params_free(&list);
}

/* The kernel as an argument: of overloads, the one with these parameters. */
static char *chosen_kernel(const kernel *k) {
    if (!k->grad->tag || k->grad->template_head || k->is_private) return gw_strdup(k->kernel);
    gw_text types = {0};
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!gw_param_is_hidden(&k->grad->params.at[i]))
            gw_text_addf(&types, "%s%s", i ? ", " : "", gw_cstr(k->e->session, k->grad->params.at[i].type_text));
    char *text = gw_format("static_cast<void (*)(%s)>(%s)", types.at ? types.at : "", k->kernel);
    gw_text_free(&types);
    return text;
}

/* "HEAD(name, kernel, shape, parameters, tape);"; takes `of`, and the tape's text, which may be NULL. */
static void write_start(const kernel *k, const char *head, char *of, const char *block, char *tape) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    GW_VEC(char *) items = {0};
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, of);
    const char *const shape[] = {k->grid, block, k->shared_bytes, k->stream};
    for (uint32_t i = 0; i < 4; i++)
        gw_push(&items, i == 2 && k->shared ? gw_format("%s(%s, %s)", k->shared, k->block, k->shared_bytes) : gw_strdup(shape[i]));
    for (uint32_t i = 0; i < k->params.names.count; i++)
        gw_push(&items, gw_strdup(gw_cstr(s, k->params.names.at[i])));
    if (tape) gw_push(&items, tape);
    for (uint32_t i = 0; i < k->groups; i++) gw_push(&items, gw_format("gw_slots_in(%s)", gw_cstr(s, e->slots[i])));
    gw_emit_call_text(e, head, items.at, items.count, ";");
    for (uint32_t i = 0; i < items.count; i++)
        free(items.at[i]);
    gw_vec_free(&items);
}

static void write_launch(kernel *k) {
    gw_emitter *e = k->e;
    uint32_t at = 0;
    write_launch_head(k, " {");
    gw_emit_scope_open(e);
    write_assumptions(k);
    write_own_block(k);
    char *tape = write_workspace_check(k);
    if (k->records) {
        if (!k->status) gw_emit_line(e, "gw_status %s;", k->status = gw_cstr(e->session, gw_emit_unique(e, "status")));
        gw_emit_line(e, "%s = gw_clear_records(\"%s\", %s, %s, %u, %s);", k->status, k->launch,
                     gw_cstr(e->session, gw_object_at(k->grad, k->grad->pack)->name), k->records, k->grad->pack_stride, k->stream);
        gw_emit_line(e, "if (%s != GW_OK) return %s;", k->status, k->status);
    }
    for (const gw_func *f; (f = next_gather(k, &at)) != NULL;) {
        if (!k->status) gw_emit_line(e, "gw_status %s;", k->status = gw_cstr(e->session, gw_emit_unique(e, "status")));
        kernel gather = *k;
        char *head = gw_format("%s = gw_launch", k->status);
        gather.groups = 0;
        write_start(&gather, head, gw_strdup(gw_cstr(e->session, f->name)), k->block, NULL);
        gw_emit_line(e, "if (%s != GW_OK) return %s;", k->status, k->status);
        free(head);
    }
    char *head = k->groups || k->records ? gw_format("%s = gw_launch", k->status) : gw_strdup("return gw_launch");
    write_start(k, head, chosen_kernel(k), k->own_block, tape);
    if (k->groups) gw_emit_slots_sum(e, k->grad, &k->params, k->status, k->stream);
    if (k->records) {
        if (!k->groups) gw_emit_line(e, "if (%s != GW_OK) return %s;", k->status, k->status);
        gw_emit_start_unpack(e, k->grad, k->launch, k->records, k->stream);
    }
    free(head);
    free(e->slots);
    e->slots = NULL;
    gw_emit_scope_close(e);
    gw_emit_line(e, "}");
}

gw_str gw_emit_shared_bytes_name(const gw_func *f) {
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_SHARED && gw_object_at(f, o)->sized)
            return gw_derived_part_name(f, f->form == GW_FORM_GRAD ? GW_DERIVED_SHARED_BYTES : GW_DERIVED_OWN_SHARED_BYTES);
    return 0;
}

static void name_functions(kernel *k) {
    const gw_session *s = k->e->session;
    const gw_func *grad = k->grad;
    const bool half = gw_is_half(grad);
    gw_str shared = gw_emit_shared_bytes_name(grad);
    if (shared) k->shared = gw_emit_at(grad, shared);
    k->name = gw_emit_at(grad, grad->name);
    k->launch = gw_emit_at(grad, gw_derived_part_name(grad, GW_DERIVED_LAUNCH));
    k->bytes = gw_emit_at(grad, gw_derived_part_name(grad, half ? GW_DERIVED_TAPE_BYTES : GW_DERIVED_WORKSPACE_BYTES));
    k->kernel = k->is_private ? gw_strdup(gw_cstr(s, gw_derived_part_name(grad, GW_DERIVED_KERNEL)))
                             : gw_strdup(k->name);
    k->needs = gw_cstr(s, gw_derived_part_name(grad, GW_DERIVED_NEEDS));
    k->slots = gw_cstr(s, gw_derived_name(grad->primal ? grad->primal : grad, grad->request, GW_FORM_BOUND));
}

static void free_kernel(kernel *k) {
    free(k->name);
    free(k->launch);
    free(k->kernel);
    free(k->bytes);
    free(k->shared);
    free(k->checked_params);
    gw_emit_params_free(&k->params);
}

void gw_emit_kernel_declaration(gw_emitter *e, const gw_func *grad, const gw_func *bound) {
    kernel k = {.e = e, .grad = grad, .bound = bound};
    find_space(&k);
    uint32_t names = e->names.count;
    name_functions(&k);
    gw_emit_params_of(e, grad, false, &k.params);
    name_launch(&k);
    gw_emit_comment(e, grad);
    if (sizes_space(&k)) write_workspace_head(&k, ";");
    if (k.shared) write_shared_head(&k, "", "", ";");
    if (grad->pack) gw_emit_pack_bytes(e, grad, ";");
    write_launch_head(&k, ";");
    gw_emit_release(e, names);
    free_kernel(&k);
}

void gw_emit_kernel(gw_emitter *e, const gw_func *grad, const gw_func *bound, const gw_func *check) {
    kernel k = {.e = e, .grad = grad, .bound = bound, .check = check};
    find_space(&k);
    name_functions(&k);
    gw_emit_params_of(e, grad, false, &k.params);
    find_checked_params(&k);
    uint32_t names = e->names.count; /* those of the launch are reserved in the functions that have it */
    name_launch(&k);
    write_needs(&k);
    gw_emit_release(e, names);
    write_gathers(&k);
    write_kernel(&k);
    if (grad->pack) gw_emit_unpack(e, grad);
    name_launch(&k);
    write_workspace_bytes(&k);
    write_shared_bytes(&k);
    write_launch(&k);
    gw_emit_release(e, names);
    free_kernel(&k);
}
