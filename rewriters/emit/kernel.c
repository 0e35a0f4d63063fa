/*
 * emit/kernel.c - a kernel's gradient: the kernel, what a launch of it must satisfy, the size of its workspace
 * and its launch function.
 *
 * Guarantees the interface of the emitted text: f_grad<<<>>> exists where no workspace is needed and refuses
 * a launch that breaks an assumption; f_workspace_bytes and f_grad_launch always exist, and the launch
 * function starts nothing unless every check passed.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/warp.h"
#include "rewriters/emit/kernel_private.h"
#include "rewriters/device/device.h"
#include "rewriters/workspace/workspace.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

/* Names of a launch that the user's parameters have not taken; reserved in the current scope. */
static void name_launch(gw_kernel *k) {
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
    k->told.count = k->cells.count = k->settled_cells.count = 0;
    if (k->lists) gw_push(&k->told, ((gw_asked_size){gw_emit_unique(e, "positions"), 0}));
    if (k->lists) k->positions = gw_cstr(s, k->told.at[0].name);
    if (k->tenants[GW_TENANT_EXACT]) gw_emit_exact_ask(k);
    if (k->tenants[GW_TENANT_EXACT_SHARED]) gw_emit_settle_ask(k);
}

char *gw_emit_arguments(const gw_kernel *k, const char *first, const char *second, const bool *wanted) {
    gw_text text = {0};
    gw_text_addf(&text, "%s, %s", first, second);
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!k->grad->params.at[i].is_adjoint && !gw_param_is_hidden(&k->grad->params.at[i]) &&
            (!wanted || wanted[i]))
            gw_text_addf(&text, ", %s", gw_cstr(k->e->session, k->params.names.at[i]));
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
        gw_emit_params_add(&list, s, gw_cstr(s, p->type_text), named ? gw_cstr(s, k->params.names.at[i]) : "");
    }
    for (uint32_t i = 0; told && i < k->told.count; i++)
        gw_emit_params_add(&list, s, "size_t", named ? gw_cstr(s, k->told.at[i].name) : "");
    char *head = gw_format("%s%s%s", returns, returns[strlen(returns) - 1] == '*' ? "" : " ", name);
    gw_emit_call_text(k->e, head, list.texts.at, list.texts.count, tail);
    free(head);
    gw_emit_params_free(&list);
}

