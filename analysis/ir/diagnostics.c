/*
 * diagnostics.c - recording and printing of what is said to the user; texts are rows of diagnostics.def.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/ir.h"

#include <stdlib.h>
#include <string.h>
#include <string.h>

#define NOTE GW_SEVERITY_NOTE
#define REMARK GW_SEVERITY_REMARK
#define WARNING GW_SEVERITY_WARNING
#define ERROR GW_SEVERITY_ERROR
const gw_diag_row gw_diag_rows[GW_DIAG_COUNT] = {
#define GW_DIAG(code, severity, text, way_out) {#code, severity, text, way_out},
#include "analysis/ir/diagnostics.def"
#undef GW_DIAG
};
#undef NOTE
#undef REMARK
#undef WARNING
#undef ERROR

void gw_diag_name(gw_diag_code code, gw_text *out) {
    gw_text_add_name(out, gw_diag_rows[code].name);
}

bool gw_diag_is_bare(gw_diag_code code) {
    const char *text = gw_diag_rows[code].text;
    return text[0] == '%' && text[1] == 's' && !text[2];
}

gw_diag_code gw_diag_by_name(const char *name) {
    unsigned code = 0;
    while (code < GW_DIAG_COUNT && !gw_text_is_name(name, gw_diag_rows[code].name)) code++;
    return (gw_diag_code)code;
}

/* The derivatives of one function (gradient, pullback, forward) find the same each; a read and a zeroing of one
 * cell are decided alike. */
static bool same_choice(const gw_session *s, uint32_t a, uint32_t b) {
    const gw_rung_choice *x = &s->choices.at[a], *y = &s->choices.at[b];
    return x->reference == y->reference && x->rung == y->rung && x->how == y->how && x->refused == y->refused &&
           gw_why_same(&x->why, &y->why);
}

static bool same_decision(const gw_session *s, uint32_t a, uint32_t b) {
    const gw_decision *x = &s->decisions.at[a], *y = &s->decisions.at[b];
    return x->reference == y->reference && x->how == y->how && gw_decision_alike(s, a, b, false);
}

/* A choice tells of itself, whatever the decision. */
static bool same_words(const gw_session *s, const gw_diagnostic *a, const gw_diagnostic *b) {
    if (a->choice || b->choice) return a->choice && b->choice && same_choice(s, a->choice, b->choice);
    if (a->decision || b->decision)
        return a->decision && b->decision && same_decision(s, a->decision, b->decision);
    return a->message == b->message;
}

static void record(gw_session *s, gw_diagnostic d) {
    for (uint32_t i = 0; i < s->diagnostics.count; i++) {
        const gw_diagnostic *o = &s->diagnostics.at[i];
        bool same = o->code == d.code && o->loc.file == d.loc.file && o->loc.line == d.loc.line &&
                    o->loc.column == d.loc.column;
        if (same && same_words(s, o, &d)) return;
    }
    gw_push(&s->diagnostics, d);
    if (d.severity == GW_SEVERITY_ERROR) s->failed = true;
}

/* Text and way out are formatted as one, so that the way out's arguments follow the text's. */
void gw_diag(struct gw_session *s, gw_diag_code code, gw_loc loc, ...) {
    const gw_diag_row *r = &gw_diag_rows[code];
    char *both = gw_format("%s\x1f%s", r->text, r->way_out);
    va_list list, again;
    va_start(list, loc);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, both, again);
    va_end(again);
    char *message = gw_alloc((size_t)(n < 0 ? 0 : n) + 1);
    vsnprintf(message, (size_t)(n < 0 ? 0 : n) + 1, both, list);
    va_end(list);
    free(both);
    char *cut = strchr(message, '\x1f');
    if (cut) *cut = 0;
    gw_str text = gw_intern(s, message), way_out = gw_intern(s, cut ? cut + 1 : "");
    record(s, (gw_diagnostic){
                  .code = code, .severity = r->severity, .loc = loc, .message = text, .way_out = way_out});
    free(message);
}

void gw_diag_decision(struct gw_session *s, gw_diag_code code, gw_loc loc, uint32_t decision, uint32_t choice) {
    record(s, (gw_diagnostic){.code = code,
                              .severity = gw_diag_rows[code].severity,
                              .loc = loc,
                              .decision = decision,
                              .choice = choice});
}

void gw_diag_message(const struct gw_session *s, const gw_diagnostic *d, gw_text *out) {
    if (d->choice) gw_rung_choice_message(s, d->choice, out);
    else if (d->decision) gw_decision_message(s, d->decision, out);
    else gw_text_add(out, gw_cstr(s, d->message));
}

void gw_diag_way_out(const struct gw_session *s, const gw_diagnostic *d, gw_text *out) {
    if (d->decision && !d->choice) gw_decision_way_out(s, &s->decisions.at[d->decision], out);
    else gw_text_add(out, gw_cstr(s, d->way_out));
}

