/*
 * ownership/level.c - where an update is not the thread's own: whether only its warp, or only its block, comes
 * to the cell (contract: facts/facts.h).
 *
 * A pair of references stays in one block if threads that meet have the same blockIdx, and in one warp if they
 * also have the same number of the warp. Warps are cut from the linear index of the thread in its block, so
 * threadIdx.x / 32 is a warp's number only where blocks are one long in y and z; that is assumed where the
 * kernel looks at neither. The level of a reference is the weakest over all references to the object that may
 * run at the same time.
 */
#include "analysis/ownership/ownership.h"

gw_exclusive gw_ownership_level(gw_ownership *w, uint32_t i, uint64_t *assumed) {
    gw_exclusive least = GW_EXCLUSIVE_THREAD;
    gw_verdict pairs = {0};
    for (uint32_t k = 0; k < w->refs.count && least != GW_EXCLUSIVE_GRID; k++) {
        if (gw_ownership_never_meet(w, i, k, &pairs)) continue;
        gw_exclusive level = gw_ownership_level_of(w, gw_ownership_meeting(w, i, k), &pairs.assumed);
        if (level < least) least = level;
    }
    if (least != GW_EXCLUSIVE_GRID) *assumed |= pairs.assumed;
    return least;
}
