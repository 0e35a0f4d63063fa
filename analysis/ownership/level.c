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

enum { LANES = 32, BLOCK_COORDINATES = 7 << 3 };

/* threadIdx.x, + blockDim.x*threadIdx.y, + blockDim.x*blockDim.y*threadIdx.z */
static void linear_thread(const gw_normal *n, gw_poly *p, unsigned axes) {
    gw_poly stride;
    gw_poly_constant(&stride, 1);
    gw_poly_zero(p);
    for (unsigned axis = 0; axis < axes; axis++) {
        gw_poly index, length, part, before = stride;
        gw_poly_special(n, GW_SPECIAL_ATTR(GW_THREAD_IDX, axis), &index);
        gw_poly_special(n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), &length);
        gw_poly_multiply(&part, &stride, &index);
        gw_poly_add(p, 1, NULL, &part);
        gw_poly_multiply(&stride, &before, &length);
    }
}

/* The quotient is a warp's number where blocks have no more axes than it looks at; 0 if it is none. */
static unsigned axes_of_warp(const gw_ownership *w, gw_atom a) {
    const gw_atom_data *d = gw_atom_at(w->n, a);
    int64_t lanes;
    if (d->kind != GW_ATOM_QUOTIENT || !gw_poly_is_constant(&w->n->keys.at[d->first_key + 1], &lanes) ||
        lanes != LANES)
        return 0;
    for (unsigned axes = 1; axes <= 3; axes++) {
        gw_poly thread;
        linear_thread(w->n, &thread, axes);
        if (gw_poly_equal(&w->n->keys.at[d->first_key], &thread)) return axes;
    }
    return 0;
}

static bool one_warp(const gw_ownership *w, const gw_meeting *m, uint64_t *assumed) {
    for (uint32_t i = 0; i < m->agreed_count; i++) {
        unsigned axes = axes_of_warp(w, m->agreed[i]);
        uint32_t missing = axes ? 7u & ~((1u << axes) - 1) : 7u; /* threadIdx.y and .z as coordinates */
        missing &= ~gw_normal_alone(w->n);
        if (missing & ~w->one_long) continue;
        *assumed |= gw_assumed_lengths(missing);
        return true;
    }
    return false;
}

static gw_exclusive level_of(const gw_ownership *w, const gw_meeting *m, uint64_t *assumed) {
    uint32_t missing = BLOCK_COORDINATES & ~m->same;
    if (missing & ~w->one_long) return GW_EXCLUSIVE_GRID;
    *assumed |= m->assumed | gw_assumed_lengths(missing);
    return one_warp(w, m, assumed) ? GW_EXCLUSIVE_WARP : GW_EXCLUSIVE_BLOCK;
}

gw_exclusive gw_ownership_level(gw_ownership *w, uint32_t i, uint64_t *assumed) {
    gw_exclusive least = GW_EXCLUSIVE_THREAD;
    gw_verdict pairs = {0};
    for (uint32_t k = 0; k < w->refs.count && least != GW_EXCLUSIVE_GRID; k++) {
        if (gw_ownership_never_meet(w, i, k, &pairs)) continue;
        gw_exclusive level = level_of(w, gw_ownership_meeting(w, i, k), &pairs.assumed);
        if (level < least) least = level;
    }
    if (least != GW_EXCLUSIVE_GRID) *assumed |= pairs.assumed;
    return least;
}
