/* barriers.h - barriers stand where all threads of a block come. */
#ifndef GW_BARRIERS_H
#define GW_BARRIERS_H
#include "analysis/ir/ir.h"

/* Takes barriers out of what a kernel's threads do that have not returned early; false with a diagnostic. */
bool gw_barriers_leave_rests(gw_func *f);
/* Every barrier stands in control that is uniform in the block; false with a diagnostic. */
bool gw_barriers_check(const gw_func *f);
/* Removes barriers that order no accesses (barriers_idle.c); whether there were any. */
bool gw_barriers_drop_idle(gw_func *f);
#endif
