/* adjoint/invert_private.h - what adjoint/invert.c and adjoint/nest_reverse.c share: how a loop changes a value
 * that its reverse undoes. */
#ifndef GW_ADJOINT_INVERT_PRIVATE_H
#define GW_ADJOINT_INVERT_PRIVATE_H
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/adjoint/adjoint_private.h"

typedef struct gw_invert {
    const gw_func *p;
    gw_op loop;
    gw_region body;
    uint32_t index;     /* of the carried value */
    gw_value arg;       /* it, at the start of an iteration */
    gw_value flag_next; /* in the body: true where this iteration ends the loop by its flag */
    gw_value flag_arg;  /* while: the flag at the start of an iteration, false there if the loop asks; else 0 */
    gw_value test;      /* the condition that depends on the carried value, 0 = none so far */
    bool negated;       /* it is the flag's opposite */
    bool by_stop;       /* a factor is at least LEAST_FACTOR by the stop, if the value starts from 1 or less */
    gw_op factor;       /* makes that */
    bool grows;         /* a factor may be above 1 */
    gw_near_nest_kind lacks; /* of a value that is multiplied: what was asked last and does not hold */
    gw_op shows;             /* where */
} gw_invert;

/* Whether the updates of carried value `index` can be undone, by the flag by which the loop is left; by another
 * that it carries, which then may be true at the start of an iteration. */
bool gw_invert_examine(const gw_func *p, gw_op loop, uint32_t index, gw_invert *s);
bool gw_invert_examine_by(const gw_func *p, gw_op loop, uint32_t index, gw_value flag, gw_invert *s);
/* What else is decided by the value than the stop; 0: nothing. */
gw_op gw_invert_decides_else(const gw_invert *s);
/* Ends of a range that has every value but NaN of v in region r. */
double gw_adjoint_least(const gw_func *p, gw_value v, gw_region r);
double gw_adjoint_most(const gw_func *p, gw_value v, gw_region r);
/* Wherever `test` is computed, the flag of the iteration is `test`, or its opposite (*negated). */
bool gw_flag_is(const gw_invert *s, gw_value flag, gw_value test, bool *negated);
/* `v` of the while's condition can be true only where carried value i is false. */
bool gw_invert_asks_for_false(const gw_func *p, gw_op loop, gw_value v, uint32_t i);
/* A value of pure ops and loads, made at the cloner's builder from what its map has. */
gw_value gw_invert_make(gw_cloner *c, gw_value v);
/* Values of the derivative that are there at the start of an iteration of the loop: outer ones, and the body's
 * arguments. */
gw_value_map gw_invert_values(const gw_adjoint *a, gw_op loop);
#endif
