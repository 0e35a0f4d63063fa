/*
 * report/call_words_private.h - what the reverse of each call of a program is, in words (the facts:
 * calls/calls.h).
 *
 *   report/call_text.c   a call as the source has it
 *   report/call_words.c  the words, in lines; --explain, the page and the log print these and nothing else
 */
#ifndef GW_CALL_WORDS_PRIVATE_H
#define GW_CALL_WORDS_PRIVATE_H
#include "rewriters/calls/calls.h"

/* ---- report/call_text.c ---- */

/* A file of the user's that is read when it is first asked for. */
typedef struct gw_source_text {
    gw_str file;
    char *text;
    size_t count;
} gw_source_text;

/* "step<<<grid, block>>>(v, u, n)" in one line, from where the call begins; false: it does not stand there. */
bool gw_call_text(const gw_session *s, gw_source_text *source, const gw_call_fact *call, gw_text *out);
/* Argument i of such a text; false: that is no call with so many. */
bool gw_call_text_argument(const char *text, uint32_t i, uint32_t count, gw_text *out);

/* ---- report/call_words.c ---- */

typedef struct gw_call_words {
    char *call;            /* as the source has it */
    char *where;           /* "in the loop of line 44"; empty: in none */
    GW_VEC(char *) reverse; /* lines */
} gw_call_words;
void gw_call_words_make(const gw_session *s, gw_source_text *source, const gw_call_fact *call,
                        gw_call_words *out);
void gw_call_words_free(gw_call_words *words);
#endif
