/*
 * phases_private.h - what the two parts of the phases pass share: who meets whom, and barriers that are put
 * between them (phase_barriers.c). phases.c parts additions to shared memory, turns.c those to the caller's.
 */
#ifndef GW_DEVICE_PHASES_PRIVATE_H
#define GW_DEVICE_PHASES_PRIVATE_H
#include "analysis/facts/facts.h"
#include "analysis/ownership/ownership.h"

typedef GW_VEC(uint32_t) gw_phase_refs; /* of ownership's references */

/* One object's barriers. */
typedef struct gw_phase_barriers {
    gw_func *f;
    gw_ownership w;
    gw_uniform u;
    gw_uniformity level; /* threads that all come to a barrier */
    /* Whether a barrier between the two references mends something. */
    bool (*part)(gw_ownership *w, uint32_t i, uint32_t k);
    gw_str why;
    uint32_t made;
    bool in_loops; /* phases.c: also at the end of a loop's body */
} gw_phase_barriers;

/* Whether two references may be at one cell at a time. */
bool gw_phases_may_meet(gw_ownership *w, uint32_t i, uint32_t k);
/* Whether no thread's reference may be at the cells of this one in another thread. */
bool gw_phases_is_alone(gw_ownership *w, uint32_t i);
bool gw_phases_is_addition(const gw_ownership *w, uint32_t i);
/* An addition that no request gives another rung. */
bool gw_phases_is_ours(const gw_ownership *w, uint32_t i);

/* p->why, which each barrier states: it keeps "who" (threads, lanes) from one cell of the object. */
void gw_phases_say_why(gw_phase_barriers *p, gw_object o, const char *who);
/* The references in the op, itself included. */
void gw_phases_find(const gw_phase_barriers *p, gw_op op, gw_phase_refs *list);
/* Whether a barrier between the two lists mends something. */
bool gw_phases_lists_meet(gw_phase_barriers *p, const gw_phase_refs *a, const gw_phase_refs *b);
/* A barrier, of a warp or a block by the level. */
void gw_phases_put(gw_phase_barriers *p, gw_region r, gw_op before);
/* Whether all threads of the level come to the region, or none. */
bool gw_phases_is_uniform(const gw_phase_barriers *p, gw_region r);
#endif
