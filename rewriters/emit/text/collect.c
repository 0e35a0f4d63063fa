/*
 * emit/text/collect.c - a COLLECT and the additions in front of it as one call (collectives.cuh).
 *
 * Additions to neighbouring cells by the same threads are one argument, gw_cells(first cell, values...). Where
 * the cell's number is one index, the text has the cells of numbers 0 and 1 and the number: the first two are
 * the same in all iterations of a loop.
 */
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

typedef struct collected {
    gw_emitter *e;
    gw_op op;
    uint32_t count;
    gw_op *add;
    gw_str *active; /* text of who takes part, by addition */
    bool *always;        /* all do */
    bool alike;    /* the same for all */
} collected;

static void find(collected *c, gw_emitter *e, gw_op op) {
    *c = (collected){.e = e,
                     .op = op,
                     .count = gw_collected(gw_op_at(e->f, op)->operands, gw_op_at(e->f, op)->attr),
                     .alike = true};
    c->add = gw_alloc(c->count * sizeof *c->add);
    c->active = gw_alloc(c->count * sizeof *c->active);
    c->always = gw_alloc(c->count * sizeof *c->always);
    gw_op add = op;
    for (uint32_t i = c->count; i-- > 0;) c->add[i] = add = gw_prev(e->f, add);
    for (uint32_t i = 0; i < c->count; i++) {
        gw_value active = gw_operand(e->f, op, 1 + i);
        char *text = gw_emit_text(e, active, GW_IN_EXACT, GW_PREC_AND);
        int64_t known;
        c->active[i] = gw_intern(e->session, text);
        c->always[i] = gw_const_int(e->f, active, &known) && known;
        c->alike &= c->active[i] == c->active[0];
        free(text);
    }
}

static bool is_first(const gw_str *text, uint32_t i) {
    for (uint32_t k = 0; k < i; k++)
        if (text[k] == text[i]) return false;
    return true;
}

/* Each reason once; those that differ in the array that holds copies only are one. */
static void write_reasons(const collected *c) {
    const gw_session *s = c->e->f->session;
    uint32_t *alike = gw_alloc(c->count * sizeof *alike);
    for (uint32_t i = 0; i < c->count; i++) {
        const gw_op_data *o = gw_op_at(c->e->f, c->add[i]);
        bool known = false;
        uint32_t count = 0;
        for (uint32_t k = 0; k < c->count; k++) {
            uint32_t other = gw_op_at(c->e->f, c->add[k])->decision;
            if (!gw_decision_alike(s, other, o->decision, true)) continue;
            known |= k < i;
            alike[count++] = other;
        }
        if (known) continue;
        gw_text note = {0};
        gw_decision_note(s, o->attr, alike, count, &note);
        char *comment = gw_emit_comment_of(note.at);
        gw_emit_line(c->e, "%s", comment);
        free(comment);
        gw_text_free(&note);
    }
    free(alike);
}

/* Rows whose lanes are asked in front are in a branch of those. */
static void write_claims(const collected *c) {
    const bool asked =
        gw_accumulates_by_list(gw_op_at(c->e->f, c->op)->attr) && gw_emit_known_lanes(c->e->f, c->op);
    for (uint32_t i = 0; i < c->count; i++) {
        char *when = asked ? gw_strdup("") : gw_format("if (%s) ", gw_cstr(c->e->session, c->active[i]));
        gw_emit_claim(c->e, c->add[i], when);
        free(when);
    }
}

/* ---- cells ---- */

/* What the index is made of, v = scale * base + offset, as far as the text has names for it. */
static gw_slot_index row_of(const gw_emitter *e, gw_value v) {
    gw_slot_index x = gw_slot_index_of(e->f, v);
    for (gw_value at = v; x.base && at != x.base;) {
        gw_op op = gw_value_at(e->f, at)->op;
        if (!gw_emit_is_inline(&e->plan, at)) return (gw_slot_index){v, 1, 0};
        int64_t c;
        bool second = gw_op_at(e->f, op)->operands > 1 && gw_const_int(e->f, gw_operand(e->f, op, 0), &c);
        at = gw_operand(e->f, op, second);
    }
    if (x.base && gw_emit_is_inline(&e->plan, x.base)) return (gw_slot_index){v, 1, 0};
    return x;
}

/* The one index that is not a constant; false if there is none, or several, or if its array inside a struct has
 * no cells of rows 0 and 1. */
