/*
 * diagnostics.c - recording and printing of what is said to the user; texts are rows of diagnostics.def.
 */
#include "analysis/ir/ir.h"

#include <stdlib.h>
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
    for (const char *c = gw_diag_rows[code].name; *c; c++)
        gw_text_addf(out, "%c", *c == '_' ? '-' : *c >= 'A' && *c <= 'Z' ? *c + ('a' - 'A') : *c);
}

gw_diag_code gw_diag_by_name(const char *name) {
    unsigned code = 0;
    for (bool found = false; code < GW_DIAG_COUNT && !found; code += !found) {
        gw_text own = {0};
        gw_diag_name((gw_diag_code)code, &own);
        found = strcmp(own.at, name) == 0;
        gw_text_free(&own);
    }
    return (gw_diag_code)code;
}

/* The derivatives of one function (gradient, pullback, forward) find the same each; a read and a zeroing of one cell
 * are decided alike. */
static bool was_said(const gw_session *s, gw_diag_code code, gw_loc loc, const char *message) {
    for (uint32_t i = 0; i < s->diagnostics.count; i++) {
        const gw_diagnostic *d = &s->diagnostics.at[i];
        bool same = d->code == code && d->loc.file == loc.file && d->loc.line == loc.line && d->loc.column == loc.column;
        if (same && strcmp(d->message, message) == 0) return true;
    }
    return false;
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
    char *way_out = gw_strdup(cut ? cut + 1 : "");
    if (cut) *cut = 0;
    if (was_said(s, code, loc, message)) {
        free(message);
        free(way_out);
        return;
    }
    gw_push(&s->diagnostics, ((gw_diagnostic){code, r->severity, loc, message, way_out, 0}));
    if (r->severity == GW_SEVERITY_ERROR) s->failed = true;
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
        for (size_t i = 0, n; i + 1 < column && i < text.count; i += n ? n : 1) { /* the caret stands below a character, not a byte */
            n = gw_utf8_sequence(text.at + i, text.count - i);
            putc(text.at[i] == '\t' ? '\t' : ' ', out);
        }
        fputs("^\n", out);
    }
    gw_text_free(&text);
}

void gw_diag_print(struct gw_session *s, FILE *out) {
    static const char *const words[] = {"note", "remark", "warning", "error"};
    for (; s->diagnostics_printed < s->diagnostics.count; s->diagnostics_printed++) {
        const gw_diagnostic *d = &s->diagnostics.at[s->diagnostics_printed];
        if (d->severity == GW_SEVERITY_REMARK && !s->options.explain) continue;
        bool located = d->loc.line != 0;
        if (located) fprintf(out, "%s:%u:%u: ", gw_cstr(s, d->loc.file), d->loc.line, d->loc.column);
        else fputs("gradwright: ", out);
        gw_text name = {0};
        gw_diag_name(d->code, &name);
        fprintf(out, "%s: %s [%s]\n", words[d->severity], d->message, name.at);
        gw_text_free(&name);
        if (located) print_line_and_caret(out, gw_cstr(s, d->loc.file), d->loc.line, d->loc.column);
        if (d->way_out[0]) fprintf(out, "  way out: %s\n", d->way_out);
    }
}
