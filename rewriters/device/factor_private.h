/* factor_private.h - sums of products, as the factor pass sees the arithmetic of a region (factor.c,
 * factor_terms.c), and its quotients (quotient.c). */
#ifndef GW_FACTOR_PRIVATE_H
#define GW_FACTOR_PRIVATE_H
#include "analysis/ir/ir.h"

enum { GW_MOST_FACTORS = 10, GW_MOST_TERMS = 24, GW_MOST_SUMS = 96, GW_MOST_ATOMS = 400 };

/* What a product is made of: a value of the function, a sum, or a product of two others. */
typedef struct gw_atom {
    gw_value value;      /* 0: none, */
    uint32_t sum;        /* then this one less 1; 0: none, */
    uint32_t left, right; /* then the product of these atoms */
    gw_value made;
} gw_atom;

/* scale * factor * factor ..., in rising order */
typedef struct gw_term {
    double scale;
    uint32_t count, factor[GW_MOST_FACTORS];
} gw_term;

typedef struct gw_sum {
    gw_value value; /* whose expression it is; 0: others are made of it */
    bool output;    /* something else than sums and products uses the value */
    uint32_t count;
    gw_term term[GW_MOST_TERMS];
    gw_value made;
} gw_sum;

typedef struct gw_sums {
    GW_VEC(gw_atom) atoms;
    GW_VEC(gw_sum) sums;
    bool full; /* something had no room: what is here is not the whole */
} gw_sums;

uint32_t gw_atom_of_value(gw_sums *s, gw_value v);
uint32_t gw_atom_of_sum(gw_sums *s, uint32_t sum);
void gw_term_multiply(gw_sums *s, gw_term *t, uint32_t atom);
void gw_sum_add(gw_sums *s, gw_sum *sum, const gw_term *t);

/* The product stands in a term in which both of its factors stand, if it is there already. */
void gw_sums_take_product(gw_sums *s, gw_value left, gw_value right, gw_value product);
/* Like terms become one, what terms of a sum have in common is multiplied once, what several sums or products
 * have in common is made once. */
void gw_sums_share(gw_sums *s);
/* Multiplications and additions. */
uint32_t gw_sums_cost(const gw_sums *s);

/* A division of floats in a loop that leaves the divisor as it is. */
bool gw_is_quotient_in_loop(const gw_func *f, gw_op op);
/* Puts a product in the place of such a one. */
void gw_multiply_by_reciprocal(gw_func *f, gw_op op);
#endif
