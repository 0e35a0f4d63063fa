/*
 * turns.c - lanes of a warp that take turns at the cells of a row: the part of the phases pass for memory of
 * the caller (contract: device.h).
 *
 *     for (i = lane; i < n / 4; i += 32) d_x[row * n + 4 * i + c] += v;     // each alone has a lane a cell,
 *     for (i = lane; i < n; i += 32) d_x[row * n + i] += u;                 // but not the same one
 *
 * With a __syncwarp() between them ownership proves both (ownership/turns.c). It goes where all lanes of the
 * warp come, equally often, between two additions at whose cells only threads of one warp can meet. What could
 * be supposed of the launch is a fact here; the ownership pass supposes it again, or not.
 *
 * Sound: a __syncwarp of all lanes in uniform control changes no value. It is done on a copy, which is taken if
 * at least as many more additions have a thread a cell as there are more barriers.
 */
#include "rewriters/device/device.h"
#include "rewriters/device/phases_private.h"

#include "analysis/ir/restructure.h"

enum { MOST_REFERENCES = 64 };

static bool meet_in_warp(gw_ownership *w, uint32_t i, uint32_t k) {
    uint64_t assumed = 0;
    return i != k && gw_phases_is_ours(w, i) && gw_phases_is_ours(w, k) && gw_phases_may_meet(w, i, k) &&
           gw_ownership_level_of(w, gw_ownership_meeting(w, i, k), &assumed) == GW_EXCLUSIVE_WARP;
}

/* Additions that meet others, or themselves in another thread. */
static uint32_t count_meeting(gw_ownership *w) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->refs.count; i++)
        n += gw_phases_is_ours(w, i) && !gw_phases_is_alone(w, i);
    return n;
}

static bool any_in_warp(gw_ownership *w) {
    for (uint32_t i = 0; i < w->refs.count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (meet_in_warp(w, i, k)) return true;
    return false;
}

/* ---- barriers ---- */
/* Before the first op of the region that meets one since the last barrier put; then inside of it. */
static void place(gw_phase_barriers *p, gw_region r) {
    const gw_func *f = p->f;
    gw_phase_refs open = {0}, here = {0};
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        gw_phases_find(p, op, &here);
        if (here.count && gw_phases_lists_meet(p, &open, &here)) {
            gw_phases_put(p, r, op);
            open.count = 0;
        }
        const bool inner = gw_op_at(f, op)->regions && gw_phases_lists_meet(p, &here, &here);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions && inner; i++)
            if (gw_phases_is_uniform(p, gw_op_at(f, op)->region[i])) place(p, gw_op_at(f, op)->region[i]);
        for (uint32_t i = 0; i < here.count; i++)
            gw_push(&open, here.at[i]);
    }
    gw_vec_free(&open);
    gw_vec_free(&here);
}

static bool place_barriers(gw_phase_barriers *p, gw_object o, const gw_launch_facts *facts) {
    gw_phases_say_why(p, o, "lanes");
    gw_ownership_start_where(&p->w, p->f, facts);
    gw_ownership_look_at(&p->w, o);
    gw_ownership_uniform(&p->w, &p->u);
    place(p, p->f->entry);
    gw_uniform_free(&p->u);
    gw_ownership_end(&p->w);
    return p->made != 0;
}

/* ---- one object ---- */
static uint32_t count_in(gw_func *f, gw_object o, const gw_launch_facts *facts) {
    gw_ownership w;
    gw_ownership_start_where(&w, f, facts);
    gw_ownership_look_at(&w, o);
    const uint32_t n = count_meeting(&w);
    gw_ownership_end(&w);
    return n;
}

static void part(gw_func *f, gw_object o, const gw_launch_facts *facts, uint32_t meeting) {
    gw_phase_barriers p = {.f = gw_func_copy(f), .level = GW_UNIFORM_WARP, .part = meet_in_warp};
    if (place_barriers(&p, o, facts) && count_in(p.f, o, facts) + p.made <= meeting) gw_func_take(f, p.f);
    gw_func_free(p.f);
}

void gw_lanes_take_turns(gw_func *f, gw_object o) {
    gw_ownership w;
    gw_ownership_start(&w, f);
    gw_launch_facts facts = gw_ownership_offers(&w);
    gw_ownership_end(&w);
    gw_ownership_start_where(&w, f, &facts);
    gw_ownership_look_at(&w, o);
    const bool asks = w.refs.count > 1 && w.refs.count <= MOST_REFERENCES && any_in_warp(&w);
    const uint32_t meeting = asks ? count_meeting(&w) : 0;
    gw_ownership_end(&w);
    if (meeting) part(f, o, &facts, meeting);
    gw_vec_free(&facts);
}
