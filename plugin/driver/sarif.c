/*
 * sarif.c - diagnostics and decisions as a SARIF 2.1.0 log (OASIS standard): one run, a rule for each row of
 * diagnostics.def, a result for each thing said. A decision is a result of kind "informational" whose rule is
 * the reason; what was decided (a row of rungs.def) is in its properties. The log is read off the session; the
 * sources are looked at to count columns in characters, as the standard does, where Clang counts bytes.
 */
#include "plugin/driver/driver.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/words.h"
#include "analysis/ownership/ownership.h"
#include "plugin/driver/json_private.h"

#include <stdlib.h>
#include <string.h>

static void add_string(gw_text *out, const char *text) {
    gw_text_add(out, "\"");
    gw_json_escape(out, text);
    gw_text_add(out, "\"");
}

/* What the standard reads as something else in a message's text (3.11.5, 3.11.6), and how it is written for
 * itself: a brace begins a placeholder, and "[i](x)" is a link; a rule's text has "%s" where a result says
 * what. */
static const struct {
    const char *found, *written;
} written[] = {{"{", "{{"}, {"}", "}}"}, {"](", "] ("}, {"%s", "..."}};

/* A message; of a rule where it is a format. */
static void add_message(gw_text *out, const char *text, bool of_rule) {
    gw_text plain = {0};
    gw_text_add(&plain, "");
    while (*text) {
        unsigned k = 0, count = (unsigned)GW_COUNT_OF(written) - (of_rule ? 0 : 1);
        while (k < count && strncmp(text, written[k].found, strlen(written[k].found)) != 0)
            k++;
        if (k < count)
            gw_text_add(&plain, written[k].written);
        else
            gw_text_add_char(&plain, *text);
        text += k < count ? strlen(written[k].found) : 1;
    }
    gw_text_add(out, "{\"text\": ");
    add_string(out, plain.at);
    gw_text_add(out, "}");
    gw_text_free(&plain);
}

static void add_rules(gw_text *out) {
    for (unsigned i = 0; i < GW_DIAG_COUNT; i++) {
        gw_text_add(out, i ? ",\n            {\"id\": \"" : "            {\"id\": \"");
        gw_diag_name((gw_diag_code)i, out);
        gw_text_add(out, "\"");
        if (!gw_diag_is_bare((gw_diag_code)i)) {
            gw_text_add(out, ", \"shortDescription\": ");
            add_message(out, gw_diag_rows[i].text, true);
        }
        gw_text_add(out, "}");
    }
}

static bool is_segment(const char *at, size_t count, const char *name) {
    return count == strlen(name) && strncmp(at, name, count) == 0;
}

/* A path as a URI, in the standard's normal form (3.10.2): without empty segments and ".". Relative ones stay
 * relative, but
 * ".." may lead through a link, which only this machine can follow. What may not stand in a segment is escaped.
 */
static void add_uri(gw_text *out, const char *path) {
    char *real = NULL;
    for (const char *at = path; *at && !real; at += strcspn(at, "/"), at += *at == '/')
        if (is_segment(at, strcspn(at, "/"), "..")) real = realpath(path, NULL);
    if (real) path = real;
    gw_text_add(out, path[0] == '/' ? "\"file://" : "\"");
    bool more = path[0] == '/';
    for (size_t count; *path; path += count, path += *path == '/') {
        count = strcspn(path, "/");
        if (!count || is_segment(path, count, ".")) continue;
        if (more) gw_text_add(out, "/");
        more = true;
        for (size_t k = 0; k < count; k++) {
            unsigned char c = (unsigned char)path[k];
            bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         strchr("-._~+@,=", c);
            gw_text_addf(out, plain ? "%c" : "%%%02X", c);
        }
    }
    gw_text_add(out, "\"");
    free(real);
}

/* The file that was looked at last: diagnostics come file by file. */
typedef struct log {
    const gw_session *s;
    gw_text *out;
    gw_str file;
    char *text;
    size_t count;
} log;