/* ---- assumptions ---- */
static void find_checked_params(gw_kernel *k) {
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

static void discard_unused_shape(gw_kernel *k) {
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

static void write_needs(gw_kernel *k) {
    gw_emitter *e = k->e;
    if (!k->check) return;
    gw_emit_line(e, "// What a launch of %s must satisfy and does not; null if all is well.", k->name);
    char *returns = gw_format("__host__ __device__ %sconst char *", gw_emit_linkage(k->check, false));
    gw_emit_kernel_head(k, returns, k->needs, " {", true, k->checked_params, false);
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

static void write_refusal(gw_kernel *k) {
    if (!k->check || k->is_private) return;
    char *list = gw_emit_arguments(k, "gridDim", "blockDim", k->checked_params);
    gw_emit_line(k->e, "if (gw_refuse(\"%s\", %s(%s))) return;", k->name, k->needs, list);
    free(list);
}

void gw_emit_assumptions(const gw_kernel *k, const char *launch) {
    if (!k->check || gw_emit_has_any_launch(k)) return;
    char *list = gw_emit_arguments(k, k->grid, k->block, k->checked_params);
    gw_str name = gw_emit_unique(k->e, "needs");
    const char *needs = gw_cstr(k->e->session, name);
    gw_emit_line(k->e, "const char *%s = %s(%s);", needs, k->needs, list);
    gw_emit_line(k->e, "if (%s) return gw_report(GW_ERROR_LAUNCH, \"%s: needs %%s\", %s);", needs, launch,
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

/* Callers do not name it, and it asks which lanes there are: what is known of whole warps needs no test in each
 * iteration, and no branch around what lanes do together keeps the compiler from seeing that they are. */
static bool takes_whole_warps(const gw_kernel *k) {
    const gw_func *f = k->grad;
    for (gw_op op = 1; k->is_private && f->form != GW_FORM_FWD && op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_WARP &&
            gw_op_at(f, op)->attr == GW_WARP_PRESENT)
            return true;
    return false;
}

enum {
    REGISTERS = 65536, /* of a multiprocessor */
    MOST_REGISTERS = 256 /* that a thread may be given, rounded up */
};

/* As for the primal, whose launches it has: without that, what nvcc takes in registers can keep a block from
 * starting that the primal starts. With --checked, which is not to be fast, no block is kept from it. Of the
 * blocks that the user wants side by side, as many as leave each thread all the registers that it can have,
 * which a reverse sweep needs more of than its primal: a second number that is lower than the primal's costs
 * nothing that registers on the stack would not cost more. */
static char *launch_bound(const gw_kernel *k) {
    const gw_func *f = k->grad;
    uint32_t most = gw_launch_bound(f);
    if (!most && f->session->options.checked) most = GW_MOST_THREADS;
    if (f->coarse && most) most = most < f->coarse ? 1 : most / f->coarse;
    uint32_t asked = f->primal ? f->primal->bound_blocks : 0,
             fit = most ? REGISTERS / (MOST_REGISTERS * most) : 0;
    uint32_t blocks = asked < fit ? asked : fit;
    if (blocks) return gw_format("__launch_bounds__(%u, %u) ", most, blocks);
    return most ? gw_format("__launch_bounds__(%u) ", most) : gw_strdup("");
}

static void free_names(gw_emitter *e) {
    free(e->slots);
    free(e->copies);
    free(e->exact);
    free(e->settled);
    e->slots = e->copies = e->exact = e->settled = NULL;
}

static void write_kernel(gw_kernel *k) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    gw_emit_params list = {0};
    gw_emit_params_of(e, k->grad, true, &list);
    gw_emit_scope_open(e);
    gw_emit_reserve_used(e, k->grad);
    for (uint32_t i = 0; i < list.names.count; i++)
        gw_emit_reserve(e, list.names.at[i]);
    gw_emit_space_params(k, &list);
    const gw_str tape = k->tape_name;
    const bool measures = k->grad->form == GW_FORM_MEASURE;
    if (measures)
        gw_emit_params_add(&list, s, "gw_measuring", gw_cstr(s, e->measuring = gw_emit_unique(e, "measuring")));
    if (k->whole) e->whole = gw_emit_unique(e, gw_stacks_tiles(k->grad) ? "whole_tiles" : "whole_warps");
    char *whole = k->whole ? gw_format("template <bool %s> ", gw_cstr(s, e->whole)) : gw_strdup("");
    const char *linkage = k->grad->is_internal ? "[[maybe_unused]] static " : "";
    bool is_specialization = k->grad->template_head && !k->is_private;
    char *bound = launch_bound(k);
    char *head = gw_format("%s%s__global__ void %s%s", whole, is_specialization ? "template <> " : linkage,
                           bound, k->kernel);
    e->depth--;
    gw_emit_comment(e, k->grad);
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
    e->depth++;
    write_refusal(k);
    if (k->grad->form == GW_FORM_BWD)
        gw_emit_line(e, "gw_split_demand(\"%s\", %s);", k->name, gw_cstr(s, tape));
    e->ret = measures ? GW_EMIT_MEASURE : GW_EMIT_RETURN;
    gw_emit_enter(e, k->grad);
    e->tape = tape;
    if (gw_passes_over(k->grad)) gw_emit_find_together(e);
    count_barriers(e);
    gw_emit_discard_unused(e);
    gw_emit_assume_aligned(e);
    gw_emit_space_begin(k);
    if (gw_is_tiled(k->grad))
        gw_emit_line(e, "const uint3 %s = gw_tiled_thread();",
                     gw_cstr(s, e->thread = gw_emit_unique(e, "thread")));
    gw_emit_caches(e, "begin");
    gw_emit_body(e);
    gw_emit_caches(e, "end");
    if (k->grad->form == GW_FORM_FWD) gw_emit_line(e, "gw_split_end(&%s);", gw_cstr(s, tape));
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
    free_names(e);
    e->whole = e->thread = e->records = e->record_count = e->measuring = 0;
    gw_vec_free(&e->together);
    free(whole);
    free(bound);
    free(head);
    gw_emit_params_free(&list);
}

/* ---- kernels that run before it ---- */
/* Along other axes they are the same: blocks of them are the launch's. */
static bool shares_gathers(const gw_func *f) { return gw_is_along_other(f) && !gw_is_for_any_launch(f); }

static const gw_func *next_gather(const gw_kernel *k, uint32_t *at) {
    const gw_session *s = k->e->session;
    uint32_t request = k->grad->request;
    if (shares_gathers(k->grad)) request = gw_users_request(s, request);
    for (; k->grad->has_gathers && *at < s->funcs.count; ++*at) {
        const gw_func *f = s->funcs.at[*at];
        if (f->form == GW_FORM_GATHER && f->primal == k->grad->primal && f->request == request)
            return s->funcs.at[(*at)++];
    }
    return NULL;
}

void gw_emit_private_kernel(gw_emitter *e, const gw_func *f, gw_str name) {
    gw_kernel k = {.e = e, .grad = f, .is_private = true, .kernel = gw_strdup(gw_cstr(f->session, name))};
    uint32_t names = e->names.count;
    write_kernel(&k);
    gw_emit_release(e, names);
    free(k.kernel);
}

static void write_gathers(const gw_kernel *k) {
    uint32_t at = 0;
    for (const gw_func *f; !shares_gathers(k->grad) && (f = next_gather(k, &at)) != NULL;)
        gw_emit_private_kernel(k->e, f, f->name);
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

/* ---- shared memory ---- */
static void write_shared_head(gw_kernel *k, const char *block, const char *bytes, const char *tail) {
    gw_emitter *e = k->e;
    gw_emit_line(e, "%ssize_t %s(dim3%s, size_t%s)%s", gw_emit_linkage(k->grad, true), k->shared, block, bytes,
                 tail);
}

/* Room for the array and, behind it, as much for its shadow; in memory that is carved, for each of them. */
static void write_shared_bytes(gw_kernel *k) {
    if (!k->shared) return;
    write_shared_head(k, "", " primal_bytes", " {");
    const uint32_t parts = gw_emit_dynamic_parts(k->grad, 0).count;
    if (parts > 2) gw_emit_line(k->e, "    return gw_shared_parts_bytes(primal_bytes, %u);", parts);
    else if (parts == 2) gw_emit_line(k->e, "    return gw_with_shadow_bytes(primal_bytes);");
    else gw_emit_line(k->e, "    return primal_bytes;");
    gw_emit_line(k->e, "}\n");
}

/* ---- the launch function ---- */
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

static void write_launch_head(gw_kernel *k, const char *tail) {
    gw_emit_params list = {0};
    gw_emit_launch_params(k, &list);
    char *head = gw_format("%sgw_status %s", gw_emit_linkage(k->grad, true), k->launch);
    gw_emit_call_text(k->e, head, list.texts.at, list.texts.count, tail);
    free(head);
    gw_emit_params_free(&list);
}

/* The kernel as an argument: of overloads, the one with these parameters. */
static char *chosen_kernel(const gw_kernel *k) {
    const char *whole = gw_stacks_tiles(k->grad) ? "gw_whole_tiles" : "gw_whole_warps";
    if (k->whole) return gw_format("%s(%s) ? %s<true> : %s<false>", whole, k->own_block, k->kernel, k->kernel);
    if (!k->grad->tag || k->grad->template_head || k->is_private) return gw_strdup(k->kernel);
    gw_text types = {0};
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!gw_param_is_hidden(&k->grad->params.at[i]))
            gw_text_addf(&types, "%s%s", i ? ", " : "",
                         gw_cstr(k->e->session, k->grad->params.at[i].type_text));
    char *text = gw_format("static_cast<void (*)(%s)>(%s)", types.at ? types.at : "", k->kernel);
    gw_text_free(&types);
    return text;
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

/* "status = gw_launch(name, kernel, shape, parameters, what tenants give it);"; takes `of`. */
static void write_start(const gw_kernel *k, char *of, const char *block, bool last) {
    gw_emitter *e = k->e;
    gw_session *s = e->session;
    gw_emit_items items = {0};
    char *head = gw_emit_step(k, "gw_launch", last);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, of);
    const char *const shape[] = {k->grid, block, k->shared_bytes, k->stream};
    for (uint32_t i = 0; i < 4; i++)
        gw_push(&items, i == 2 && k->shared ? gw_format("%s(%s, %s)", k->shared, k->block, k->shared_bytes)
                                            : gw_strdup(shape[i]));
    for (uint32_t i = 0; i < k->params.names.count; i++)
        gw_push(&items, gw_strdup(gw_cstr(s, k->params.names.at[i])));
    gw_emit_space_arguments(k, &items);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head);
}

/* The kernels that run before it; nobody who lives in the workspace has to do with them. */
static void start_gathers(gw_kernel *k) {
    uint32_t at = 0;
    for (const gw_func *f; (f = next_gather(k, &at)) != NULL;) {
        gw_emit_declare_status(k);
        gw_kernel gather = *k;
        memset(gather.tenants, 0, sizeof gather.tenants);
        write_start(&gather, gw_strdup(gw_cstr(k->e->session, f->name)), k->block, false);
        gw_emit_leave_unless_good(k);
    }
}

static void write_launch(gw_kernel *k) {
    gw_emitter *e = k->e;
    write_launch_head(k, " {");
    gw_emit_scope_open(e);
    gw_emit_choose_launch(k);
    gw_emit_assumptions(k, k->launch);
    gw_emit_null_check(k);
    gw_emit_alignment_check(k);
    gw_emit_own_block(k);
    gw_emit_space_place(k);
    start_gathers(k);
    write_start(k, chosen_kernel(k), k->own_block, !gw_emit_runs_behind(k));
    gw_emit_space_behind(k);
    free_names(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}");
}

gw_str gw_emit_shared_bytes_name(const gw_func *f) {
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_SHARED && gw_object_at(f, o)->sized)
            return gw_derived_part_name(f, f->form == GW_FORM_GRAD ? GW_DERIVED_SHARED_BYTES
                                                                   : GW_DERIVED_OWN_SHARED_BYTES);
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
    k->kernel = k->is_private ? gw_strdup(gw_cstr(s, gw_derived_part_name(grad, GW_DERIVED_KERNEL)))
                             : gw_strdup(k->name);
    k->needs = gw_cstr(s, gw_derived_part_name(grad, GW_DERIVED_NEEDS));
    k->slots = gw_cstr(s, gw_derived_name(grad->primal ? grad->primal : grad, grad->request, GW_FORM_BOUND));
}

static void free_kernel(gw_kernel *k) {
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
    gw_vec_free(&k->settled_cells);
    gw_emit_params_free(&k->params);
}

void gw_emit_asked_sizes(gw_emitter *e, const gw_func *grad, gw_asked_sizes *out) {
    gw_kernel k = {.e = e, .grad = grad, .bound = gw_companion(grad, GW_FORM_BOUND)};
    gw_emit_find_space(&k);
    const uint32_t names = e->names.count;
    name_functions(&k);
    gw_emit_params_of(e, grad, false, &k.params);
    name_launch(&k);
    for (uint32_t i = 0; i < k.told.count; i++)
        gw_push(out, k.told.at[i]);
    gw_emit_release(e, names);
    free_kernel(&k);
}

void gw_emit_kernel_declaration(gw_emitter *e, const gw_func *grad, const gw_func *bound) {
    gw_kernel k = {.e = e, .grad = grad, .bound = bound};
    gw_emit_find_space(&k);
    uint32_t names = e->names.count;
    name_functions(&k);
    gw_emit_params_of(e, grad, false, &k.params);
    name_launch(&k);
    gw_emit_comment(e, grad);
    gw_emit_space_heads(&k);
    if (k.shared) write_shared_head(&k, "", "", ";");
    if (grad->pack) gw_emit_pack_bytes(e, grad, ";");
    write_launch_head(&k, ";");
    gw_emit_measure_heads(&k);
    gw_emit_release(e, names);
    free_kernel(&k);
}

/* ---- as a program that loads it calls it ---- */
typedef struct exported_kernel {
    gw_kernel *k;
    gw_emit_table *table;
    gw_emit_export row;
} exported_kernel;

static void begin_export(exported_kernel *x, const char *form, char *name, const char *result,
                         const char *code) {
    char *function = gw_emit_at(x->k->grad->primal, x->k->grad->primal->name);
    x->row = (gw_emit_export){.f = x->k->grad,
                              .form = form,
                              .result = result,
                              .code = code,
                              .function = gw_emit_outside(x->k->grad, function),
                              .name = gw_emit_outside(x->k->grad, name),
                              .call = gw_emit_outside(x->k->grad, name)};
    free(function);
}

static void end_export(exported_kernel *x) {
    char *function = (char *)x->row.function;
    gw_emit_export_row(x->table, &x->row);
    free(function);
}

static void add_export(exported_kernel *x, const char *role, const char *name, const char *type) {
    gw_push(&x->row.parts, ((gw_emit_part){role, gw_intern(x->k->e->session, name), type, NULL}));
}

static void add_exported_params(exported_kernel *x, bool adjoints) {
    const gw_kernel *k = x->k;
    for (uint32_t i = 0, at = 0; i < k->grad->params.count; i++) {
        const gw_param *p = &k->grad->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        const gw_str name = k->params.names.at[at++];
        if (!p->is_adjoint || adjoints)
            gw_push(&x->row.parts, ((gw_emit_part){gw_emit_export_role(k->grad, p), name,
                                                   gw_cstr(k->e->session, p->type_text), p}));
    }
    if (k->records && adjoints) add_export(x, "size", k->records, "size_t");
    for (uint32_t i = 0; i < k->told.count; i++)
        add_export(x, "size", gw_cstr(k->e->session, k->told.at[i].name), "size_t");
}

static void export_launch(exported_kernel *x, const char *form, char *name, bool space) {
    const gw_kernel *k = x->k;
    begin_export(x, form, name, "gw_status", "status");
    add_export(x, "grid", k->grid, "dim3");
    add_export(x, "block", k->block, "dim3");
    add_export(x, "shared_bytes", k->shared_bytes, "size_t");
    add_export(x, "stream", k->stream, "cudaStream_t");
    add_exported_params(x, true);
    if (space && gw_takes_space(k)) {
        add_export(x, gw_is_half(k->grad) ? "tape" : "workspace", k->space, "void *");
        add_export(x, gw_is_half(k->grad) ? "tape_bytes" : "workspace_bytes", k->space_bytes, "size_t");
    }
    if (space && k->own_space != k->space) {
        add_export(x, "workspace", k->own_space, "void *");
        add_export(x, "workspace_bytes", k->own_space_bytes, "size_t");
    }
    end_export(x);
}

static void export_bytes(exported_kernel *x, char *name) {
    begin_export(x, "bytes", name, "size_t", "u8");
    add_export(x, "grid", x->k->grid, "dim3");
    add_export(x, "block", x->k->block, "dim3");
    add_exported_params(x, false);
    end_export(x);
}

static const char *launched_form(const gw_func *grad) {
    if (grad->form == GW_FORM_FWD) return "first half";
    if (grad->form == GW_FORM_BWD) return "second half";
    return gw_emit_export_form(grad);
}

/* Of a tape that is measured, the launch that measures for itself. */
void gw_emit_export_kernel(gw_emit_table *t, const gw_func *grad, const gw_func *bound) {
    gw_emitter *e = t->e;
    gw_kernel k = {.e = e, .grad = grad, .bound = bound};
    gw_emit_find_space(&k);
    const uint32_t names = e->names.count;
    name_functions(&k);
    gw_emit_params_of(e, grad, false, &k.params);
    name_launch(&k);
    exported_kernel x = {.k = &k, .table = t};
    const bool second = grad->form == GW_FORM_BWD, measured = k.measure && !second;
    if (measured && !gw_is_half(grad)) {
        char *alloc = gw_emit_at(grad, gw_derived_part_name(grad, GW_DERIVED_ALLOC));
        char *second_form = gw_format("allocating %s", gw_emit_export_form(grad));
        export_launch(&x, grad->primal->second_of ? second_form : "allocating", alloc, false);
        free(alloc);
        free(second_form);
    }
    export_launch(&x, launched_form(grad), k.launch, true);
    if (gw_takes_space(&k) && !measured && !second) export_bytes(&x, k.bytes);
    if (second && k.behind_tape) export_bytes(&x, k.own_bytes);
    gw_emit_release(e, names);
    free_kernel(&k);
}

gw_launch_shape gw_emit_launch_shape(gw_emitter *e, const gw_func *grad) {
    gw_kernel k = {.e = e, .grad = grad, .bound = gw_companion(grad, GW_FORM_BOUND)};
    gw_emit_find_space(&k);
    const uint32_t names = e->names.count;
    gw_emit_params_of(e, grad, false, &k.params);
    name_launch(&k);
    const gw_launch_shape shape = {k.told.count, k.own_space != k.space, 0};
    gw_emit_release(e, names);
    free_kernel(&k);
    return shape;
}

void gw_emit_kernel(gw_emitter *e, const gw_func *grad, const gw_func *bound, const gw_func *check) {
    gw_kernel k = {.e = e, .grad = grad, .bound = bound, .check = check};
    gw_emit_find_space(&k);
    name_functions(&k);
    gw_emit_params_of(e, grad, false, &k.params);
    find_checked_params(&k);
    uint32_t names = e->names.count; /* those of the launch are reserved in the functions that have it */
    name_launch(&k);
    write_needs(&k);
    gw_emit_release(e, names);
    k.whole = takes_whole_warps(&k);
    write_gathers(&k);
    if (k.measure && grad->form != GW_FORM_BWD) gw_emit_private_kernel(e, k.measure, k.measure->name);
    write_kernel(&k);
    if (grad->pack) gw_emit_unpack(e, grad);
    gw_emit_other_axes(e, grad);
    name_launch(&k);
    gw_emit_space_bytes(&k);
    write_shared_bytes(&k);
    gw_emit_measure(&k);
    write_launch(&k);
    gw_emit_measured_alloc(&k);
    gw_emit_release(e, names);
    free_kernel(&k);
}
