/*
 * report/source.c - the user's text with its adjoint accesses: each stands below the line of the primal that
 * caused it, and is marked in that line (contract: report_private.h).
 *
 * A location is where an access begins; where it ends is read off the text: a name, and the [..], (..), .name
 * and ->name behind it. That decides nothing but how far a mark reaches.
 */
#include "rewriters/report/report_private.h"

#include "analysis/ir/rungs.h"

#include <string.h>

enum { LONG_FOLD = 8 };

/* ---- how far a mark reaches ---- */
static bool is_word(char c) { return gw_is_word(c) || (c & 0x80); }

/* Behind the bracket that closes the one at `at`; n where none does. */
static size_t behind_bracket(const char *text, size_t at, size_t n) {
    int depth = 0;
    for (; at < n; at++) {
        depth += (text[at] == '[' || text[at] == '(') - (text[at] == ']' || text[at] == ')');
        if (!depth) return at + 1;
    }
    return n;
}

static size_t end_of_access(const char *text, size_t at, size_t n) {
    while (at < n && strchr("*&", text[at])) at++;
    if (at < n && text[at] == '(') at = behind_bracket(text, at, n);
    size_t start = at;
    while (at < n) {
        bool member = text[at] == '.' && at + 1 < n && is_word(text[at + 1]);
        bool behind = text[at] == '-' && at + 2 < n && text[at + 1] == '>';
        bool scope = text[at] == ':' && at + 2 < n && text[at + 1] == ':' && at > start;
        if (is_word(text[at]) || member) at++;
        else if (behind || scope) at += 2;
        else if (text[at] == '[') at = behind_bracket(text, at, n);
        else break;
    }
    return at;
}

/* A member's location is its name: the mark takes in what stands before it, "s[j]" of "s[j].x". */
static size_t start_of_access(const char *text, size_t at) {
    for (;;) {
        size_t before = at;
        if (at && text[at - 1] == '.') before = at - 1;
        else if (at > 1 && text[at - 1] == '>' && text[at - 2] == '-') before = at - 2;
        if (before == at) return at;
        size_t from = before;
        for (int depth = 0; from; from--) {
            char c = text[from - 1];
            if (!depth && !is_word(c) && !strchr("])", c)) break;
            if (strchr("])", c)) depth++;
            else if (strchr("[(", c)) depth--;
        }
        if (from == before) return at;
        at = from;
    }
}

/* ---- one line ---- */
static bool is_here(const gw_report_access *a, const gw_report_file *file, uint32_t line) {
    return a->access->loc.file == file->path && a->access->loc.line == line;
}

/* The way that needs the most attention of those at a column (0: of the whole line): an atomic, a rung, an
 * owned one. */
static unsigned worst(const gw_report *r, const gw_report_file *file, uint32_t line, uint32_t column) {
    unsigned found = 0;
    for (uint32_t i = 0; i < r->accesses.count; i++) {
        const gw_report_access *a = &r->accesses.at[i];
        if (!is_here(a, file, line) || (column && a->access->loc.column != column)) continue;
        unsigned how = gw_report_how(a);
        bool better = !found || (found == GW_ACCUMULATE_LOCAL && how != found) ||
                      (gw_report_is_owned(found) && !gw_report_is_owned(how));
        if (better || how == GW_ACCUMULATE_ATOMIC) found = how;
    }
    return found;
}

static void put_marks(const gw_report *r, const gw_report_file *file, uint32_t line, const char *text,
                      size_t n) {
    size_t done = 0;
    for (uint32_t i = 0; i < r->accesses.count; i++) { /* in the order of columns */
        const gw_report_access *a = &r->accesses.at[i];
        size_t at = a->access->loc.column ? a->access->loc.column - 1 : n;
        if (!is_here(a, file, line) || at >= n) continue;
        size_t end = end_of_access(text, at, n);
        if (end == at || (at = start_of_access(text, at)) < done) continue;
        unsigned how = worst(r, file, line, a->access->loc.column);
        gw_report_escape(r->out, text + done, at - done);
        gw_report_add(r->out, "<mark class=\"k k%u\" data-way=\"", how);
        gw_report_letter(r->out, how);
        gw_text_add(r->out, "\">");
        gw_report_escape(r->out, text + at, end - at);
        gw_text_add(r->out, "</mark>");
        done = end;
    }
    gw_report_escape(r->out, text + done, n - done);
}

