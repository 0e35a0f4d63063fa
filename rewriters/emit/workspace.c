/*
 * emit/workspace.c - the workspace of a kernel's gradient: how much the launch needs, and who gets which part
 * of it.
 *
 * In it are the tape and, behind that, the rows of additions (emit/slots.c) and the copies of arrays
 * (emit/copies.c). The halves of a split gradient have one tape, which one function sizes; rows of the second
 * half are in a workspace of its own, since nothing of them has to last from one half to the other.
 */
#include "rewriters/workspace/workspace.h"
#include "rewriters/emit/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

static bool is_second_half(const gw_kernel *k) { return k->grad->form == GW_FORM_BWD; }

void gw_emit_find_space(gw_kernel *k) {
    k->groups = gw_takes_space(k) ? gw_slot_groups(k->grad) : 0;
    k->lists = k->groups ? gw_slot_lists(k->grad) + gw_slot_placed(k->grad) : 0;
    if (k->bound) k->counted = gw_op_at(k->bound, gw_region_end(k->bound, k->bound->entry))->operands - 2;
    k->tape = k->bound && !k->grad->tape_local;
    k->copied = gw_takes_space(k) ? gw_copied_objects(k->grad) : 0;
    k->workspace = k->tape || gw_has_rows(k);
    k->is_private = k->workspace || k->grad->has_gathers || k->grad->coarse || k->grad->pack;
}

/* ---- how much ---- */
static void write_slots(gw_kernel *k) {
    gw_emitter *e = k->e;
    char *type = gw_emit_counts_type(k->counted),
         *returns = gw_format("%s%s", gw_emit_linkage(k->bound, false), type);
    free(type);
    gw_emit_kernel_head(k, returns, k->slots, " {", true, NULL, NULL);
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
    char *returns = gw_format("%ssize_t", gw_emit_linkage(k->grad, true)),
         *last = gw_format("size_t %s", k->lists && named ? k->positions : "");
    gw_emit_kernel_head(k, returns, name, tail, named, NULL, k->lists ? last : NULL);
    free(returns);
    free(last);
}

/* Where rows are, something depends on what the launch knows of a thread. */
static bool asks_bound(const gw_kernel *k) { return k->bound && (k->counted || !is_second_half(k)); }

/* What it knows, as a variable. */
static const char *write_counts(gw_kernel *k, const char *wish) {
    gw_emitter *e = k->e;
    const char *counts = gw_cstr(e->session, gw_emit_unique(e, wish));
    char *list = gw_emit_arguments(k, k->grid, k->own_block, NULL), *type = gw_emit_counts_type(k->counted);
    gw_emit_line(e, "const %s %s = %s(%s);", type, counts, k->slots, list);
    free(list), free(type);
    return counts;
}

/* "counts.gw_on_tape" */
static char *tape_of(const gw_kernel *k, const char *counts) {
    return gw_format("%s%s", counts, k->counted ? ".gw_on_tape" : "");
}

/* Where rows begin: behind the tape, if it is in the same workspace. */
static char *start_of_rows(const gw_kernel *k, const char *counts) {
    if (!counts || is_second_half(k)) return gw_strdup("0");
    char *tape = tape_of(k, counts),
         *text = gw_format("gw_tape_bytes(%s, %s, %s)", tape, k->grid, k->own_block);
    free(tape);
    return text;
}

/* Only how long the block and the lists are is asked. */
static void discard_arguments(gw_kernel *k) {
    gw_text line = {0};
    gw_text_addf(&line, "(void)%s", k->grid);
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!k->grad->params.at[i].is_adjoint && !gw_param_is_hidden(&k->grad->params.at[i]))
            gw_text_addf(&line, ", (void)%s", gw_cstr(k->e->session, k->params.names.at[i]));
    gw_emit_line(k->e, "%s;", line.at);
    gw_text_free(&line);
}

static void write_bytes_of_rows(gw_kernel *k) {
    gw_emitter *e = k->e;
    write_bytes_head(k, k->own_bytes, " {", true);
    gw_emit_scope_open(e);
    gw_emit_choose_bytes(k, is_second_half(k) ? GW_DERIVED_OWN_WORKSPACE_BYTES : GW_DERIVED_WORKSPACE_BYTES);
    gw_emit_own_block(k);
    const char *counts = asks_bound(k) ? write_counts(k, "counts") : NULL,
               *bytes = gw_cstr(e->session, gw_emit_unique(e, "bytes"));
    char *start = start_of_rows(k, counts);
    if (!counts) discard_arguments(k);
    gw_emit_line(e, "size_t %s = %s;", bytes, start);
    gw_emit_slots_bytes(e, k, counts, bytes);
    gw_emit_copies_bytes(e, k, counts, bytes);
    gw_emit_line(e, "return %s;", bytes);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
    free(start);
}

