/*
 * rescaled_private.h - what rescaled.c and exponent.c share: exponents as sums of multiples.
 */
#ifndef GW_RESCALED_PRIVATE_H
#define GW_RESCALED_PRIVATE_H
#include "rewriters/formula/formula.h"

enum { GW_MOST_FACTORS = 4, GW_MOST_PARTS = 4, GW_MOST_TERMS = 16 };

/* number * factor[0]^power[0] * ..., of values from before the loop, in ascending order */
typedef struct gw_multiple {
    double number;
    gw_value factor[GW_MOST_FACTORS];
    int power[GW_MOST_FACTORS];
    uint32_t count;
} gw_multiple;

/* by * of + ... */
typedef struct gw_exponent {
    struct {
        gw_multiple by;
        gw_value of;
    } part[GW_MOST_PARTS];
    uint32_t count;
} gw_exponent;

typedef GW_VEC(uint8_t) gw_verdicts; /* by value; 0: nobody has asked */

/* Values are looked at in the copy of a loop, between whose iterations nothing but carried values changes. */
typedef struct gw_reading {
    gw_func *f;
    gw_op loop;
    gw_verdicts carried; /* made of what the loop carries along: 1 no, 2 yes */
    gw_value_map before; /* made again in front of the loop */
} gw_reading;

/* Made of nothing that is carried. */
bool gw_is_free(gw_reading *r, gw_value v);
void gw_note_carried(gw_reading *r, gw_value v);
bool gw_is_in_loop(const gw_reading *r, gw_value v);

bool gw_same_multiple(const gw_multiple *a, const gw_multiple *b);
bool gw_same_exponent(const gw_exponent *a, const gw_exponent *b);
/* v as multiples of values: *of_reference * reference + *rest. reference 0: there is none. */
bool gw_exponent_read(gw_reading *r, gw_value v, gw_value reference, gw_multiple *of_reference,
                      gw_exponent *rest);
/* scale * v, as gw_exponent_read gives it */
bool gw_exponent_of(gw_reading *r, gw_value v, const gw_multiple *scale, gw_exponent *e);
/* x times the multiple, or the multiple itself where x is 0 */
gw_value gw_multiple_build(gw_builder *b, gw_type type, const gw_multiple *m, gw_value x);
/* e - scale * reference */
gw_value gw_exponent_build(gw_builder *b, gw_type type, const gw_exponent *e, const gw_multiple *scale,
                           gw_value reference);
#endif