void gw_diag_take_errors(struct gw_session *s, const struct gw_session *from) {
    bool of_error = false;
    for (uint32_t i = 0; i < from->diagnostics.count; i++) {
        const gw_diagnostic *d = &from->diagnostics.at[i];
        of_error = d->severity == GW_SEVERITY_ERROR || (of_error && d->severity == GW_SEVERITY_NOTE);
        if (!of_error) continue;
        gw_text message = {0}, way_out = {0};
        gw_diag_message(from, d, &message);
        gw_diag_way_out(from, d, &way_out);
        gw_loc loc = d->loc;
        loc.file = gw_intern(s, gw_cstr(from, loc.file));
        record(s, (gw_diagnostic){.code = d->code,
                                  .severity = d->severity,
                                  .loc = loc,
                                  .message = gw_intern(s, message.at ? message.at : ""),
                                  .way_out = gw_intern(s, way_out.at ? way_out.at : "")});
        gw_text_free(&message);
        gw_text_free(&way_out);
    }
}

static bool is_before(const gw_diagnostic *a, const gw_diagnostic *b) {
    if (!a->loc.line || !b->loc.line) return !a->loc.line && b->loc.line;
    if (a->loc.file != b->loc.file) return a->loc.file < b->loc.file;
    if (a->loc.line != b->loc.line) return a->loc.line < b->loc.line;
    return a->loc.column < b->loc.column;
}

void gw_diag_sort(struct gw_session *s) {
    gw_diagnostic *at = s->diagnostics.at;
    for (uint32_t i = 1; i < s->diagnostics.count;) {
        uint32_t end = i + 1, to = i;
        while (end < s->diagnostics.count && at[end].severity == GW_SEVERITY_NOTE) end++;
        for (uint32_t k = i; k-- > 0;)
            if (at[k].severity != GW_SEVERITY_NOTE && is_before(&at[i], &at[k])) to = k;
        const size_t own = (end - i) * sizeof *at;
        gw_diagnostic *moved = memcpy(gw_alloc(own), at + i, own);
        memmove(at + to + (end - i), at + to, (i - to) * sizeof *at);
        memcpy(at + to, moved, own);
        free(moved);
        i = end;
    }
}

static void print_line_and_caret(FILE *out, const char *file, uint32_t line, uint32_t column) {
    FILE *in = gw_why_no_source(file) ? NULL : fopen(file, "r"); /* what a dump names need not be a file */
    if (!in) return;
    int c;
    uint32_t at = 1;
    while (at < line && (c = getc(in)) != EOF)
        if (c == '\n') at++;
    gw_text text = {0};
    while (at == line && (c = getc(in)) != EOF && c != '\n') {
        char one[2] = {(char)c, 0};
        gw_text_add(&text, one);
    }
    fclose(in);
    if (text.at) {
        fprintf(out, "%s\n", text.at);
        for (size_t i = 0, n; i + 1 < column && i < text.count; i += n ? n : 1) {
            /* the caret stands below a character, not a byte */
            n = gw_utf8_sequence(text.at + i, text.count - i);
            putc(text.at[i] == '\t' ? '\t' : ' ', out);
        }
        fputs("^\n", out);
    }
    gw_text_free(&text);
}

enum { MOST_ERRORS = 100 }; /* that are printed; the log has all */

void gw_diag_print(struct gw_session *s, FILE *out) {
    static const char *const words[] = {"note", "remark", "warning", "error"};
    uint32_t errors = 0;
    for (; s->diagnostics_printed < s->diagnostics.count; s->diagnostics_printed++) {
        const gw_diagnostic *d = &s->diagnostics.at[s->diagnostics_printed];
        if (d->severity == GW_SEVERITY_REMARK && !s->options.explain) continue;
        errors += d->severity == GW_SEVERITY_ERROR;
        if (errors > MOST_ERRORS) continue;
        bool located = d->loc.line != 0;
        if (located) fprintf(out, "%s:%u:%u: ", gw_cstr(s, d->loc.file), d->loc.line, d->loc.column);
        else fputs("gradwright: ", out);
        gw_text name = {0}, message = {0}, way_out = {0};
        gw_diag_way_out(s, d, &way_out);
        gw_diag_name(d->code, &name);
        gw_diag_message(s, d, &message);
        fprintf(out, "%s: %s [%s]\n", words[d->severity], message.at, name.at);
        gw_text_free(&name);
        gw_text_free(&message);
        if (located) print_line_and_caret(out, gw_cstr(s, d->loc.file), d->loc.line, d->loc.column);
        if (way_out.count) fprintf(out, "  way out: %s\n", way_out.at);
        gw_text_free(&way_out);
    }
    if (errors > MOST_ERRORS) fprintf(out, "gradwright: %u more errors\n", errors - MOST_ERRORS);
}
