/*
 * emit/kernel/workspace.c - the workspace of a kernel's gradient: who lives in it (the table of tenants), how
 * much the launch needs, and who gets which part of it.
 *
 * The tape is at its begin. Each tenant behind it begins at the next multiple of its alignment behind the one
 * before (gw_space_behind of device.cuh, by which the headers of the tenants count). The halves of a split
 * gradient have one tape, which one function sizes; what the second half has beside it is in a workspace of its
 * own, since nothing of it has to last from one half to the other.
 */
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/emit/kernel/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

static bool is_second_half(const gw_kernel *k) { return k->grad->form == GW_FORM_BWD; }

/* ---- the tape, and who lives beside it ---- */
static uint32_t tapes(const gw_kernel *k) {
    if (k->measure) return 1;
    return k->bound && !k->grad->tape_local;
}
static uint32_t measures(const gw_func *f) { return f->form == GW_FORM_MEASURE; }
static const char *tape_header(const gw_session *s) { return gw_any_func(s, measures) ? "measure.cuh" : NULL; }

static void tape_params(gw_kernel *k, gw_emit_params *list) {
    static const char *const types[2][2] = {{"gw_tape", "gw_split_tape"},
                                            {"gw_measured_tape", "gw_measured_split_tape"}};
    gw_session *s = k->e->session;
    k->tape_name = gw_emit_unique(k->e, "tape");
    gw_emit_params_add(list, s, types[k->measure != NULL][gw_is_half(k->grad)], gw_cstr(s, k->tape_name));
}
static void tape_arguments(const gw_kernel *k, gw_emit_items *items) { gw_push(items, gw_strdup(k->tape)); }

/* gw_tape_bytes, at the begin (GW_WORKSPACE_ALIGNMENT): a thread reads only what it wrote itself, of a split
 * gradient in the first half. So nobody fills it before or has to do with it after. */
const gw_emit_tenant gw_emit_tenant_tape = {
    .count = tapes, .header = tape_header, .params = tape_params, .arguments = tape_arguments};

static const gw_emit_tenant *const tenants[GW_TENANTS] = {
#define GW_TENANT(NAME, text) [GW_TENANT_##NAME] = &gw_emit_tenant_##text,
#include "rewriters/workspace/tenants.def"
};

void gw_emit_space_headers(const gw_session *s, gw_text *out) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        const char *header = tenants[t]->header ? tenants[t]->header(s) : NULL;
        if (header) gw_text_addf(out, "#include <gradwright/emitted/%s>\n", header);
    }
}

void gw_emit_space_ask(gw_kernel *k) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t]->ask) tenants[t]->ask(k);
}

static void name_all(gw_kernel *k, gw_tenant t) {
    if (!k->tenants[t] || !tenants[t]->name) return;
    gw_str *names = gw_alloc(k->tenants[t] * sizeof *names);
    for (uint32_t i = 0; i < k->tenants[t]; i++) names[i] = tenants[t]->name((gw_tenant_one){k, t, i});
    k->e->parts[t] = names;
}

void gw_emit_free_parts(gw_emitter *e) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        free(e->parts[t]);
        e->parts[t] = NULL;
    }
    free(e->block_copies);
    e->block_copies = NULL;
}

void gw_emit_space_params(gw_kernel *k, gw_emit_params *list) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        name_all(k, t);
        for (gw_tenant_one one = {k, t, 0}; tenants[t]->type && one.number < k->tenants[t]; one.number++) {
            char *type = tenants[t]->type(one);
            gw_emit_params_add(list, k->e->session, type, gw_emit_one_name(one));
            free(type);
        }
        if (k->tenants[t] && tenants[t]->params) tenants[t]->params(k, list);
    }
}

void gw_emit_space_begin(gw_kernel *k) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t]->begin) tenants[t]->begin(k);
}

void gw_emit_space_finish(gw_kernel *k) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t]->finish) tenants[t]->finish(k);
}

void gw_emit_space_around(gw_emitter *e, const char *what) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (tenants[t]->around) tenants[t]->around(e, what);
}

void gw_emit_space_arguments(const gw_kernel *k, gw_emit_items *items) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        const char *inside = tenants[t]->inside;
        for (gw_tenant_one one = {k, t, 0}; inside && one.number < k->tenants[t]; one.number++)
            gw_push(items, *inside ? gw_format("%s(%s)", inside, gw_emit_one_name(one))
                                   : gw_strdup(gw_emit_one_name(one)));
        if (k->tenants[t] && tenants[t]->arguments) tenants[t]->arguments(k, items);
    }
}

