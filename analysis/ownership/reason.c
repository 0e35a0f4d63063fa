/*
 * ownership/reason.c - why an adjoint update is plain or atomic, in words (contract: ownership.h).
 *
 * The words follow the verdict; they never take part in it.
 */
#include "analysis/prove/prove.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ownership/premise_private.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/words.h"

#include <stdlib.h>
#include <string.h>

enum { OF_BLOCK = 7 << 3 }; /* blockIdx, of gw_meeting's coordinates */

void gw_ownership_reference(const gw_func *f, gw_op op, gw_text *out) {
    gw_reference_text(f, op, gw_object_at(f, gw_op_at(f, op)->object)->name, out);
}

const char *gw_accumulate_word(unsigned how) {
    return how && how < GW_COUNT_OF(gw_accumulate_words) ? gw_accumulate_words[how] : "undecided";
}

static const char *const claim_text[] = {"", "owned: ", "atomic: ", "local: ", "owned, posted: ", "copies: ", "vector: ", "record: ", "match: ", "warp: ", "grid: ", "block: ", "butterfly: ", "serial: ", "slots: ", "slots of a sorted list: ", "slots of a list's positions: ", "slots of warps: ", "slots of a list: ", "slots of warps, of a sorted list: "};

const char *gw_ownership_reason(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    const char *note = gw_cstr(f->session, o->note), *claim = claim_text[o->attr < GW_COUNT_OF(claim_text) ? o->attr : 0];
    bool said = strncmp(note, claim, strlen(claim)) == 0;
    return said ? note + strlen(claim) : note;
}

static char *decision(const gw_func *f, gw_op op) {
    gw_text reference = {0};
    gw_ownership_reference(f, op, &reference);
    char *text = gw_format("%s: %s (%s)", reference.at, gw_accumulate_word(gw_op_at(f, op)->attr), gw_ownership_reason(f, op));
    gw_text_free(&reference);
    return text;
}

void gw_ownership_decide(gw_func *f, gw_op op, gw_accumulate how, gw_diag_code code, const char *reason) {
    gw_op_data *o = gw_op_at(f, op);
    gw_session *s = f->session;
    char *note = o->note ? gw_format("%s%s; %s", claim_text[how], reason, gw_cstr(s, o->note))
                         : gw_format("%s%s", claim_text[how], reason);
    o->attr = (uint16_t)how;
    o->note = gw_intern(s, note);
    o->decision = s->decisions.count;
    gw_push(&s->decisions, ((gw_decision){.code = code, .how = (uint16_t)how}));
    char *text = decision(f, op);
    uint32_t said = s->diagnostics.count;
    gw_diag(s, code, o->loc, text);
    if (s->diagnostics.count > said) s->diagnostics.at[said].decision = o->decision;
    free(text);
    free(note);
}

/* Lanes that stand at one iteration have one cell: entries of a list that are all different do not part them. */
static bool is_summed_over_lanes(unsigned how) {
    bool rows = how == GW_ACCUMULATE_WARP_SLOTS || gw_accumulates_by_list(how);
    return how == GW_ACCUMULATE_WARP || gw_accumulates_by_block(how) || how == GW_ACCUMULATE_BUTTERFLY || how == GW_ACCUMULATE_SERIAL || rows;
}

const char *gw_ownership_way_out(const gw_decision *d) {
    bool lanes_meet = d->code == GW_DIAG_INDEX_FROM_MEMORY || d->code == GW_DIAG_MISSING_COORDINATE;
    if (lanes_meet && is_summed_over_lanes(d->how)) return "";
    return d->witness && d->code == GW_DIAG_NOT_PROVED ? "these two threads do meet: let the cells of threads differ, or have them summed first (docs/guide/faster.md)"
                                                       : gw_diag_rows[d->code].way_out;
}

