/*
 * ownership/reason.c - why an adjoint update is plain or atomic, as a record (contract: ownership.h).
 *
 * The reason follows the verdict; it never takes part in it. Its words are made elsewhere and later
 * (ir/decision.c).
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/query.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ownership/premise_private.h"
#include "analysis/prove/prove.h"

enum {
    OF_BLOCK = 7 << 3, /* blockIdx, of gw_meeting's coordinates */
    TERMS = 4          /* of a sum that are looked at */
};

void gw_ownership_reference(const gw_func *f, gw_op op, gw_text *out) {
    gw_reference_text(f, op, gw_object_at(f, gw_op_at(f, op)->object)->name, out);
}

static gw_str reference_of(const gw_func *f, gw_op op) {
    gw_text reference = {0};
    gw_ownership_reference(f, op, &reference);
    gw_str text = gw_intern(f->session, reference.at);
    gw_text_free(&reference);
    return text;
}

void gw_ownership_decide(gw_func *f, gw_op op, gw_decision d) {
    gw_op_data *o = gw_op_at(f, op);
    gw_session *s = f->session;
    o->attr = d.how;
    d.reference = reference_of(f, op);
    d.made = s->decisions.at[o->decision].how ? s->decisions.at[o->decision].made : o->decision;
    o->decision = gw_decision_add(s, d);
    if (!gw_is_along_other(f)) gw_diag_decision(s, s->decisions.at[o->decision].code, o->loc, o->decision, 0);
}

void gw_ownership_raise(gw_func *f, gw_op op, uint32_t how) {
    gw_op_data *o = gw_op_at(f, op);
    gw_session *s = f->session;
    for (uint32_t i = 1; i < s->choices.count && o->decision; i++) { /* what was chosen is made otherwise now */
        gw_rung_choice *c = &s->choices.at[i];
        if (c->decision == o->decision && c->how == o->attr) c->how = (uint16_t)how;
    }
    o->attr = (uint16_t)how;
    s->decisions.at[o->decision].how = (uint16_t)how;
}

void gw_ownership_choose(gw_func *f, gw_op op, gw_rung_choice c) {
    gw_op_data *o = gw_op_at(f, op);
    gw_session *s = f->session;
    c.reference = reference_of(f, op);
    c.decision = o->decision;
    uint32_t choice = s->decisions.at[o->decision].choice = gw_rung_choice_add(s, c);
    if (gw_is_along_other(f)) return;
    gw_diag_decision(s, c.refused ? GW_DIAG_NO_SUM : GW_DIAG_CHOSEN_RUNG, o->loc, o->decision, choice);
}

void gw_ownership_withdraw(gw_func *f, gw_op op, uint32_t rung, uint32_t why) {
    gw_session *s = f->session;
    for (uint32_t i = 1; i < s->choices.count; i++) {
        gw_rung_choice *c = &s->choices.at[i];
        if (c->decision != gw_op_at(f, op)->decision || c->rung != rung || c->refused) continue;
        c->refused = true;
        c->how = GW_ACCUMULATE_UNDECIDED;
        c->why = gw_because(why);
        for (uint32_t k = 0; k < s->diagnostics.count; k++)
            if (s->diagnostics.at[k].choice == i) s->diagnostics.at[k].code = GW_DIAG_NO_SUM;
    }
}

/* The primal's name of the cell: "x[i + 1]". */
static void primal_reference(const gw_func *f, gw_op op, bool spelled, gw_text *out) {
    const gw_op_data *o = gw_op_at(f, op);
    gw_object primal = gw_object_at(f, o->object)->shadow_of;
    const gw_str name = gw_object_at(f, primal ? primal : o->object)->name;
    (spelled ? gw_reference_spelled : gw_reference_distinct)(f, op, name, out);
}

static gw_str called(const gw_func *f, gw_op op) {
    gw_text text = {0};
    primal_reference(f, op, false, &text);
    const gw_str name = gw_intern(f->session, text.at);
    gw_text_free(&text);
    return name;
}

/* Both are called alike: indices that one helper function computes have its name. */
static bool look_alike(const gw_func *f, gw_op a, gw_op b) { return called(f, a) == called(f, b); }