/* The column in characters, 0 where the file cannot be read any more. */
static uint32_t column_of(log *g, const gw_loc *loc) {
    if (loc->file != g->file) {
        const char *error;
        free(g->text);
        g->file = loc->file;
        g->text = gw_file_text(gw_cstr(g->s, loc->file), &g->count, &error);
    }
    const char *at = g->text, *end = at ? at + g->count : NULL;
    for (uint32_t line = 1; at && line < loc->line; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) at++;
    }
    if (!at || !loc->column) return 0;
    size_t before = loc->column - 1,
           mark = loc->line == 1 && strncmp(at, "\xEF\xBB\xBF", 3) == 0 && before >= 3 ? 3 : 0;
    at += mark, before -= mark; /* Clang counts the byte order mark, the standard does not */
    return 1 + gw_utf8_count(at, before < (size_t)(end - at) ? before : (size_t)(end - at));
}

/* The members of a location. */
static void add_place(log *g, const gw_loc *loc) {
    gw_text *out = g->out;
    uint32_t column = column_of(g, loc);
    gw_text_add(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    add_uri(out, gw_cstr(g->s, loc->file));
    gw_text_add(out, "}");
    if (loc->line) {
        gw_text_addf(out, ", \"region\": {\"startLine\": %u", loc->line);
        if (column) gw_text_addf(out, ", \"startColumn\": %u", column);
        gw_text_add(out, "}");
    }
    gw_text_add(out, "}");
}

static void add_location(log *g, const gw_loc *loc) {
    if (!loc->file) return;
    gw_text_add(g->out, ",\n          \"locations\": [{");
    add_place(g, loc);
    gw_text_add(g->out, "}]");
}

/* What was decided, the reference that stood against a proof, and where two threads meet. */
static void add_decision(log *g, const gw_decision *d) {
    const gw_session *s = g->s;
    gw_text *out = g->out;
    if (d->other && d->other_loc.file) {
        gw_text_add(out, ",\n          \"relatedLocations\": [{\"message\": ");
        add_message(out, gw_cstr(s, d->other), false);
        gw_text_add(out, ", ");
        add_place(g, &d->other_loc);
        gw_text_add(out, "}]");
    }
    gw_text_addf(out, ",\n          \"properties\": {\"decision\": \"%s\"", gw_accumulate_word(d->how));
    if (d->witness) {
        gw_text_add(out, ", \"witness\": ");
        add_string(out, gw_cstr(s, d->witness));
    }
    gw_text_add(out, "}");
}

static void add_result(log *g, const gw_diagnostic *d) {
    static const char *const levels[] = {"note", "none", "warning", "error"};
    const gw_session *s = g->s;
    gw_text *out = g->out;
    bool decision = d->severity == GW_SEVERITY_REMARK;
    gw_str witness = d->decision ? s->decisions.at[d->decision].witness : 0;
    gw_text_add(out, "        {\"ruleId\": \"");
    gw_diag_name(d->code, out);
    gw_text_addf(
        out, "\", \"ruleIndex\": %u, \"kind\": \"%s\", \"level\": \"%s\",\n          \"message\": ",
        (unsigned)d->code, decision ? "informational" : "fail", levels[d->severity]);
    gw_text text = {0}, way_out = {0};
    gw_diag_way_out(s, d, &way_out);
    gw_diag_message(s, d, &text);
    if (witness) gw_text_addf(&text, "; for example, %s", gw_cstr(s, witness));
    if (way_out.count) gw_text_addf(&text, "; way out: %s", way_out.at);
    gw_text_free(&way_out);
    add_message(out, text.at, false);
    gw_text_free(&text);
    add_location(g, &d->loc);
    if (d->decision) add_decision(g, &s->decisions.at[d->decision]);
    gw_text_add(out, "}");
}

void gw_sarif_text(const gw_session *s, gw_text *out) {
    log g = {.s = s, .out = out};
    gw_text_add(
        out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
             "  \"runs\": [\n    {\n      \"tool\": {\n        \"driver\": {\n"
             "          \"name\": \"gradwright\",\n          \"version\": \"" GW_VERSION "\",\n"
             "          \"rules\": [\n");
    add_rules(out);
    gw_text_add(out, "\n          ]\n        }\n      },\n      \"columnKind\": \"unicodeCodePoints\",\n"
                     "      \"results\": [\n");
    for (uint32_t i = 0; i < s->diagnostics.count; i++) {
        if (i) gw_text_add(out, ",\n");
        add_result(&g, &s->diagnostics.at[i]);
    }
    gw_text_addf(out, "\n      ],\n      \"invocations\": [{\"executionSuccessful\": %s}]\n    }\n  ]\n}\n",
                 s->failed ? "false" : "true");
    free(g.text);
}
