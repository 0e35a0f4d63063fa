/* disjoint.h - can two different threads reach one cell by two given references? */
#ifndef GW_DISJOINT_H
#define GW_DISJOINT_H
#include "analysis/prove/normal_form.h"

/* A reference as a proof sees it: where it stands, and its index operands. */
typedef struct gw_access {
    const gw_context *context;
    const gw_number *index;
    uint32_t count;
    gw_op op; /* whose first operands the indices are; 0: not known, and no cases of them are looked at */
    bool one_block; /* an object of the block: only threads of one block meet there */
    const gw_atom *alike; /* of the first of two: what is one number for both */
    uint32_t alike_count;
} gw_access;

/* Coordinates as bits: threadIdx.x .y .z, blockIdx.x .y .z */
enum { GW_COORDINATES = 6, GW_COORDINATES_ALL = 63 };

enum { GW_AGREED_MOST = 8 };

typedef struct gw_meeting {
    bool disjoint;
    uint64_t assumed;    /* disjoint: under these assumptions */
    uint32_t same;       /* coordinates proved to be equal in two threads that meet */
    uint32_t unresolved; /* index equations from which nothing more followed */
    gw_atom agreed[GW_AGREED_MOST]; /* other quantities proved to be equal in them, some */
    uint32_t agreed_count;
    bool asked, by_solver; /* the solver was asked; it is what says so */
    bool cut;              /* not disjoint: the function's proofs, or the solver, had taken all of their steps */
    bool late;             /* cut by the clock: the solver was stopped */
    gw_str witness;        /* not disjoint: two threads and the cell, in words; 0: none is known */
} gw_meeting;

/* `one_long`: coordinates whose dimension may be assumed to be 1. */
void gw_threads_meet(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long,
                     gw_meeting *out);
/* disjoint_cases.c: the same; where that leaves it open, by cases of the choices in the indices. */
void gw_threads_meet_by_cases(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long, gw_meeting *out);
/* Whether each of these quantities is one number in all that come to one cell by r, at whatever time: different threads, and one
 * thread in different iterations. */
bool gw_meeting_agrees(gw_normal *n, const gw_access *r, const gw_number *list, uint32_t count, gw_meeting *out);
/* The assumptions that these coordinates' dimensions are 1; x has none. */
uint64_t gw_assumed_lengths(uint32_t coordinates);
/* In one thread, r and s never reach one cell at the same time. */
bool gw_cells_differ(gw_normal *n, const gw_access *r, const gw_access *s, uint64_t *assumed);
#endif
