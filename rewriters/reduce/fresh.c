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

static bool is_addition_to(const gw_func *f, gw_op op, gw_object object) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && o->object == object;
}

/* Whether there are any. All are looked at as additions. */
static bool store_first(gw_ownership *w, gw_object object) {
    gw_func *f = w->f;
    GW_VEC(gw_op) first = {0};
    for (gw_op op = 1; op < f->ops.count; op++)
        if (is_addition_to(f, op, object) && gw_ownership_is_first(w, op)) gw_push(&first, op);
    for (uint32_t i = 0; i < first.count; i++)
        gw_op_at(f, first.at[i])->code = GW_OP_STORE;
    const bool any = first.count != 0;
    gw_vec_free(&first);
    return any;
}

/* Another kernel has added to them before. */
static bool has_none(const gw_func *f) { return f->has_gathers || f->pack; }

void gw_fresh_store(gw_func *f) {
    GW_VEC(gw_object) objects = {0};
    GW_VEC(bool) stored = {0};
    for (uint32_t i = 0; i < f->params.count; i++)
        if (gw_is_fresh(f, &f->params.at[i], NULL)) gw_push(&objects, f->params.at[i].object);
    if (objects.count && !has_none(f)) {
        gw_ownership w;
        gw_ownership_start_where(&w, f, &f->launch);
        w.by_rules = true;
        for (uint32_t i = 0; i < objects.count; i++)
            gw_push(&stored, store_first(&w, objects.at[i]));
        gw_ownership_count_stored(&w, objects.at, stored.at, objects.count);
        if (w.assumed) gw_launch_check_more(&w);
        gw_ownership_end(&w);
    }
    gw_vec_free(&objects);
    gw_vec_free(&stored);
}

bool gw_zeroes_adjoint(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    double x;
    return !o->dead && o->code == GW_OP_STORE && gw_object_at(f, o->object)->kind == GW_OBJECT_POINTER &&
           gw_ownership_is_adjoint(f, o->object) && gw_const_real(f, gw_operand(f, op, o->operands - 1), &x) &&
           x == 0;
}

void gw_keep_seeds(gw_func *f) {
    if (!f->session->options.keep_seed) return;
    gw_ownership w;
    gw_ownership_start_where(&w, f, &f->launch);
    w.by_rules = true;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_zeroes_adjoint(f, op) && gw_ownership_is_last(&w, op)) gw_op_remove(f, op);
    if (w.assumed) gw_launch_check_more(&w);
    gw_ownership_end(&w);
}
