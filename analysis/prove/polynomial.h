/*
 * polynomial.h - polynomials with integer coefficients over numbered atoms, the language in which the
 * ownership proofs are written.
 *
 * A polynomial has a fixed room. An operation that would overflow a coefficient or the room gives a
 * polynomial with `broken` set; every operation on a broken one is broken again, and every question about
 * one is answered "not proved". So no caller has to check in between.
 */
#ifndef GW_POLYNOMIAL_H
#define GW_POLYNOMIAL_H
#include <stdbool.h>
#include <stdint.h>

enum { GW_POLY_FACTORS = 6, GW_POLY_TERMS = 32 };
typedef uint16_t gw_atom;
/* The same quantity in the other of the two threads that a proof speaks of. */
#define GW_ATOM_OTHER 0x8000u

typedef struct gw_term {
    int64_t coefficient;
    uint32_t factors;
    gw_atom factor[GW_POLY_FACTORS]; /* ascending */
} gw_term;

typedef struct gw_poly {
    bool broken;
    uint32_t count;
    gw_term term[GW_POLY_TERMS]; /* in a fixed order; no zero coefficients, no two of the same factors */
} gw_poly;

void gw_poly_zero(gw_poly *p);
void gw_poly_constant(gw_poly *p, int64_t value);
void gw_poly_atom(gw_poly *p, gw_atom a);
/* to += scale * (factors of m, its coefficient is not used; NULL = 1) * p */
void gw_poly_add(gw_poly *to, int64_t scale, const gw_term *m, const gw_poly *p);
void gw_poly_add_constant(gw_poly *to, int64_t value);
void gw_poly_add_term(gw_poly *to, const gw_term *t);
void gw_poly_multiply(gw_poly *out, const gw_poly *a, const gw_poly *b);
void gw_poly_scale(gw_poly *p, int64_t scale);
bool gw_poly_equal(const gw_poly *a, const gw_poly *b);
/* Every atom of p through `rename`. */
void gw_poly_rename(gw_poly *p, gw_atom (*rename)(const void *context, gw_atom a), const void *context);
bool gw_poly_is_constant(const gw_poly *p, int64_t *value);
bool gw_poly_is_atom(const gw_poly *p, gw_atom *a);
/* p = by * quotient exactly; false if it is not. */
bool gw_poly_divide(const gw_poly *p, const gw_poly *by, gw_poly *quotient);
/* Greatest common divisor of the coefficients, positive; 0 for the zero polynomial. */
int64_t gw_poly_content(const gw_poly *p);
/* Factors of t without those of by in *rest; false if by's are not all among them. */
bool gw_term_divide(const gw_term *t, const gw_term *by, gw_term *rest);
uint32_t gw_poly_hash(const gw_poly *p);
#endif
