/*
 * report/findings.c - collects what the passes left in the IR of one derivative (attr, decision, note,
 * assumptions, pushes); decides nothing (contract: findings_private.h).
 */
#include "rewriters/report/findings_private.h"

#include "analysis/ir/differences.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "analysis/prove/prove.h"
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

bool gw_facts_has(const gw_func *f) {
    const bool decides = f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK || f->form == GW_FORM_GATHER ||
                         (f->form == GW_FORM_JVP && gw_facts_has_differences(f));
    return decides && !gw_is_along_other(f); /* of which the same is decided */
}

/* ---- accesses ---- */
static gw_str interned(const gw_func *f, gw_text *text) {
    gw_str made = gw_intern(f->session, text->at);
    gw_text_free(text);
    return made;
}

static gw_str describe(const gw_func *f, gw_op op) {
    gw_text text = {0};
    uint16_t code = gw_op_at(f, op)->code;
    bool sum = code == GW_OP_ACCUM || gw_op_at(f, op)->flags & GW_OP_EARLY;
    gw_text_add(&text, code == GW_OP_LOAD ? "read " : "");
    if (f->form == GW_FORM_GATHER && gw_op_at(f, op)->origin)
        gw_reference_text(f->primal, gw_op_at(f, op)->origin, gw_object_at(f, gw_op_at(f, op)->object)->name,
                          &text);
    else gw_ownership_reference(f, op, &text);
    if (sum) gw_text_add(&text, " +=");
    else if (code == GW_OP_STORE) gw_text_add(&text, " =");
    return interned(f, &text);
}

static bool is_adjoint_access(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
    return !o->dead && access && gw_ownership_is_adjoint(f, o->object);
}

static bool read_alike(const gw_access_fact *a, const gw_access_fact *b) {
    return a->loc.line == b->loc.line && a->loc.column == b->loc.column && a->update == b->update &&
           a->how == b->how && a->reason == b->reason;
}

/* The order of the source; of one place, that of the alphabet. */
static int in_source_order(const void *x, const void *y) {
    const gw_access_fact *a = x, *b = y;
    if (a->loc.line != b->loc.line) return a->loc.line < b->loc.line ? -1 : 1;
    if (a->loc.column != b->loc.column) return a->loc.column < b->loc.column ? -1 : 1;
    int order = gw_str_order(a->s, a->update, b->update);
    if (!order) order = gw_str_order(a->s, a->how, b->how);
    return order ? order : gw_str_order(a->s, a->reason, b->reason);
}

static void collect_accesses(const gw_func *f, gw_facts *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!is_adjoint_access(f, op) || (f->form == GW_FORM_GATHER && o->code == GW_OP_LOAD)) continue;
        if (o->code == GW_OP_LOAD && o->flags & GW_OP_EARLY) continue; /* belongs to its sum */
        gw_text reason = {0};
        gw_decision_reason(f->session, o->decision, &reason);
        gw_access_fact a = {f->session,
                            op,
                            o->loc,
                            describe(f, op),
                            gw_intern(f->session, gw_accumulate_word(o->attr)),
                            interned(f, &reason),
                            &f->session->decisions.at[o->decision]};
        gw_push(&out->accesses, a);
    }
    if (!out->accesses.count) return;
    qsort(out->accesses.at, out->accesses.count, sizeof *out->accesses.at, in_source_order);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < out->accesses.count; i++) {
        const gw_access_fact *a = &out->accesses.at[i];
        if (!read_alike(a, &out->accesses.at[kept - 1])) out->accesses.at[kept++] = *a;
    }
    out->accesses.count = kept;
}

/* ---- assumptions ---- */
static void assume(gw_facts *out, bool checked, char *text) {
    gw_push(&out->assumptions, ((gw_assumption_fact){text, checked}));
}

/* Made by arithmetic of a signed type, which is undefined where it overflows. */
static bool is_signed_arithmetic(const gw_func *f, gw_value v, uint32_t depth) {
    gw_op op = gw_value_at(f, v)->op;
    if (!op || !depth) return false;
    uint16_t code = gw_op_at(f, op)->code;
    bool computes =
        code == GW_OP_ADD || code == GW_OP_SUB || code == GW_OP_MUL || code == GW_OP_NEG || code == GW_OP_SHL;
    if (!computes && code != GW_OP_CAST && code != GW_OP_DIV && code != GW_OP_REM) return false;
    if (computes && gw_type_is_integer(gw_typeof(f, v)) && gw_type_is_signed(gw_typeof(f, v))) return true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (is_signed_arithmetic(f, gw_operand(f, op, i), depth - 1)) return true;
    return false;
}

/* Dynamic shared memory for cells of several types (frontend/place/shared.c). */
static bool carves_memory(const gw_func *primal) {
    uint32_t types = 0;
    for (gw_object o = 1; o < primal->objects.count; o++) {
        const gw_object_data *d = gw_object_at(primal, o);
        bool used = false;
        for (gw_op op = 1; op < primal->ops.count && !used; op++)
            used = !gw_op_at(primal, op)->dead && gw_op_at(primal, op)->object == o;
        types += used && d->kind == GW_OBJECT_SHARED && d->sized;
    }
    return types > 1;
}

