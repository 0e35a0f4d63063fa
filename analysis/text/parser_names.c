/*
 * parser_names.c - tokens, names, types and locations for the IR's parser (contract: parser_private.h).
 */
#include "analysis/text/parser_private.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */
static bool fail_list(gw_parser *p, gw_place place, const char *format, va_list list) {
    if (gw_session_failed(p->s)) return false;
    char message[512]; /* a longer one is cut: what it quotes may be a whole file */
    vsnprintf(message, sizeof message, format, list);
    gw_diag(p->s, GW_DIAG_BAD_IR, (gw_loc){p->file, place.line, place.column}, message);
    return false;
}

bool gw_parse_fail_at(gw_parser *p, gw_place place, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fail_list(p, place, format, list);
    va_end(list);
    return false;
}

bool gw_parse_fail(gw_parser *p, const char *format, ...) {
    if (p->lexer.kind == GW_TOKEN_BAD) return gw_parse_fail_at(p, gw_parse_place(p), "%s", p->lexer.text.at);
    va_list list;
    va_start(list, format);
    fail_list(p, gw_parse_place(p), format, list);
    va_end(list);
    return false;
}

gw_place gw_parse_place(const gw_parser *p) { return (gw_place){p->lexer.token_line, p->lexer.token_column}; }

bool gw_parse_expected(gw_parser *p, const char *what) {
    const gw_lexer *l = &p->lexer;
    if (l->kind == GW_TOKEN_END) return gw_parse_fail(p, "expected %s, found the end of the text", what);
    return gw_parse_fail(p, "expected %s, found '%.40s'", what, l->text.at);
}

/* ---- tokens ---- */
bool gw_parse_is_mark(const gw_parser *p, char mark) {
    return p->lexer.kind == GW_TOKEN_MARK && p->lexer.text.at[0] == mark;
}

bool gw_parse_is_word(const gw_parser *p, const char *word) {
    return p->lexer.kind == GW_TOKEN_WORD && strcmp(p->lexer.text.at, word) == 0;
}

bool gw_parse_accept_mark(gw_parser *p, char mark) {
    if (!gw_parse_is_mark(p, mark)) return false;
    gw_lexer_next(&p->lexer);
    return true;
}

bool gw_parse_accept_word(gw_parser *p, const char *word) {
    if (!gw_parse_is_word(p, word)) return false;
    gw_lexer_next(&p->lexer);
    return true;
}

bool gw_parse_mark(gw_parser *p, char mark) {
    char what[] = {'\'', mark, '\'', 0};
    return gw_parse_accept_mark(p, mark) || gw_parse_expected(p, what);
}

bool gw_parse_word(gw_parser *p, const char *word) {
    if (gw_parse_accept_word(p, word)) return true;
    char *what = gw_format("'%s'", word);
    gw_parse_expected(p, what);
    free(what);
    return false;
}

bool gw_parse_one_of(gw_parser *p, const char *const *words, size_t count, const char *what, unsigned *out) {
    for (unsigned i = 0; i < count; i++)
        if (gw_parse_accept_word(p, words[i])) {
            *out = i;
            return true;
        }
    return gw_parse_expected(p, what);
}

bool gw_parse_u64(gw_parser *p, uint64_t *out) {
    if (p->lexer.kind != GW_TOKEN_NUMBER || p->lexer.text.at[0] == '-') return gw_parse_expected(p, "a number");
    char *end;
    errno = 0;
    *out = strtoull(p->lexer.text.at, &end, 10);
    if (errno || *end) return gw_parse_fail(p, "'%.40s' is no number that fits", p->lexer.text.at);
    gw_lexer_next(&p->lexer);
    return true;
}

static bool parse_limited(gw_parser *p, uint64_t limit, uint64_t *out) {
    gw_place place = gw_parse_place(p);
    if (!gw_parse_u64(p, out)) return false;
    return *out <= limit ||
           gw_parse_fail_at(p, place, "the number is larger than %llu", (unsigned long long)limit);
}

bool gw_parse_u32(gw_parser *p, uint32_t *out) {
    uint64_t wide;
    if (!parse_limited(p, UINT32_MAX, &wide)) return false;
    *out = (uint32_t)wide;
    return true;
}

bool gw_parse_u16(gw_parser *p, uint16_t *out) {
    uint64_t wide;
    if (!parse_limited(p, UINT16_MAX, &wide)) return false;
    *out = (uint16_t)wide;
    return true;
}

/* ---- names ---- */
static bool take_text(gw_parser *p, gw_str *out) {
    *out = gw_intern(p->s, p->lexer.text.at);
    gw_lexer_next(&p->lexer);
    return true;
}

bool gw_parse_string(gw_parser *p, gw_str *out) {
    return p->lexer.kind == GW_TOKEN_STRING ? take_text(p, out) : gw_parse_expected(p, "a string");
}

