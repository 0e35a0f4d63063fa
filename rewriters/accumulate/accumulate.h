/*
 * accumulate.h - what other rooms see of rewriters/accumulate: accumulate, pack.
 */
#ifndef GW_ACCUMULATE_H
#define GW_ACCUMULATE_H
#include "analysis/ir/ir.h"

/* ---- accumulate ----
 *
 * What the rungs of the ladder have made of a kernel's additions, for who writes them down.
 */

/* How many additions, from this one on, are one call: those of a way that is written as a RUN. */
uint32_t gw_rung_run(const gw_func *f, gw_op first);
/* The op adds into the cell right behind that of `before`. */
bool gw_rung_next_cell(const gw_func *f, gw_op before, gw_op op);
/* And belongs to the same COLLECT, with the same threads that take part: its address is not asked for. */
bool gw_rung_continues(const gw_func *f, gw_op add);

/* copies.c: a block sums what goes to the object's copy in its shared memory first. */
bool gw_rung_sums_in_block(const gw_func *f, gw_object object);

/* ---- pack ----
 *
 * GW_PACK(x, y): adjoints of several arrays, accumulated in one array of records.
 */

/* What the element of an array is made of, in floats; 0: not of floats alone. */
uint32_t gw_pack_floats_of(const gw_session *s, gw_type type);
#endif