/* What a kernel's proofs take for granted of all sources. */
static void collect_rules(const gw_func *f, gw_facts *out) {
    enum { DEPTH_MOST = 8 };
    const char *name = gw_cstr(f->session, f->primal->name);
    bool any = false;
    uint32_t pointers = 0;
    for (uint32_t i = 0; i < out->accesses.count; i++) {
        gw_op op = out->accesses.at[i].op;
        for (uint32_t k = 0; k < gw_index_count(f, op) && gw_op_at(f, op)->attr != GW_ACCUMULATE_ATOMIC; k++)
            any |= is_signed_arithmetic(f, gw_operand(f, op, k), DEPTH_MOST);
    }
    if (any) assume(out, false, gw_format("signed index arithmetic of %s does not overflow", name));
    for (uint32_t i = 0; i < f->primal->params.count; i++)
        pointers += !f->primal->params.at[i].value &&
                    gw_object_at(f->primal, f->primal->params.at[i].object)->kind == GW_OBJECT_POINTER;
    if (carves_memory(f->primal))
        assume(out, false, gw_format("%s reads dynamic shared memory as the type that it stored there", name));
    if (pointers > 1)
        assume(out, false, gw_format("distinct pointer parameters of %s reach disjoint cells", name));
}

static void collect_assumptions(const gw_func *f, gw_facts *out) {
    const gw_func *check =
        f->kind == GW_FUNC_KERNEL && f->form != GW_FORM_GATHER ? gw_companion(f, GW_FORM_CHECK) : NULL;
    for (uint32_t i = 0; check && i < check->assumptions.count; i++) {
        gw_text text = {0};
        gw_assumption_text(f->session, &check->assumptions.at[i], &text);
        assume(out, true, text.at);
    }
    bool premise = false, pointers = false;
    for (uint32_t i = 0; i < out->accesses.count; i++)
        premise |= gw_decision_by_premise(out->accesses.at[i].decision);
    for (gw_op op = 1; op < f->ops.count; op++)
        pointers |= is_adjoint_access(f, op) &&
                    gw_cell_behind_pointer(f, gw_op_at(f, op)->object, gw_op_at(f, op)->path);
    if (premise)
        assume(out, false, gw_format("%s itself has no data race (see 'the primal writes' above)",
                                     gw_cstr(f->session, f->primal->name)));
    if (f->kind == GW_FUNC_KERNEL && out->accesses.count) collect_rules(f, out);
    for (uint32_t i = 0; i < f->primal->promises.count; i++) {
        const gw_promise *p = &f->primal->promises.at[i];
        char *says = gw_format(gw_promise_rows[p->kind].says, gw_cstr(f->session, p->name));
        assume(out, false, gw_format("%s: %s", says, gw_promise_rows[p->kind].macro));
        free(says);
    }
    if (pointers)
        assume(out, false, gw_strdup("distinct pointers in memory (members, rows) lead to disjoint cells"));
}

/* ---- the tape ---- */
static void collect_slots(const gw_func *f, gw_facts *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_PUSH) continue;
        const gw_object_data *slot = gw_object_at(f, o->object);
        gw_push(&out->slots,
                ((gw_slot_fact){o->loc, slot->name, o->note, gw_type_bytes(slot->type), slot->in_array}));
    }
}

const char *gw_facts_slot_value(const gw_func *f, const gw_slot_fact *slot) {
    return strchr(gw_cstr(f->session, slot->name), '_') + 1;
}

const char *gw_facts_tape_place(const gw_func *f, bool in_array) {
    if (f->tape_local || in_array) return "in local arrays";
    return f->tape_host ? "on the tape" : "on the tape, in the workspace";
}

static void add_note(gw_facts *out, gw_loc loc, gw_str text) {
    gw_push(&out->notes, ((gw_note_fact){loc, text}));
}

/* The same of text that it frees. */
static void add_made(gw_facts *out, gw_loc loc, char *text) {
    add_note(out, loc, gw_intern(out->f->session, text));
    free(text);
}

/* Loops that turn.c turned round end with a step to the next records. */
static void collect_turned(const gw_func *f, gw_facts *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_FOR) continue;
        gw_op last = gw_prev(f, gw_region_end(f, o->region[0]));
        if (last && gw_op_at(f, last)->code == GW_OP_SKIP)
            add_made(out, o->loc,
                     gw_strdup("takes the records of this loop in the order in which they were stored"));
    }
}

static bool is_among(const gw_note_fact *notes, uint32_t count, gw_loc loc, gw_str text) {
    for (uint32_t i = 0; i < count; i++) {
        const gw_note_fact *n = &notes[i];
        if (n->loc.line == loc.line && n->loc.column == loc.column && n->loc.file == loc.file &&
            n->text == text)
            return true;
    }
    return false;
}

