/* slots_private.h - groups of additions that go into rows of a thread's or a warp's own (accumulate/slots.c): a
 * COLLECT each. */
#ifndef GW_SLOTS_PRIVATE_H
#define GW_SLOTS_PRIVATE_H
#include "analysis/ir/ir.h"
#include "analysis/ir/reasons.h"
#include "rewriters/workspace/workspace.h"
#include "analysis/facts/facts.h"

/* accumulate/list.c: the function's promises may make positions of a list a warp's own. */
bool gw_list_may_place(const gw_func *f);
/* The position in a list that tells the warp, and the iteration, in which the COLLECT of the warp rung runs,
 * and each of the keys; a value in front of its additions. 0: none is known. */
gw_value gw_list_position(gw_func *f, gw_op collect, const gw_value *keys, uint32_t count);

/* Guesses of where in a list the key is read from: sums of two numbers, of which the second may be none (0),
 * that are there in front of the addition (and with `u` the same in all lanes of the warp); a value for one. */
enum { GW_PLACES_MOST = 8 };
typedef struct gw_place {
    gw_value first, second;
} gw_place;
typedef struct gw_places {
    gw_place at[GW_PLACES_MOST];
    uint32_t count;
} gw_places;
void gw_list_places(const gw_func *f, const gw_uniform *u, gw_op add, gw_value key, gw_places *found);
gw_value gw_list_place_value(gw_func *f, gw_op add, const gw_place *at);

/* accumulate/placed.c: two numbers that tell the thread that adds, and the iteration, from all others: a
 * position in a list, and a number within it, of which the launch knows bounds. False: none are known. *why:
 * what rows there are, or why there are none. */
typedef struct gw_placement {
    gw_value position, within;
} gw_placement;
bool gw_placed_rows(gw_func *f, gw_op add, gw_value key, gw_placement *out, gw_why *why);

/* accumulate/sorted.c: whether the host finds bounds of a number (`trusting`: of an unsigned one that is below
 * 2^63), and whether numbers tell the thread that adds and the iteration from all others; what that assumes of
 * the launch is checked there. */
bool gw_row_has_bounds(gw_func *f, gw_value v, bool trusting);
bool gw_row_tells_thread(gw_func *f, gw_op add, const gw_value *numbers, uint32_t count);
/* accumulate/sorted.c: the number by which the addition's rows stand in the order of their keys; 0: there is
 * none. *why: what rows there are. Whether keys ascend as positions do. */
gw_value gw_sorted_position(gw_func *f, gw_op add, gw_value key, gw_why *why);
bool gw_sorted_ascends(const gw_func *f, gw_value key, gw_value position);

/* Why an addition cannot; GW_REASON_NONE if it can. */
gw_reason gw_slots_refuse(gw_func *f, gw_op add);
#endif