/* Adds to k->used what they take. */
static void add_bytes(gw_kernel *k, gw_tenant t) {
    for (gw_tenant_one one = {k, t, 0}; tenants[t]->end && one.number < k->tenants[t]; one.number++) {
        char *of = (tenants[t]->sized ? tenants[t]->sized : tenants[t]->host)(one);
        gw_emit_line(k->e, "%s = %s(%s, %s);", k->used, tenants[t]->end, k->used, of);
        free(of);
    }
}

/* Gives them their parts, as the kernel is to find them. */
static void place(gw_kernel *k, gw_tenant t) {
    for (gw_tenant_one one = {k, t, 0}; tenants[t]->place && one.number < k->tenants[t]; one.number++) {
        char *of = tenants[t]->host(one),
             *beside = tenants[t]->beside ? tenants[t]->beside(one) : gw_strdup("");
        gw_emit_line(k->e, "auto %s = %s;", gw_emit_one_name(one), of);
        gw_emit_line(k->e, "%s = %s(\"%s\", &%s, %s%s, &%s, %s);", k->status, tenants[t]->place, k->launch,
                     gw_emit_one_name(one), beside, k->own_space, k->used, k->stream);
        gw_emit_leave_unless_good(k);
        free(of), free(beside);
    }
    if (k->tenants[t] && tenants[t]->prepare) tenants[t]->prepare(k);
}

static uint32_t count_behind(const gw_kernel *k) {
    uint32_t count = 0;
    for (gw_tenant t = 0; t < GW_TENANTS; t++) count += k->tenants[t] && tenants[t]->behind;
    return count;
}

bool gw_emit_runs_behind(const gw_kernel *k) { return count_behind(k) != 0; }

void gw_emit_space_behind(gw_kernel *k) {
    uint32_t left = count_behind(k);
    for (int turn = FIRST; turn <= LAST; turn++)
        for (gw_tenant t = 0; t < GW_TENANTS; t++) {
            if (!k->tenants[t] || !tenants[t]->behind || (int)tenants[t]->turn != turn) continue;
            gw_emit_leave_unless_good(k);
            tenants[t]->behind(k, --left == 0);
        }
}

static bool can_do_without(gw_kernel *k) {
    bool can = !k->measure && !k->tenants[GW_TENANT_TAPE];
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        for (gw_tenant_one one = {k, t, 0}; tenants[t]->end && one.number < k->tenants[t]; one.number++)
            can &= tenants[t]->can_lack && tenants[t]->can_lack(one);
    return can;
}

void gw_emit_find_space(gw_kernel *k) {
    k->measure = gw_takes_space(k) ? gw_companion(k->grad, GW_FORM_MEASURE) : NULL;
    k->behind_tape = k->measure && !gw_is_half(k->grad); /* its slots are behind all else */
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        k->tenants[t] = 0;
        if (gw_takes_space(k))
            k->tenants[t] = tenants[t]->count ? tenants[t]->count(k) : gw_tenant_count(k->grad, t);
        k->behind_tape |= k->tenants[t] && tenants[t]->end;
    }
    if (k->bound) k->counted = gw_op_at(k->bound, gw_region_end(k->bound, k->bound->entry))->operands - 2;
    k->workspace = k->tenants[GW_TENANT_TAPE] || k->behind_tape;
    k->spare = k->workspace && can_do_without(k);
    k->is_private = (k->workspace && !k->spare) || k->grad->has_gathers || k->grad->coarse || k->grad->pack ||
                    gw_adjoint_shared_moved(k->grad) || gw_emit_has_fresh(k->grad);
}

/* ---- how much ---- */
/* What f_tape_slots returns; the caller frees it. */
static char *counts_type(const gw_kernel *k) {
    return k->counted ? gw_format("gw_slot_counts<%u>", k->counted) : gw_strdup("gw_tape_slots");
}

static void write_slots(gw_kernel *k) {
    gw_emitter *e = k->e;
    char *type = counts_type(k),
         *returns = gw_format("%s%s", gw_emit_linkage(k->bound, false), type);
    free(type);
    gw_emit_kernel_head(k, returns, k->slots, " {", true, NULL, false);
    free(returns);
    e->ret = GW_EMIT_SLOTS;
    gw_emit_body_beside(k, k->bound);
}

static void write_bytes_head(gw_kernel *k, const char *name, const char *tail, bool named) {
    const bool is_private = k->measure && !is_second_half(k);
    char *returns = gw_format("%ssize_t", gw_emit_linkage(k->grad, !is_private));
    gw_emit_kernel_head(k, returns, name, tail, named, NULL, true);
    free(returns);
}

/* Something depends on what the host knows of the launch if there is more than the tape. */
static bool asks_bound(const gw_kernel *k) { return k->bound && (k->counted || !is_second_half(k)); }

