/* What Gradwright reads in the place of a toolkit's header: the same groups, in code that it can differentiate.
 * The derivatives name no groups, so that they are compiled with the toolkit's. A source that asks for more
 * than is here is read with the toolkit's. */
#ifndef GW_TOOLKIT_GROUPS
#define GW_TOOLKIT_GROUPS
#endif
#include "../cpu/cooperative_groups.h"
