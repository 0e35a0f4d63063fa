/*
 * ownership/turns.c - threads of one block, or of one warp, that take turns at cells of the caller's memory
 * (contract: ownership.h).
 *
 *     for (i = lane; i < n / 4; i += 32) d_x[row * n + 4 * i + c] += v;     a warp a row
 *     __syncwarp();
 *     for (i = lane; i < n; i += 32) d_x[row * n + i] += u;
 *
 * Barriers order the threads of one block only, so for memory that blocks share they prove nothing by
 * themselves. But threads that meet at a cell by two references may be of one block, whatever they are: then a
 * barrier between the two (facts/intervals.c) parts them; and if they are of one warp, a __syncwarp of all its
 * lanes does, too. Both show each other's stores to those who meet.
 *
 * Sound: that all of the block, or of the warp, pass the same barriers in the same order is what uniform
 * control says; nobody waits for lanes that were never there. A coarsened thread's instances are of several
 * warps: there nothing is concluded.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/facts/facts.h"

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

bool gw_ownership_has_whole_warps(const gw_ownership *w) {
    const uint32_t length = GW_SPECIAL_ATTR(GW_BLOCK_DIM, 0);
    return !gw_coarsening(w->f) && gw_launch_known(w->f, w->facts, length).multiple % LANES == 0;
}

static bool one_warp(const gw_ownership *w, const gw_meeting *m, uint64_t *assumed) {
    for (uint32_t i = 0; i < m->agreed_count; i++) {
        unsigned axes = axes_of_warp(w, m->agreed[i]);
        uint32_t missing = axes ? 7u & ~((1u << axes) - 1) : 7u; /* threadIdx.y and .z as coordinates */
        missing &= ~gw_normal_alone(w->n);
        /* warps are cut from rows of threads then, so y and z need only be the same */
        if (axes && gw_ownership_has_whole_warps(w)) missing &= ~m->same;
        if (missing & ~w->one_long) continue;
        *assumed |= gw_assumed_lengths(missing);
        return true;
    }
    return false;
}

gw_exclusive gw_ownership_level_of(const gw_ownership *w, const gw_meeting *m, uint64_t *assumed) {
    uint32_t missing = BLOCK_COORDINATES & ~m->same;
    if (missing & ~w->one_long) return GW_EXCLUSIVE_GRID;
    *assumed |= m->assumed | gw_assumed_lengths(missing);
    return one_warp(w, m, assumed) ? GW_EXCLUSIVE_WARP : GW_EXCLUSIVE_BLOCK;
}

void gw_ownership_uniform(const gw_ownership *w, gw_uniform *u) {
    if (gw_ownership_has_whole_warps(w)) gw_uniform_of_whole_warps(u, w->f);
    else gw_uniform_new(u, w->f);
}

static const gw_intervals *of_lanes(gw_ownership *w) {
    if (!w->of_lanes.words) {
        gw_uniform u;
        gw_ownership_uniform(w, &u);
        gw_intervals_of_lanes(&w->of_lanes, &u);
        gw_uniform_free(&u);
    }
    return &w->of_lanes;
}

bool gw_ownership_take_turns(gw_ownership *w, gw_op r, gw_op s, const gw_meeting *m, uint64_t *assumed) {
    uint64_t mine = 0;
    if (r == s || gw_coarsening(w->f) || !gw_region_holds_barrier(w->f, w->f->entry)) return false;
    const bool of_block = !gw_intervals_meet(&w->intervals, r, s);
    if (!of_block && gw_intervals_meet(of_lanes(w), r, s)) return false;
    const gw_exclusive level = gw_ownership_level_of(w, m, &mine);
    const bool parted = level == GW_EXCLUSIVE_WARP || (of_block && level == GW_EXCLUSIVE_BLOCK);
    if (parted) *assumed |= mine;
    return parted;
}
