/* nest_private.h - a loop in a loop that a thread leaves for good, and that notes how far it came (contract:
 * nest.c). */
#ifndef GW_NEST_PRIVATE_H
#define GW_NEST_PRIVATE_H
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/adjoint/invert_private.h"

enum { GW_NEST_OUTER, GW_NEST_INNER };

typedef struct gw_nest {
    gw_op loop[2];          /* outer, inner */
    uint32_t value[2];      /* index of the carried value whose updates are undone, in both */
    uint32_t effective[2];  /* of the number of the last iteration with an effect */
    gw_value flag;          /* of the inner loop: at the start of an iteration */
    gw_value start, bound;  /* the inner loop's counter starts there and stays below */
    bool closed;            /* or gets there */
    /* condition by which the outer loop is left and that is not computed again, 0 = none */
    gw_value test;
    bool negated;           /* it is the opposite of leaving */
    bool meets;             /* all threads of the block come to where that is asked */
    gw_near_nest_kind lacks; /* where it is none: the condition that does not hold, and the op that shows it */
    gw_op shows;
    /* while the reverse is built */
    gw_value stopped, key_value, key_before;
    uint32_t frames; /* of recorded parts around it */
} gw_nest;

/* Around `outer`; false where there is none of the kind. */
bool gw_nest_find(const gw_func *p, const gw_activity *activity, gw_op outer, gw_nest *n);
/* The same without the numbers of iterations; sets no n->effective. */
bool gw_nest_fits(const gw_func *p, const gw_activity *activity, gw_op outer, gw_nest *n);
/* Brings the loop and those in it into the form of a nest; it, or what it became; 0: it does not count. */
gw_op gw_nest_form(gw_func *p, gw_op outer);
/* What carried value `arg` becomes is that itself, whatever the branches. */
bool gw_nest_keeps(const gw_func *p, gw_value v, gw_value arg);
/* Sums of products that conditions of the inner loop's iterations are made of are not contracted, so that the
 * second run of an iteration takes the path that the first one took. */
void gw_nest_round(gw_func *p, const gw_nest *n);
/* The carried value of the outer loop advances by a step of its own in each iteration, or v is made of such,
 * the counter, outer values, and memory that the loop leaves alone. */
bool gw_nest_recomputes(const gw_func *p, gw_op outer, gw_value v);
/* The branch in region r of the outer loop that holds the inner one; 0: r has it itself. */
gw_op gw_nest_branch(const gw_func *p, const gw_nest *n, gw_region r);
/* nest_loops.c: the same loop as a FOR, 0 if it does not count; the same without a break that a flag tells,
 * false if it has another. */
gw_op gw_nest_counted(gw_func *p, gw_op loop);
bool gw_nest_unbroken(gw_func *p, gw_op loop);
/* the FOR as a WHILE, whose counter is its last carried value; a loop that its iterations no longer leave */
gw_op gw_nest_as_while(gw_func *p, gw_op loop);
void gw_nest_drop_exit(gw_func *p, gw_op loop);
/* nest_head.c: the loop, whose condition asks what its iterations began by asking, if they did so */
gw_op gw_nest_asked(gw_func *p, gw_op loop);
#endif
