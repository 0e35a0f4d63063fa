/*
 * ownership/solver.c - which pairs of references the solver is asked about (contract: ownership.h,
 * prove/prove.h).
 *
 * Not asked, since there is nothing to find out: indices that are the same in all threads, or the same run over
 * by all, and indices that are read from memory as they are.
 */
#include "analysis/ownership/ownership.h"
#include "analysis/prove/prove.h"

static bool tells_threads(const gw_ownership *w, const gw_number *index) {
    const gw_poly *p = &index->poly;
    for (uint32_t i = 0; i < p->count; i++) {
        gw_atom_kind kind;
        for (uint32_t k = 0; k < p->term[i].factors; k++) {
            const gw_atom_data *a = gw_atom_at(w->n, p->term[i].factor[k]);
            kind = a->kind;
            if (!a->uniform && kind != GW_ATOM_TRIP && kind != GW_ATOM_CELL && kind != GW_ATOM_VALUE)
                return true;
        }
    }
    return false;
}

static bool is_worth_asking(const gw_ownership *w, const gw_site *s) {
    for (uint32_t i = 0; i < s->access.count; i++)
        if (!s->index[i].poly.broken && tells_threads(w, &s->index[i])) return true;
    return false;
}

void gw_ownership_ask(gw_ownership *w, const gw_site *x, const gw_site *y, const gw_access *r,
                      const gw_access *t, gw_meeting *m) {
    const gw_options *o = &w->f->session->options;
    gw_text witness = {0};
    m->asked = true;
    if (o->smt_off || !is_worth_asking(w, x) || !is_worth_asking(w, y)) return;
    if (!w->solver)
        w->solver = gw_smt_new(w->n, o->smt_budget ? o->smt_budget : GW_SMT_BUDGET,
                               o->smt_time ? o->smt_time : GW_SMT_TIME);
    uint64_t assumed = 0;
    if (!w->solver) return;
    switch (gw_smt_ask(w->solver, r, t, w->one_long, &assumed, &witness)) {
    case GW_SMT_NEVER:
        m->disjoint = m->by_solver = true;
        m->assumed = assumed;
        break;
    case GW_SMT_MEET:
        if (witness.at) m->witness = gw_intern(w->f->session, witness.at);
        break;
    case GW_SMT_LATE:
        m->cut = m->late = true;
        break;
    default:
        m->cut |= gw_effort_is_spent(w->n->effort, GW_EFFORT_SOLVER);
        break;
    }
    gw_text_free(&witness);
}
