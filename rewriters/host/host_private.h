/*
 * host_private.h - what passes over loops of the host's functions ask of a loop.
 */
#ifndef GW_HOST_PRIVATE_H
#define GW_HOST_PRIVATE_H
#include "analysis/ir/query.h"

/* Few ops, none that takes long, nothing of a tape, no calls. */
bool gw_host_is_straight(const gw_func *f, gw_region body);
/* It may have enough iterations. */
bool gw_host_is_long(const gw_func *f, gw_op loop);
/* v goes with the loop's index, by one where that does: the index, shifted and widened. */
bool gw_host_counts_up(const gw_func *f, gw_op loop, gw_value v);
#endif
