/* repeats.h - what is the same in all iterations of a loop. */
#ifndef GW_REPEATS_H
#define GW_REPEATS_H
#include "analysis/ir/ir.h"

/* The access reaches the same cells, in the same order, in all iterations of the loop around it. */
bool gw_access_repeats(const gw_func *f, gw_op loop, gw_op access);
bool gw_index_repeats(const gw_func *f, gw_op loop, gw_op access); /* its index does, wherever it runs */
bool gw_value_repeats(const gw_func *f, gw_op loop, gw_value v);   /* v is the same, wherever it is computed */
/* All accesses of the object in region r, which is inside of the loop, are loads and stores that do. */
bool gw_accesses_repeat(const gw_func *f, gw_op loop, gw_region r, gw_object o);
#endif