void gw_ownership_raise(gw_func *f, gw_op op, gw_accumulate how) {
    gw_op_data *o = gw_op_at(f, op);
    gw_session *s = f->session;
    char *was = gw_format(": %s (", gw_accumulate_word(o->attr)), *note = gw_format("%s%s", claim_text[how], gw_ownership_reason(f, op));
    o->note = gw_intern(s, note);
    o->attr = (uint16_t)how;
    s->decisions.at[o->decision].how = (uint16_t)how;
    for (uint32_t i = 0; i < s->diagnostics.count; i++) { /* its index may have been folded since: only the word changes, and what may help */
        gw_diagnostic *d = &s->diagnostics.at[i];
        char *at = o->decision && d->decision == o->decision ? strstr(d->message, was) : NULL;
        if (!at) continue;
        char *now = gw_format("%.*s: %s (%s", (int)(at - d->message), d->message, gw_accumulate_word(how), at + strlen(was));
        free(d->message);
        d->message = now;
        if (d->code != GW_DIAG_INDEX_FROM_MEMORY && d->code != GW_DIAG_MISSING_COORDINATE) continue;
        free((void *)(uintptr_t)d->way_out);
        d->way_out = gw_strdup(gw_ownership_way_out(&s->decisions.at[o->decision]));
    }
    free(was);
    free(note);
}

/* The primal's name of the cell: "x[i + 1]". */
static void primal_reference(const gw_func *f, gw_op op, gw_text *out) {
    const gw_op_data *o = gw_op_at(f, op);
    gw_object primal = gw_object_at(f, o->object)->shadow_of;
    gw_reference_text(f, op, gw_object_at(f, primal ? primal : o->object)->name, out);
}

/* The same and its line: "x[i + 1] at line 13". */
static void place(const gw_func *f, gw_op op, gw_text *out) {
    primal_reference(f, op, out);
    if (gw_op_at(f, op)->loc.line) gw_text_addf(out, " at line %u", gw_op_at(f, op)->loc.line);
}

void gw_ownership_blame(gw_func *f, gw_op op, gw_op other, gw_str witness) {
    gw_decision *d = &f->session->decisions.at[gw_op_at(f, op)->decision];
    gw_text text = {0};
    primal_reference(f, other, &text);
    d->other = gw_intern(f->session, text.at);
    d->other_loc = gw_op_at(f, other)->loc;
    d->witness = witness;
    for (uint32_t i = f->session->diagnostics.count; witness && d->code == GW_DIAG_NOT_PROVED && i-- > 0;) {
        gw_diagnostic *said = &f->session->diagnostics.at[i];
        if (said->decision != gw_op_at(f, op)->decision) continue;
        free((void *)(uintptr_t)said->way_out);
        said->way_out = gw_strdup(gw_ownership_way_out(d));
        break;
    }
    gw_text_free(&text);
}

static gw_diag_code explain_owned(gw_ownership *w, uint32_t i, const gw_verdict *v, gw_text *out) {
    const gw_site *site = &w->sites.at[w->site_of.at[i]];
    if (v->store) {
        const gw_op_data *store = gw_op_at(w->f->primal, v->store);
        gw_str name = gw_object_at(w->f->primal, store->object)->name;
        gw_text_add(out, "the primal writes ");
        gw_reference_text(w->f->primal, v->store, name, out);
        if (v->by_list)
            gw_text_add(out, " without an atomic, so no two threads have one index from this list");
        else
            gw_text_add(out, " here without an atomic, so no other thread touches it");
        return GW_DIAG_PRIMAL_WRITES;
    }
    if (!v->shared) {
        gw_text_add(out, "only read in this kernel");
        return GW_DIAG_ONLY_READ;
    }
    if (v->by_ticket) {
        gw_text_add(out, "one thread per cell, the counter gives each number once");
        return GW_DIAG_ONE_THREAD_PER_CELL;
    }
    gw_text_add(out, v->by_solver ? "one thread per cell, says the solver" : "one thread per cell");
    for (uint32_t k = 0, shown = 0; k < site->access.count; k++) {
        if (gw_poly_uniform(w->n, &site->index[k].poly)) continue;
        gw_text_add(out, shown++ ? ", and " : ", ");
        gw_poly_text(w->n, &site->index[k].poly, out);
    }
    return GW_DIAG_ONE_THREAD_PER_CELL;
}

static bool is_kind(const gw_ownership *w, const gw_poly *p, gw_atom_kind kind, gw_atom *found) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++) {
            const gw_atom_data *a = gw_atom_at(w->n, p->term[i].factor[k]);
            if (a->kind != kind || a->uniform) continue;
            *found = p->term[i].factor[k];
            return true;
        }
    return false;
}

