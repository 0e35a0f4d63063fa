/*
 * nest.h - loops whose reverse undoes what their iterations did, and needs no tape for it: one loop that a
 * number is multiplied in (invert.c), and two, the inner of which a thread leaves for good (nest.c).
 */
#ifndef GW_NEST_H
#define GW_NEST_H
#include "analysis/facts/facts.h"
#include "analysis/ir/ir.h"
#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"

/* What keeps loops of the primal from being a nest that needs no tape. */
typedef enum gw_near_nest_kind {
    GW_NEAR_NEST_NONE,
#define GW_NEAR_NEST(CODE, says, mends) GW_NEAR_NEST_##CODE,
#include "rewriters/adjoint/nest/nests.def"
#undef GW_NEAR_NEST
    GW_NEAR_NEST_COUNT
} gw_near_nest_kind;
typedef struct gw_near_nest_row {
    const char *says, *mends;
} gw_near_nest_row;
extern const gw_near_nest_row gw_near_nest_rows[GW_NEAR_NEST_COUNT];
/* ---- a loop: how it changes a value that its reverse undoes ---- */
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
/* v is the carried value times *factor. */
bool gw_invert_is_update(const gw_invert *s, gw_value v, gw_value *factor);
/* Made anew at the start of an iteration, without the carried value. */
bool gw_invert_is_free(const gw_invert *s, gw_value v);
/* A division of floats by it in a kernel may be one by an approximate reciprocal. */
bool gw_invert_divides_fast(const gw_invert *s, gw_value factor, gw_region r);

/* ---- two loops: one in the other, that notes how far it came (contract: nest.c) ---- */
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
/* Sums of products that conditions of the inner loop's iterations are made of are not contracted, so that the
 * second run of an iteration takes the path that the first one took. `factors`: nor are those that the undone
 * numbers are multiplied by, which may be small: 1 - a * b. */
void gw_nest_round(gw_func *p, const gw_nest *n, bool factors);
/* The branch in region r of the outer loop that holds the inner one; 0: r has it itself. */
gw_op gw_nest_branch(const gw_func *p, const gw_nest *n, gw_region r);
#endif
