/*
 * exclusive.h - who may be at the cell of an adjoint access at the same time: the strongest level that the ownership
 * pass proved, for the passes that choose how an update is made safe.
 *
 *   thread  nobody else: the access is plain
 *   warp    threads of one warp only
 *   block   threads of one block only: an atomic of block scope will do, or an accumulator in shared memory that one
 *           thread of the block adds to the cell at the end
 *   grid    any two threads
 *
 * It counts every access of the object that may run at the same time, not the one alone: where an update is said to be
 * exclusive to a block, no other reference of the kernel lets a thread of another block come to that cell.
 * What the proof assumed about the launch is in <primal>_check. Later passes that make accesses out of this one keep the
 * flags (GW_OP_OF_BLOCK, GW_OP_OF_WARP) only where the cell and the threads stay the same.
 */
#ifndef GW_EXCLUSIVE_H
#define GW_EXCLUSIVE_H
#include "analysis/ir/ir.h"

typedef enum gw_exclusive {
    GW_EXCLUSIVE_GRID,
    GW_EXCLUSIVE_BLOCK,
    GW_EXCLUSIVE_WARP,
    GW_EXCLUSIVE_THREAD
} gw_exclusive;

static inline gw_exclusive gw_exclusive_to(const gw_func *f, gw_op access) {
    const gw_op_data *o = gw_op_at(f, access);
    if (o->attr == GW_ACCUMULATE_PLAIN || o->attr == GW_ACCUMULATE_LOCAL || o->attr == GW_ACCUMULATE_POSTED) return GW_EXCLUSIVE_THREAD;
    if (o->flags & GW_OP_OF_WARP) return GW_EXCLUSIVE_WARP;
    return o->flags & GW_OP_OF_BLOCK ? GW_EXCLUSIVE_BLOCK : GW_EXCLUSIVE_GRID;
}
#endif
