/* staging.h - is what a thread reads of shared memory stored anew in each iteration? */
#ifndef GW_STAGING_H
#define GW_STAGING_H
#include "gradwright/ir/ir.h"
/* `store` stands before `load` in the loops around both. True: a cell that the store reaches in any iteration of them, and
 * that the load reads in some iteration, is reached by the store in that iteration too. */
bool gw_stages_again(const gw_func *f, gw_op store, gw_op load);
#endif
