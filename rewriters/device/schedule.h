/* schedule.h - parts of the schedule pass. */
#ifndef GW_SCHEDULE_H
#define GW_SCHEDULE_H
#include "analysis/ir/ir.h"

/* A plain store of zero. */
bool gw_is_zeroing(const gw_func *f, gw_op op);
/* accumulate/posted.c: additions that are the thread's own by an instruction that no thread waits for, where that pays or is asked for. */
void gw_rung_posted(gw_func *f);
/* Whether this addition may take that rung. */
bool gw_rung_posts(const gw_func *f, gw_op op);
/* delay.c: atomic additions behind loads, zeroing last, in the region and what is nested in it. */
void gw_delay(gw_func *f, gw_region r);
#endif