/* A number that is loaded from memory which the kernel writes; 0 if there is none in p. */
static gw_value loaded_number(const gw_ownership *w, const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++) {
            const gw_atom_data *a = gw_atom_at(w->n, p->term[i].factor[k]);
            gw_op op = a->kind == GW_ATOM_VALUE && !a->uniform ? gw_value_at(w->f, a->value)->op : 0;
            if (op && gw_op_at(w->f, op)->code == GW_OP_LOAD) return a->value;
        }
    return 0;
}

/* Nothing but atoms of one kind, and what is the same in all threads. */
static bool only_kind(const gw_ownership *w, const gw_poly *p, gw_atom_kind kind) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++) {
            const gw_atom_data *a = gw_atom_at(w->n, p->term[i].factor[k]);
            if (!a->uniform && a->kind != kind) return false;
        }
    return true;
}

/* It is where a loop begins, or the loop's variable, which is so many iterations further. */
static bool is_begin(const gw_func *f, gw_value v) {
    gw_op up = gw_region_at(f, gw_value_at(f, v)->region)->parent;
    if (!gw_value_at(f, v)->op) return up && gw_op_at(f, up)->code == GW_OP_FOR && gw_value_at(f, v)->index == 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_FOR && gw_operand(f, op, 0) == v) return true;
    }
    return false;
}

static gw_diag_code explain_cells(const gw_ownership *w, uint32_t i, bool uniform, gw_text *out) {
    bool shared = gw_object_at(w->f, gw_op_at(w->f, w->refs.at[i])->object)->kind == GW_OBJECT_SHARED;
    gw_text_add(out, uniform ? "all threads add into one cell" : "all threads run over the same cells");
    return uniform ? GW_DIAG_ONE_CELL : shared ? GW_DIAG_SAME_SHARED_CELLS : GW_DIAG_SAME_CELLS;
}

/* Nobody looked to the end whether threads meet. */
static gw_diag_code explain_cut(const gw_ownership *w, const gw_meeting *m, gw_text *out) {
    if (m->late) {
        gw_text_add(out, "not looked at to the end, since the time for a question to the solver was up; another build may find out");
        return GW_DIAG_SOLVER_TIME;
    }
    bool rules = gw_effort_is_spent(w->n->effort, GW_EFFORT_PROOFS);
    gw_text_addf(out, "not looked at to the end, since %s for this function have taken all of their steps", rules ? "the proofs" : "the solver's questions");
    return rules ? GW_DIAG_PROOF_BUDGET : GW_DIAG_SOLVER_BUDGET;
}

static void list_coordinates(uint32_t which, gw_text *out) {
    static const char *const names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z"};
    for (uint32_t c = 0, shown = 0; c < GW_COORDINATES; c++)
        if (which >> c & 1) gw_text_addf(out, "%s%s", shown++ ? ", " : "", names[c]);
}

/* What the primal stores to memory of the grid without an atomic has these coordinates: along others there is one thread, or the
 * primal has a race. */
static uint32_t stored_by(gw_ownership *w) {
    const gw_func *f = w->f;
    for (gw_op op = 1; op < f->ops.count && !w->stored_by_known; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (o->dead || !access || !gw_ownership_is_adjoint(f, o->object) || gw_object_is_inner(gw_object_at(f, o->object)->kind)) continue;
        if (gw_premise_store(f, op)) w->not_stored_by |= ~gw_ownership_coordinates(w, op);
    }
    w->stored_by_known = true;
    return ~w->not_stored_by;
}

/* Of threads that meet: coordinates in which they may differ, since the index does not depend on them. */
static uint32_t left_out(gw_ownership *w, gw_op ref, const gw_meeting *m) {
    uint32_t own = gw_object_at(w->f, gw_op_at(w->f, ref)->object)->kind == GW_OBJECT_SHARED ? OF_BLOCK : 0;
    uint32_t absent = GW_COORDINATES_ALL & ~(gw_ownership_coordinates(w, ref) | m->same | w->one_long | own);
    return absent ? absent & stored_by(w) : 0;
}

/* The entries of the list are all different, as was stated. */
static bool is_injective(const gw_ownership *w, const gw_atom_data *cell) {
    return cell->kind == GW_ATOM_CELL && gw_promised(w->f, GW_PROMISE_INJECTIVE, cell->detail, cell->more, "");
}

