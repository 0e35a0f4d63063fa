/*
 * report/calls_private.h - the calls of a program (launches, copies, allocations) and what the reverse of each
 * is, for people.
 *
 *   report/calls.c       what the passes decided of each call, as data
 *   report/call_text.c   a call as the source has it
 *   report/call_words.c  the words, in lines; --explain, the page and the log print these and nothing else
 */
#ifndef GW_REPORT_CALLS_PRIVATE_H
#define GW_REPORT_CALLS_PRIVATE_H
#include "analysis/ir/device.h"
#include "analysis/ir/ir.h"
#include "rewriters/report/bytes_private.h"

/* A pointer or number that a launch hands to its kernel; the first two operands of a copy. */
typedef struct gw_call_argument {
    gw_str name;    /* of the kernel's parameter */
    bool read_back; /* the reverse reads what lay there */
    bool input, output; /* its adjoint is added to; goes in */
    bool waits;         /* a number whose adjoint the way back uses on the host */
} gw_call_argument;

typedef struct gw_call_fact {
    gw_loc loc;
    gw_device what;
    const gw_func *kernel, *gradient; /* of a launch; NULL: it is not known, there is none */
    bool is_active;                   /* it works on cells that have derivatives */
    bool between;                     /* of a copy, host and device: its cudaMemcpyKind says so */
    bool is_measured;                 /* the tape of the gradient */
    GW_VEC(uint32_t) loops;           /* lines of those around it, outermost first */
    GW_VEC(gw_call_argument) arguments;
    char *bytes; /* that are taken for it; NULL: none */
} gw_call_fact;

typedef struct gw_call_facts {
    gw_call_fact *at;
    uint32_t count, room;
    gw_lines memory; /* bytes of the device's memory, by purpose, and what the unknowns in them are */
} gw_call_facts;

/* The calls of a program's gradient, in the order in which they are made; other functions have none. */
void gw_call_facts_collect(const gw_func *f, gw_call_facts *out);
void gw_call_facts_free(gw_call_facts *facts);
/* Names of the caller's pointers that have no adjoint of the caller's. */
void gw_call_facts_passive(const gw_func *f, gw_text *out);

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
