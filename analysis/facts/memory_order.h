/* memory_order.h - which memory operations other threads can see, and what keeps their order. */
#ifndef GW_MEMORY_ORDER_H
#define GW_MEMORY_ORDER_H
#include "analysis/ir/ir.h"

/* The op, or one inside it, is a point where threads meet, of a block or a warp: no access of visible memory may be moved
 * across it. */
bool gw_holds_barrier(const gw_func *f, gw_op op);
bool gw_region_holds_barrier(const gw_func *f, gw_region r);
/* The same, where all threads of a block meet. */
bool gw_holds_block_barrier(const gw_func *f, gw_op op);
bool gw_region_holds_block_barrier(const gw_func *f, gw_region r);
/* Threads of the block or lanes of the warp do something together in it: meet, exchange values, vote. */
bool gw_is_joint(const gw_func *f, gw_op op);
/* Per object: other threads of the launch may change its cells while the function runs (shared and caller's memory
 * that the function itself stores to); caller frees. */
bool *gw_changing_objects(const gw_func *f);
/* Those and all shared memory: what barriers are for; caller frees. */
bool *gw_seen_objects(const gw_func *f);
#endif
