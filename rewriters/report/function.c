/*
 * report/function.c - one derivative: what its proofs assume, its tape, and where its updates are not owned
 * (contract: report_private.h).
 */
#include "rewriters/report/report_private.h"

#include <stdlib.h>
#include <string.h>

static void put_assumptions(const gw_report *r, const gw_facts *facts, bool checked) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < facts->assumptions.count; i++) {
        const gw_assumption_fact *a = &facts->assumptions.at[i];
        if (a->checked != checked) continue;
        if (!shown++)
            gw_report_add(r->out, "<h4>%s</h4>\n<ul>\n",
                          checked ? "Assumed, and checked at the launch" : "Assumed, and not checked");
        gw_report_add(r->out, "<li>%s</li>\n", a->text);
    }
    if (shown) gw_text_add(r->out, "</ul>\n");
}

static void put_slot(const gw_report *r, const gw_facts *facts, const gw_slot_fact *slot) {
    char *line = gw_format("line %u", slot->loc.line);
    gw_report_add(r->out, "<tr><td><code>%s</code></td><td class=\"num\">%u</td><td class=\"num\">",
                  gw_facts_slot_value(facts->f, slot), slot->bytes);
    gw_report_place(r, slot->loc, line);
    gw_report_add(r->out, "</td><td>%s, %s</td></tr>\n",
                  slot->reason ? gw_cstr(r->s, slot->reason) : "the loop's body runs again from it",
                  gw_facts_tape_place(facts->f, slot->in_array));
    free(line);
}

static void put_tape(const gw_report *r, const gw_facts *facts) {
    gw_text bytes = {0};
    gw_facts_tape_bytes(facts, &bytes);
    gw_report_add(r->out, "<h4>Tape</h4>\n<p>%s</p>\n",
                  facts->slots.count ? bytes.at
                                     : "None: all that the reverse sweep needs is there or computed again.");
    gw_text_free(&bytes);
    if (!facts->slots.count) return;
    gw_text_add(r->out, "<table class=\"tape\"><thead><tr><th scope=\"col\">Value</th><th "
                        "scope=\"col\">Bytes</th><th scope=\"col\">Stored at</th>"
                        "<th scope=\"col\">Why, and where</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < facts->slots.count; i++) put_slot(r, facts, &facts->slots.at[i]);
    gw_text_add(r->out, "</tbody></table>\n<p>Everything else that the reverse sweep needs is still there, or "
                        "computed again.</p>\n");
}

static void put_memory(const gw_report *r, const gw_facts *facts) {
    if (!facts->memory.count) return;
    gw_text_add(r->out, "<h4>Memory</h4>\n<ul>\n");
    for (uint32_t i = 0; i < facts->memory.count; i++)
        gw_report_add(r->out, "<li>%s</li>\n", facts->memory.at[i]);
    gw_text_add(r->out, "</ul>\n");
}

static void put_notes(const gw_report *r, const char *head, const gw_note_fact *notes, uint32_t count) {
    if (!count) return;
    gw_report_add(r->out, "<h4>%s</h4>\n<ul>\n", head);
    for (uint32_t i = 0; i < count; i++) {
        char *line = gw_format("Line %u", notes[i].loc.line);
        gw_text_add(r->out, "<li>");
        gw_report_place(r, notes[i].loc, line);
        gw_report_add(r->out, ": %s</li>\n", gw_cstr(r->s, notes[i].text));
        free(line);
    }
    gw_text_add(r->out, "</ul>\n");
}

static const char *kind_of(const gw_func *f) {
    if (f->form == GW_FORM_JVP) return "forward derivative";
    return f->form == GW_FORM_PULLBACK ? "pullback" : "gradient";
}

static void put_shared(const gw_report *r, const gw_facts *facts) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < r->accesses.count; i++) {
        const gw_report_access *a = &r->accesses.at[i];
        if (a->facts != facts || gw_report_is_owned(gw_report_how(a))) continue;
        if (!shown++) gw_text_add(r->out, "<h4>Updates of cells that threads share</h4>\n<ul>\n");
        gw_report_add(r->out, "<li><a href=\"#a%u\">Line %u</a>: <code>%s</code> (%s)</li>\n", a->number,
                      a->access->loc.line, gw_cstr(r->s, a->access->update), gw_cstr(r->s, a->access->how));
    }
    if (shown) gw_text_add(r->out, "</ul>\n");
}

