/* effort.c - the budgets of a function's proofs in a pass (contract: prove.h). */
#include "analysis/prove/prove.h"

/* A kernel that gathers has each addition of its gradient under the conditions of another thread: many pairs,
 * of one kind. */
enum { THOUSAND = 1000, OF_GATHERS = 4 };

void gw_effort_begin(const gw_func *f) {
    gw_session *s = f->session;
    gw_effort *e = &s->effort;
    if (e->function == f->symbol && e->form == f->form && e->after == s->stage) return;
    e->function = f->symbol;
    e->form = f->form;
    e->after = s->stage;
    e->left[GW_EFFORT_PROOFS] =
        (uint64_t)THOUSAND * (s->options.proof_budget ? s->options.proof_budget : GW_PROOF_BUDGET);
    if (f->form == GW_FORM_GATHER) e->left[GW_EFFORT_PROOFS] *= OF_GATHERS;
    e->left[GW_EFFORT_SOLVER] =
        (uint64_t)THOUSAND * (s->options.smt_budget ? s->options.smt_budget : GW_SMT_BUDGET) * GW_SMT_QUESTIONS;
}
