/*
 * fresh.c - the fresh pass: the first addition to a cell of an adjoint that is new stores to it; and, for the
 * sweeps pass, seeds that are kept.
 *
 *     d_x[i] += v;   ->   d_x[i] = v;
 *
 * Requires the decisions of ownership, and additions where they stay. Guarantees GW_FORM_STORED for each kernel
 * with adjoints that are new (ownership/stored.c), by which the launch sees whether all cells are stored to; if
 * not, it clears them before the kernel.
 *
 * Sound because each execution of such a store comes before all else that reaches its cell (ownership/first.c),
 * and what is in the cell then is 0, or is nobody's: each cell is cleared before the kernel, or one of the
 * stores goes there.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/reduce/reduce_private.h"

static bool is_addition_to(const gw_func *f, gw_op op, const gw_fresh *a) {
    return gw_op_at(f, op)->code == GW_OP_ACCUM && gw_is_of_fresh(f, op, a);
}

/* Whether there are any. All are looked at as additions. */
static bool store_first(gw_ownership *w, const gw_fresh *a) {
    gw_func *f = w->f;
    GW_VEC(gw_op) first = {0};
    for (gw_op op = 1; op < f->ops.count; op++)
        if (is_addition_to(f, op, a) && gw_ownership_is_first(w, op)) gw_push(&first, op);
    for (uint32_t i = 0; i < first.count; i++) {
        gw_op_at(f, first.at[i])->code = GW_OP_STORE;
        gw_op_at(f, first.at[i])->flags &= (uint16_t)~GW_OP_ALONE;
    }
    const bool any = first.count != 0;
    gw_vec_free(&first);
    return any;
}

/* Another kernel has added to them before. */
static bool has_none(const gw_func *f) { return f->has_gathers || f->pack; }

void gw_fresh_store(gw_func *f) {
    GW_VEC(gw_fresh) list = {0};
    GW_VEC(bool) stored = {0};
    for (gw_fresh a = {0}; gw_next_fresh(f, &a);) gw_push(&list, a);
    if (list.count && !has_none(f)) {
        gw_ownership w;
        gw_ownership_start_where(&w, f, &f->launch);
        w.by_rules = true;
        for (uint32_t i = 0; i < list.count; i++)
            gw_push(&stored, store_first(&w, &list.at[i]));
        gw_ownership_count_stored(&w, list.at, stored.at, list.count);
        if (w.assumed) gw_launch_check_more(&w);
        gw_ownership_end(&w);
    }
    gw_vec_free(&list);
    gw_vec_free(&stored);
}

/* In memory behind a member, too. */
static bool zeroes_seed(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    double x;
    return !o->dead && o->code == GW_OP_STORE && gw_ownership_is_adjoint(f, o->object) &&
           (gw_object_at(f, o->object)->kind == GW_OBJECT_POINTER ||
            gw_cell_behind_pointer(f, o->object, o->path)) &&
           gw_const_real(f, gw_operand(f, op, o->operands - 1), &x) && x == 0;
}

bool gw_zeroes_adjoint(const gw_func *f, gw_op op) {
    return zeroes_seed(f, op) && gw_object_at(f, gw_op_at(f, op)->object)->kind == GW_OBJECT_POINTER;
}

void gw_keep_seeds(gw_func *f) {
    if (!f->session->options.keep_seed) return;
    gw_ownership w;
    gw_ownership_start_where(&w, f, &f->launch);
    w.by_rules = true;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (zeroes_seed(f, op) && gw_ownership_is_last(&w, op)) gw_op_remove(f, op);
    if (w.assumed) gw_launch_check_more(&w);
    gw_ownership_end(&w);
}
