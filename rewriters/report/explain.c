/*
 * explain.c - the decision table of --explain: a row for each access of adjoint memory, what it is and why;
 * below it what the proofs assumed, and the tape. Everything it says is a fact of report/findings.c.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/differences.h"
#include "rewriters/report/findings_private.h"
#include "analysis/ir/run.h"

#include <stdlib.h>
#include <string.h>

static const char *update_of(const gw_facts *facts, uint32_t i) {
    return gw_cstr(facts->accesses.at[i].s, facts->accesses.at[i].update);
}

static int widest(const gw_facts *facts) {
    size_t width = 6;
    for (uint32_t i = 0; i < facts->accesses.count; i++)
        if (strlen(update_of(facts, i)) > width) width = strlen(update_of(facts, i));
    return width > 48 ? 48 : (int)width;
}

static void print_accesses(const gw_session *s, const gw_facts *facts, FILE *out) {
    if (!facts->accesses.count) return;
    int width = widest(facts);
    fprintf(out, "  %6s  %-*s  %-6s  %s\n", "line", width, "update", "how", "reason");
    for (uint32_t i = 0; i < facts->accesses.count; i++) {
        const gw_access_fact *a = &facts->accesses.at[i];
        fprintf(out, "  %6u  %-*s  %-6s  %s\n", a->loc.line, width, gw_cstr(s, a->update), gw_cstr(s, a->how),
                gw_cstr(s, a->reason));
        if (a->decision->witness)
            fprintf(out, "  %6s  %-*s  %-6s  for example, %s\n", "", width, "", "",
                    gw_cstr(s, a->decision->witness));
    }
}

static void print_assumptions(const gw_facts *facts, FILE *out) {
    for (uint32_t i = 0; i < facts->assumptions.count; i++) {
        const gw_assumption_fact *a = &facts->assumptions.at[i];
        fprintf(out, a->checked ? "  assumes %s: checked at the launch\n" : "  assumes that %s\n", a->text);
    }
}

/* What recorded parts store, and why it is not computed again (adjoint/storage.c). */
static void print_stored(const gw_session *s, const gw_facts *facts, FILE *out) {
    for (uint32_t i = 0; i < facts->slots.count; i++) {
        const gw_slot_fact *slot = &facts->slots.at[i];
        if (!slot->reason) continue;
        fprintf(out, "  %6u  stores %s (%u byte%s) because %s\n", slot->loc.line,
                gw_facts_slot_value(facts->f, slot), slot->bytes, slot->bytes == 1 ? "" : "s",
                gw_cstr(s, slot->reason));
    }
}

static void print_tape(const gw_session *s, const gw_facts *facts, FILE *out) {
    for (int in_array = 0; in_array < 2; in_array++) {
        uint32_t shown = 0;
        for (uint32_t i = 0; i < facts->slots.count; i++)
            if (facts->slots.at[i].in_array == in_array)
                fprintf(out, "%s%s", shown++ ? ", " : "  keeps ", gw_cstr(s, facts->slots.at[i].name));
        if (shown) fprintf(out, ": %s\n", gw_facts_tape_place(facts->f, in_array));
    }
}

/* Calls of a program in their order, and below each what it is on the way back. */
static void print_calls(const gw_session *s, const gw_facts *facts, FILE *out) {
    gw_source_text source = {0};
    if (facts->calls.count) fprintf(out, "  %6s  call, and what it is on the way back\n", "line");
    for (uint32_t i = 0; i < facts->calls.count; i++) {
        gw_call_words w;
        gw_call_words_make(s, &source, &facts->calls.at[i], &w);
        fprintf(out, "  %6u  %s%s%s\n", facts->calls.at[i].loc.line, w.call, *w.where ? ", " : "", w.where);
        for (uint32_t k = 0; k < w.reverse.count; k++)
            fprintf(out, "  %6s    %s\n", "", w.reverse.at[k]);
        gw_call_words_free(&w);
    }
    if (facts->calls.memory.count) fprintf(out, "  %6s  %s\n", "bytes", GW_BYTES_HEAD);
    for (uint32_t i = 0; i < facts->calls.memory.count; i++)
        fprintf(out, "  %6s  %s\n", "", facts->calls.memory.at[i]);
    free(source.text);
}

