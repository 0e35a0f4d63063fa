/*
 * ownership.h - what other rooms see of analysis/ownership: ownership, position.
 */
#ifndef GW_OWNERSHIP_H
#define GW_OWNERSHIP_H
#include "analysis/facts/facts.h"
#include "analysis/prove/prove.h"

/* ---- ownership ----
 *
 * * ownership.h - parts of the ownership pass (analysis/ownership*.c, launch_check.c).
 */

/* Adjoint memory of f: a shadow, or an adjoint parameter. */
/* The primal stores to the cell of this access there, on which its decision counts: no other thread comes to
 * it. */
bool gw_ownership_alone_by_premise(const gw_func *f, gw_op ref);
bool gw_ownership_is_adjoint(const gw_func *f, gw_object o);

/* One place in the text of a kernel's derivative from which an object is reached: references of the same
 * region, path and index values share it. */
typedef struct gw_site {
    gw_op op; /* one of them */
    gw_number *index;
    gw_access access;
} gw_site;

/* A fact about the launch that may be supposed; the group of those that are tried together. */
typedef struct gw_supposed {
    unsigned group;
    gw_launch_fact fact;
    const char *why;
    gw_object object; /* supposed: the first that needs it */
} gw_supposed;
/* The function looked at where facts hold. */
typedef struct gw_trial {
    gw_launch_facts facts;
    struct gw_ownership *w;
} gw_trial;

/* An addition that is one thread's where rows do not overlap; what that assumes. */
typedef struct gw_parted {
    gw_op op;
    gw_object object, group; /* of objects that go together, one; 0: not known yet */
    uint64_t assumed;
    uint32_t digits; /* 1 + index into `digits`, which is what is asked then; 0: of what is assumed */
} gw_parted;

typedef struct gw_digits gw_digits;

typedef struct gw_ownership {
    gw_func *f;
    gw_normal *n;
    const gw_launch_facts *facts; /* supposed, the caller's; NULL: none */
    gw_intervals intervals;
    gw_intervals of_lanes; /* made when asked: words is 0 before */
    uint32_t one_long;        /* coordinates whose dimension may be assumed to be 1 */
    GW_VEC(gw_op) refs;       /* of the object at hand */
    GW_VEC(uint32_t) site_of; /* per ref */
    GW_VEC(gw_site) sites;
    gw_meeting *meetings; /* sites x sites, made when asked for */
    bool *known;
    gw_op *stores; /* per ref: by which the premise keeps its cell, and 1; 0: not asked yet */
    bool by_rules;             /* the solver is not asked: a trial */
    /* ownership/suppose.c: what could be supposed of the launch; what is; what was tried, and what effort is
     * left for more */
    GW_VEC(gw_supposed) offers, supposed;
    GW_VEC(gw_trial *) trials;
    bool has_offers;
    uint64_t effort;
    /* ownership/strides.c */
    gw_trial *strides, *digit_strides;
    GW_VEC(gw_parted) parted;
    GW_VEC(gw_digits *) digits;
    struct gw_smt *solver;     /* made when asked */
    gw_uniform uniform;        /* made when asked */
    GW_VEC(gw_atom) alike;
    /* coordinates that an index of a plain store of the primal leaves out, made when asked for */
    uint32_t not_stored_by;
    bool stored_by_known;
    uint64_t assumed;          /* by any reference of the function that was proved */
    gw_object assumed_for[64]; /* the first object that needs the assumption */
    /* assumed by kernels that gather, so that their groups of threads count from 0 */
    uint64_t assumed_of_groups;
} gw_ownership;

typedef struct gw_verdict {
    bool owned;
    uint64_t assumed;
    gw_op blamed; /* not owned: the reference that it may meet */
    gw_op store;  /* owned by race-freedom of this primal store; 0: by proof */
    bool by_list; /* of the store of another object, whose index comes from the same list */
    bool by_ticket; /* of a counter */
    bool shared;  /* other references write the object too */
    bool ask;     /* the solver too */
    bool by_solver; /* owned, against some reference, as the solver says */
    gw_str witness; /* not owned: two threads and the cell at which they meet, in words, if they are known */
} gw_verdict;

