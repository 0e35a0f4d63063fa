/*
 * strides_private.h - what strides.c asks of digits.c: additions to cells whose numbers have digits, with
 * strides that the caller chooses.
 */
#ifndef GW_STRIDES_PRIVATE_H
#define GW_STRIDES_PRIVATE_H
#include "analysis/ownership/host_side_private.h"
#include "analysis/ownership/ownership.h"

enum { GW_DIGITS_MOST = 6 };

typedef struct gw_digit {
    gw_poly number, stride, length; /* 0 <= number < length */
} gw_digit;

/* All references to the cells of a path: the same digits, and 0 to `spread` times the part. */
struct gw_digits {
    gw_object object;
    gw_str path;
    uint32_t count;
    gw_digit digit[GW_DIGITS_MOST]; /* the last is the highest */
    gw_poly part;
    int64_t spread;
    uint32_t bits;    /* the index is taken modulo 2^bits; 0: it is not */
    uint64_t assumed; /* beside what gw_digits_ask asks */
    bool distinct;    /* no two references of a thread are at one cell */
};

/* The object is the one that t looks at, whose choices are sums; false where it is not so. */
bool gw_digits_find(gw_ownership *t, gw_object object, gw_str path, gw_digits *out);
/* No two threads meet at the cells where it holds; the atoms are those of `side`. */
gw_value gw_digits_ask(const gw_digits *d, const gw_host_side *side, gw_builder *b, gw_text *text);
#endif