static void explain_function(const gw_session *s, const gw_func *f, FILE *out) {
    gw_facts facts;
    gw_facts_collect(f, &facts);
    const gw_request *q = f->request < s->requests.count ? &s->requests.at[f->request] : NULL;
    fprintf(out, "%s", gw_cstr(s, f->name));
    if (q) fprintf(out, " (%s: %s)", gw_cstr(s, q->function), gw_cstr(s, q->text));
    fprintf(out, "\n");
    print_accesses(s, &facts, out);
    print_assumptions(&facts, out);
    for (uint32_t i = 0; i < facts.memory.count; i++)
        fprintf(out, "  memory: %s\n", facts.memory.at[i]);
    print_stored(s, &facts, out);
    for (uint32_t i = 0; i < facts.differences.count; i++)
        fprintf(out, "  %6u  %s\n", facts.differences.at[i].loc.line, gw_cstr(s, facts.differences.at[i].text));
    for (uint32_t i = 0; i < facts.notes.count; i++)
        fprintf(out, "  %6u  %s\n", facts.notes.at[i].loc.line, gw_cstr(s, facts.notes.at[i].text));
    print_tape(s, &facts, out);
    print_calls(s, &facts, out);
    gw_facts_free(&facts);
}

void gw_explain(const gw_session *s, FILE *out) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (gw_facts_has(s->funcs.at[i])) explain_function(s, s->funcs.at[i], out);
}

static bool stands_at(const gw_diagnostic *d, gw_loc loc) {
    return d->code == GW_DIAG_CALL_REVERSED && d->loc.line == loc.line && d->loc.column == loc.column &&
           d->loc.file == loc.file;
}

static void remark(gw_session *s, gw_source_text *source, const gw_call_fact *call) {
    for (uint32_t i = 0; i < s->diagnostics.count; i++)
        if (stands_at(&s->diagnostics.at[i], call->loc)) return;
    gw_call_words w;
    gw_text text = {0};
    gw_call_words_make(s, source, call, &w);
    for (uint32_t i = 0; i < w.reverse.count; i++)
        gw_text_addf(&text, "%s%s", i ? "; " : "", w.reverse.at[i]);
    gw_diag(s, GW_DIAG_CALL_REVERSED, call->loc, text.at);
    gw_text_free(&text);
    gw_call_words_free(&w);
}

/* A remark for each place, whichever derivatives call there. */
static void remark_differences(gw_session *s, const gw_func *f) {
    if (!f->primal || !gw_facts_has_differences(f)) return;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const gw_rule *rule = o->dead || o->code != GW_OP_CALL ? NULL : gw_differences_of(s, o->callee);
        bool said = !rule;
        for (uint32_t i = 0; i < s->diagnostics.count; i++) {
            const gw_diagnostic *d = &s->diagnostics.at[i];
            said |= d->code == GW_DIAG_BY_DIFFERENCES && d->loc.line == o->loc.line &&
                    d->loc.column == o->loc.column && d->loc.file == o->loc.file;
        }
        if (said) continue;
        gw_text text = {0};
        gw_differences_say(s, rule, &text);
        gw_diag(s, GW_DIAG_BY_DIFFERENCES, o->loc, text.at);
        gw_text_free(&text);
    }
}

void gw_explain_calls(gw_session *s) {
    gw_source_text source = {0};
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        remark_differences(s, s->funcs.at[i]);
        gw_call_facts calls = {0};
        gw_call_facts_collect(s->funcs.at[i], &calls);
        for (uint32_t k = 0; k < calls.count; k++)
            remark(s, &source, &calls.at[k]);
        gw_call_facts_free(&calls);
    }
    free(source.text);
}
