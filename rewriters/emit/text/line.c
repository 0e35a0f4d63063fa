/*
 * emit/text/line.c - lines of the text: indented, and broken where they are too long; comments, calls and
 * declarations of many parts, and texts in quotes.
 */
#include "rewriters/emit/text/text_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_WIDTH = 104 };

/* Notes where the lines of text that a statement takes came from, for what is measured there
 * (report/profile.c). */
static void note_origin(gw_emitter *e, const char *line) {
    const gw_op_data *o = gw_op_at(e->f, e->statement);
    for (const char *at = line; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        at += strspn(at, " ");
        gw_push(&e->session->emitted,
                ((gw_emitted){gw_intern_n(e->session, at, strcspn(at, "\n")), o->loc, o->code}));
    }
}

/* "  // line 12" behind a statement that goes back in the source, once; an empty text for all others. */
static char *line_named(gw_emitter *e, const char *line) {
    const size_t length = strlen(line);
    const bool may = e->names_line && e->statement && length && line[length - 1] == ';' && !strchr(line, '\n');
    if (!may || gw_op_at(e->f, e->statement)->regions) return gw_strdup("");
    const gw_loc loc = gw_op_at(e->f, e->statement)->loc;
    const bool is_elsewhere = loc.file != e->f->loc.file;
    char *name = is_elsewhere ? gw_format("  // %s:%u", gw_emit_file_name(e->session, loc.file), loc.line)
                              : gw_format("  // line %u", loc.line);
    if (4 * e->depth + length + strlen(name) > GW_EMIT_WIDTH) name[0] = 0;
    else e->names_line = false;
    return name;
}

static void put(gw_emitter *e, const char *line) {
    char *named = line_named(e, line);
    char *whole = gw_format("%*s%s%s", *line ? (int)(4 * e->depth) : 0, "", line, named);
    char *folded = gw_emit_folded(whole, GW_EMIT_WIDTH);
    free(named);
    e->broken = strlen(folded) != strlen(whole);
    if (e->session->options.profile && e->statement) note_origin(e, folded);
    gw_text_addf(e->out, "%s\n", folded);
    free(whole), free(folded);
}

void gw_emit_line(gw_emitter *e, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *line = gw_alloc((size_t)n + 1);
    vsnprintf(line, (size_t)n + 1, format, list);
    va_end(list);
    put(e, line);
    free(line);
}

/* What is said as a comment that cannot end early or swallow the next line. */
char *gw_emit_comment_of(const char *says) {
    char *text = gw_format("// %s", says);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r' || *c == '\\') *c = ' ';
    return text;
}

/* ---- calls ---- */
void gw_emit_items_free(gw_emit_items *items) {
    for (uint32_t i = 0; i < items->count; i++) free(items->at[i]);
    gw_vec_free(items);
}

void gw_emit_call_text(gw_emitter *e, const char *head, char *const *items, uint32_t count, const char *tail) {
    gw_text text = {0};
    size_t column = 4 * e->depth + strlen(head) + 1;
    gw_text_addf(&text, "%s(", head);
    for (uint32_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        size_t length = strlen(items[i]) + (last ? strlen(tail) + 1 : 2);
        if (i && column + length > CALL_WIDTH) {
            text.count--; /* the blank behind the comma */
            text.at[text.count] = 0;
            column = 4 * e->depth + 8;
            gw_text_addf(&text, "\n%*s", (int)column, "");
        }
        gw_text_addf(&text, "%s%s", items[i], last ? "" : ", ");
        column += length;
    }
    gw_text_addf(&text, ")%s", tail);
    gw_emit_line(e, "%s", text.at);
    gw_text_free(&text);
}

/* ---- texts ---- */
char *gw_emit_quoted(const char *text) {
    gw_text out = {0};
    gw_text_add(&out, "\"");
    for (; *text; text++) {
        char one[2] = {*text, 0};
        if (*text == '"' || *text == '\\') gw_text_add(&out, "\\");
        gw_text_add(&out, *text == '\n' ? " " : one);
    }
    gw_text_add(&out, "\"");
    return out.at;
}
