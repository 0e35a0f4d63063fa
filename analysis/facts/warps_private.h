/* warps_private.h - values that tell no more of a thread than its warp (contract: warps.c). */
#ifndef GW_WARPS_PRIVATE_H
#define GW_WARPS_PRIVATE_H
#include "analysis/facts/facts.h"

/* The launch of the kernel is checked for blocks that are one long in y, and in z. */
void gw_blocks_one_long(const gw_func *f, bool one_long[2]);
typedef bool gw_is_alike(const void *context, gw_value v); /* v is the same in all threads of a warp */
/* The op takes the lane away from a number of the thread: its result is the same in all threads of a warp. */
bool gw_tells_warp(const gw_func *f, gw_op op, const gw_block_shape *shape, gw_is_alike *alike,
                   const void *context);
#endif
