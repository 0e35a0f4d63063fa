/*
 * effort.h - how much work the proofs about one function may take in one pass.
 *
 * Counted in steps of the provers, never in time, so that a build decides alike on every machine; and for all proofs
 * about a function together, so that their number does not matter. A proof that finds no steps left proves nothing,
 * which is sound: what it would have shown stays atomic. Copies of a function that a pass tries share its steps.
 */
#ifndef GW_EFFORT_H
#define GW_EFFORT_H
#include "analysis/ir/ir.h"

/* Thousands of steps: of the rules for a function; of the solver for a question, and how many hard ones a function has. */
enum { GW_PROOF_BUDGET = 1000, GW_SMT_BUDGET = 200, GW_SMT_QUESTIONS = 2 };
/* Milliseconds of a question to the solver, should it go on without counting steps: far more than the budget of steps takes. */
enum { GW_SMT_TIME = 10000 };

/* Proofs about f begin; steps that earlier ones in this pass took are gone. */
void gw_effort_begin(const gw_func *f);

static inline bool gw_effort_take(gw_effort *e, gw_effort_kind kind, uint64_t steps) {
    e->taken += steps;
    bool enough = e->left[kind] >= steps;
    e->left[kind] -= enough ? steps : e->left[kind];
    return enough;
}
static inline bool gw_effort_is_spent(const gw_effort *e, gw_effort_kind kind) { return e->left[kind] == 0; }
#endif