/* What it knows, as a variable. */
static const char *write_counts(gw_kernel *k) {
    gw_emitter *e = k->e;
    if (!asks_bound(k)) return NULL;
    const char *counts = gw_cstr(e->session, gw_emit_unique(e, "counts"));
    char *list = gw_emit_arguments(k, k->grid, k->own_block, NULL), *type = counts_type(k);
    gw_emit_line(e, "const %s %s = %s(%s);", type, counts, k->slots, list);
    free(list), free(type);
    return counts;
}

/* "counts.gw_on_tape" */
static char *tape_of(const gw_kernel *k, const char *counts) {
    return gw_format("%s%s", counts, k->counted ? ".gw_on_tape" : "");
}

/* The tape's end, if it is in the same workspace. */
static char *end_of_tape(const gw_kernel *k) {
    if (k->measure && !is_second_half(k)) return gw_format("gw_measured_bytes(%s, %s)", k->grid, k->own_block);
    if (!k->counts || k->spare || is_second_half(k)) return gw_strdup("0");
    char *tape = tape_of(k, k->counts),
         *text = gw_format("gw_tape_bytes(%s, %s, %s)", tape, k->grid, k->own_block);
    free(tape);
    return text;
}

/* Only how long the block and the lists are is asked. */
static void discard_arguments(gw_kernel *k) {
    gw_text line = {0};
    if (!k->measure || is_second_half(k)) gw_text_addf(&line, "(void)%s", k->grid);
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!k->grad->params.at[i].is_adjoint && !gw_param_is_hidden(&k->grad->params.at[i]))
            gw_text_addf(&line, "%s(void)%s", line.count ? ", " : "",
                         gw_cstr(k->e->session, k->params.names.at[i]));
    if (line.count) gw_emit_line(k->e, "%s;", line.at);
    gw_text_free(&line);
}

static void write_bytes_of_all(gw_kernel *k) {
    gw_emitter *e = k->e;
    write_bytes_head(k, k->own_bytes, " {", true);
    gw_emit_scope_open(e);
    gw_derived_part part = k->measure ? GW_DERIVED_BESIDE : GW_DERIVED_WORKSPACE_BYTES;
    gw_emit_choose_bytes(k, is_second_half(k) ? GW_DERIVED_OWN_WORKSPACE_BYTES : part);
    gw_emit_own_block(k);
    k->counts = write_counts(k);
    k->used = gw_cstr(e->session, gw_emit_unique(e, "bytes"));
    char *start = end_of_tape(k);
    if (!k->counts) discard_arguments(k);
    gw_emit_line(e, "size_t %s = %s;", k->used, start);
    for (gw_tenant t = 0; t < GW_TENANTS; t++) add_bytes(k, t);
    gw_emit_line(e, "return %s;", k->used);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
    free(start);
}

static bool others_take_space(const gw_kernel *k) {
    uint32_t at = 0;
    for (const gw_func *f; (f = gw_emit_next_other(k->grad, &at)) != NULL;) {
        gw_kernel other = {.e = k->e, .grad = f, .bound = gw_companion(f, GW_FORM_BOUND)};
        gw_emit_find_space(&other);
        if (other.workspace) return true;
    }
    return false;
}

static void write_bytes_of_tape(gw_kernel *k) {
    gw_emitter *e = k->e;
    const bool asks = k->workspace || others_take_space(k);
    write_bytes_head(k, k->bytes, asks ? " {" : " { return 0; }\n", asks);
    if (!asks) return;
    e->depth++;
    gw_emit_choose_bytes(k, GW_DERIVED_WORKSPACE_BYTES);
    if (k->workspace) gw_emit_own_block(k);
    e->depth--;
    if (!k->workspace) {
        gw_emit_line(e, "    return 0;\n}\n");
        return;
    }
    char *list = gw_emit_arguments(k, k->grid, k->own_block, NULL), *call = gw_format("%s(%s)", k->slots, list),
         *tape = tape_of(k, call);
    gw_emit_line(e, "    return %s(%s, %s, %s);", gw_is_half(k->grad) ? "gw_split_bytes" : "gw_tape_bytes",
                 tape, k->grid, k->own_block);
    gw_emit_line(e, "}\n");
    free(list), free(call), free(tape);
}

void gw_emit_space_heads(gw_kernel *k) {
    if (!gw_takes_space(k)) return;
    if (k->measure && !is_second_half(k)) return; /* gw_emit_measure_heads */
    if (!is_second_half(k)) write_bytes_head(k, k->bytes, ";", k->workspace);
    else if (k->behind_tape) write_bytes_head(k, k->own_bytes, ";", true);
}

void gw_emit_space_bytes(gw_kernel *k) {
    if (!gw_takes_space(k)) return;
    if (k->bound && k->workspace && (!is_second_half(k) || gw_is_along_other(k->grad))) write_slots(k);
    if (k->behind_tape) write_bytes_of_all(k);
    else if (!is_second_half(k) && !k->measure) write_bytes_of_tape(k);
}