void gw_ownership_start(gw_ownership *w, gw_func *f);
/* The caller keeps the facts that hold. */
void gw_ownership_start_where(gw_ownership *w, gw_func *f, const gw_launch_facts *supposed);
void gw_ownership_end(gw_ownership *w);
/* Kernel: decides every reference of o; false where a read or zeroing is not safe (recorded). */
bool gw_ownership_object(gw_ownership *w, gw_object o);
/* Nothing is decided: whether this access would have one thread a cell. */
bool gw_ownership_would_own(gw_ownership *w, gw_op access);
/* Makes o the object at hand: its references, nothing decided. */
void gw_ownership_look_at(gw_ownership *w, gw_object o);
/* Answers for ref i of the object at hand. */
void gw_ownership_judge(gw_ownership *w, uint32_t i, gw_verdict *out);
/* Whether refs i and k never are at one cell in two threads; adds to *v by what that is known. */
bool gw_ownership_never_meet(gw_ownership *w, uint32_t i, uint32_t k, gw_verdict *v);
const gw_meeting *gw_ownership_meeting(gw_ownership *w, uint32_t i, uint32_t k);
bool gw_ownership_other_fields(const gw_func *f, gw_op x, gw_op y); /* different members of one thing */

/* ownership/first.c: whether each execution of the plain addition is the first of all that reach its cell, in
 * all threads, and no access but additions reaches the object; of the access, whether it is the last. What that
 * assumes of the launch is added to w->assumed. */
bool gw_ownership_is_first(gw_ownership *w, gw_op add);
bool gw_ownership_is_last(gw_ownership *w, gw_op op);
/* ownership/stored.c: adds GW_FORM_STORED to the session, for new adjoints; `counts`: those of which all stores
 * are first, so that each goes to a cell of its own. */
void gw_ownership_count_stored(gw_ownership *w, const gw_fresh *list, const bool *counts, uint32_t count);

/* ownership/assume.c: p >= 0, of launch dimensions and parameters, is checked at the launch for o (of_groups:
 * so that groups of threads count from 0); and what another derivative's proofs have assumed, a copy of this
 * one with the same parameters; false where there is no room for it. */
bool gw_ownership_assume(gw_ownership *w, gw_object o, const gw_poly *p, bool of_groups);
bool gw_ownership_assume_too(gw_ownership *w, const gw_ownership *other);
/* p of the other's atoms in w's. */
void gw_ownership_in_terms_of(gw_ownership *w, const gw_ownership *other, gw_poly *p);

/* ownership/solver.c: asks the solver about two places that the rules leave open, once. */
void gw_ownership_ask(gw_ownership *w, const gw_site *x, const gw_site *y, const gw_access *r,
                      const gw_access *t, gw_meeting *m);

/* ownership/step.c: quantities that are one number in two threads of a block that are at x and at y at the same
 * time; the list is w's, until the next call. */
const gw_atom *gw_ownership_alike(gw_ownership *w, gw_op x, gw_op y, uint32_t *count);

/* ownership/turns.c: which threads may meet by two references, under *assumed; whether blockDim.x is a multiple
 * of 32. */
gw_exclusive gw_ownership_level_of(const gw_ownership *w, const gw_meeting *m, uint64_t *assumed);
bool gw_ownership_has_whole_warps(const gw_ownership *w);
/* Barriers see to it that r and s, which access memory of the caller and meet as m says, are never at one cell
 * at the same time in two threads, under *assumed. */
bool gw_ownership_take_turns(gw_ownership *w, gw_op r, gw_op s, const gw_meeting *m, uint64_t *assumed);
/* What is known of the lanes of warps where its facts hold. */
void gw_ownership_uniform(const gw_ownership *w, gw_uniform *u);

/* ownership/level.c: who may be at the cell of ref i at the same time, under *assumed. */
gw_exclusive gw_ownership_level(gw_ownership *w, uint32_t i, uint64_t *assumed);

/* ownership/list.c: the primal store by which r in one thread and s in another are never at one cell, since
 * both are found through a list that the store goes through as well; 0 if there is none. */
