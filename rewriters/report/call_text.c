/*
 * report/call_text.c - a call as the source has it, in one line (contract: call_words_private.h). It is only
 * shown: where the source is not there any more, or the call comes out of a macro, other words stand in its
 * place.
 */
#include "rewriters/report/call_words_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400 };

static const char *at_place(const gw_source_text *source, gw_loc loc, const char **end) {
    const char *at = source->text;
    *end = at ? at + source->count : NULL;
    for (uint32_t line = 1; at && line < loc.line; line++) {
        at = memchr(at, '\n', (size_t)(*end - at));
        if (at) at++;
    }
    if (!at || !loc.column || loc.column > (size_t)(*end - at)) return NULL;
    return at + loc.column - 1;
}

/* Behind a text in quotes that begins at `at`. */
static const char *past_quoted(const char *at, const char *end) {
    const char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* Behind the bracket that closes the one at `at`; NULL: none does. */
static const char *past_bracket(const char *at, const char *end) {
    int depth = 0;
    while (at < end) {
        const char c = *at;
        if (c == '"' || c == '\'') {
            at = past_quoted(at, end);
            continue;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        at++;
        if (!depth) return at;
    }
    return NULL;
}

static bool has_three(const char *at, const char *end, char c) {
    return end - at >= 3 && at[0] == c && at[1] == c && at[2] == c;
}

/* Behind what stands in front of the arguments' bracket: a name, template arguments, a launch's shape. */
static const char *past_head(const char *at, const char *end) {
    bool in_shape = false;
    while (at && at < end && *at != ';') {
        if (has_three(at, end, '<') || (in_shape && has_three(at, end, '>'))) {
            in_shape = *at == '<';
            at += 3;
        } else if (*at == '(' && !in_shape) {
            return at;
        } else {
            at = *at == '(' || *at == '[' || *at == '{' ? past_bracket(at, end) : at + 1;
        }
    }
    return NULL;
}

static void add_in_one_line(gw_text *out, const char *from, const char *to) {
    bool gap = false;
    for (; from < to; from++) {
        if (isspace((unsigned char)*from)) {
            gap = true;
            continue;
        }
        if (gap) gw_text_add(out, " ");
        gap = false;
        gw_text_add_char(out, *from);
    }
}

bool gw_call_text(const gw_session *s, gw_source_text *source, const gw_call_fact *call, gw_text *out) {
    if (source->file != call->loc.file) {
        const char *error = NULL;
        free(source->text);
        *source = (gw_source_text){.file = call->loc.file};
        if (!gw_why_no_source(gw_cstr(s, call->loc.file)))
            source->text = gw_file_text(gw_cstr(s, call->loc.file), &source->count, &error);
    }
    const char *end, *from = at_place(source, call->loc, &end);
    if (!from || (!gw_is_word(*from) && *from != ':')) return false;
    const char *bracket = past_head(from, end), *to = bracket ? past_bracket(bracket, end) : NULL;
    if (!to || to - from > LONGEST) return false;
    add_in_one_line(out, from, to);
    return true;
}

bool gw_call_text_argument(const char *text, uint32_t i, uint32_t count, gw_text *out) {
    const char *end = text + strlen(text), *at = past_head(text, end), *from = NULL, *to = NULL;
    if (!at) return false;
    uint32_t argument = 0;
    const char *start = ++at;
    while (at < end) {
        const bool ends = *at == ',' || *at == ')';
        if (ends && argument == i) from = start, to = at;
        if (*at == ')') break;
        if (*at == ',') start = at + 1, argument++;
        if (*at == '(' || *at == '[' || *at == '{')
            at = past_bracket(at, end);
        else
            at = *at == '"' || *at == '\'' ? past_quoted(at, end) : at + 1;
        if (!at) return false;
    }
    if (!from || (count && argument + 1 != count)) return false;
    while (from < to && *from == ' ')
        from++;
    if (from == to) return false;
    gw_text_addf(out, "%.*s", (int)(to - from), from);
    return true;
}