/* Accesses at no line that the page shows. */
static void put_rest(const gw_report *r, const gw_facts *facts) {
    GW_VEC(const gw_report_access *) rest = {0};
    for (uint32_t i = 0; i < r->accesses.count; i++) {
        const gw_report_access *a = &r->accesses.at[i];
        const gw_report_file *file = gw_report_file_of(r, a->access->loc.file);
        uint32_t line = a->access->loc.line;
        if (a->facts == facts && (!file || !line || line > file->starts.count)) gw_push(&rest, a);
    }
    gw_report_entries(r, rest.at, rest.count);
    gw_vec_free(&rest);
}

/* A program has a row for each call. */
static void put_calls(const gw_report *r, const gw_facts *facts) {
    gw_source_text source = {0};
    if (!facts->calls.count) return;
    gw_text_add(r->out, "<h4>Calls</h4>\n<p>In their order. What a call overwrites is saved before, where the "
                        "reverse of an earlier one reads it.</p>\n<table class=\"tape\"><thead><tr><th "
                        "scope=\"col\">Line</th><th scope=\"col\">Call</th><th scope=\"col\">On the way "
                        "back</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < facts->calls.count; i++) {
        gw_call_words w;
        gw_call_words_make(r->s, &source, &facts->calls.at[i], &w);
        char *line = gw_format("%u", facts->calls.at[i].loc.line);
        gw_text_add(r->out, "<tr><td class=\"num\">");
        gw_report_place(r, facts->calls.at[i].loc, line);
        gw_report_add(r->out, "</td><td><code>%s</code>%s%s</td><td>", w.call, *w.where ? ", " : "", w.where);
        for (uint32_t k = 0; k < w.reverse.count; k++)
            gw_report_add(r->out, k ? "<br>%s" : "%s", w.reverse.at[k]);
        gw_text_add(r->out, "</td></tr>\n");
        free(line);
        gw_call_words_free(&w);
    }
    gw_text_add(r->out, "</tbody></table>\n");
    free(source.text);
    if (!facts->calls.memory.count) return;
    gw_report_add(r->out, "<p>Bytes %s:</p>\n<ul>\n", GW_BYTES_HEAD);
    for (uint32_t i = 0; i < facts->calls.memory.count; i++)
        gw_report_add(r->out, "<li>%s</li>\n", facts->calls.memory.at[i]);
    gw_text_add(r->out, "</ul>\n");
}

void gw_report_function(const gw_report *r, uint32_t index) {
    const gw_facts *facts = &r->facts.at[index];
    const gw_func *f = facts->f;
    const gw_request *q = f->request < r->s->requests.count ? &r->s->requests.at[f->request] : NULL;
    gw_report_add(r->out, "<section class=\"fn\" id=\"f%u\">\n<h3>%s</h3>\n<p class=\"by\">", index + 1,
                  gw_cstr(r->s, f->name));
    char *place = gw_format("%s:%u", gw_report_base(gw_cstr(r->s, f->primal->loc.file)), f->primal->loc.line);
    gw_report_add(r->out, "%s of <code>%s</code>", kind_of(f),
                  gw_cstr(r->s, f->primal->qualified));
    if (q) gw_report_add(r->out, ", %s", gw_cstr(r->s, q->text));
    gw_text_add(r->out, ", ");
    gw_report_place(r, f->primal->loc, place);
    gw_text_add(r->out, "</p>\n");
    free(place);
    put_shared(r, facts);
    put_memory(r, facts);
    put_assumptions(r, facts, true);
    put_assumptions(r, facts, false);
    if (f->form != GW_FORM_JVP) put_tape(r, facts);
    put_notes(r, "Derivatives that are differences", facts->differences.at, facts->differences.count);
    put_notes(r, "Loops and inverted updates", facts->notes.at, facts->notes.count);
    put_calls(r, facts);
    put_rest(r, facts);
    gw_text_add(r->out, "</section>\n");
}
