/*
 * motion.h - what other rooms see of rewriters/motion: convergence.
 */
#ifndef GW_MOTION_H
#define GW_MOTION_H
#include "analysis/facts/facts.h"

/* ---- convergence ----
 *
 * Control of a kernel made uniform over the warp, so that its lanes may meet there.
 */

/* The lanes of the warp that there are, computed at the kernel's head; found if it is there already. */
gw_value gw_present_lanes(gw_func *f);
/* Changes the branches and loops around the loop's body, and its bounds, so that all lanes of a warp run the
 * body together; what a lane does not do there is under a branch inside of the body. GW_REASON_NONE, or why it
 * cannot be; f is then neither what it was nor good for anything. */
uint32_t gw_converge_loop(gw_func *f, gw_op loop);
/* The op, or what is in it, pushes to the tape or pops: a loop of pops stays the mirror image of a loop of
 * pushes. */
bool gw_holds_record(const gw_func *f, gw_op op);
/* A constant, or integer arithmetic that cannot trap: it may be computed again wherever its operands are
 * known. */
bool gw_is_cheap(const gw_func *f, gw_op op);
/* v at the builder, outside of its region: itself, what the map (or NULL) says, or computed again if that is
 * cheap; 0: none of these. */
gw_value gw_value_outside(gw_builder *b, gw_value v, const gw_value_map *leaves);
/* An addition and the COLLECT of it alone right behind it, out of the branch around both; the new COLLECT.
 * Lanes that do not take part add 0; their indices may be anything. */
gw_op gw_lift_addition(gw_func *f, gw_op collect);
/* Why an addition to the object must not move from `at` behind all that stands before `end` (0: the end of its
 * region); GW_REASON_NONE if it may. */
uint32_t gw_cannot_pass(const gw_func *f, gw_op at, gw_op end, gw_object object);
#endif