bool gw_parse_name(gw_parser *p, gw_str *out) {
    return p->lexer.kind == GW_TOKEN_WORD ? take_text(p, out) : gw_parse_string(p, out);
}

bool gw_parse_label(gw_parser *p, gw_str *name, gw_str *key) {
    uint32_t ordinal = 1;
    if (!gw_parse_name(p, name)) return false;
    if (gw_parse_accept_mark(p, '\'') && !gw_parse_u32(p, &ordinal)) return false;
    char *text = gw_format("%s'%u", gw_cstr(p->s, *name), ordinal);
    *key = gw_intern(p->s, text);
    free(text);
    return true;
}

bool gw_parse_func_label(gw_parser *p, gw_str *name, gw_str *key) {
    return gw_parse_mark(p, '@') && gw_parse_label(p, name, key);
}

bool gw_parse_object(gw_parser *p, gw_object *out) {
    gw_str name, key;
    gw_place place = gw_parse_place(p);
    if (!gw_parse_label(p, &name, &key)) return false;
    *out = gw_map_get(&p->objects, key);
    return *out || gw_parse_fail_at(p, place, "no object '%s'", gw_cstr(p->s, key));
}

bool gw_parse_bind(gw_parser *p, gw_value_map *map, gw_str key, uint32_t handle) {
    if (gw_map_get(map, key)) return gw_parse_fail(p, "'%s' is defined twice", gw_cstr(p->s, key));
    gw_map_set(map, key, handle);
    if (map != &p->funcs) gw_push(&p->local_keys, key);
    return true;
}

/* ---- types ---- */
static gw_type find_scalar(const char *text) {
    for (gw_type t = 0; t < GW_T_SCALARS; t++)
        if (strcmp(gw_type_text(NULL, t), text) == 0) return t;
    return GW_T_SCALARS;
}

static bool parse_struct_name(gw_parser *p, gw_type *out) {
    uint32_t ordinal = 1;
    gw_str name;
    gw_place place = gw_parse_place(p);
    if (!gw_parse_name(p, &name)) return false;
    if (gw_parse_accept_mark(p, '\'') && !gw_parse_u32(p, &ordinal)) return false;
    for (gw_type t = GW_T_SCALARS; t < p->s->types.count; t++) {
        const gw_type_data *d = &p->s->types.at[t];
        if (d->kind != GW_TYPE_STRUCT || d->name != name || --ordinal) continue;
        *out = t;
        return true;
    }
    return gw_parse_fail_at(p, place, "no type '%s'", gw_cstr(p->s, name));
}

bool gw_parse_type(gw_parser *p, gw_type *out) {
    enum { LIMIT = 16 };
    struct {
        bool pointer, is_const;
        uint32_t extent;
    } outer[LIMIT];
    unsigned count = 0;
    while (gw_parse_is_mark(p, '[') || gw_parse_is_mark(p, '*')) {
        if (count == LIMIT) return gw_parse_fail(p, "a type has more than %d dimensions", LIMIT);
        outer[count].pointer = gw_parse_accept_mark(p, '*');
        outer[count].is_const = outer[count].pointer && gw_parse_accept_word(p, "const");
        if (!outer[count].pointer &&
            !(gw_parse_mark(p, '[') && gw_parse_u32(p, &outer[count].extent) && gw_parse_mark(p, ']')))
            return false;
        count++;
    }
    if (p->lexer.kind == GW_TOKEN_WORD && find_scalar(p->lexer.text.at) < GW_T_SCALARS) {
        *out = find_scalar(p->lexer.text.at);
        gw_lexer_next(&p->lexer);
    } else if (!parse_struct_name(p, out)) {
        return false;
    }
    while (count--)
        *out = outer[count].pointer ? gw_type_pointer(p->s, *out, outer[count].is_const)
                                    : gw_type_array(p->s, *out, outer[count].extent);
    return true;
}

bool gw_parse_scalar(gw_parser *p, gw_type *out) {
    gw_place place = gw_parse_place(p);
    if (!gw_parse_type(p, out)) return false;
    return (*out != GW_T_VOID && *out < GW_T_SCALARS && !gw_type_is_half(*out)) ||
           gw_parse_fail_at(p, place, "a value is of scalar type");
}

/* ---- locations ---- */
static bool parse_line_and_column(gw_parser *p, gw_loc *out) {
    return gw_parse_u32(p, &out->line) && gw_parse_mark(p, ':') && gw_parse_u32(p, &out->column);
}

bool gw_parse_at_loc(gw_parser *p, gw_loc *out) {
    return gw_parse_string(p, &out->file) && gw_parse_mark(p, ':') && parse_line_and_column(p, out);
}

bool gw_parse_loc(gw_parser *p, gw_loc *out) {
    if (!gw_parse_accept_mark(p, '!')) return true;
    out->file = p->f->loc.file;
    return p->lexer.kind == GW_TOKEN_STRING ? gw_parse_at_loc(p, out) : parse_line_and_column(p, out);
}
