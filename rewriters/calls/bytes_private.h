/*
 * calls/bytes_private.h - what the gradient of a program takes of the device's memory, and for which of its
 * calls: said before it runs, for people. What a run has taken is counted by runtime/program/figures.c, by the
 * same four purposes; what is said here is as much, or more.
 */
#ifndef GW_BYTES_PRIVATE_H
#define GW_BYTES_PRIVATE_H
#include "analysis/programs/programs.h"
#include "rewriters/calls/amounts_private.h"
#include "rewriters/calls/calls.h"

/* As many bytes as are asked for: blocks are larger. */
typedef struct gw_call_bytes {
    gw_poly own, adjoints; /* of an allocation, each time that it is made, all together */
    gw_poly saved;         /* contents that it overwrites, each time */
    gw_poly once;          /* those that are needed at the end alone, to be put back: the first time */
    gw_poly workspace;     /* of the launch that takes most of it */
    bool in_part;          /* saved while the part around it runs again: of one part at a time */
} gw_call_bytes;

typedef struct gw_program_bytes {
    gw_amounts amounts;
    gw_leads leads;
    gw_call_bytes *calls; /* by op of the primal: calls, and loops with marks; NULL: it could not be told */
    gw_poly own, adjoints, saved, workspace; /* of all */
} gw_program_bytes;

/* What a program's gradient takes. */
void gw_program_bytes_make(const gw_func *grad, gw_program_bytes *out);
void gw_program_bytes_free(gw_program_bytes *b);
void gw_program_bytes_peak(const gw_program_bytes *b, gw_poly *out);
/* "4 * n * steps saved, 256 of workspace"; NULL: none. */
char *gw_program_bytes_of_call(const gw_program_bytes *b, gw_op op);

/* The sums, what the unknowns in them are. */
void gw_program_bytes_lines(const gw_program_bytes *b, gw_lines *out);
#endif
