/*
 * emit/kernel/kernel.c - a kernel's gradient: the kernel, what a launch of it must satisfy, the size of its
 * workspace and its launch function.
 *
 * Guarantees the interface of the emitted text: f_grad<<<>>> exists where no workspace is needed and refuses
 * a launch that breaks an assumption; f_workspace_bytes and f_grad_launch always exist, and the launch
 * function starts nothing unless every check passed.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/warp.h"
#include "rewriters/device/device.h"
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/emit/kernel/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

/* ---- assumptions ---- */
/* A struct of which a member is asked about. */
static bool asks_about(const gw_emit_plan *plan, gw_object object) {
    for (uint32_t i = 0; object && i < plan->order.count; i++)
        if (gw_op_at(plan->f, plan->order.at[i])->object == object) return true;
    return false;
}

static void find_checked_params(gw_kernel *k) {
    k->checked_params = gw_alloc((k->grad->params.count + 1) * sizeof *k->checked_params);
    if (!k->check) return;
    gw_emit_plan plan;
    gw_emit_plan_make(&plan, k->check, true, false);
    for (uint32_t i = 0; i < k->check->params.count && i < k->grad->params.count; i++) {
        const gw_param *p = &k->check->params.at[i];
        k->checked_params[i] = p->value ? plan.values[p->value].needed : asks_about(&plan, p->object);
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
    gw_emit_enter_beside(k, k->check);
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
    for (gw_op op = 1; k->is_private && op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_WARP &&
            gw_op_at(f, op)->attr == GW_WARP_PRESENT &&
            (f->form != GW_FORM_FWD || gw_count_uses(f, gw_result(f, op, 0))))
            return true;
    return false;
}

enum {
    REGISTERS = 65536, /* of a multiprocessor */
    MOST_REGISTERS = 256 /* that a thread may be given, rounded up */
};

/* As for the primal, whose launches it has: without that, what nvcc takes in registers can keep a block from
 * starting that the primal starts. With --checked, which is not to be fast, no block is kept from it. The
 * second number is how many of the blocks that the user wants side by side leave each thread all the registers
 * that it can have. A reverse sweep needs more of them than its primal, and registers on the stack cost more
 * than a number that is lower than the primal's. */
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

/* A launch of the kernel itself has the primal's parameters and their adjoints, however it is made;
 * f_grad_launch has copies to give. So both are a kernel, and what they do is a function. */
static bool has_body(const gw_kernel *k) { return k->spare && !k->is_private; }

/* "template <> __global__ void __launch_bounds__(256) name(parameters) {" */
static void write_head(gw_kernel *k, const char *before, const char *name, const gw_emit_params *list,
                       uint32_t count) {
    char *bound = launch_bound(k), *head = gw_format("%s__global__ void %s%s", before, bound, name);
    gw_emit_call_text(k->e, head, list->texts.at, count, " {");
    free(bound), free(head);
}

/* The kernel that calls the body: with `given` of its parameters, and {} for what follows these. */
static void write_caller(gw_kernel *k, const char *before, const char *name, const gw_emit_params *list,
                         uint32_t given) {
    gw_emitter *e = k->e;
    gw_emit_items items = {0};
    const char *body = gw_cstr(e->session, gw_derived_part_name(k->grad, GW_DERIVED_BODY));
    write_head(k, before, name, list, given);
    e->depth++;
    if (given < list->names.count) write_refusal(k);
    for (uint32_t i = 0; i < list->names.count; i++)
        gw_push(&items, gw_strdup(i < given ? gw_cstr(e->session, list->names.at[i]) : "{}"));
    gw_emit_call_text(e, body, items.at, items.count, ";");
    e->depth--;
    gw_emit_line(e, "}\n");
    gw_emit_items_free(&items);
}

/* The statements of the kernel, between its head and its end. */
/* The thread as which this one runs. */
static void declare_thread(gw_kernel *k) {
    gw_emitter *e = k->e;
    uint32_t row = 0;
    if (!gw_is_tiled(k->grad, &row)) return;
    const char *name = gw_cstr(e->session, e->thread = gw_emit_unique(e, "thread"));
    if (row) gw_emit_line(e, "const uint3 %s = gw_tiled_thread(%uu);", name, row);
    else gw_emit_line(e, "const uint3 %s = gw_tiled_thread();", name);
}

static void write_inside(gw_kernel *k) {
    gw_emitter *e = k->e;
    const gw_str tape = k->tape_name;
    e->ret = k->grad->form == GW_FORM_MEASURE ? GW_EMIT_MEASURE : GW_EMIT_RETURN;
    gw_emit_enter(e, k->grad);
    e->tape = tape;
    if (gw_passes_over(k->grad)) gw_emit_find_together(e);
    count_barriers(e);
    gw_emit_discard_unused(e);
    gw_emit_assume_aligned(e);
    gw_emit_space_begin(k);
    declare_thread(k);
    gw_emit_space_around(e, "begin");
    gw_emit_body(e);
    gw_emit_space_around(e, "end");
    gw_emit_space_finish(k);
    if (k->grad->form == GW_FORM_FWD) gw_emit_line(e, "gw_split_end(&%s);", gw_cstr(e->session, tape));
    gw_emit_leave(e);
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
    const uint32_t of_callers = list.names.count;
    gw_emit_space_params(k, &list);
    if (k->grad->form == GW_FORM_MEASURE)
        gw_emit_params_add(&list, s, "gw_measuring", gw_cstr(s, e->measuring = gw_emit_unique(e, "measuring")));
    if (k->whole) e->whole = gw_emit_unique(e, gw_stacks_tiles(k->grad) ? "whole_tiles" : "whole_warps");
    char *whole = k->whole ? gw_format("template <bool %s> ", gw_cstr(s, e->whole)) : gw_strdup("");
    const char *linkage = k->grad->is_internal ? "[[maybe_unused]] static " : "";
    const char *specialized = k->grad->is_internal ? "template <> [[maybe_unused]] " : "template <> ";
    bool is_specialization = k->grad->template_head && !k->is_private;
    char *before = gw_format("%s%s", whole, is_specialization ? specialized : linkage);
    e->depth--;
    gw_emit_comment(e, k->grad);
    if (has_body(k)) {
        char *head = gw_format("__device__ __forceinline__ void %s",
                               gw_cstr(s, gw_derived_part_name(k->grad, GW_DERIVED_BODY)));
        gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
        free(head);
    } else {
        write_head(k, before, k->kernel, &list, list.texts.count);
    }
    e->depth++;
    if (!has_body(k)) write_refusal(k);
    if (k->grad->form == GW_FORM_BWD)
        gw_emit_line(e, "gw_split_demand(\"%s\", %s);", k->name, gw_cstr(s, k->tape_name));
    write_inside(k);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
    if (has_body(k)) {
        write_caller(k, before, k->name, &list, of_callers);
        write_caller(k, linkage, k->kernel, &list, list.names.count);
    }
    gw_emit_free_parts(e);
    e->whole = e->thread = e->records = e->record_count = e->measuring = 0;
    gw_vec_free(&e->together);
    free(whole);
    free(before);
    gw_emit_params_free(&list);
}

/* ---- kernels that run before it, and behind it ---- */
/* Along other axes they are the same: blocks of them are the launch's. */
static bool shares_gathers(const gw_func *f) { return gw_is_along_other(f) && !gw_is_for_any_launch(f); }

static const gw_func *next_gather(const gw_kernel *k, bool is_behind, uint32_t *at) {
    const gw_session *s = k->e->session;
    uint32_t request = k->grad->request;
    if (shares_gathers(k->grad)) request = gw_users_request(s, request);
    const bool any = is_behind ? k->grad->has_behind : k->grad->has_gathers;
    for (; any && *at < s->funcs.count; ++*at) {
        const gw_func *f = s->funcs.at[*at];
        if (f->form == GW_FORM_GATHER && f->is_behind == is_behind && f->primal == k->grad->primal &&
            f->request == request)
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
    for (int is_behind = 0; is_behind < 2; is_behind++) {
        uint32_t at = 0;
        for (const gw_func *f; !shares_gathers(k->grad) && (f = next_gather(k, is_behind, &at)) != NULL;)
            gw_emit_private_kernel(k->e, f, f->name);
    }
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
    const uint32_t parts = gw_emit_dynamic_parts(k->grad, 0).count;
    const unsigned long long moved = gw_adjoint_shared_moved(k->grad);
    write_shared_head(k, "", parts || moved ? " primal_bytes" : "", " {");
    if (moved && parts > 1)
        gw_emit_line(k->e, "    return gw_size_add(gw_shared_parts_bytes(primal_bytes, %u), %llu);", parts,
                     moved);
    else if (moved) gw_emit_line(k->e, "    return gw_size_add(primal_bytes, %llu);", moved);
    else if (parts > 2) gw_emit_line(k->e, "    return gw_shared_parts_bytes(primal_bytes, %u);", parts);
    else if (!parts) gw_emit_line(k->e, "    return 0;");
    else if (parts == 2) gw_emit_line(k->e, "    return gw_with_shadow_bytes(primal_bytes);");
    else gw_emit_line(k->e, "    return primal_bytes;");
    gw_emit_line(k->e, "}\n");
}

/* ---- the launch function ---- */
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
    if (!k->grad->tag || k->grad->template_head || k->is_private || k->spare) return gw_strdup(k->kernel);
    gw_text types = {0};
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!gw_param_is_hidden(&k->grad->params.at[i]))
            gw_text_addf(&types, "%s%s", i ? ", " : "",
                         gw_cstr(k->e->session, k->grad->params.at[i].type_text));
    char *text = gw_format("static_cast<void (*)(%s)>(%s)", types.at ? types.at : "", k->kernel);
    gw_text_free(&types);
    return text;
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

/* Nobody who lives in the workspace has to do with it. */
static void start_gather(const gw_kernel *k, const gw_func *f, bool last) {
    gw_kernel gather = *k;
    memset(gather.tenants, 0, sizeof gather.tenants);
    write_start(&gather, gw_strdup(gw_cstr(k->e->session, f->name)), k->block, last);
}

/* The kernels that run before it. */
static void start_gathers(gw_kernel *k) {
    uint32_t at = 0;
    for (const gw_func *f; (f = next_gather(k, false, &at)) != NULL;) {
        gw_emit_declare_status(k);
        start_gather(k, f, false);
        gw_emit_leave_unless_good(k);
    }
}

static void start_itself(gw_kernel *k) {
    uint32_t at = 0;
    const gw_func *behind = next_gather(k, true, &at);
    const bool last = !gw_emit_runs_behind(k);
    if (behind) gw_emit_declare_status(k);
    write_start(k, chosen_kernel(k), k->own_block, last && !behind);
    if (!behind) return;
    gw_emit_leave_unless_good(k);
    start_gather(k, behind, last);
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
    gw_emit_fresh(k);
    start_gathers(k);
    start_itself(k);
    gw_emit_space_behind(k);
    gw_emit_free_parts(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}");
}

static void write_named(gw_kernel *k) {
    gw_emitter *e = k->e;
    const char *linkage = gw_emit_linkage(k->grad, true);
    gw_emit_params list = {0}, primal = {0};
    gw_emit_launch_params(k, &list);
    gw_emit_named(e, k->grad, linkage, "gw_status", k->launch, &list);
    if (gw_takes_space(k) && !k->measure && !gw_is_half(k->grad)) {
        gw_emit_size_params(k, &primal);
        gw_emit_named(e, k->grad, linkage, "size_t", k->bytes, &primal);
    }
    gw_emit_params_free(&list);
    gw_emit_params_free(&primal);
}

void gw_emit_kernel_declaration(gw_emitter *e, const gw_func *grad, const gw_func *bound) {
    gw_kernel k = {.e = e, .grad = grad, .bound = bound};
    gw_kernel_open(&k);
    gw_emit_comment(e, grad);
    gw_emit_space_heads(&k);
    if (k.shared) write_shared_head(&k, "", "", ";");
    if (grad->pack) gw_emit_pack_bytes(e, grad, ";");
    write_launch_head(&k, ";");
    gw_emit_measure_heads(&k);
    gw_kernel_close(&k);
}

static void write_other_axes(gw_emitter *e, const gw_func *grad) {
    uint32_t at = 0;
    for (const gw_func *f; (f = gw_emit_next_other(grad, &at)) != NULL;) {
        if (f->template_head) gw_emit_primary(e, f);
        gw_emit_kernel(e, f, gw_companion(f, GW_FORM_BOUND), gw_companion(f, GW_FORM_CHECK));
        gw_text_add(e->out, "\n");
    }
}

void gw_emit_kernel(gw_emitter *e, const gw_func *grad, const gw_func *bound, const gw_func *check) {
    gw_kernel k = {.e = e, .grad = grad, .bound = bound, .check = check};
    gw_kernel_open(&k);
    find_checked_params(&k);
    write_needs(&k);
    gw_emit_release(e, k.names); /* those of the launch are reserved in the functions that have it */
    k.whole = takes_whole_warps(&k);
    write_gathers(&k);
    if (k.measure && grad->form != GW_FORM_BWD) gw_emit_private_kernel(e, k.measure, k.measure->name);
    write_kernel(&k);
    if (grad->pack) gw_emit_unpack(e, grad);
    write_other_axes(e, grad);
    gw_emit_name_launch(&k);
    gw_emit_space_bytes(&k);
    write_shared_bytes(&k);
    gw_emit_measure(&k);
    gw_emit_stored(&k);
    write_launch(&k);
    write_named(&k);
    gw_emit_alloc(&k);
    gw_kernel_close(&k);
}
