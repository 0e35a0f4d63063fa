/*
 * device.h - what other rooms see of rewriters/device: layout, loads ahead, turns.
 */
#ifndef GW_DEVICE_H
#define GW_DEVICE_H
#include "analysis/ir/ir.h"

/* ---- layout ----
 *
 * The thread of a block that each thread runs as.
 */

/* Whether threads of a block are laid over its warps in tiles. *row, if not NULL: of a flat block, how many of
 * its threads are a row; else 0. */
bool gw_is_tiled(const gw_func *f, uint32_t *row);
/* Whether a coarsened thread's instances are in tiles one below the other; else they are neighbours. */
bool gw_stacks_tiles(const gw_func *f);
/* Whether there are additions that a warp passes over where none of its lanes adds. */
bool gw_passes_over(const gw_func *f);

/* ---- ahead ---- */
/* The addition, a thread's own, stands in a loop whose next iterations load before this one stores, and its
 * cell's load is one of them. */
bool gw_goes_ahead(const gw_func *f, gw_op add);

/* ---- turns ---- */
/* A kernel's derivative: __syncwarp between additions to memory of the caller at whose cells only lanes of a
 * warp can meet. */
void gw_lanes_take_turns(gw_func *f, gw_object o);
#endif
