/*
 * rounding.h - what other rooms see of rewriters/rounding: the rows of a rounding error.
 */
#ifndef GW_ROUNDING_H
#define GW_ROUNDING_H
#include "analysis/ir/ir.h"

/* What is rounded alike: assignments to one variable on one line. */
typedef struct gw_rounded {
    gw_str name; /* of the variable, "" for none */
    gw_loc loc;
    gw_type type;
    uint16_t halves; /* rounding.def */
} gw_rounded;
typedef GW_VEC(gw_rounded) gw_rounded_rows;

/* The rows of a function that the pass `rounding` has made, in the order of its ops. */
void gw_rounding_rows(const gw_func *f, gw_rounded_rows *out);
uint32_t gw_rounding_row(const gw_rounded_rows *rows, const gw_func *f, gw_op op);
/* The array of terms, its last parameter's. */
gw_object gw_rounding_terms(const gw_func *f);
/* In a derivative nothing is marked any more. */
void gw_rounding_drop(gw_func *f);
#endif
