/*
 * calls.h - the calls of a program (launches, copies, allocations), and what is known of each before it runs,
 * for people: no decision depends on it.
 *
 *   calls/calls.c     what the passes decided of each call, as data
 *   calls/room.c      the sum of that as an expression, for f_workspace_bytes
 *   calls/bytes.c     the device's memory that the gradient takes for it
 *   calls/amounts.c   numbers of bytes and of iterations, as polynomials
 */
#ifndef GW_CALLS_H
#define GW_CALLS_H
#include "analysis/ir/device.h"
#include "analysis/ir/ir.h"

typedef GW_VEC(char *) gw_lines;
#define GW_BYTES_HEAD "of the device's memory at most, before blocks are rounded up"

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
    bool leaves_tape;                 /* the gradient is in halves, of which the first runs in its place */
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
/* The device's memory that the gradient takes, terms in the program's parameters. */
void gw_calls_room(const gw_func *grad, gw_lines *out);
/* Whether the program overwrites what the address leads to, and does more than to add to it. */
bool gw_call_facts_overwrites(const gw_func *primal, gw_value address);
/* Names of the caller's pointers that have no adjoint of the caller's. */
void gw_call_facts_passive(const gw_func *f, gw_text *out);
#endif
