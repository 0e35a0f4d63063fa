/*
 * coarsening.c - what was asked of a gradient by GW_COARSEN or --coarsen (contract: coarsening.h).
 *
 * The last axis that the kernel uses: neighbours along x are neighbours in memory, so threads stay neighbours along x where
 * there is another axis to merge.
 */
#include "coarsening.h"

static const gw_request *request_of(const gw_func *f) {
    const gw_session *s = f->session;
    bool reverse = f->form == GW_FORM_GRAD || f->form == GW_FORM_FWD || f->form == GW_FORM_BWD;
    return reverse && f->kind == GW_FUNC_KERNEL && f->request < s->requests.count ? &s->requests.at[f->request] : NULL;
}

uint32_t gw_coarsening(const gw_func *f) {
    const gw_request *r = request_of(f);
    return r ? r->coarsen : 0;
}

unsigned gw_coarsening_axis(const gw_func *derivative) {
    const gw_func *f = derivative->primal;
    bool used[3] = {false, false, false};
    for (gw_op op = 1; f && op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_SPECIAL && o->attr / 4 == GW_THREAD_IDX) used[o->attr % 4] = true;
    }
    for (unsigned axis = 3; axis-- > 0;)
        if (used[axis]) return axis;
    return GW_NO_AXIS;
}

gw_loc gw_coarsening_loc(const gw_func *f) {
    const gw_request *r = request_of(f);
    return !r ? f->loc : r->coarsen_loc.line ? r->coarsen_loc : r->loc.line ? r->loc : f->loc;
}
