/* tangent_private.h - state shared by the files of the tangent pass (tangent*.c). */
#ifndef GW_TANGENT_PRIVATE_H
#define GW_TANGENT_PRIVATE_H
#include "rewriters/formula/formula.h"

typedef struct gw_tangent {
    const gw_func *primal; /* a simplified copy of the requested function */
    gw_func *f;
    bool second; /* f has a gradient of its own, that of GW_HVP: a primal, whose tangents are parameters */
    gw_builder b;
    gw_cloner c;            /* primal -> derivative */
    gw_roles roles;
    gw_activity activity;
    gw_value_map tangent;   /* primal value -> its tangent, 0 = it has none */
    gw_value_map shadow;    /* primal object -> object of its tangents */
} gw_tangent;

/* tangent/region.c: ops of primal region r with their tangents at the builder, all but the YIELD/RET. */
void gw_tangent_region(gw_tangent *t, gw_region r);
gw_value gw_tangent_or_zero(gw_tangent *t, gw_value primal); /* a constant where it has no tangent */
void gw_tangent_add_shadow(gw_tangent *t, gw_object primal); /* the local object of a local one's tangents */
/* tangent/second.c: the function becomes a primal, and the request is about it. */
void gw_tangent_finish_second(gw_tangent *t, uint32_t request);
#endif
