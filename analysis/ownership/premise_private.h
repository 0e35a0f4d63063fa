/* ownership/premise_private.h - what race-freedom of the primal says about its derivative's references. */
#ifndef GW_OWNERSHIP_PREMISE_PRIVATE_H
#define GW_OWNERSHIP_PREMISE_PRIVATE_H
#include "analysis/ir/ir.h"

/* The primal store that proves that no other thread's primal access reaches the cell of `ref`; 0 if none.
 * f is a derivative, ref an access of a shadow in it. */
gw_op gw_premise_store(const gw_func *f, gw_op ref);
/* Each run of `ref` goes with a run of its origin, an access of the shadowed cell in the primal. */
bool gw_premise_follows_origin(const gw_func *f, gw_op ref);
/* What an atomic operation returned decides what threads do: by that, they may take turns at cells
 * (ownership/ticket.c). */
bool gw_atomics_decide(const gw_func *primal);

/* The primal's op is a store without an atomic to memory that threads share: no other thread may touch its
 * cell. */
bool gw_premise_may_use(const gw_func *primal, gw_op op);
#endif
