/* adjoint.h - steps of the adjoint pass that later passes need too. */
#ifndef GW_ADJOINT_H
#define GW_ADJOINT_H
#include "analysis/ir/ir.h"
#include "rewriters/adjoint/nest/nest.h"

/* shared.c: bytes of static shared memory that the function has, and may have beside. */
uint64_t gw_adjoint_shared_room(const gw_func *f, uint64_t *bytes);
/* Shadows of static arrays, where a kernel would have more than 48 KiB with them, lie in the launch's memory:
 * how many bytes of it they take, 0: none does; from which one on. */
uint64_t gw_adjoint_shared_moved(const gw_func *f);
bool gw_adjoint_shared_place(const gw_func *f, gw_object o, uint64_t *from);
/* results.c: the value as one more result of the branch around it, 0 from its other side; the region of that
 * branch */
gw_value gw_leave_branch(gw_func *f, gw_region side, gw_value v, gw_region *outer);

/* near.c: for each loop the condition that came nearest */
typedef struct gw_near_nest {
    gw_near_nest_kind kind;
    gw_loc loop, inner, at;
} gw_near_nest;
typedef GW_VEC(gw_near_nest) gw_near_nest_list;
void gw_near_nests(const gw_func *primal, const gw_request *q, gw_near_nest_list *out);
#endif
