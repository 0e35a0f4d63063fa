/*
 * parser_private.h - what the files of the IR's parser share: tokens and names (parser_names.c), ops and
 * regions (parser_ops.c), session and functions (parser.c).
 *
 * Every function returns false after the first error, which is recorded with its place in the text; then
 * nothing more is read. All memory is the parser's, so that no path can leak.
 */
#ifndef GW_PARSER_PRIVATE_H
#define GW_PARSER_PRIVATE_H
#include "analysis/ir/ir.h"
#include "analysis/text/lexer_private.h"

typedef struct gw_place {
    uint32_t line, column;
} gw_place;

/* A reference that is resolved when the whole text was read. */
typedef struct gw_patch {
    uint32_t func, index; /* function; op, parameter or request */
    gw_str key;           /* name of a value or function; 0 for an op */
    uint32_t number;      /* of an op */
    gw_place place;
} gw_patch;
typedef GW_VEC(gw_patch) gw_patches;

typedef struct gw_result_text {
    gw_str key, name;
    gw_type type;
} gw_result_text;

typedef struct gw_op_label {
    uint32_t func, number;
    gw_op op;
} gw_op_label;

typedef struct gw_parser {
    gw_session *s;
    gw_str file;
    gw_lexer lexer;
    gw_func *f;
    uint32_t func; /* its index */
    /* names of the current function and of all functions: interned text -> handle (funcs: index + 1) */
    gw_value_map values, objects, funcs;
    GW_VEC(gw_str) local_keys;  /* to be forgotten at the end of the function */
    GW_VEC(gw_op_label) labels; /* sorted by func and number */
    gw_patches origins, params, primals, requests;
    GW_VEC(gw_place) op_places;      /* of all ops of all functions */
    GW_VEC(uint32_t) first_op_place; /* by function */
    /* scratch of one op */
    GW_VEC(gw_value) operands;
    GW_VEC(gw_result_text) results;
    gw_text path;
} gw_parser;

/* ---- parser_names.c ---- */
bool gw_parse_fail(gw_parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool gw_parse_fail_at(gw_parser *p, gw_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool gw_parse_expected(gw_parser *p, const char *what); /* fails: something else stands there */
gw_place gw_parse_place(const gw_parser *p);
bool gw_parse_is_mark(const gw_parser *p, char mark);
bool gw_parse_is_word(const gw_parser *p, const char *word);
/* Takes the token if it is the one asked for. */
bool gw_parse_accept_mark(gw_parser *p, char mark);
bool gw_parse_accept_word(gw_parser *p, const char *word);
/* Takes the token or fails. */
bool gw_parse_mark(gw_parser *p, char mark);
bool gw_parse_word(gw_parser *p, const char *word);
bool gw_parse_one_of(gw_parser *p, const char *const *words, size_t count, const char *what, unsigned *out);
bool gw_parse_u64(gw_parser *p, uint64_t *out);
bool gw_parse_u32(gw_parser *p, uint32_t *out);
bool gw_parse_u16(gw_parser *p, uint16_t *out);
bool gw_parse_string(gw_parser *p, gw_str *out);
bool gw_parse_name(gw_parser *p, gw_str *out);                /* WORD or STRING */
bool gw_parse_label(gw_parser *p, gw_str *name, gw_str *key); /* name['ordinal]; the key tells labels apart */
bool gw_parse_func_label(gw_parser *p, gw_str *name, gw_str *key); /* @label */
bool gw_parse_object(gw_parser *p, gw_object *out);
bool gw_parse_type(gw_parser *p, gw_type *out);
bool gw_parse_scalar(gw_parser *p, gw_type *out);
bool gw_parse_loc(gw_parser *p, gw_loc *out);    /* !line:column or !"file":line:column, if it is there */
bool gw_parse_at_loc(gw_parser *p, gw_loc *out); /* "file":line:column */
bool gw_parse_bind(gw_parser *p, gw_value_map *map, gw_str key, uint32_t handle); /* fails if it is bound */

/* ---- parser_ops.c ---- */
bool gw_parse_value(gw_parser *p, gw_value *out); /* a use */
/* "(arguments) { ops }" into region r. */
bool gw_parse_region(gw_parser *p, gw_region r, unsigned depth);
#endif
