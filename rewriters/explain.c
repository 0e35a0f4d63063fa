/*
 * explain.c - the decision table of --explain: a row for each access of adjoint memory, what it is and why;
 * below it what the proofs assumed, and the tape.
 *
 * Reads only what the passes left in the IR (attr, note, assumptions, pushes); decides nothing.
 */
#include "gradwright/ir/passes.h"

#include "index_text.h"
#include "ownership.h"

#include <stdlib.h>
#include <string.h>

typedef struct row {
    uint32_t line, column;
    char *update;
    const char *how, *reason;
} row;
typedef GW_VEC(row) row_list;

static const char *const how_text[] = {"undecided", "plain", "atomic", "local"};

static char *describe(const gw_func *f, gw_op op) {
    gw_text text = {0};
    uint16_t code = gw_op_at(f, op)->code;
    bool sum = code == GW_OP_ACCUM || gw_op_at(f, op)->flags & GW_OP_EARLY;
    gw_text_add(&text, code == GW_OP_LOAD ? "read " : "");
    gw_ownership_reference(f, op, &text);
    gw_text_add(&text, sum ? " +=" : code == GW_OP_STORE ? " =" : "");
    return text.at;
}

static void collect(const gw_func *f, row_list *rows) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (o->dead || !access || !gw_ownership_is_adjoint(f, o->object)) continue;
        if (o->code == GW_OP_LOAD && o->flags & GW_OP_EARLY) continue; /* belongs to its sum */
        row r = {o->loc.line, o->loc.column, describe(f, op), how_text[o->attr & 3],
                 gw_ownership_reason(f, op)};
        gw_push(rows, r);
    }
}

static int in_source_order(const void *x, const void *y) {
    const row *a = x, *b = y;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    if (strcmp(a->update, b->update) != 0) return strcmp(a->update, b->update);
    return strcmp(a->how, b->how) != 0 ? strcmp(a->how, b->how) : strcmp(a->reason, b->reason);
}

static int widest(const row_list *rows) {
    size_t width = 6;
    for (uint32_t i = 0; i < rows->count; i++)
        if (strlen(rows->at[i].update) > width) width = strlen(rows->at[i].update);
    return width > 48 ? 48 : (int)width;
}

/* Several identical accesses of one place (x*x) are one row. */
static void print_rows(row_list *rows, FILE *out) {
    if (!rows->count) return;
    qsort(rows->at, rows->count, sizeof *rows->at, in_source_order);
    int width = widest(rows);
    fprintf(out, "  %6s  %-*s  %-6s  %s\n", "line", width, "update", "how", "reason");
    for (uint32_t i = 0; i < rows->count; i++) {
        const row *r = &rows->at[i];
        if (i && in_source_order(r, r - 1) == 0) continue;
        fprintf(out, "  %6u  %-*s  %-6s  %s\n", r->line, width, r->update, r->how, r->reason);
    }
}

static const gw_func *find_check(const gw_session *s, const gw_func *f) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->form == GW_FORM_CHECK && s->funcs.at[i]->primal == f->primal &&
            s->funcs.at[i]->request == f->request)
            return s->funcs.at[i];
    return NULL;
}

/* Some adjoint cell lies behind a pointer in memory. */
static bool follows_pointers(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (o->dead || !access || !gw_ownership_is_adjoint(f, o->object)) continue;
        if (gw_cell_behind_pointer(f, o->object, o->path)) return true;
    }
    return false;
}

static void print_assumptions(const gw_session *s, const gw_func *f, bool premise, FILE *out) {
    const gw_func *check = f->kind == GW_FUNC_KERNEL ? find_check(s, f) : NULL;
    for (uint32_t i = 0; check && i < check->assumptions.count; i++)
        fprintf(out, "  assumes %s: checked at the launch\n", gw_cstr(s, check->assumptions.at[i].text));
    if (premise)
        fprintf(out, "  assumes that %s itself has no data race (see 'the primal writes' above)\n",
                gw_cstr(s, f->primal->name));
    if (follows_pointers(f))
        fprintf(out, "  assumes that distinct pointers in memory (members, rows) lead to disjoint cells\n");
}

