/*
 * frontend/call/openmp_private.h - what the pragmas of OpenMP (openmp.c) ask of statements, of regions
 * (openmp_region.c) and of variables (openmp_variable.c).
 */
#ifndef GRADWRIGHT_FRONTEND_CALL_OPENMP_PRIVATE_H
#define GRADWRIGHT_FRONTEND_CALL_OPENMP_PRIVATE_H

#include "plugin/frontend/call/call.h"

/* How threads have a variable in the statement behind a pragma. */
typedef enum gw_openmp_share {
    GW_OPENMP_PRIVATE, /* each its own, without a value */
    GW_OPENMP_PART,    /* the same, in one of several statements: it is set there before it is read */
    GW_OPENMP_FIRST,   /* each a copy */
    GW_OPENMP_LAST,    /* each its own, of which the last turn's is kept */
    GW_OPENMP_REDUCED  /* each its own, which are combined */
} gw_openmp_share;

/* Places of a file where a name stands, or a macro that leads to it; without the words of pragmas. */
typedef struct gw_openmp_mentions {
    CXFile file;
    unsigned *at;
    uint32_t count, room;
} gw_openmp_mentions;

typedef struct gw_openmp_asked {
    gw_lowering *L;
    gw_unit *u;
    CXCursor definition; /* of the function */
    CXCursor statement;  /* behind the pragma */
    gw_openmp_share share;
    const char *reduction; /* "+", "max", ... */
    bool *has_object;      /* set where a variable that the name means is an array or a struct */
} gw_openmp_asked;

typedef struct gw_openmp_reason {
    const char *why, *way_out;
} gw_openmp_reason;

/* The first statement behind this place of the body's file, or null. */
CXCursor gw_front_openmp_statement(CXCursor definition, unsigned at);
/* The loop that the statement is, or null; the one directly inside of a loop, or null. */
CXCursor gw_front_openmp_loop(CXCursor statement);
CXCursor gw_front_openmp_loop_in(CXCursor loop);
/* Names of variables that a loop's header sets and does not declare. */
void gw_front_openmp_indices(gw_unit *u, CXCursor loop, gw_names *out);
/* Why the variable that the name is in the statement is another in threads than in one; NULL: it is the same.
 */
const gw_openmp_reason *gw_front_openmp_differs(gw_unit *u, const gw_openmp_asked *asked, gw_str name,
                                                const gw_openmp_mentions *mentions);

typedef struct gw_openmp_count {
    CXCursor of;
    uint32_t uses, sets;
} gw_openmp_count;
/* Uses of the variable below a cursor, and how many of them set all of it. */
gw_openmp_count gw_front_openmp_counted(CXCursor in, CXCursor variable);

/* ---- openmp_region.c ---- */
/* The first part of a region's statement that each thread runs and that changes something; null: there is none
 * beside the statements `shared`, which the team shares out. Variables that it declares are pushed to `locals`.
 */
CXCursor gw_front_openmp_region(gw_unit *u, CXCursor statement, const gw_cursors *shared, gw_cursors *locals);

/* ---- openmp_loop.c ---- */
/* The gw_policy of a loop with a schedule of this kind; "" is none. */
uint16_t gw_front_openmp_schedule(const char *kind);
void gw_front_openmp_share_out(gw_lowering *L, CXCursor loop, uint16_t policy, CXSourceLocation pragma);
/* At this place of the body's file, iterations meet: of loops around it, from L->openmp's `first` on. */
void gw_front_openmp_meet(gw_lowering *L, unsigned at, uint32_t first);

#endif