static void add_place(const gw_func *f, gw_op op, bool spelled, gw_why *out) {
    gw_text text = {0};
    primal_reference(f, op, spelled, &text);
    gw_why_add(f->session, out, text.at, gw_op_at(f, op)->loc.line);
    gw_text_free(&text);
}

static gw_why of_place(const gw_func *f, gw_reason reason, gw_op op) {
    gw_why why = gw_because(reason);
    add_place(f, op, false, &why);
    return why;
}

static gw_why of_index(const gw_func *f, gw_reason reason, gw_value index) {
    gw_why why = gw_because(reason);
    gw_text text = {0};
    gw_index_text(f, index, &text);
    gw_why_add(f->session, &why, text.at, 0);
    gw_text_free(&text);
    return why;
}

static gw_why of_coordinates(const gw_func *f, gw_reason reason, uint32_t which) {
    gw_why why = gw_because(reason);
    gw_why_add(f->session, &why, NULL, which);
    return why;
}

void gw_ownership_blame(const gw_func *f, gw_op other, gw_str witness, gw_decision *d) {
    gw_text text = {0};
    primal_reference(f, other, false, &text);
    d->other = gw_intern(f->session, text.at);
    d->other_loc = gw_op_at(f, other)->loc;
    d->witness = witness;
    gw_text_free(&text);
}

static gw_why explain_store(const gw_func *p, gw_op store, bool by_list) {
    gw_why why = gw_because(by_list ? GW_REASON_PRIMAL_WRITES_BY_LIST : GW_REASON_PRIMAL_WRITES);
    gw_text text = {0};
    gw_reference_distinct(p, store, gw_object_at(p, gw_op_at(p, store)->object)->name, &text);
    gw_why_add(p->session, &why, text.at, 0);
    gw_text_free(&text);
    return why;
}

static gw_why explain_owned(gw_ownership *w, uint32_t i, const gw_verdict *v) {
    const gw_site *site = &w->sites.at[w->site_of.at[i]];
    if (v->store) return explain_store(w->f->primal, v->store, v->by_list);
    if (!v->shared) return gw_because(GW_REASON_ONLY_READ);
    if (v->by_ticket) return gw_because(GW_REASON_TICKET);
    gw_why why = gw_because(v->by_solver ? GW_REASON_SOLVER_SAYS : GW_REASON_ONE_THREAD_PER_CELL);
    for (uint32_t k = 0; k < site->access.count; k++) {
        if (gw_poly_uniform(w->n, &site->index[k].poly)) continue;
        gw_text text = {0};
        gw_poly_text(w->n, &site->index[k].poly, &text);
        gw_why_add(w->f->session, &why, text.at, 0);
        gw_text_free(&text);
    }
    return why;
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

/* The number plus something: a warp's lanes begin at that of its row, each one further than the one before. */
static bool begins_with(const gw_func *f, gw_value start, gw_value v, unsigned depth) {
    const gw_op sum = gw_made_by(f, start, GW_OP_ADD), cast = gw_made_by(f, start, GW_OP_CAST);
    if (start == v) return true;
    if (!depth || (!sum && !cast)) return false;
    if (cast) return begins_with(f, gw_operand(f, cast, 0), v, depth - 1);
    return begins_with(f, gw_operand(f, sum, 0), v, depth - 1) ||
           begins_with(f, gw_operand(f, sum, 1), v, depth - 1);
}

/* It is where a loop begins, or the loop's variable, which is so many iterations further. */
static bool is_begin(const gw_func *f, gw_value v) {
    gw_op up = gw_region_at(f, gw_value_at(f, v)->region)->parent;
    if (!gw_value_at(f, v)->op)
        return up && gw_op_at(f, up)->code == GW_OP_FOR && gw_value_at(f, v)->index == 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_FOR && begins_with(f, gw_operand(f, op, 0), v, TERMS)) return true;
    }
    return false;
}

static gw_why explain_cells(const gw_ownership *w, uint32_t i, bool uniform) {
    bool shared = gw_object_at(w->f, gw_op_at(w->f, w->refs.at[i])->object)->kind == GW_OBJECT_SHARED;
    if (uniform) return gw_because(GW_REASON_ONE_CELL);
    return gw_because(shared ? GW_REASON_SAME_SHARED_CELLS : GW_REASON_SAME_CELLS);
}