/* ---- who gets what ---- */
static void write_status(gw_kernel *k, bool is_const) {
    k->status = gw_cstr(k->e->session, gw_emit_unique(k->e, "status"));
    gw_emit_line(k->e, "%sgw_status %s =", is_const ? "const " : "", k->status);
}

/* The launch assigns to its status again. */
static bool has_steps(const gw_kernel *k) {
    if (k->grad->has_gathers || (k->measure && !is_second_half(k)) || gw_emit_has_fresh(k->grad)) return true;
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && (tenants[t]->place || tenants[t]->prepare || tenants[t]->behind)) return true;
    return false;
}

/* The tape of the halves is that of the first half's threads. */
static void check_measured(gw_kernel *k) {
    write_status(k, !has_steps(k));
    gw_emit_line(k->e, "    gw_measured_tape_check(\"%s\", %s, %s, %s, %s);", k->launch, k->grid, k->block,
                 k->space, k->space_bytes);
    gw_emit_leave_unless_good(k);
    k->tape = gw_format("gw_measured_split_over(\"%s\", %s, %s, %s, %s)", k->bytes, k->space, k->space_bytes,
                        k->grid, k->block);
}

static void check_tape(gw_kernel *k) {
    gw_emitter *e = k->e;
    const bool half = gw_is_half(k->grad);
    const char *block = half ? k->block : k->own_block,
               *slots = gw_cstr(e->session, gw_emit_unique(e, "slots"));
    char *list = gw_emit_arguments(k, k->grid, block, NULL), *type = counts_type(k), *tape = tape_of(k, slots);
    gw_emit_line(e, "const %s %s = %s(%s);", type, slots, k->slots, list);
    write_status(k, !has_steps(k));
    gw_emit_line(e, "    %s(\"%s\", %s, %s, %s, %s, %s);", half ? "gw_split_check" : "gw_tape_check", k->launch,
                 tape, k->grid, block, k->space, k->space_bytes);
    gw_emit_leave_unless_good(k);
    k->tape =
        half ? gw_format("gw_split_over(\"%s\", %s, %s, %s, %s)", k->bytes, k->space, tape, k->grid, block)
             : gw_format("gw_tape_over(%s, %s, %s, %s)", k->space, tape, k->grid, block);
    free(list), free(type), free(tape);
}

/* The workspace holds all that is asked for; where it can be done without, it may be null. */
static void check_room(gw_kernel *k) {
    gw_emitter *e = k->e;
    char *asked = gw_emit_arguments(k, k->grid, k->block, NULL), *told = gw_emit_told(k);
    if (!k->status) write_status(k, false);
    else gw_emit_line(e, "%s =", k->status);
    char *bytes = gw_emit_called_text(k->grad, k->own_bytes);
    char *check = gw_format("gw_slots_check(\"%s\", %s(%s%s), %s, %s)", k->launch, bytes, asked, told,
                            k->own_space, k->own_space_bytes);
    if (k->spare) gw_emit_line(e, "    !%s ? GW_OK : %s;", k->own_space, check);
    else gw_emit_line(e, "    %s;", check);
    free(bytes), free(check);
    gw_emit_leave_unless_good(k);
    free(asked), free(told);
}

/* Checks the workspace that holds more than the tape, and says where in it the tape ends. */
static void check_all(gw_kernel *k) {
    gw_emitter *e = k->e;
    k->counts = write_counts(k);
    k->used = gw_cstr(e->session, gw_emit_unique(e, "used"));
    check_room(k);
    char *start = end_of_tape(k);
    gw_emit_line(e, "size_t %s = %s;", k->used, start);
    free(start);
    if (!k->tenants[GW_TENANT_TAPE] || k->tape || k->measure) return;
    char *tape = tape_of(k, k->counts);
    k->tape = gw_format("gw_tape_over(%s, %s, %s, %s)", k->space, tape, k->grid, k->own_block);
    free(tape);
}

void gw_emit_space_place(gw_kernel *k) {
    if (!gw_takes_space(k)) return;
    if (!k->workspace) gw_emit_line(k->e, "(void)%s, (void)%s;", k->space, k->space_bytes);
    if (k->measure && gw_is_half(k->grad)) check_measured(k);
    else if (k->tenants[GW_TENANT_TAPE] && (!k->behind_tape || is_second_half(k))) check_tape(k);
    if (k->behind_tape) check_all(k);
    for (gw_tenant t = 0; t < GW_TENANTS; t++) name_all(k, t);
    for (gw_tenant t = 0; t < GW_TENANTS; t++) place(k, t);
    if (k->measure && !is_second_half(k)) gw_emit_measure_start(k);
}
