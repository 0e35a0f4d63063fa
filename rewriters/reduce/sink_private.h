/* sink_private.h - additions to adjoint cells go into the side of a branch outside of which they add nothing,
 * and out of both sides. */
#ifndef GW_SINK_PRIVATE_H
#define GW_SINK_PRIVATE_H
#include "analysis/ir/ir.h"
/* In the region and what is nested in it, from the outside in. */
void gw_sink_additions(gw_func *f, gw_region r);
/* arms.c: additions to one cell in both arms of a branch become one behind it; from the inside out. */
void gw_join_additions(gw_func *f, gw_region r);
#endif