/* Nobody looked to the end whether threads meet. */
static gw_why explain_cut(const gw_ownership *w, const gw_meeting *m) {
    if (m->late) return gw_because(GW_REASON_SOLVER_TIME);
    bool rules = gw_effort_is_spent(w->n->effort, GW_EFFORT_PROOFS);
    return gw_because(rules ? GW_REASON_PROOF_BUDGET : GW_REASON_SOLVER_BUDGET);
}

/* What the primal stores to memory of the grid without an atomic has these coordinates: along others there is
 * one thread, or the primal has a race. */
static uint32_t stored_by(gw_ownership *w) {
    const gw_func *f = w->f;
    for (gw_op op = 1; op < f->ops.count && !w->stored_by_known; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (o->dead || !access || !gw_ownership_is_adjoint(f, o->object) ||
            gw_object_is_inner(gw_object_at(f, o->object)->kind))
            continue;
        if (gw_premise_store(f, op)) w->not_stored_by |= ~gw_ownership_coordinates(w, op);
    }
    w->stored_by_known = true;
    return ~w->not_stored_by;
}

/* The coordinates in which threads that meet may differ, since the index does not depend on them. */
static uint32_t left_out(gw_ownership *w, gw_op ref, const gw_meeting *m) {
    uint32_t own = gw_object_at(w->f, gw_op_at(w->f, ref)->object)->kind == GW_OBJECT_SHARED ? OF_BLOCK : 0;
    uint32_t absent = GW_COORDINATES_ALL & ~(gw_ownership_coordinates(w, ref) | m->same | w->one_long | own);
    return absent ? absent & stored_by(w) : 0;
}

/* The entries of the list are all different, as was stated. */
static bool is_injective(const gw_ownership *w, const gw_atom_data *cell) {
    return cell->kind == GW_ATOM_CELL && gw_promised(w->f, GW_PROMISE_INJECTIVE, cell->detail, cell->more, "");
}

/* What GW_INJECTIVE calls the list: "list", "d.rows". */
static char *name_of_list(const gw_func *f, const gw_atom_data *cell) {
    const char *path = gw_cstr(f->session, cell->more), own[] = "[]";
    const size_t length = strlen(path), end = length < 2 ? 0 : length - 2;
    const bool behind_pointer = end && strncmp(path, own, 2) == 0;
    return gw_format("%s%.*s", gw_cstr(f->session, gw_object_at(f, cell->detail)->name),
                     (int)(end - (behind_pointer ? 2 : 0)), path + (behind_pointer ? 2 : 0));
}

/* Whether the cells would be each thread's own if the entries of that list were all different. It is supposed
 * for this proof alone, which leaves the effort that there is as it was. */
static bool would_help(const gw_ownership *w, gw_op ref, gw_str list) {
    gw_func *primal = w->f->primal ? w->f->primal : w->f;
    const gw_effort before = *w->n->effort;
    gw_ownership own;
    gw_push(&primal->promises, ((gw_promise){.kind = GW_PROMISE_INJECTIVE, .name = list}));
    gw_ownership_start(&own, w->f);
    own.by_rules = true;
    const bool owned = gw_ownership_would_own(&own, ref);
    gw_ownership_end(&own);
    primal->promises.count--;
    *w->n->effort = before;
    return owned;
}

/* Read from a list; that is named if a statement of it would part the threads. */
static gw_why explain_list(gw_ownership *w, uint32_t i, const gw_atom_data *cell) {
    if (is_begin(w->f, cell->value)) return of_index(w->f, GW_REASON_RANGE_FROM_MEMORY, cell->value);
    gw_why why = of_index(w->f, GW_REASON_INDEX_FROM_MEMORY, cell->value);
    char *name = name_of_list(w->f, cell);
    if (would_help(w, w->refs.at[i], gw_intern(w->f->session, name))) gw_why_add(w->f->session, &why, name, 0);
    free(name);
    return why;
}

