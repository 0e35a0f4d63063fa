/* sink.h - additions to adjoint cells go into the side of a branch outside of which they add nothing. */
#ifndef GW_SINK_H
#define GW_SINK_H
#include "gradwright/ir/ir.h"
/* In the region and what is nested in it, from the outside in. */
void gw_sink_additions(gw_func *f, gw_region r);
#endif