static void write_bytes_of_tape(gw_kernel *k) {
    gw_emitter *e = k->e;
    const bool asks = k->workspace || gw_emit_others_take_space(k);
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
    if (!is_second_half(k)) write_bytes_head(k, k->bytes, ";", k->workspace);
    else if (gw_has_rows(k)) write_bytes_head(k, k->own_bytes, ";", true);
}

void gw_emit_space_bytes(gw_kernel *k) {
    if (!gw_takes_space(k)) return;
    if (k->bound && k->workspace && (!is_second_half(k) || gw_is_along_other(k->grad))) write_slots(k);
    if (gw_has_rows(k)) write_bytes_of_rows(k);
    else if (!is_second_half(k)) write_bytes_of_tape(k);
}

/* ---- who gets what ---- */
static void leave_unless_good(gw_kernel *k) {
    gw_emit_line(k->e, "if (%s != GW_OK) return %s;", k->status, k->status);
}

static void write_status(gw_kernel *k, bool is_const) {
    k->status = gw_cstr(k->e->session, gw_emit_unique(k->e, "status"));
    gw_emit_line(k->e, "%sgw_status %s =", is_const ? "const " : "", k->status);
}

/* Each group gets its part. */
static void place_rows(gw_kernel *k, const char *counts) {
    gw_emitter *e = k->e;
    const char *used = gw_cstr(e->session, gw_emit_unique(e, "used"));
    char *asked = gw_emit_arguments(k, k->grid, k->block, NULL), *start = start_of_rows(k, counts),
         *last = k->lists ? gw_format(", %s", k->positions) : gw_strdup("");
    if (!k->status) write_status(k, false);
    else gw_emit_line(e, "%s =", k->status);
    gw_emit_line(e, "    gw_slots_check(\"%s\", %s(%s%s), %s, %s);", k->launch, k->own_bytes, asked, last,
                 k->rows_space, k->rows_bytes);
    leave_unless_good(k);
    gw_emit_line(e, "size_t %s = %s;", used, start);
    gw_emit_slot_names(e, k->grad);
    gw_emit_slots_place(e, k, counts, used);
    gw_emit_copy_names(e, k->grad);
    gw_emit_copies_place(e, k, counts, used);
    free(asked), free(start), free(last);
}

/* The tape of the halves is that of the first half's threads. */
static char *check_tape(gw_kernel *k) {
    gw_emitter *e = k->e;
    const bool half = gw_is_half(k->grad);
    const char *block = half ? k->block : k->own_block,
               *slots = gw_cstr(e->session, gw_emit_unique(e, "slots"));
    char *list = gw_emit_arguments(k, k->grid, block, NULL), *type = gw_emit_counts_type(k->counted),
         *tape = tape_of(k, slots);
    gw_emit_line(e, "const %s %s = %s(%s);", type, slots, k->slots, list);
    write_status(k, !gw_has_rows(k) && !k->records);
    gw_emit_line(e, "    %s(\"%s\", %s, %s, %s, %s, %s);", half ? "gw_split_check" : "gw_tape_check", k->launch,
                 tape, k->grid, block, k->space, k->space_bytes);
    leave_unless_good(k);
    char *text =
        half ? gw_format("gw_split_over(\"%s\", %s, %s, %s, %s)", k->bytes, k->space, tape, k->grid, block)
             : gw_format("gw_tape_over(%s, %s, %s, %s)", k->space, tape, k->grid, block);
    free(list), free(type), free(tape);
    return text;
}

static char *check_rows(gw_kernel *k) {
    if (is_second_half(k)) {
        char *tape = check_tape(k);
        place_rows(k, asks_bound(k) ? write_counts(k, "counts") : NULL);
        return tape;
    }
    const char *counts = asks_bound(k) ? write_counts(k, "counts") : NULL;
    place_rows(k, counts);
    if (!k->tape) return NULL;
    char *tape = tape_of(k, counts),
         *text = gw_format("gw_tape_over(%s, %s, %s, %s)", k->space, tape, k->grid, k->own_block);
    free(tape);
    return text;
}

char *gw_emit_space_check(gw_kernel *k) {
    gw_emitter *e = k->e;
    if (!gw_takes_space(k)) return NULL;
    if (!k->workspace) {
        gw_emit_line(e, "(void)%s, (void)%s;", k->space, k->space_bytes);
        return NULL;
    }
    return gw_has_rows(k) ? check_rows(k) : check_tape(k);
}