/* The part of the index that memory or a wrap-around decides; none: no reason. */
static gw_why explain_index(gw_ownership *w, uint32_t i) {
    const gw_site *site = &w->sites.at[w->site_of.at[i]];
    gw_atom a;
    for (uint32_t k = 0; k < site->access.count; k++) {
        const gw_poly *p = &site->index[k].poly;
        if (!is_kind(w, p, GW_ATOM_CELL, &a) && !is_kind(w, p, GW_ATOM_WRAPPED, &a)) continue;
        const gw_atom_data *d = gw_atom_at(w->n, a);
        if (is_injective(w, d)) continue; /* then it is by one entry that they meet */
        if (d->kind != GW_ATOM_CELL) return of_index(w->f, GW_REASON_INDEX_WRAPS, d->value);
        return explain_list(w, i, d);
    }
    for (uint32_t k = 0; k < site->access.count; k++) {
        gw_value number = loaded_number(w, &site->index[k].poly);
        if (number) return of_index(w->f, GW_REASON_INDEX_FROM_COPY, number);
    }
    return gw_because(GW_REASON_NONE);
}

/* One reference that several threads reach: what about its index makes that possible. */
static gw_why explain_self(gw_ownership *w, uint32_t i) {
    const gw_site *site = &w->sites.at[w->site_of.at[i]];
    const gw_meeting *m = gw_ownership_meeting(w, i, i);
    bool uniform = true, repeated = true, simple = m->unresolved == 0;
    for (uint32_t k = 0; k < site->access.count; k++) {
        uniform &= gw_poly_uniform(w->n, &site->index[k].poly);
        repeated &= only_kind(w, &site->index[k].poly, GW_ATOM_TRIP);
        simple &= only_kind(w, &site->index[k].poly, GW_ATOM_SPECIAL);
    }
    if (uniform || repeated) return explain_cells(w, i, uniform);
    uint32_t absent = left_out(w, w->refs.at[i], m);
    if (absent && !simple) return of_coordinates(w->f, GW_REASON_MISSING_COORDINATE, absent);
    gw_why why = explain_index(w, i);
    if (why.reason) return why;
    if (m->cut) return explain_cut(w, m);
    if (!simple) return of_place(w->f, GW_REASON_NOT_PROVED, w->refs.at[i]);
    return of_coordinates(w->f, GW_REASON_OTHER_COORDINATE, GW_COORDINATES_ALL & ~m->same & ~w->one_long);
}

/* The cell of a texture's shadow, or one beside it. */
static bool is_texel(const gw_func *f, gw_op ref) {
    if (!gw_index_count(f, ref)) return false;
    gw_value index = gw_operand(f, ref, gw_index_count(f, ref) - 1);
    const gw_op channel = gw_made_by(f, index, GW_OP_ADD);
    return gw_made_by(f, channel ? gw_operand(f, channel, 0) : index, GW_OP_TEXTURE_CELL) != 0;
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

/* Cells beside each other that no two threads of one block reach: the border of a tile is staged already. The
 * question costs no later decision any steps. */
static bool only_blocks_meet(gw_ownership *w, uint32_t i, uint32_t k) {
    gw_access r = w->sites.at[w->site_of.at[i]].access, s = w->sites.at[w->site_of.at[k]].access;
    gw_meeting m = {0};
    const gw_effort left = *w->n->effort;
    r.one_block = s.one_block = true;
    gw_threads_meet(w->n, &r, &s, w->one_long, &m);
    *w->n->effort = left;
    return m.disjoint;
}

gw_why gw_ownership_explain(gw_ownership *w, uint32_t i, const gw_verdict *v) {
    if (v->owned) return explain_owned(w, i, v);
    if (is_texel(w->f, w->refs.at[i])) return gw_because(GW_REASON_TEXELS);
    if (v->blamed == w->refs.at[i]) return explain_self(w, i);
    uint32_t k = 0;
    while (w->refs.at[k] != v->blamed)
        k++;
    bool near = neighbours(w, i, k);
    const gw_meeting *m = gw_ownership_meeting(w, i, k);
    if (m->cut && (!near || m->late || gw_effort_is_spent(w->n->effort, GW_EFFORT_PROOFS)))
        return explain_cut(w, m);
    gw_reason reason = near ? GW_REASON_NEIGHBOURS_MEET : GW_REASON_THREADS_MEET;
    if (near && only_blocks_meet(w, i, k)) reason = GW_REASON_NEIGHBOUR_BLOCKS;
    const bool spelled = look_alike(w->f, w->refs.at[i], v->blamed);
    gw_why why = gw_because(reason);
    add_place(w->f, w->refs.at[i], spelled, &why);
    add_place(w->f, v->blamed, spelled, &why);
    return why;
}
