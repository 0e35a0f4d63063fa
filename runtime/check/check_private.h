/* check_private.h - the checks of one function: shared by the files of libgwcheck (contract: check.h, row.h).
 */
#ifndef GW_CHECK_PRIVATE_H
#define GW_CHECK_PRIVATE_H

#include "gradwright/emitted/check.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- numbers.c ---- */
double gw_check_get(const unsigned char *element, const gw_check_cell *cell);
void gw_check_put(unsigned char *element, const gw_check_cell *cell, double value);
double gw_check_epsilon(const gw_check_cell *cell);
uint64_t gw_check_random(uint64_t *state);
double gw_check_uniform(uint64_t *state, double low, double high);

/* ---- a function under check ---- */
typedef struct gw_check_place {
    size_t param, element, cell;
} gw_check_place;

typedef struct gw_check {
    const gw_check_function *f;
    const gw_check_device *device;
    FILE *results;
    const char *inputs; /* folder, "" for none */
    uint64_t seed, random;
    bool once; /* one run of each, in a checked build */
    bool failed;
    unsigned char **entry; /* of each parameter: its bytes before a run */
    bool *added;           /* of each parameter: its adjoint is added to, as a run leaves it as it is */
    /* between the host and memory that it does not read; null: it reads all of it */
    void (*copy)(void *to, const void *from, size_t bytes);
    unsigned char *mirror;   /* room for any parameter */
    unsigned char **shadows; /* of each parameter; null: it has none */
    gw_check_place *places;  /* real cells of named parameters */
    size_t count;
    double *seeds, *scale, *values, *gradient; /* of each place */
    double *above, *below, *middle;            /* values on exit */
    double *noise, *even;                      /* what rounding does to each; for its measure */
    double epsilon, tolerance, floor;
    bool *excluded;        /* a kink lies within a step of it */
    size_t kinks, counted; /* cells with one; slopes that were compared */
} gw_check;

/* ---- memory.c ---- */
size_t gw_check_bytes(const gw_check_param *p);
bool gw_check_find_places(gw_check *c);
void gw_check_restore(gw_check *c); /* entries into the parameters */
/* The same with steps along a direction, a number for each place. */
void gw_check_move(gw_check *c, const double *direction, double by);
/* Writes shadows: numbers of places, or 0. */
void gw_check_put_shadows(gw_check *c, const double *numbers);
void gw_check_get_shadows(const gw_check *c, double *numbers);
/* The same of other memory that is laid out as they are. */
void gw_check_put_numbers(gw_check *c, unsigned char *const *shadows, const double *numbers);
void gw_check_get_numbers(const gw_check *c, unsigned char *const *shadows, double *numbers);
void gw_check_get_values(const gw_check *c, double *numbers);
/* The first parameter, from `from` on, of which a byte is not as on entry; their count if there is none. */
size_t gw_check_changed(const gw_check *c, size_t from, size_t *at);
/* Seeds, but for what a run leaves as it is. */
void gw_check_seeds(const gw_check *c, double *out);

typedef struct gw_check_sides {
    double forward, reverse; /* <s, tangents on exit>, <adjoints on exit, direction> */
    double size;             /* of the terms, without signs */
} gw_check_sides;
gw_check_sides gw_check_dot(size_t count, const double *seeds, const double *tangents, const double *adjoints,
                            const double *direction);

/* ---- buffers.c ---- */
bool gw_check_prepare(gw_check *c); /* memory and inputs; false behind a result that says why */
void gw_check_release(gw_check *c);
/* Guards and bytes, behind a run of `what`; false behind a result. */
bool gw_check_guards(gw_check *c, const char *what);
bool gw_check_unchanged(gw_check *c, const char *what);
/* Runs one of the calls; false behind a result. */
bool gw_check_run(gw_check *c, gw_check_call *call, const char *what);
static inline const gw_check_param *gw_check_param_at(const gw_check *c, size_t place) {
    return &c->f->params[c->places[place].param];
}

/* ---- results.c ---- */
enum { GW_CHECK_NAME = 256 };
void gw_check_name(const gw_check *c, size_t place, const char *prefix, char *out);
/* One line: check, result, cell, got, expected, error and words. */
void gw_check_say(gw_check *c, const char *check, const char *result, const char *cell, const char *words);
void gw_check_compare(gw_check *c, const char *check, const char *result, const char *cell, double got,
                      double expected, double error, const char *words);
void gw_check_begin(const gw_check *c, const char *what); /* before what may end the process */

/* ---- slope.c ---- */
typedef struct gw_check_slope {
    double value, error; /* of L along a direction, and what the step may put it off by */
    double noise;        /* what rounding may */
    double size;         /* the sum of its terms without signs */
    double low, high;    /* of the one-sided differences */
    bool smooth;         /* they come together as the step shrinks */
    bool finite;
} gw_check_slope;
/* L's slope along the direction, a number for each place. */
bool gw_check_slope_along(gw_check *c, const double *direction, double part, gw_check_slope *out);

bool gw_check_measure_noise(gw_check *c, const double *direction); /* into c->noise, if greater */
double gw_check_unsure(const gw_check_slope *slope);               /* both in all */
/* In rounding. A slope of 0 beside an adjoint of 0 does not. */
bool gw_check_drowns(const gw_check_slope *slope, double got);

typedef enum gw_check_verdict { GW_CHECK_AGREES, GW_CHECK_KINK, GW_CHECK_DIFFERS } gw_check_verdict;
/* share: of the tolerance; *off: the disagreement, as a share of what is allowed. */
gw_check_verdict gw_check_judge(const gw_check *c, double got, double share, const gw_check_slope *slope,
                                double *off);

/* ---- reverse.c ---- */
bool gw_check_reverse(gw_check *c); /* the gradient itself: c->gradient */
void gw_check_differences(gw_check *c);
/* ---- modes.c ---- */
void gw_check_forward(gw_check *c);
void gw_check_orders(gw_check *c);

#endif
