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

#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"

#include <stdlib.h>

enum { MOST_REFERENCES = 64 };

typedef GW_VEC(uint32_t) ref_list;

typedef struct placing {
    gw_func *f;
    gw_ownership w;
    gw_uniform u;
    gw_str why;
    uint32_t made;
} placing;

static bool may_meet(gw_ownership *w, uint32_t i, uint32_t k) {
    gw_verdict v = {0};
    return !gw_ownership_never_meet(w, i, k, &v);
}

static bool is_addition(const gw_ownership *w, uint32_t i) {
    const gw_op op = w->refs.at[i];
    const uint32_t rung = gw_asked_rung_at(w->f, op);
    return gw_op_at(w->f, op)->code == GW_OP_ACCUM && (rung == GW_RUNG_AUTO || rung == GW_RUNG_PHASES);
}

static bool meet_in_warp(gw_ownership *w, uint32_t i, uint32_t k) {
    uint64_t assumed = 0;
    return i != k && is_addition(w, i) && is_addition(w, k) && may_meet(w, i, k) &&
           gw_ownership_level_of(w, gw_ownership_meeting(w, i, k), &assumed) == GW_EXCLUSIVE_WARP;
}

/* Additions that meet others, or themselves in another thread. */
static uint32_t count_meeting(gw_ownership *w) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->refs.count; i++) {
        bool alone = true;
        for (uint32_t k = 0; k < w->refs.count && alone; k++)
            alone = !may_meet(w, i, k);
        n += !alone && is_addition(w, i);
    }
    return n;
}

static bool any_in_warp(gw_ownership *w) {
    for (uint32_t i = 0; i < w->refs.count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (meet_in_warp(w, i, k)) return true;
    return false;
}

/* ---- barriers ---- */
static bool stands_in(const gw_func *f, gw_op op, gw_op outer) {
    for (; op; op = gw_op_around(f, op))
        if (op == outer) return true;
    return false;
}

static void find_references(const placing *p, gw_op op, ref_list *list) {
    list->count = 0;
    for (uint32_t i = 0; i < p->w.refs.count; i++)
        if (stands_in(p->f, p->w.refs.at[i], op)) gw_push(list, i);
}

static bool lists_meet(placing *p, const ref_list *a, const ref_list *b) {
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (meet_in_warp(&p->w, a->at[i], b->at[k])) return true;
    return false;
}

static void put_barrier(placing *p, gw_region r, gw_op before) {
    gw_builder b = {p->f, r, before, gw_op_at(p->f, before)->loc};
    const gw_value all = gw_int(&b, GW_T_U32, 0xffffffff);
    gw_op_at(p->f, gw_emit(&b, GW_OP_SYNCWARP, GW_T_VOID, 0, &all, 1))->note = p->why;
    p->made++;
}

static bool is_uniform(const placing *p, gw_region r) {
    return r < p->f->regions.count && p->u.region[r] <= GW_UNIFORM_WARP;
}

/* Before the first op of the region that meets one since the last barrier put; then inside of it. */
static void place(placing *p, gw_region r) {
    const gw_func *f = p->f;
    ref_list open = {0}, here = {0};
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        find_references(p, op, &here);
        if (here.count && lists_meet(p, &open, &here)) {
            put_barrier(p, r, op);
            open.count = 0;
        }
        const bool inner = gw_op_at(f, op)->regions && lists_meet(p, &here, &here);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions && inner; i++)
            if (is_uniform(p, gw_op_at(f, op)->region[i])) place(p, gw_op_at(f, op)->region[i]);
        for (uint32_t i = 0; i < here.count; i++)
            gw_push(&open, here.at[i]);
    }
    gw_vec_free(&open);
    gw_vec_free(&here);
}

static bool place_barriers(placing *p, gw_object o, const gw_launch_facts *facts) {
    char *why = gw_format("so that no two lanes add to one cell of %s at a time",
                          gw_cstr(p->f->session, gw_object_at(p->f, o)->name));
    p->why = gw_intern(p->f->session, why);
    free(why);
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
    placing p = {.f = gw_func_copy(f)};
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
