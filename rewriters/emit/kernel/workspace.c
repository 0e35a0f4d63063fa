/*
 * emit/kernel/workspace.c - the workspace of a kernel's gradient: who lives in it (the table of tenants), how
 * much the launch needs, and who gets which part of it.
 *
 * The tape is at its begin. Each tenant behind it begins at the next multiple of its alignment behind the one
 * before (gw_space_behind of device.cuh, by which the headers of the tenants count). The halves of a split
 * gradient have one tape, which one function sizes; what the second half has beside it is in a workspace of its
 * own, since nothing of it has to last from one half to the other.
 */
#include "rewriters/emit/kernel/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

static bool is_second_half(const gw_kernel *k) { return k->grad->form == GW_FORM_BWD; }

/* ---- tenants ---- */
/* What the kernel and its launch write of one; what a tenant does not need is NULL. */
typedef struct tenant {
    uint32_t (*count)(const gw_kernel *);         /* how many of them the gradient has */
    const char *(*header)(const gw_session *);    /* of include/gradwright; NULL: none has to be included */
    void (*name)(gw_kernel *);                    /* in the kernel and in the launch */
    void (*params)(gw_kernel *, gw_emit_params *); /* of the kernel */
    void (*begin)(gw_kernel *);                   /* in the kernel, before all else */
    void (*bytes)(gw_kernel *);                   /* adds to k->used; NULL: it takes no room behind the tape */
    void (*place)(gw_kernel *);                   /* gives it its part, as the kernel is to find it */
    void (*arguments)(const gw_kernel *, gw_emit_items *); /* for the kernel's parameters */
    void (*behind)(gw_kernel *, bool last);       /* what consumes it behind the kernel; last: returns, too */
    enum { FIRST, SECOND, LAST } turn;            /* among those that run behind */
} tenant;

static uint32_t tapes(const gw_kernel *k) {
    if (k->measure) return 1;
    return k->bound && !k->grad->tape_local;
}
static uint32_t groups_of_rows(const gw_kernel *k) { return gw_tenant_count(k->grad, GW_TENANT_ROWS); }
static uint32_t exact_arrays(const gw_kernel *k) { return gw_tenant_count(k->grad, GW_TENANT_EXACT); }
static uint32_t copied_arrays(const gw_kernel *k) { return gw_tenant_count(k->grad, GW_TENANT_COPIES); }
static uint32_t packs(const gw_kernel *k) { return k->grad->pack != 0; }

static bool any_has(const gw_session *s, uint32_t (*count)(const gw_func *)) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (count(s->funcs.at[i])) return true;
    return false;
}

static const char *header_of_rows(const gw_session *s) {
    if (any_has(s, gw_slot_lists)) return "list_slots.cuh";
    return any_has(s, gw_slot_groups) ? "slots.cuh" : NULL;
}
static uint32_t measures(const gw_func *f) { return f->form == GW_FORM_MEASURE; }
static const char *header_of_tape(const gw_session *s) { return any_has(s, measures) ? "measure.cuh" : NULL; }
static uint32_t pointed_arrays(const gw_func *f) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < gw_exact_arrays(f); i++) count += gw_exact_is_pointed(f, gw_exact_array(f, i));
    return count;
}
static const char *header_of_exact(const gw_session *s) {
    if (any_has(s, pointed_arrays)) return "exact_table.cuh";
    return any_has(s, gw_exact_arrays) || any_has(s, gw_exact_shared_arrays) ? "exact.cuh" : NULL;
}
static uint32_t exact_shared_arrays(const gw_kernel *k) {
    return gw_tenant_count(k->grad, GW_TENANT_EXACT_SHARED);
}
static const char *header_of_copies(const gw_session *s) {
    return any_has(s, gw_copied_objects) ? "copies.cuh" : NULL;
}

static void tape_params(gw_kernel *k, gw_emit_params *list) {
    static const char *const types[2][2] = {{"gw_tape", "gw_split_tape"},
                                            {"gw_measured_tape", "gw_measured_split_tape"}};
    gw_session *s = k->e->session;
    k->tape_name = gw_emit_unique(k->e, "tape");
    gw_emit_params_add(list, s, types[k->measure != NULL][gw_is_half(k->grad)], gw_cstr(s, k->tape_name));
}
static void tape_arguments(const gw_kernel *k, gw_emit_items *items) { gw_push(items, gw_strdup(k->tape)); }