gw_op gw_ownership_by_list(gw_ownership *w, gw_op r, gw_op s, uint64_t *assumed);
/* Index positions that the paths of x and y have in common before they part. */
uint32_t gw_ownership_positions(const gw_func *f, gw_op x, gw_op y);

/* ownership/suppose.c: the derivative as it is where ref i of o, which is not proved owned, is by what is then
 * supposed of the launch; what that assumes but lengths of 1 is noted already. NULL: there is no such thing. */
gw_ownership *gw_ownership_suppose(gw_ownership *w, gw_object o, uint32_t i, gw_verdict *v);
void gw_ownership_forget_trials(gw_ownership *w);
/* All that it would suppose of a launch, but exact lengths; the caller frees them. None where that leaves no
 * launch. */
gw_launch_facts gw_ownership_offers(gw_ownership *w);

/* ownership/strides.c: notes the additions to o, the object at hand, that nothing proves owned, and that are
 * where rows do not overlap; true. Behind all decisions: such an addition is plain there, and atomic elsewhere,
 * as the kernel asks. */
bool gw_ownership_try_strides(gw_ownership *w, gw_object o);
void gw_ownership_part_strides(gw_ownership *w);
void gw_ownership_forget_strides(gw_ownership *w);

/* ownership/ticket.c: both are found by numbers that one counter gives out, so they are never at one cell. */
bool gw_ownership_by_ticket(gw_ownership *w, gw_op r, gw_op s, uint64_t *assumed);

/* ownership/apart.c: marks accesses of one region that reach different cells (GW_OP_APART). */
void gw_ownership_apart(gw_ownership *w);

/* ownership/reason.c: sets the op's attr, and records the decision with its reason: `how` and `why` are given,
 * and what is known of other, witness and company; `code` where it is not the reason's own. */
void gw_ownership_decide(gw_func *f, gw_op op, gw_decision d);
/* Adds to the decision the reference that the access may meet (itself in another thread), and where they do (or
 * 0). */
void gw_ownership_blame(const gw_func *f, gw_op other, gw_str witness, gw_decision *d);
/* An atomic addition takes another rung: its attr, and its decision. */
void gw_ownership_raise(gw_func *f, gw_op op, uint32_t how);
/* Why it takes its rung, or does not take one; the addition's name is filled in. */
void gw_ownership_choose(gw_func *f, gw_op op, gw_rung_choice c);
/* It had chosen the rung, and does not take it after all. */
void gw_ownership_withdraw(gw_func *f, gw_op op, uint32_t rung, uint32_t why);
gw_why gw_ownership_explain(gw_ownership *w, uint32_t i, const gw_verdict *verdict);
/* "d_x[i]" for a report, without what it does to it. */
void gw_ownership_reference(const gw_func *f, gw_op op, gw_text *out);

/* ownership/coordinates.c: the coordinates (gw_meeting's) that the index of the access may depend on; not the
 * others. */
uint32_t gw_ownership_coordinates(const gw_ownership *w, gw_op op);

/* launch_check.c: the function that checks what the proofs assumed, if they assumed anything. */
void gw_launch_check(gw_ownership *w);
/* The block of a gradient that is coarsened can be divided along any of these axes, no longer along the one
 * that gw_launch_check took. */
void gw_launch_check_axes(gw_func *f, uint32_t factor, const unsigned *axes, unsigned count);
/* What a later pass has proved assumes, too. */
void gw_launch_check_more(gw_ownership *w);

/* ---- position ----
 *
 * Whether a number tells one execution of an op from all others.
 */

/* This is proved of the COLLECT in the lanes in which the condition holds (0: in all):
 *   - executions in which `position` is the same number are of threads of one block, in the same iteration of
 * each loop around it; so a warp has one of them at most;
 *   - in these `key` is the same number.
 * What that assumes of the launch is added to w->assumed, for the object that is added to. */
bool gw_position_tells(gw_ownership *w, const gw_uniform *u, gw_op collect, gw_value position, gw_value key,
                       gw_value condition, gw_object object);

/* Executions of the op in which each of the numbers is the same are one: of one thread, in the same iteration
 * of each loop around. */
bool gw_position_tells_thread(gw_ownership *w, gw_op op, const gw_value *numbers, uint32_t count,
                              gw_object object);
#endif
