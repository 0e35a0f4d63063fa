/*
 * exclusive.c - who alone comes to the cell of an access that a pass has decided (contract: facts.h).
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/rungs.h"

gw_exclusive gw_exclusive_to(const gw_func *f, gw_op access) {
    const gw_op_data *o = gw_op_at(f, access);
    if (o->attr == GW_ACCUMULATE_PLAIN || o->attr == GW_ACCUMULATE_LOCAL || o->attr == GW_ACCUMULATE_POSTED)
        return GW_EXCLUSIVE_THREAD;
    if (o->flags & GW_OP_OF_WARP) return GW_EXCLUSIVE_WARP;
    return o->flags & GW_OP_OF_BLOCK ? GW_EXCLUSIVE_BLOCK : GW_EXCLUSIVE_GRID;
}
