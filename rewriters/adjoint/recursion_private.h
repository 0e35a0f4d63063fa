/*
 * adjoint/recursion_private.h - the entries of the recursion: a region has loops and branches, and these have
 * regions; and what a formula needs of a part is a value, which may have to be made by what is in other parts.
 *
 * All other functions of the room go down (tests/house/circles.txt).
 */
#ifndef GW_ADJOINT_RECURSION_PRIVATE_H
#define GW_ADJOINT_RECURSION_PRIVATE_H
#include "rewriters/adjoint/adjoint_private.h"

/* Forward ops of primal region r at the builder, then their reverse. The caller has set the arguments' values;
 * seeds: adjoint of yield operand i (0 = none), `lead` operands are skipped. */
void gw_adjoint_region(gw_adjoint *a, gw_region r, const gw_value *seeds, uint32_t count, uint32_t lead);
/* The two halves of it. */
void gw_adjoint_forward(gw_adjoint *a, gw_region r);
void gw_adjoint_backward(gw_adjoint *a, gw_region r, const gw_value *seeds, uint32_t count, uint32_t lead);
void gw_adjoint_loop_forward(gw_adjoint *a, gw_op op);
/* The value of a primal value where the builder stands in the reverse sweep: in scope, computed again, or
 * recorded. */
gw_value gw_adjoint_value(gw_adjoint *a, gw_value primal);
#endif
