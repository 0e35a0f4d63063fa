/* schedule_private.h - parts of the schedule pass. */
#ifndef GW_SCHEDULE_PRIVATE_H
#define GW_SCHEDULE_PRIVATE_H
#include "analysis/ir/ir.h"

/* A plain store of zero. */
bool gw_is_zeroing(const gw_func *f, gw_op op);
/* delay.c: op, or what is in it, may reach the store's cell. */
bool gw_may_touch(const gw_func *f, gw_op op, gw_op store);
/* past_zeros.c: loads of consumed adjoints before the zeroings that stand before them. */
void gw_go_past_zeros(gw_func *f, gw_region r);
/* delay.c: atomic additions behind loads, zeroing last, in the region and what is nested in it. */
void gw_delay(gw_func *f, gw_region r);
/* split.c: the addition, a thread's own, as a store behind a load that stands before `at`. */
void gw_split_addition(gw_func *f, gw_op add, gw_op at);
/* ahead.c: loads of several iterations before what the first of them stores. */
void gw_load_ahead(gw_func *f);
#endif