static const tenant tenants[GW_TENANTS] = {
    /* gw_tape_bytes, at the begin (GW_WORKSPACE_ALIGNMENT): a thread reads only what it wrote itself, of a
     * split gradient in the first half. So nobody fills it before or has to do with it after. */
    [GW_TENANT_TAPE] = {
        .count = tapes, .header = header_of_tape, .params = tape_params, .arguments = tape_arguments},
    /* gw_slots_end, to GW_ROWS_ALIGNMENT: keys are marked unused before; behind the kernel rows are sorted,
     * where they do not stand in order, and summed into the adjoints or records. */
    [GW_TENANT_ROWS] = {.count = groups_of_rows,
                        .header = header_of_rows,
                        .name = gw_emit_slot_names,
                        .params = gw_emit_slot_params,
                        .begin = gw_emit_slots_begin,
                        .bytes = gw_emit_slots_bytes,
                        .place = gw_emit_slots_place,
                        .arguments = gw_emit_slots_arguments,
                        .behind = gw_emit_slots_sum,
                        .turn = SECOND},
    /* gw_exact_end, with room to begin at one of 16 bytes: cleared before, rounded into the adjoints behind the
     * kernel. */
    [GW_TENANT_EXACT] = {.count = exact_arrays,
                         .header = header_of_exact,
                         .name = gw_emit_exact_names,
                         .params = gw_emit_exact_params,
                         .bytes = gw_emit_exact_bytes,
                         .place = gw_emit_exact_place,
                         .arguments = gw_emit_exact_arguments,
                         .behind = gw_emit_exact_sum,
                         .turn = FIRST},
    /* The same for each block, whose threads round them in the kernel; nothing is left to do behind it. */
    [GW_TENANT_EXACT_SHARED] = {.count = exact_shared_arrays,
                                .name = gw_emit_settle_names,
                                .params = gw_emit_settle_params,
                                .bytes = gw_emit_settle_bytes,
                                .place = gw_emit_settle_place,
                                .arguments = gw_emit_settle_arguments},
    /* gw_copies_end, to GW_WORKSPACE_ALIGNMENT: zeroed before, summed into the adjoints behind the kernel. */
    [GW_TENANT_COPIES] = {.count = copied_arrays,
                          .header = header_of_copies,
                          .name = gw_emit_copy_names,
                          .params = gw_emit_copy_params,
                          .begin = gw_emit_copies_begin,
                          .bytes = gw_emit_copies_bytes,
                          .place = gw_emit_copies_place,
                          .arguments = gw_emit_copies_arguments,
                          .behind = gw_emit_copies_sum,
                          .turn = FIRST},
    /* Nothing here: the caller gives them their memory, d_pack. Zeroed before; unpacked when all that is summed
     * is in them. The kernel is told how many there are where it tests that. */
    [GW_TENANT_RECORDS] = {.count = packs,
                           .params = gw_emit_records_params,
                           .place = gw_emit_records_clear,
                           .arguments = gw_emit_records_arguments,
                           .behind = gw_emit_records_unpack,
                           .turn = LAST},
};

void gw_emit_space_headers(const gw_session *s, gw_text *out) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        const char *header = tenants[t].header ? tenants[t].header(s) : NULL;
        if (header) gw_text_addf(out, "#include <gradwright/%s>\n", header);
    }
}

void gw_emit_space_params(gw_kernel *k, gw_emit_params *list) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        if (!k->tenants[t]) continue;
        if (tenants[t].name) tenants[t].name(k);
        if (tenants[t].params) tenants[t].params(k, list);
    }
}

void gw_emit_space_begin(gw_kernel *k) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t].begin) tenants[t].begin(k);
}

void gw_emit_space_arguments(const gw_kernel *k, gw_emit_items *items) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t].arguments) tenants[t].arguments(k, items);
}

static uint32_t count_behind(const gw_kernel *k) {
    uint32_t count = 0;
    for (gw_tenant t = 0; t < GW_TENANTS; t++) count += k->tenants[t] && tenants[t].behind;
    return count;
}

