/*
 * frontend/call/openmp_walk_private.h - the cursors of a body with what they stand in, and how an expression
 * uses a variable (openmp_walk.c); whether it combines it as a reduction says (openmp_reduction.c), or sets all
 * of an array (openmp_fill.c).
 */
#ifndef GRADWRIGHT_FRONTEND_CALL_OPENMP_WALK_PRIVATE_H
#define GRADWRIGHT_FRONTEND_CALL_OPENMP_WALK_PRIVATE_H

#include "plugin/frontend/call/openmp_private.h"

typedef struct gw_openmp_node {
    CXCursor c;
    enum CXCursorKind kind;
    struct gw_openmp_node *above;
    uint32_t order, place, seen; /* of all; among the children of the one above; children so far */
} gw_openmp_node;
typedef struct gw_openmp_walk gw_openmp_walk;
typedef void gw_openmp_visit(gw_openmp_walk *w, gw_openmp_node *n);
struct gw_openmp_walk {
    gw_openmp_node *here;
    uint32_t order;
    gw_openmp_visit *enter, *leave;
    void *data;
};
/* Enters, then leaves (NULL: nothing is done) all below the root, in the order of the text. */
void gw_front_openmp_walk_all(CXCursor root, gw_openmp_visit *enter, gw_openmp_visit *leave, void *data);

typedef enum gw_openmp_manner {
    GW_OPENMP_READ,
    GW_OPENMP_SET,
    GW_OPENMP_CHANGE,
    GW_OPENMP_OTHER /* perhaps another name of it */
} gw_openmp_manner;
/* A part of a variable: from the whole, which has no steps, to a member, an element. */
enum { GW_OPENMP_STEPS = 6 };
typedef struct gw_openmp_part {
    gw_str step[GW_OPENMP_STEPS];
    uint32_t count;
} gw_openmp_part;
/* How the variable is used there; a member or an element of it is a part. */
gw_openmp_manner gw_front_openmp_how_used(gw_openmp_node *n, bool *is_part);
/* The whole place that the use is a part of: t of (t), t.x, t[i]. */
gw_openmp_node *gw_front_openmp_place_of(gw_openmp_node *n, bool *is_part);
/* The part that the use is of; of a place that is not known, the part that it is in for certain. */
gw_openmp_part gw_front_openmp_part_of(gw_unit *u, gw_openmp_node *n, bool *is_known);
bool gw_front_openmp_is_assigned(const gw_openmp_node *n); /* the left side of = */
bool gw_front_openmp_is_stepped(const gw_openmp_node *n);  /* ++ and -- */
bool gw_front_openmp_is_last_child(const gw_openmp_node *n);
/* An expression with what is joined to it by commas. */
const gw_openmp_node *gw_front_openmp_joined(const gw_openmp_node *n);
bool gw_front_openmp_is_discarded(const gw_openmp_node *n); /* nothing reads the expression's value */

/* ---- openmp_fill.c ---- */
/* The loop that sets all elements of an array, by an assignment to the one that is used; or NULL. */
const gw_openmp_node *gw_front_openmp_fill(gw_openmp_node *n);

/* The element that is used, where the variable leads to elements; else the variable. */
gw_openmp_node *gw_front_openmp_element_of(gw_openmp_node *n);
/* The use combines a part of the result as the reduction says: "+", "max". */
bool gw_front_openmp_is_combined(const gw_openmp_asked *asked, gw_openmp_node *n, CXCursor variable);
/* A pointer's use may give another name to what it leads to. */
bool gw_front_openmp_is_renamed(gw_unit *u, gw_openmp_node *n);

/* ---- openmp_reached.c ---- */
/* Another parameter of the function that is inlined leads to what this one stands for. */
bool gw_front_openmp_is_reached(const gw_openmp_asked *asked, CXCursor variable);

#endif
