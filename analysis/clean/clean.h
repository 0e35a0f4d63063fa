/*
 * clean.h - what other rooms see of analysis/clean: barriers, dce, simplify.
 */
#ifndef GW_CLEAN_H
#define GW_CLEAN_H
#include "analysis/ir/ir.h"

/* ---- barriers ----
 *
 * Barriers stand where all threads of a block come.
 */

/* Takes barriers out of what a kernel's threads do that have not returned early; false with a diagnostic. */
bool gw_barriers_leave_rests(gw_func *f);
/* Every barrier stands in control that is uniform in the block; false with a diagnostic. */
bool gw_barriers_check(const gw_func *f);
/* Removes barriers that order no accesses (barriers_idle.c); whether there were any. */
bool gw_barriers_drop_idle(gw_func *f);

/* ---- dce ----
 *
 * Cleaning passes over one function; each returns whether it changed anything.
 */

bool gw_dce(gw_func *f);           /* dce.c: ops, carried values, tape slots and local objects nobody needs */
bool gw_drop_dead_stores(gw_func *f); /* dead_stores.c: to local objects, seen by no load */
bool gw_cse(gw_func *f);           /* cse.c: equal pure values */
bool gw_numbers_for_bits(gw_func *f); /* bits.c: of a function as it was lowered */
bool gw_canonicalize(gw_func *f);  /* canonicalize.c: invariant carried values, decided branches */
void gw_clean(gw_func *f);         /* all of them until nothing changes */

/* ---- simplify ----
 *
 * The parts of the simplify pass; each returns whether it changed anything.
 */

bool gw_forward_memory(gw_func *f); /* forward.c */
bool gw_promote_cells(gw_func *f);  /* promote.c */
bool gw_forward_copies(gw_func *f); /* clean/read_original.c */
bool gw_narrow_lifetimes(gw_func *f); /* lifetime.c */
bool gw_hoist_invariants(gw_func *f); /* invariant.c */
bool gw_unroll_loops(gw_func *f);     /* unroll.c */
uint32_t gw_unroll_room(const gw_func *f);
/* loops that have constant bounds since others were written out */
bool gw_unroll_more(gw_func *f, uint32_t *room);
/* Indices of all iterations of a FOR with constant bounds; their number, or most + 1: it is another loop, or
 * has more. */
uint32_t gw_list_trips(const gw_func *f, gw_op loop, int64_t *index, uint32_t most);
/* The loop's body, once for each index, in its place. */
void gw_write_out_loop(gw_func *f, gw_op loop, const int64_t *index, uint32_t trips);
bool gw_run_repeated_once(gw_func *f); /* repeat.c */
bool gw_unroll_rounds(gw_func *f);    /* rounds.c */
bool gw_split_arrays(gw_func *f);     /* scalars.c */
/* All accesses in region r of the cell that `sample` reaches go to values; it starts as `initial`. The cell is
 * reached by no other path or index. (promote.c) */
void gw_replace_cell(gw_func *f, gw_op sample, gw_region r, gw_value initial);
/* Puts a loop into a branch of its own first condition; it stays the same op. */
void gw_guard_loop(gw_func *f, gw_op loop); /* promote.c */
void gw_simplify_func(gw_func *f);
/* What also holds of a function whose stores are performed: no cell is kept in a register and put back. */
void gw_simplify_in_place(gw_func *f);
#endif