static bool find_row(const gw_emitter *e, gw_op add, uint32_t *which, gw_slot_index *row) {
    const gw_func *f = e->f;
    bool found = false;
    for (uint32_t i = 0; i < gw_index_count(f, add); i++) {
        int64_t c;
        if (gw_const_int(f, gw_operand(f, add, i), &c)) continue;
        if (found) return false;
        found = true;
        *which = i;
        *row = row_of(e, gw_operand(f, add, i));
    }
    const gw_op_data *o = gw_op_at(f, add);
    for (int64_t key = 0; found && key < 2; key++)
        found = gw_cell_has_index(f, o->object, o->path, *which, row->scale * key + row->offset);
    return found && row->base && gw_object_at(f, gw_op_at(f, add)->object)->kind == GW_OBJECT_POINTER &&
           !gw_object_at(f, gw_op_at(f, add)->object)->is_container;
}

/* "&d_x[3 * i]", or as an element of a row, "gw_at(&d_x[0], &d_x[3], i)": what changes apart from what does
 * not. */
static char *place_of(const collected *c, gw_op add) {
    gw_emitter *e = c->e;
    uint32_t which;
    gw_slot_index row;
    if (gw_op_at(e->f, c->op)->attr != GW_ACCUMULATE_WARP || !find_row(e, add, &which, &row))
        return gw_emit_address(e, add);
    char *number[2], *cell[2];
    for (int i = 0; i < 2; i++) {
        number[i] = gw_format("%lld", (long long)(row.offset + i * row.scale));
        cell[i] = gw_emit_address_at(e, add, which, number[i]);
        free(number[i]);
    }
    char *index = gw_emit_text(e, row.base, GW_IN_EXACT, GW_PREC_SELECT),
         *text = gw_format("gw_at(%s, %s, %s)", cell[0], cell[1], index);
    free(cell[0]);
    free(cell[1]);
    free(index);
    return text;
}

/* Writes addition i and those of its neighbours that follow; returns the next that is none. */
static uint32_t write_run(const collected *c, uint32_t i, gw_text *out) {
    gw_emitter *e = c->e;
    const gw_func *f = e->f;
    char *address = place_of(c, c->add[i]);
    bool own = !c->alike && !c->always[i];
    gw_text_addf(out, own ? "gw_cells_if(%s, %s" : "gw_cells(%s%s",
                 own ? gw_cstr(e->session, c->active[i]) : "", address);
    free(address);
    uint32_t at = i;
    do {
        gw_op add = c->add[at];
        char *value = gw_emit_text(e, gw_operand(f, add, gw_index_count(f, add)), GW_IN_EXACT, GW_PREC_SELECT);
        gw_text_addf(out, ", %s", value);
        free(value);
        at++;
    } while (at < c->count && gw_rung_continues(f, c->add[at]));
    gw_text_add(out, ")");
    return at;
}

static char *anybody(const collected *c) {
    gw_text text = {0};
    for (uint32_t i = 0; i < c->count; i++)
        if (c->always[i]) return gw_strdup("true");
    for (uint32_t i = 0; i < c->count; i++)
        if (is_first(c->active, i))
            gw_text_addf(&text, "%s%s", i ? " || " : "", gw_cstr(c->e->session, c->active[i]));
    return text.at;
}

static void forget(collected *c) {
    free(c->active);
    free(c->always);
    free(c->add);
}

void gw_emit_collect(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    collected c;
    GW_VEC(char *) items = {0};
    find(&c, e, op);
    write_reasons(&c);
    write_claims(&c);
    if (gw_accumulates_in_rows(o->attr)) {
        /* it is asked in front of the branch around */
        char *active = gw_emit_known_lanes(e->f, op) ? NULL : anybody(&c);
        gw_emit_row(e, op, active);
        free(active);
        forget(&c);
        return;
    }
    gw_value here = gw_emit_known_lanes(e->f, op);
    if (here) gw_push(&items, gw_emit_text(e, here, GW_IN_EXACT, GW_PREC_SELECT));
    gw_push(&items, gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_SELECT));
    gw_push(&items, anybody(&c));
    if (o->object) gw_push(&items, gw_strdup(gw_cstr(e->session, gw_emit_object(e, o->object))));
    for (uint32_t i = 0; i < c.count;) {
        gw_text run = {0};
        i = write_run(&c, i, &run);
        gw_push(&items, run.at);
    }
    gw_emit_call_text(e, here ? "gw_warp_add_of" : gw_way(o->attr)->call, items.at, items.count, ";");
    for (uint32_t i = 0; i < items.count; i++) free(items.at[i]);
    gw_vec_free(&items);
    forget(&c);
}
