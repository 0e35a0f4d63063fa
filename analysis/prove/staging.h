/* staging.h - is what a thread reads of shared memory stored anew in each iteration? */
#ifndef GW_STAGING_H
#define GW_STAGING_H
#include "analysis/ir/ir.h"
/* `store` stands before `load` in the loops around both. True: a cell that the store reaches in any iteration of them, and
 * that the load reads in some iteration, is reached by the store in that iteration too. */
bool gw_stages_again(const gw_func *f, gw_op store, gw_op load);
/* The innermost region around both. */
gw_region gw_region_around(const gw_func *f, gw_region a, gw_region b);
gw_region gw_common_region(const gw_func *f, gw_op x, gw_op y);
/* The op of region r that is, or holds, `op`. */
gw_op gw_holder(const gw_func *f, gw_op op, gw_region r);
/* x stands before y in one pass through the region around both. */
bool gw_comes_before(const gw_func *f, gw_op x, gw_op y);
#endif
