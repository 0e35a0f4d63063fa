/*
 * calls/amounts_private.h - numbers of bytes, and of iterations, as polynomials over what is known when a
 * program runs: its parameters first of all. For people: no decision depends on them.
 *
 * Unknowns are taken to be 0 or more, as sizes and counts are, and to be numbers without a greatest one: no
 * arithmetic wraps around. With that an amount is what it says, or more.
 */
#ifndef GW_AMOUNTS_PRIVATE_H
#define GW_AMOUNTS_PRIVATE_H
#include "analysis/ir/query.h"
#include "analysis/prove/prove.h"

typedef struct gw_unknown {
    gw_str name; /* "n", "s.width", "((n + 31) / 32)" */
    char *text;  /* the same, made another's by a number */
    char *why;   /* what it is, and that it is counted when the program runs; NULL: a parameter, or of parts */
    gw_value value;
    gw_op loop;       /* a FOR whose index it is; 0: none */
    gw_region region; /* where it is known; 0: everywhere */
    bool bounded;     /* it lies between 0 and `most` */
    gw_poly most;
    gw_poly parts; /* of a quotient: has all unknowns that it is made of */
    gw_poly top, bottom;
    /* it is this parameter of the text, its member `path` ("" or ".r.n") or `is_bytes`: number + 1; 0: none */
    uint32_t param;
    gw_str path;
    bool is_bytes;  /* what lies from there on in its allocation */
} gw_unknown;

typedef struct gw_amounts {
    const gw_func *f;
    GW_VEC(gw_unknown) unknowns; /* [0] unused */
} gw_amounts;

void gw_amounts_begin(gw_amounts *a, const gw_func *f);
void gw_amounts_free(gw_amounts *a);

/* An integer value of the function; one that is more than a polynomial is an unknown. */
void gw_amount_of(gw_amounts *a, gw_value v, gw_poly *out);
/* What `text` calls, known in `region` (0: everywhere). */
void gw_amount_named(gw_amounts *a, const char *text, const char *why, gw_region region, gw_poly *out);
/* The bytes of the allocation that the parameter `given` leads to, called so. */
void gw_amount_bytes(gw_amounts *a, const char *text, const char *why, gw_value given, gw_poly *out);
/* How often the loop runs, at most. */
void gw_amount_trips(gw_amounts *a, gw_op loop, gw_poly *out);
/* At most so much for any iteration of the loop, said outside of it. */
void gw_amount_leave(gw_amounts *a, gw_op loop, gw_poly *p);
/* *p times how often each loop around the op runs, said outside of all of them. */
void gw_amount_each(gw_amounts *a, gw_op op, gw_poly *p);
/* *a is at least b, too. */
void gw_amount_most(gw_poly *a, const gw_poly *b);
void gw_amount_add(gw_poly *a, const gw_poly *b);
/* "4 * n * steps" */
void gw_amount_text(const gw_amounts *a, const gw_poly *p, gw_text *out);
bool gw_amount_has(const gw_poly *p, uint32_t unknown);
bool gw_amount_hangs_on(const gw_amounts *a, const gw_poly *p, uint32_t unknown); /* or a part of it is */
#endif
