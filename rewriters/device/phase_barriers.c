/*
 * phase_barriers.c - which additions meet, and the barriers between them (contract: phases_private.h).
 */
#include "rewriters/device/phases_private.h"

#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"

#include <stdlib.h>

/* ---- who meets whom ---- */
bool gw_phases_may_meet(gw_ownership *w, uint32_t i, uint32_t k) {
    gw_verdict v = {0};
    return !gw_ownership_never_meet(w, i, k, &v);
}

bool gw_phases_is_alone(gw_ownership *w, uint32_t i) {
    for (uint32_t k = 0; k < w->refs.count; k++)
        if (gw_phases_may_meet(w, i, k)) return false;
    return true;
}

bool gw_phases_is_addition(const gw_ownership *w, uint32_t i) {
    return gw_op_at(w->f, w->refs.at[i])->code == GW_OP_ACCUM;
}

bool gw_phases_is_ours(const gw_ownership *w, uint32_t i) {
    const uint32_t rung = gw_asked_rung_at(w->f, w->refs.at[i]);
    return gw_phases_is_addition(w, i) && (rung == GW_RUNG_AUTO || rung == GW_RUNG_PHASES);
}

/* ---- barriers ---- */
void gw_phases_say_why(gw_phase_barriers *p, gw_object o, const char *who) {
    char *why = gw_format("so that no two %s add to one cell of %s at a time", who,
                          gw_cstr(p->f->session, gw_object_at(p->f, o)->name));
    p->why = gw_intern(p->f->session, why);
    free(why);
}

static bool stands_in(const gw_func *f, gw_op op, gw_op outer) {
    for (; op; op = gw_op_around(f, op))
        if (op == outer) return true;
    return false;
}

void gw_phases_find(const gw_phase_barriers *p, gw_op op, gw_phase_refs *list) {
    list->count = 0;
    for (uint32_t i = 0; i < p->w.refs.count; i++)
        if (stands_in(p->f, p->w.refs.at[i], op)) gw_push(list, i);
}

bool gw_phases_lists_meet(gw_phase_barriers *p, const gw_phase_refs *a, const gw_phase_refs *b) {
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (p->part(&p->w, a->at[i], b->at[k])) return true;
    return false;
}

void gw_phases_put(gw_phase_barriers *p, gw_region r, gw_op before) {
    gw_builder b = {p->f, r, before, gw_op_at(p->f, before)->loc};
    gw_op barrier;
    if (p->level == GW_UNIFORM_WARP) {
        const gw_value all = gw_int(&b, GW_T_U32, 0xffffffff);
        barrier = gw_emit(&b, GW_OP_SYNCWARP, GW_T_VOID, 0, &all, 1);
    } else
        barrier = gw_emit(&b, GW_OP_BARRIER, GW_T_VOID, 0, NULL, 0);
    gw_op_at(p->f, barrier)->note = p->why;
    p->made++;
}

bool gw_phases_is_uniform(const gw_phase_barriers *p, gw_region r) {
    return r < p->f->regions.count && p->u.region[r] <= p->level;
}
