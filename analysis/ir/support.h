/*
 * support.h - memory, growable arrays, interned strings and diagnostics shared by every stage.
 *
 * Ownership: everything hangs off a gw_session; gw_session_free releases all of it. Handles (gw_str)
 * stay valid as long as the session. Under AddressSanitizer each allocation is a malloc of its own, so
 * that an overrun inside an arena is seen.
 */
#ifndef GRADWRIGHT_IR_SUPPORT_H
#define GRADWRIGHT_IR_SUPPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- memory: allocation never returns NULL (out of memory ends the process with a message) ---- */
void *gw_alloc(size_t bytes);               /* zeroed */
void *gw_realloc(void *old, size_t bytes);  /* as realloc */
char *gw_strdup(const char *text);
bool gw_is_word(char c); /* a letter, a digit or _ */
char *gw_format(const char *format, ...) __attribute__((format(printf, 1, 2))); /* caller frees */

/* Growable array: GW_VEC(int) v = {0}; gw_push(&v, 3); v.at[0]; v.count; gw_vec_free(&v). The item may read the
 * array as it was before the push, but not push to it. */
#define GW_VEC(T)                                                                                            \
    struct {                                                                                                 \
        T *at;                                                                                               \
        uint32_t count, room;                                                                                \
    }
void *gw_vec_grow(void *at, uint32_t *room, uint32_t count, size_t size);
#define gw_push(v, item)                                                                                       \
    ((v)->at = gw_vec_grow((v)->at, &(v)->room, (v)->count, sizeof *(v)->at), (v)->at[(v)->count] = (item),    \
     (v)->count++)
#define gw_vec_free(v) (free((v)->at), (v)->at = NULL, (v)->count = (v)->room = 0)

/* Text buffer. */
typedef struct gw_text {
    char *at; /* always 0-terminated once something was added */
    size_t count, room;
} gw_text;
void gw_text_add(gw_text *t, const char *s);
void gw_text_add_char(gw_text *t, char c);
void gw_text_addf(gw_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gw_text_free(gw_text *t);

/* FNV-1a of 64 bits, of these bytes behind those that `before` is of. */
#define GW_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t gw_hash(uint64_t before, const char *bytes, size_t count);

/* A row's name as it is shown: "NOT_PROVED" is "not-proved"; whether `shown` is it. */
void gw_text_add_name(gw_text *t, const char *row);
bool gw_text_is_name(const char *shown, const char *row);

/* Bytes of the UTF-8 sequence that begins here, 0 if there is none (overlong forms, surrogates, a cut one). */
size_t gw_utf8_sequence(const char *at, size_t left);
/* Characters of the text's first `bytes` bytes; a byte of no sequence is one. */
uint32_t gw_utf8_count(const char *text, size_t bytes);

/* NULL for a plain file, which has its text again each time that it is read; else what is wrong with it, a
 * static text. */
const char *gw_why_no_source(const char *path);
/* The file's text, 0-terminated (caller frees), or NULL: then *error says what is wrong, a static text. */
char *gw_file_text(const char *path, size_t *count, const char **error);

/* ---- interned strings: equal text <=> equal handle; 0 is the empty string ---- */
typedef uint32_t gw_str;
struct gw_session;
gw_str gw_intern(struct gw_session *s, const char *text);
gw_str gw_intern_n(struct gw_session *s, const char *text, size_t n);
const char *gw_cstr(const struct gw_session *s, gw_str str);
int gw_str_order(const struct gw_session *s, gw_str a, gw_str b); /* of the alphabet, as strcmp has it */

/* ---- source locations ---- */
typedef struct gw_loc {
    gw_str file;
    uint32_t line, column; /* 1-based; line 0 = no location */
} gw_loc;

/* ---- diagnostics: what can go wrong, and is recorded by which row, says diagnostics.h ---- */
typedef enum gw_severity {
    GW_SEVERITY_NOTE,
    GW_SEVERITY_REMARK,
    GW_SEVERITY_WARNING,
    GW_SEVERITY_ERROR
} gw_severity;

typedef struct gw_diagnostic {
    uint32_t code; /* a gw_diag_code */
    gw_severity severity;
    gw_loc loc;
    gw_str message, way_out; /* the row's, with their arguments; 0 where there is none, and of a decision */
    uint32_t decision; /* that it tells of: session->decisions, 0: none; its words are made when they are asked
                          for */
    uint32_t choice;   /* the same, of its rung: session->choices */
} gw_diagnostic;

/* Prints what was recorded since the last call: "file:line:col: error: ..." with source line and caret. */
void gw_diag_print(struct gw_session *s, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