bool gw_emit_runs_behind(const gw_kernel *k) { return count_behind(k) != 0; }

void gw_emit_space_behind(gw_kernel *k) {
    uint32_t left = count_behind(k);
    for (int turn = FIRST; turn <= LAST; turn++)
        for (gw_tenant t = 0; t < GW_TENANTS; t++) {
            if (!k->tenants[t] || !tenants[t].behind || (int)tenants[t].turn != turn) continue;
            gw_emit_leave_unless_good(k);
            tenants[t].behind(k, --left == 0);
        }
}

static bool can_do_without(const gw_kernel *k) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && t != GW_TENANT_COPIES && t != GW_TENANT_RECORDS) return false;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        if (gw_copies_are_asked(k->grad, gw_copied_object(k->grad, i))) return false;
    return !k->measure;
}

void gw_emit_find_space(gw_kernel *k) {
    k->measure = gw_takes_space(k) ? gw_companion(k->grad, GW_FORM_MEASURE) : NULL;
    k->behind_tape = k->measure && !gw_is_half(k->grad); /* its slots are behind all else */
    for (gw_tenant t = 0; t < GW_TENANTS; t++) {
        k->tenants[t] = gw_takes_space(k) ? tenants[t].count(k) : 0;
        k->behind_tape |= k->tenants[t] && tenants[t].bytes;
    }
    k->lists = k->tenants[GW_TENANT_ROWS] ? gw_slot_lists(k->grad) + gw_slot_placed(k->grad) : 0;
    if (k->bound) k->counted = gw_op_at(k->bound, gw_region_end(k->bound, k->bound->entry))->operands - 2;
    k->workspace = k->tenants[GW_TENANT_TAPE] || k->behind_tape;
    k->spare = k->workspace && can_do_without(k);
    k->is_private = (k->workspace && !k->spare) || k->grad->has_gathers || k->grad->coarse || k->grad->pack;
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
    gw_emit_scope_open(e);
    gw_emit_enter(e, k->bound);
    gw_emit_line(e, "(void)%s, (void)%s;", k->grid, k->block);
    gw_emit_discard_unused(e);
    gw_emit_body(e);
    gw_emit_leave(e);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
}

static void write_bytes_head(gw_kernel *k, const char *name, const char *tail, bool named) {
    const bool is_private = k->measure && !is_second_half(k);
    char *returns = gw_format("%ssize_t", gw_emit_linkage(k->grad, !is_private));
    gw_emit_kernel_head(k, returns, name, tail, named, NULL, true);
    free(returns);
}

/* Where there is more than the tape, something depends on what the host knows of the launch. */
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
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t].bytes) tenants[t].bytes(k);
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
    if (k->grad->has_gathers || (k->measure && !is_second_half(k))) return true;
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && (tenants[t].place || tenants[t].behind)) return true;
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

/* The workspace holds all that is asked for. */
static void check_room(gw_kernel *k) {
    gw_emitter *e = k->e;
    char *asked = gw_emit_arguments(k, k->grid, k->block, NULL), *told = gw_emit_told(k);
    if (!k->status) write_status(k, false);
    else gw_emit_line(e, "%s =", k->status);
    char *bytes = gw_emit_called_text(k->grad, k->own_bytes);
    gw_emit_line(e, "    gw_slots_check(\"%s\", %s(%s%s), %s, %s);", k->launch, bytes, asked, told,
                 k->own_space, k->own_space_bytes);
    free(bytes);
    gw_emit_leave_unless_good(k);
    free(asked), free(told);
}

/* Checks the workspace that holds more than the tape, and says where in it the tape ends. */
static void check_all(gw_kernel *k) {
    gw_emitter *e = k->e;
    k->counts = write_counts(k);
    k->used = gw_cstr(e->session, gw_emit_unique(e, "used"));
    if (!k->spare) check_room(k);
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
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t].name) tenants[t].name(k);
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (k->tenants[t] && tenants[t].place) tenants[t].place(k);
    if (k->measure && !is_second_half(k)) gw_emit_measure_start(k);
}
