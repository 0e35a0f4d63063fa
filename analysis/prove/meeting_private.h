/*
 * meeting_private.h - two threads at one cell: what a proof of disjoint.c knows about them, shared by its rules
 * (disjoint.c, disjoint_split.c, disjoint_atoms.c).
 *
 * Quantities of the second thread are the atoms with GW_ATOM_OTHER; those that were proved equal are renamed to
 * the first thread's everywhere.
 */
#ifndef GW_MEETING_PRIVATE_H
#define GW_MEETING_PRIVATE_H
#include "analysis/prove/prove.h"

typedef struct gw_renaming {
    gw_atom from, to;
} gw_renaming;

typedef struct gw_pair {
    gw_normal *n;
    gw_fact_list facts;
    GW_VEC(gw_poly) equations; /* == 0 */
    GW_VEC(gw_poly) parted;    /* equations that a split took apart, as they were then */
    GW_VEC(gw_renaming) renamed;
    uint64_t assumed;
    uint32_t same;
    bool never;
    bool parted_rows; /* by an assumption about a stride */
    gw_meeting *out;
} gw_pair;

void gw_pair_equation(gw_pair *m, const gw_poly *p);
/* p as the second thread has it, after what was proved equal. */
void gw_pair_other(const gw_pair *m, gw_poly *p);
/* the same for gw_poly_rename, of a gw_normal; of a gw_renaming */
gw_atom gw_pair_to_other(const void *normal, gw_atom a);
gw_atom gw_pair_rename_one(const void *renaming, gw_atom a);
/* -limit < r < limit */
bool gw_pair_below(gw_pair *m, const gw_poly *r, const gw_poly *limit);
/* -2^bits < r < 2^bits for the bits of t, perhaps by an assumption about the launch. */
bool gw_pair_below_range(gw_pair *m, const gw_poly *r, gw_type t);

/* disjoint_split.c: S*e + R = 0 and |R| < S: replaces the equation by R = 0, and adds e = 0. */
bool gw_pair_split(gw_pair *m, uint32_t which);
/* The same where abs(R) < S is assumed: rows that are S apart do not overlap. */
bool gw_pair_split_rows(gw_pair *m, uint32_t which);

/* disjoint_atoms.c: adds what follows from an atom having one value in both threads. */
void gw_pair_agree(gw_pair *m, gw_atom a);
/* Finds an atom that has one value in both threads, since what it was made from has; false if there is none. */
bool gw_pair_congruent(gw_pair *m, gw_atom *a);
/* disjoint_ranges.c: adds that two references into ranges that do not overlap are in one range. */
void gw_pair_ranges(gw_pair *m, const gw_access *r, const gw_access *s);
/* Takes wrapped quantities out of an equation where its two sides are close enough. */
bool gw_pair_unwrap(gw_pair *m, uint32_t which);
#endif
