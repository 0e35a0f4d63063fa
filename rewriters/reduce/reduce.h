/*
 * reduce.h - what other rooms see of rewriters/reduce: a step of the sweeps that waits for the choice of
 * rungs.
 */
#ifndef GW_REDUCE_H
#define GW_REDUCE_H
#include "analysis/ir/ir.h"

/* Blocks sum what they add to the object before they add it. */
typedef bool gw_sums_in_block(const gw_func *f, gw_object object);
/* sweeps.c: a loop that adds to such objects, and zeroes its seeds, leaves all of that to the last loop over
 * the same range, which adds to the same cells of the thread. */
void gw_sweep_seeds(gw_func *f, gw_sums_in_block *summed);
#endif
