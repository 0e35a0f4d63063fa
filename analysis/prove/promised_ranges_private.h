/* promised_ranges_private.h - what GW_DISJOINT_RANGES says of one range (contract: promised_ranges.c). */
#ifndef GW_PROMISED_RANGES_PRIVATE_H
#define GW_PROMISED_RANGES_PRIVATE_H
#include "analysis/prove/prove.h"

/* Limits of a cell that is the begin or the end of such a range. */
void gw_promised_limit(const gw_func *f, gw_atom_data *cell);
/* If the polynomial is such a cell, and the range's other end is known: begin <= end. */
void gw_promised_range(const gw_normal *n, gw_context *c, const gw_poly *cell);
#endif
