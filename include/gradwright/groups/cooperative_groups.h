/* What Gradwright reads in the place of a toolkit's header: the same groups, in code that it can differentiate.
 * The derivatives name no groups, so that they are compiled with the toolkit's. A source that asks for more
 * than is here is read with the toolkit's. */
#define GW_TOOLKIT_GROUPS
#include "../cpu/cooperative_groups.h"
