/*
 * simplify.c - the simplify pass: brings primal functions into the form that the analyses and the
 * derivative transformation expect (values named once, cells in registers where that is sound).
 */
#include "analysis/clean/clean.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"

static void simplify(gw_func *f, bool promote) {
    gw_cse(f);
    while (gw_forward_copies(f)) gw_cse(f);
    gw_forward_memory(f);
    while (promote && gw_promote_cells(f)) {
        gw_cse(f);
        gw_forward_memory(f);
    }
    gw_clean(f);
    gw_forward_memory(f); /* dead code may have freed more cells; sets the final STALE marks */
    gw_clean(f);
}

void gw_simplify_func(gw_func *f) {
    simplify(f, true);
    if (gw_run_repeated_once(f)) simplify(f, true);
    if (gw_unroll_loops(f)) {
        uint32_t room = gw_unroll_room(f);
        do simplify(f, true);
        while (gw_unroll_more(f, &room));
    }
    if (gw_split_arrays(f)) simplify(f, true);
    if (f->kind != GW_FUNC_HOST) return;
    if (gw_hoist_invariants(f)) simplify(f, true);
    gw_narrow_lifetimes(f);
}

void gw_simplify_in_place(gw_func *f) { simplify(f, false); }

bool gw_pass_simplify(gw_run *run) {
    do /* what a function does no longer, its callers know it not to do */
        for (uint32_t i = 0; i < run->session->funcs.count; i++)
            if (run->session->funcs.at[i]->form == GW_FORM_PRIMAL) gw_simplify_func(run->session->funcs.at[i]);
    while (gw_narrow_effects(run->session, false));
    return true;
}