static bool uses_premise(const row_list *rows) {
    for (uint32_t i = 0; i < rows->count; i++)
        if (strstr(rows->at[i].reason, "the primal writes")) return true;
    return false;
}

/* What recorded parts store, and why it is not computed again (adjoint_storage.c). */
static void print_stored(const gw_session *s, const gw_func *f, FILE *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_PUSH || !o->note) continue;
        const gw_object_data *slot = gw_object_at(f, o->object);
        const char *name = gw_cstr(s, slot->name);
        fprintf(out, "  %6u  stores %s (%u bytes) because %s\n", o->loc.line, strchr(name, '_') + 1, gw_type_bytes(slot->type),
                gw_cstr(s, o->note));
    }
}

/* Loops that turn.c turned round end with a step to the next records. */
static void print_turned(const gw_func *f, FILE *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_FOR) continue;
        gw_op last = gw_prev(f, gw_region_end(f, o->region[0]));
        if (last && gw_op_at(f, last)->code == GW_OP_SKIP)
            fprintf(out, "  %6u  takes the records of this loop in the order in which they were stored\n", o->loc.line);
    }
}

static const char *tape_place(const gw_func *f, bool in_array) {
    return f->tape_local || in_array ? "in local arrays" : f->tape_host ? "on the tape" : "on the tape, in the workspace";
}

static void print_tape(const gw_session *s, const gw_func *f, FILE *out) {
    for (int in_array = 0; in_array < 2; in_array++) {
        uint32_t slots = 0;
        for (gw_op op = 1; op < f->ops.count; op++) {
            const gw_op_data *o = gw_op_at(f, op);
            if (o->dead || o->code != GW_OP_PUSH || gw_object_at(f, o->object)->in_array != in_array) continue;
            fprintf(out, "%s%s", slots++ ? ", " : "  keeps ", gw_cstr(s, gw_object_at(f, o->object)->name));
        }
        if (slots) fprintf(out, ": %s\n", tape_place(f, in_array));
    }
}

/* adjoint_invert.c: its divisions bear a note. */
static void print_undone(const gw_func *f, FILE *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_DIV && o->note) fprintf(out, "  %6u  %s\n", o->loc.line, gw_cstr(f->session, o->note));
    }
}

/* GW_CHECKPOINT: the mark of the primal's loops. */
static void print_checkpoints(const gw_func *p, FILE *out) {
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || (o->code != GW_OP_FOR && o->code != GW_OP_WHILE) || !o->imm.i) continue;
        fprintf(out, "  %6u  stores what this loop carries every %lld iterations, and runs these again: GW_CHECKPOINT\n", o->loc.line, (long long)o->imm.i);
    }
}

static void explain_function(const gw_session *s, const gw_func *f, FILE *out) {
    row_list rows = {0};
    collect(f, &rows);
    const gw_request *q = f->request < s->requests.count ? &s->requests.at[f->request] : NULL;
    fprintf(out, "%s", gw_cstr(s, f->name));
    if (q) fprintf(out, " (%s: %s)", gw_cstr(s, q->function), gw_cstr(s, q->text));
    fprintf(out, "\n");
    print_rows(&rows, out);
    print_assumptions(s, f, uses_premise(&rows), out);
    print_stored(s, f, out);
    print_turned(f, out);
    print_checkpoints(f->primal, out);
    print_undone(f, out);
    print_tape(s, f, out);
    for (uint32_t i = 0; i < rows.count; i++)
        free(rows.at[i].update);
    gw_vec_free(&rows);
}

void gw_explain(const gw_session *s, FILE *out) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->form == GW_FORM_GRAD || s->funcs.at[i]->form == GW_FORM_PULLBACK)
            explain_function(s, s->funcs.at[i], out);
}