static void put_measures(const gw_report *r, const gw_report_file *file, uint32_t line) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < r->measures.count; i++) {
        const gw_measure *m = &r->measures.at[i];
        if (m->loc.line != line ||
            strcmp(gw_cstr(r->s, m->loc.file), gw_report_base(gw_cstr(r->s, file->path))) != 0)
            continue;
        gw_report_add(r->out, shown++ ? ", %s %s" : "<span class=\"meas\">%s %s", gw_cstr(r->s, m->value),
                      gw_cstr(r->s, m->metric));
    }
    if (shown) gw_text_add(r->out, "</span>");
}

/* The letters of the ways at this line. */
static void put_gutter(const gw_report *r, const gw_report_file *file, uint32_t line) {
    uint64_t seen = 0;
    for (uint32_t i = 0; i < r->accesses.count; i++) {
        const gw_report_access *a = &r->accesses.at[i];
        unsigned how = gw_report_how(a);
        if (!is_here(a, file, line) || how >= 64 || seen >> how & 1) continue;
        seen |= (uint64_t)1 << how;
        gw_report_add(r->out, "<span class=\"chip k k%u\" title=\"%s\">", how, gw_cstr(r->s, a->access->how));
        gw_report_letter(r->out, how);
        gw_text_add(r->out, "</span>");
    }
}

static void put_row(const gw_report *r, const gw_report_file *file, uint32_t line) {
    size_t from = file->starts.at[line - 1],
           to = line < file->starts.count ? file->starts.at[line] : file->count;
    while (to > from && (file->text[to - 1] == '\n' || file->text[to - 1] == '\r')) to--;
    gw_text_addf(r->out, "<span class=\"no\">%u</span><span class=\"gut\">", line);
    put_gutter(r, file, line);
    gw_text_add(r->out, "</span><code>");
    put_marks(r, file, line, file->text + from, to - from);
    gw_text_add(r->out, "</code>");
    put_measures(r, file, line);
}

static void put_line(const gw_report *r, const gw_report_file *file, uint32_t line) {
    unsigned how = worst(r, file, line, 0);
    if (!how) {
        gw_text_addf(r->out, "<div class=\"ln\" id=\"s%u-%u\"><div class=\"row\">", file->number, line);
        put_row(r, file, line);
        gw_text_add(r->out, "</div></div>\n");
        return;
    }
    bool open = !gw_report_is_owned(how);
    gw_text_addf(r->out, "<details class=\"ln\" id=\"s%u-%u\"%s><summary class=\"row\">", file->number, line,
                 open ? " open" : "");
    put_row(r, file, line);
    gw_text_add(r->out, "</summary>\n<div class=\"notes\">\n");
    GW_VEC(const gw_report_access *) here = {0};
    for (int owned = 0; owned < 2; owned++)
        for (uint32_t i = 0; i < r->accesses.count; i++) {
            const gw_report_access *a = &r->accesses.at[i];
            if (is_here(a, file, line) && gw_report_is_owned(gw_report_how(a)) == owned) gw_push(&here, a);
        }
    gw_report_entries(r, here.at, here.count);
    gw_vec_free(&here);
    gw_text_add(r->out, "</div></details>\n");
}

void gw_report_source(const gw_report *r, const gw_report_file *file) {
    uint32_t count = file->starts.count;
    gw_report_add(r->out,
                  "<h2 id=\"s%u\">%s</h2>\n<div class=\"src\" tabindex=\"0\" role=\"region\" "
                  "aria-label=\"%s\"><div class=\"lines\">\n",
                  file->number, gw_cstr(r->s, file->path), gw_report_base(gw_cstr(r->s, file->path)));
    for (uint32_t line = 1, end; line <= count; line = end) {
        for (end = line; end <= count && file->concerns[end] == file->concerns[line];) end++;
        bool fold = !file->concerns[line] && end - line >= LONG_FOLD;
        if (fold)
            gw_text_addf(r->out, "<details class=\"fold\"><summary>Lines %u to %u</summary>\n", line, end - 1);
        for (uint32_t i = line; i < end; i++) put_line(r, file, i);
        if (fold) gw_text_add(r->out, "</details>\n");
    }
    gw_text_add(r->out, "</div></div>\n");
}
