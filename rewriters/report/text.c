/*
 * report/text.c - text as HTML, and how each way of making an access safe is marked (contract:
 * report_private.h).
 */
#include "rewriters/report/report_private.h"

#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"

#include <string.h>

/* ---- files ---- */
const char *gw_report_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const gw_report_file *gw_report_file_of(const gw_report *r, gw_str path) {
    for (uint32_t i = 0; i < r->files.count; i++)
        if (r->files.at[i].path == path) return &r->files.at[i];
    return NULL;
}

/* ---- escaping ---- */

/* HTML's name of a character that needs one. */
static const char *entity(char c) {
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void gw_report_escape(gw_text *out, const char *text, size_t count) {
    for (size_t i = 0, n; i < count; i += n ? n : 1) {
        const char *at = text + i;
        n = gw_utf8_sequence(at, count - i);
        const char *name = entity(*at);
        if (name) gw_text_add(out, name);
        else if (!n || ((unsigned char)*at < 0x20 && *at != '\t' && *at != '\n') || *at == 0x7F)
            gw_text_add(out, *at == '\r' ? "" : "\xEF\xBF\xBD");
        else gw_text_addf(out, "%.*s", (int)n, at);
    }
}

void gw_report_text(gw_text *out, const char *text) { gw_report_escape(out, text, strlen(text)); }

void gw_report_add(gw_text *out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    for (const char *at = format; *at;) {
        size_t n = strcspn(at, "%");
        gw_text_addf(out, "%.*s", (int)n, at);
        at += n;
        if (!*at) break;
        if (at[1] == 's') gw_report_text(out, va_arg(list, const char *));
        else if (at[1] == 'u') gw_text_addf(out, "%u", va_arg(list, unsigned));
        else gw_text_add(out, "%");
        at += at[1] == '%' || at[1] == 's' || at[1] == 'u' ? 2 : 1;
    }
    va_end(list);
}

/* ---- ways ---- */
unsigned gw_report_how(const gw_report_access *a) { return gw_op_at(a->facts->f, a->access->op)->attr; }

/* The first letter of its word, two where an earlier way has that one. */
void gw_report_letter(gw_text *out, unsigned how) {
    const char *word = gw_accumulate_word(how);
    bool taken = false;
    for (unsigned i = 1; i < how; i++) taken |= gw_accumulate_word(i)[0] == word[0];
    gw_text_addf(out, "%c%.*s", word[0] - 'a' + 'A', taken, word + 1);
}

const char *gw_report_says(unsigned how) {
    if (how == GW_ACCUMULATE_LOCAL) return "the thread's own variable";
    for (unsigned i = GW_RUNG_AUTO + 1; i < GW_RUNG_COUNT; i++)
        if (gw_rung_ends_in(i, how)) return gw_rung_rows[i].says;
    return "";
}

/* ---- links ---- */
void gw_report_place(const gw_report *r, gw_loc loc, const char *text) {
    const gw_report_file *file = gw_report_file_of(r, loc.file);
    if (file && loc.line && loc.line <= file->starts.count)
        gw_report_add(r->out, "<a href=\"#s%u-%u\">%s</a>", file->number, loc.line, text);
    else
        gw_report_text(r->out, text);
}
