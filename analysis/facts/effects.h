/* effects.h - what calls may read and write through the pointers that they pass. */
#ifndef GW_EFFECTS_H
#define GW_EFFECTS_H
#include "analysis/ir/ir.h"

/* Sets `reads` and `writes` of the addresses in primal functions by what the functions called do; whether that
 * changed one. Before, they must say all that may be. In reverse derivatives instead: takes `reads` from the addresses of
 * primal memory that the pullback called does not read. */
bool gw_narrow_effects(gw_session *s, bool derivatives);
#endif
