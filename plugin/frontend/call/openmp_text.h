/*
 * frontend/call/openmp_text.h - the text of a function's body as tokens, and the macros of its source: what
 * openmp.c reads pragmas from (openmp_text.c).
 */
#ifndef GRADWRIGHT_FRONTEND_CALL_OPENMP_TEXT_H
#define GRADWRIGHT_FRONTEND_CALL_OPENMP_TEXT_H

#include "plugin/frontend/call/call.h"

#include <string.h>

typedef struct gw_openmp_token {
    gw_str text;
    unsigned at;
    CXSourceLocation where;
} gw_openmp_token;
typedef struct gw_openmp_macro {
    gw_str name;
    CXCursor definition;
    bool seen; /* by the search that runs */
} gw_openmp_macro;
typedef struct gw_openmp_text {
    gw_lowering *L;
    CXCursor definition;
    GW_VEC(gw_openmp_token) token;
    GW_VEC(gw_openmp_macro) macro;
    gw_cursors use;       /* of macros */
    gw_names threads_own; /* variables that are threadprivate */
    gw_names reductions;  /* by which the source says how to combine */
    CXFile in;
    unsigned first, last; /* the body, in its file */
    unsigned region_end;  /* of the parallel region that is read, behind its loops; 0: none */
    gw_names region_own;  /* variables that are private there, */
    bool region_has_object; /* of which one is an array or a struct */
    uint32_t first_loop;  /* in L->openmp; those before are of the functions around this one */
    const char *file;
    size_t size;
} gw_openmp_text;

static inline const char *gw_front_openmp_word(const gw_openmp_text *t, uint32_t i) {
    return i < t->token.count ? gw_cstr(t->L->session, t->token.at[i].text) : "";
}
static inline bool gw_front_openmp_is(const gw_openmp_text *t, uint32_t i, const char *word) {
    return strcmp(gw_front_openmp_word(t, i), word) == 0;
}

/* The tokens of the range, without comments and what #if leaves out. */
void gw_front_openmp_read(gw_openmp_text *t, CXSourceRange range);
/* The end of the preprocessor's line that this is a place of. */
size_t gw_front_openmp_line_end(const char *file, size_t size, size_t at);
/* Behind the words of the directive whose '#' this is. */
uint32_t gw_front_openmp_words_end(const gw_openmp_text *t, uint32_t i);
uint32_t gw_front_openmp_behind_brackets(const gw_openmp_text *t, uint32_t i);

/* ---- macros ---- */
/* Notes macros and their uses; data: the text. */
enum CXChildVisitResult gw_front_openmp_note_macro(CXCursor c, CXCursor parent, CXClientData data);
typedef bool gw_openmp_test(const char *spelled, const char *word);
gw_openmp_test gw_front_openmp_is_word;
/* What a pragma of OpenMP begins with, as a token or in a string. */
gw_openmp_test gw_front_openmp_is_word_of;
/* It stands in what the macros of this name lead to; false where the name is no macro's. */
bool gw_front_openmp_macro_leads_to(gw_openmp_text *t, gw_str name, gw_openmp_test *what, const char *word);
bool gw_front_openmp_is_macro_of(gw_openmp_text *t, uint32_t i, gw_openmp_test *what, const char *word);
bool gw_front_openmp_is_macro(const gw_openmp_text *t, uint32_t i);
/* The token is the name, or a macro that leads to it. */
bool gw_front_openmp_is_named(gw_openmp_text *t, uint32_t i, gw_str name);

#endif
