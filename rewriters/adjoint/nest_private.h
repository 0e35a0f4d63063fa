/* nest_private.h - a loop in a loop that a thread leaves for good, and that notes how far it came (contract:
 * nest.c). */
#ifndef GW_NEST_PRIVATE_H
#define GW_NEST_PRIVATE_H
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/adjoint/invert_private.h"

enum { GW_NEST_OUTER, GW_NEST_INNER, GW_NEST_MIDDLE, GW_NEST_LOOPS };

/* A number whose updates are undone, and what goes with it: a pixel of the thread. */
typedef struct gw_nest_state {
    uint32_t value[2];     /* its index as a carried value, in the outer and the inner loop */
    uint32_t effective[2]; /* of the number of the last iteration with an effect on it */
    gw_value flag;         /* that it has stopped; of the inner loop, at the start of an iteration */
    bool late;             /* the iteration that stops it is the last one with an effect */
    /* while the reverse is built */
    gw_value key, last, stopped;
} gw_nest_state;
enum { GW_NEST_STATES = 8 };

typedef struct gw_nest {
    gw_op loop[GW_NEST_LOOPS]; /* outer, inner, and one between them, 0 = none */
    gw_nest_state state[GW_NEST_STATES];
    uint32_t states;
    bool asked;             /* there is one, and the inner loop asks for its flag before each iteration */
    gw_value start, bound;  /* the inner loop's counter starts there and stays below */
    bool closed;            /* or gets there */
    bool ahead;             /* that holds of the counter plus 1 */
    /* condition by which the outer loop is left and that is not computed again, 0 = none */
    gw_value test;
    bool negated;           /* it is the opposite of leaving */
    bool behind;            /* it is asked at the end of the iteration */
    bool meets;             /* all threads of the block come to where that is asked */
    bool lanes;             /* lanes of a warp tell each other something in the loop between */
    gw_near_nest_kind lacks; /* where it is none: the condition that does not hold, and the op that shows it */
    gw_op shows;
    /* while the reverse is built */
    gw_value stopped, key_before;
    gw_value last, before; /* of all states; of the batch */
    uint32_t frames; /* of recorded parts around it */
} gw_nest;

/* Around `outer`; false where there is none of the kind. */
bool gw_nest_find(const gw_func *p, const gw_activity *activity, gw_op outer, gw_nest *n);
/* The same without the numbers of iterations; sets no n->effective. */
bool gw_nest_fits(const gw_func *p, const gw_activity *activity, gw_op outer, gw_nest *n);
/* Brings the loop and those in it into the form of a nest; it, or what it became; 0: it does not count. */
gw_op gw_nest_form(gw_func *p, gw_op outer);
/* The inner loop's number of what the outer one carries as i, and the other way round; GW_NEST_NONE if it is
 * not handed through. */
enum { GW_NEST_NONE = UINT32_MAX };
uint32_t gw_nest_handed(const gw_func *p, const gw_nest *n, uint32_t i);
uint32_t gw_nest_handed_as(const gw_func *p, const gw_nest *n, uint32_t m);
/* The middle loop's number of what the outer one carries as i. */
uint32_t gw_nest_handed_between(const gw_func *p, const gw_nest *n, uint32_t i);
/* The loop that stands in the outer one: the inner one, or the one between. */
gw_op gw_nest_second(const gw_nest *n);
/* What carried value `arg` becomes is that itself, whatever the branches. */
bool gw_nest_keeps(const gw_func *p, gw_value v, gw_value arg);
/* Sums of products that conditions of the inner loop's iterations are made of are not contracted, so that the
 * second run of an iteration takes the path that the first one took. `factors`: nor are those that the undone
 * numbers are multiplied by, which may be small: 1 - a * b. */
void gw_nest_round(gw_func *p, const gw_nest *n, bool factors);
/* The carried value of the outer loop advances by a step of its own in each iteration, or v is made of such,
 * the counter, outer values, and memory that the loop leaves alone. */
bool gw_nest_recomputes(const gw_func *p, gw_op outer, gw_value v);
/* The branch in region r of the outer loop that holds the inner one; 0: r has it itself. */
gw_op gw_nest_branch(const gw_func *p, const gw_nest *n, gw_region r);
/* Carried value i of the outer loop starts from 1 or less, if undoing it in the inner one asks for that; else
 * n->lacks says so. */
bool gw_nest_starts_low(const gw_func *p, gw_nest *n, uint32_t i, const gw_invert *s);
/* nest_middle.c: the loop between counts as a nest has it; the op is what lanes of a warp
 * tell each other in it, of numbers without a derivative, which sets n->lanes */
bool gw_nest_middle_counts(const gw_func *p, const gw_nest *n);
bool gw_nest_tells_lanes(const gw_func *p, const gw_activity *activity, gw_nest *n, gw_op op);
/* nest_states.c: the states of an inner loop that does not ask for a flag; false: none, or n->lacks one */
bool gw_nest_find_states(const gw_func *p, gw_nest *n);
/* By carried value of the inner loop: the states on which it depends, as bits; the caller frees it. */
uint32_t *gw_nest_masks(const gw_func *p, const gw_nest *n);
/* Each state is kept apart from the others, and left alone once its flag is set. */
bool gw_nest_apart(const gw_func *p, const gw_activity *activity, gw_nest *n);
/* Carried value m of the inner loop stays what it was once state k's flag is set. */
bool gw_nest_notes_while_on(const gw_func *p, const gw_nest *n, uint32_t k, uint32_t m);
/* Carried value i of the inner loop is state k, or a number with a derivative that goes with it. */
bool gw_nest_is_of(const gw_func *p, const gw_activity *activity, const gw_nest *n, const uint32_t *masks,
                   uint32_t i, uint32_t k);
/* The truth of v where the flag is `is`; GW_NEST_OPEN: either. */
typedef enum gw_nest_truth { GW_NEST_FALSE, GW_NEST_TRUE, GW_NEST_OPEN } gw_nest_truth;
gw_nest_truth gw_nest_truth_if(const gw_func *p, gw_value v, gw_value flag, bool is);
/* nest_loops.c: the same loop as a FOR, 0 if it does not count; the same without a break that a flag tells,
 * false if it has another. */
gw_op gw_nest_counted(gw_func *p, gw_op loop);
bool gw_nest_unbroken(gw_func *p, gw_op loop);
/* the FOR as a WHILE, whose counter is its last carried value; a loop that its iterations no longer leave */
gw_op gw_nest_as_while(gw_func *p, gw_op loop);
void gw_nest_drop_exit(gw_func *p, gw_op loop);
/* The region has pure ops only. */
bool gw_nest_is_pure(const gw_func *p, gw_region r);
/* nest_bits.c: the loop, or the same over all the bits of a word, if it goes through those that are set */
gw_op gw_nest_bits(gw_func *p, gw_op loop);
/* nest_vote.c: a condition that holds wherever that bit is set in a word that lanes of a warp have voted; 0
 * */
gw_value gw_nest_vote(gw_func *p, gw_builder *at, gw_value word, gw_value bit);
/* nest_flags.c: the loop, if a loop in it had its flags in an integer: each is a bool now */
gw_op gw_nest_flags(gw_func *p, gw_op outer);
/* nest_head.c: the loop, whose condition asks what its iterations began by asking, if they did so */
gw_op gw_nest_asked(gw_func *p, gw_op loop);
#endif
