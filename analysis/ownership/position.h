/* position.h - whether a number tells one execution of an op from all others. */
#ifndef GW_POSITION_H
#define GW_POSITION_H
#include "analysis/ownership/ownership.h"

/* Of the COLLECT in the lanes in which the condition holds (0: in all):
 *   - executions in which `position` is the same number are of threads of one block, in the same iteration of each loop around
 *     it; so a warp has one of them at most;
 *   - in these `key` is the same number.
 * True if both are proved; what that assumes of the launch is added to w->assumed, for the object that is added to. */
bool gw_position_tells(gw_ownership *w, const gw_uniform *u, gw_op collect, gw_value position, gw_value key, gw_value condition, gw_object object);

/* Executions of the op in which each of the numbers is the same are one: of one thread, in the same iteration of each loop around. */
bool gw_position_tells_thread(gw_ownership *w, gw_op op, const gw_value *numbers, uint32_t count, gw_object object);
#endif