static bool is_noted(const gw_facts *facts, gw_loc loc, gw_str text) {
    return is_among(facts->notes.at, facts->notes.count, loc, text);
}

/* Loops that a pass made and says something of: candidates.c, adjoint/nest_reverse.c. */
static void collect_made_loops(const gw_func *f, gw_facts *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && gw_is_loop(f, op) && o->note && !o->imm.i && !is_noted(out, o->loc, o->note))
            add_note(out, o->loc, o->note);
    }
}

/* What adjoint/record.c says of the loop if its mark has no effect, or 0. */
static gw_str why_whole(const gw_func *f, gw_loc loc) {
    for (gw_op op = 1; gw_is_split(f) && op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool same = o->loc.line == loc.line && o->loc.column == loc.column && o->loc.file == loc.file;
        if (!o->dead && gw_is_loop(f, op) && o->imm.i && o->note && same) return o->note;
    }
    return 0;
}

/* GW_CHECKPOINT: the mark of the primal's loops. */
static void collect_checkpoints(const gw_func *f, gw_facts *out) {
    const gw_func *p = f->primal;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || (o->code != GW_OP_FOR && o->code != GW_OP_WHILE) || !o->imm.i) continue;
        gw_str whole = why_whole(f, o->loc);
        if (whole)
            add_made(out, o->loc,
                     gw_format("%s has no effect here; %s",
                               o->imm.i < 0 ? "GW_CHECKPOINT_BINOMIAL" : "GW_CHECKPOINT",
                               gw_cstr(f->session, whole)));
        else if (o->imm.i < 0)
            add_made(out, o->loc,
                     gw_format("stores what this loop carries at most %lld times: GW_CHECKPOINT_BINOMIAL",
                               (long long)-o->imm.i));
        else
            add_made(
                out, o->loc,
                gw_format(
                    "stores what this loop carries every %lld iterations, and runs these again: GW_CHECKPOINT",
                    (long long)o->imm.i));
    }
}

/* adjoint/nest/invert.c: its divisions bear a note, those of all instances of a coarsened thread the same. */
static void collect_undone(const gw_func *f, gw_facts *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool division = o->code == GW_OP_DIV || o->code == GW_OP_OVER;
        if (!o->dead && division && o->note && !is_noted(out, o->loc, o->note)) add_note(out, o->loc, o->note);
    }
}

/* Loops that keep something for the reverse sweep, and nearly would not (adjoint/near.c). */
static void collect_near_nests(const gw_func *f, gw_facts *out) {
    gw_near_nest_list near = {0};
    if (out->slots.count) gw_near_nests(f->primal, &f->session->requests.at[f->request], &near);
    for (uint32_t i = 0; i < near.count; i++) {
        const gw_near_nest_row *row = &gw_near_nest_rows[near.at[i].kind];
        add_made(out, near.at[i].at,
                 gw_format("keeps the loop of line %u from going without a tape: %s; %s", near.at[i].loop.line,
                           row->says, row->mends));
    }
    gw_vec_free(&near);
}

/* Calls whose derivatives are differences. */
static void collect_differences(const gw_func *f, gw_facts *out) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_CALL) continue;
        const gw_rule *rule = gw_differences_of(f->session, o->callee);
        if (!rule) continue;
        gw_text says = {0};
        gw_differences_say(f->session, rule, &says);
        const gw_str text = interned(f, &says);
        if (!is_among(out->differences.at, out->differences.count, o->loc, text))
            gw_push(&out->differences, ((gw_note_fact){o->loc, text}));
    }
}

bool gw_facts_has_differences(const gw_func *f) {
    bool found = false;
    for (gw_op op = 1; op < f->ops.count; op++)
        found |= !gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_CALL &&
                 gw_differences_of(f->session, gw_op_at(f, op)->callee);
    return found;
}

void gw_facts_collect(const gw_func *f, gw_facts *out) {
    *out = (gw_facts){.f = f};
    collect_differences(f, out);
    if (f->form == GW_FORM_JVP) return;
    collect_accesses(f, out);
    collect_assumptions(f, out);
    collect_slots(f, out);
    collect_turned(f, out);
    collect_checkpoints(f, out);
    collect_undone(f, out);
    collect_made_loops(f, out);
    if (f->kind == GW_FUNC_KERNEL) collect_near_nests(f, out);
    gw_facts_collect_memory(f, out);
    gw_call_facts_collect(f, &out->calls);
}

void gw_facts_free(gw_facts *facts) {
    for (uint32_t i = 0; i < facts->assumptions.count; i++) free(facts->assumptions.at[i].text);
    for (uint32_t i = 0; i < facts->memory.count; i++)
        free(facts->memory.at[i]);
    gw_vec_free(&facts->memory);
    gw_vec_free(&facts->accesses);
    gw_vec_free(&facts->assumptions);
    gw_vec_free(&facts->slots);
    gw_vec_free(&facts->notes);
    gw_vec_free(&facts->differences);
    gw_call_facts_free(&facts->calls);
}