/* One reference that several threads reach: what about its index makes that possible. */
static gw_diag_code explain_self(gw_ownership *w, uint32_t i, gw_text *out) {
    const gw_site *site = &w->sites.at[w->site_of.at[i]];
    const gw_meeting *m = gw_ownership_meeting(w, i, i);
    bool uniform = true, repeated = true, simple = m->unresolved == 0;
    gw_atom a;
    for (uint32_t k = 0; k < site->access.count; k++) {
        uniform &= gw_poly_uniform(w->n, &site->index[k].poly);
        repeated &= only_kind(w, &site->index[k].poly, GW_ATOM_TRIP);
        simple &= only_kind(w, &site->index[k].poly, GW_ATOM_SPECIAL);
    }
    if (uniform || repeated) return explain_cells(w, i, uniform, out);
    uint32_t absent = left_out(w, w->refs.at[i], m);
    if (absent && !simple) {
        gw_text_add(out, "threads that differ only in ");
        list_coordinates(absent, out);
        gw_text_addf(out, " may meet, the index does not depend on %s", absent & (absent - 1) ? "them" : "it");
        return GW_DIAG_MISSING_COORDINATE;
    }
    for (uint32_t k = 0; k < site->access.count; k++) {
        const gw_poly *p = &site->index[k].poly;
        if (!is_kind(w, p, GW_ATOM_CELL, &a) && !is_kind(w, p, GW_ATOM_WRAPPED, &a)) continue;
        const gw_atom_data *d = gw_atom_at(w->n, a);
        if (is_injective(w, d)) continue; /* then it is by one entry that they meet */
        gw_text_add(out, "the index ");
        gw_index_text(w->f, d->value, out);
        gw_text_add(out, d->kind == GW_ATOM_CELL ? " is read from memory and may repeat" : " may wrap around");
        if (d->kind != GW_ATOM_CELL) return GW_DIAG_INDEX_WRAPS;
        return is_begin(w->f, d->value) ? GW_DIAG_RANGE_FROM_MEMORY : GW_DIAG_INDEX_FROM_MEMORY;
    }
    for (uint32_t k = 0; k < site->access.count; k++) {
        gw_value number = loaded_number(w, &site->index[k].poly);
        if (!number) continue;
        gw_text_add(out, "the index ");
        gw_index_text(w->f, number, out);
        gw_text_add(out, " is read from memory that the kernel writes, and may repeat");
        return GW_DIAG_INDEX_FROM_COPY;
    }
    if (m->cut) return explain_cut(w, m, out);
    if (!simple) {
        gw_text_add(out, "not proved that two threads never meet at ");
        place(w->f, w->refs.at[i], out);
        return GW_DIAG_NOT_PROVED;
    }
    gw_text_add(out, "threads that differ only in ");
    list_coordinates(GW_COORDINATES_ALL & ~m->same & ~w->one_long, out);
    gw_text_add(out, " add into one cell");
    return GW_DIAG_MISSING_COORDINATE;
}

/* The index operands of both differ by constants in one thread. */
static bool neighbours(const gw_ownership *w, uint32_t i, uint32_t k) {
    const gw_site *a = &w->sites.at[w->site_of.at[i]], *b = &w->sites.at[w->site_of.at[k]];
    for (uint32_t at = 0; at < a->access.count && at < b->access.count; at++) {
        gw_poly p = a->index[at].poly;
        int64_t value;
        gw_poly_add(&p, -1, NULL, &b->index[at].poly);
        if (!gw_poly_is_constant(&p, &value)) return false;
    }
    return true;
}

gw_diag_code gw_ownership_explain(gw_ownership *w, uint32_t i, const gw_verdict *v, gw_text *out) {
    if (v->owned) return explain_owned(w, i, v, out);
    if (v->blamed == w->refs.at[i]) return explain_self(w, i, out);
    uint32_t k = 0;
    while (w->refs.at[k] != v->blamed)
        k++;
    bool near = neighbours(w, i, k);
    const gw_meeting *m = gw_ownership_meeting(w, i, k);
    if (m->cut && (!near || m->late || gw_effort_is_spent(w->n->effort, GW_EFFORT_PROOFS))) return explain_cut(w, m, out);
    gw_text_add(out, near ? "neighbouring threads meet here: " : "two threads can meet here: ");
    place(w->f, w->refs.at[i], out);
    gw_text_add(out, " and ");
    place(w->f, v->blamed, out);
    return near ? GW_DIAG_NEIGHBOURS_MEET : GW_DIAG_THREADS_MEET;
}
