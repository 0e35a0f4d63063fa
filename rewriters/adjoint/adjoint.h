/* adjoint.h - steps of the adjoint pass that later passes need too. */
#ifndef GW_ADJOINT_H
#define GW_ADJOINT_H
#include "analysis/ir/ir.h"

/* shared.c: bytes of static shared memory that the function has, and may have beside. */
uint64_t gw_adjoint_shared_room(const gw_func *f, uint64_t *bytes);
/* results.c: the value as one more result of the branch around it, 0 from its other side; the region of that
 * branch */
gw_value gw_leave_branch(gw_func *f, gw_region side, gw_value v, gw_region *outer);
#endif
