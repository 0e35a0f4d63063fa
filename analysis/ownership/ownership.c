/*
 * ownership.c - which adjoint updates may be plain: the ownership pass.
 *
 * Requires: derivatives in which each access of a shadow names in `origin` the primal access it came from.
 * Guarantees: every load, store and accumulation of adjoint memory carries a gw_accumulate and a decision with
 * the reason; a plain one reaches no cell that another thread of the grid reaches by any reference of that
 * object, where the launch keeps the assumptions of <primal>_check; a read or a zeroing for which that is
 * not proved is an error.
 *
 * Who runs concurrently depends on the function:
 *   kernel         all threads of the grid: pairwise proofs over all references (ownership/pairs.c)
 *   host           one thread
 *   device         unknown callers: what belongs to the call itself (adjoints of by-value and reference
 *                  parameters are the caller's own variables) is plain; memory behind pointers is not,
 *                  except where the primal's race-freedom gives it to the thread
 */
#include "analysis/ownership/ownership.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/premise_private.h"
#include "analysis/ir/query.h"

/* ---- functions without threads of their own ---- */

/* The adjoint of a parameter that the callee has by value or by reference, or of a member in it; what lies
 * behind a pointer of it may be any thread's. */
static bool is_callers_variable(const gw_func *f, gw_op op) {
    gw_object o = gw_op_at(f, op)->object;
    if (gw_cell_behind_pointer(f, o, gw_op_at(f, op)->path)) return false;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *a = &f->params.at[i];
        if (a->object != o || !a->is_adjoint) continue;
        if (a->primal_index >= f->primal->params.count) return gw_object_at(f, o)->kind == GW_OBJECT_STRUCT;
        const gw_param *x = &f->primal->params.at[a->primal_index];
        return x->value || gw_object_at(f->primal, x->object)->kind == GW_OBJECT_STRUCT ||
               gw_object_at(f->primal, x->object)->is_reference;
    }
    return false;
}

static void decide_by(gw_func *f, gw_op op, gw_accumulate how, gw_reason reason) {
    gw_ownership_decide(f, op, (gw_decision){.how = (uint16_t)how, .why = gw_because(reason)});
}

static bool decide_device(gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    gw_str name = gw_object_at(f, o->object)->name;
    if (is_callers_variable(f, op)) {
        decide_by(f, op, GW_ACCUMULATE_PLAIN, GW_REASON_CALLERS_VARIABLE);
    } else if (gw_premise_store(f, op)) {
        decide_by(f, op, GW_ACCUMULATE_PLAIN, GW_REASON_PRIMAL_WRITES_CELL);
    } else if (o->code == GW_OP_ACCUM) {
        decide_by(f, op, GW_ACCUMULATE_ATOMIC, GW_REASON_UNKNOWN_CALLER);
    } else {
        gw_diag(f->session, GW_DIAG_ADJOINT_CONFLICT, o->loc, gw_cstr(f->session, name));
        return false;
    }
    return true;
}

static bool decide_alone(gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (gw_object_at(f, o->object)->kind == GW_OBJECT_LOCAL)
        decide_by(f, op, GW_ACCUMULATE_LOCAL, GW_REASON_THREADS_VARIABLE);
    else if (f->kind == GW_FUNC_HOST)
        decide_by(f, op, GW_ACCUMULATE_PLAIN, GW_REASON_ONE_THREAD);
    else
        return f->kind == GW_FUNC_KERNEL || decide_device(f, op);
    return true;
}

/* ---- kernels that gather ---- */
/* The additions of a kernel of GW_FORM_GATHER that nobody has decided: neighbours', whose loops over positions
 * count in int. */
static bool is_open(const gw_func *g, gw_object o) {
    if (g->is_behind) return true;
    for (gw_op op = 1; op < g->ops.count; op++) {
        const gw_op_data *d = gw_op_at(g, op);
        if (!d->dead && d->code == GW_OP_ACCUM && d->object == o && d->attr == GW_ACCUMULATE_UNDECIDED)
            return true;
    }
    return false;
}

static bool limit_threads(gw_ownership *w, const gw_func *g, gw_object o) {
    bool counted[3] = {false}, good = true, counts_groups = false; /* in 64 bits */
    for (gw_op op = 1; op < g->ops.count; op++)
        counts_groups |= !gw_op_at(g, op)->dead && gw_op_at(g, op)->code == GW_OP_BARRIER;
    for (gw_op op = 1; op < g->ops.count; op++)
        for (unsigned axis = 0; axis < 3; axis++)
            counted[axis] |= !gw_op_at(g, op)->dead && !counts_groups &&
                             gw_op_at(g, op)->code == GW_OP_SPECIAL &&
                             gw_op_at(g, op)->attr == GW_SPECIAL_ATTR(GW_GRID_DIM, axis);
    for (unsigned axis = 0; axis < 3; axis++) {
        gw_poly room;
        gw_term threads = {.coefficient = -1,
                           .factors = 2,
                           .factor = {gw_atom_special(GW_BLOCK_DIM, axis), gw_atom_special(GW_GRID_DIM, axis)}};
        gw_poly_constant(&room, (int64_t)1 << 30);
        gw_poly_add_term(&room, &threads);
        if (counted[axis]) good &= gw_ownership_assume(w, o, &room, false);
    }
    return good;
}

static bool is_natural(gw_ownership *own, const gw_func *g, gw_object o) {
    gw_number at;
    if (!g->natural) return true;
    gw_normal_exact(own->n, gw_normal_context(own->n, g->entry), gw_arg(g, g->entry, g->natural - 1), &at);
    return gw_ownership_assume(own, o, &at.poly, true);
}

static bool decide_gather(gw_ownership *w, gw_func *g) {
    gw_ownership own;
    bool good = true;
    gw_ownership_start(&own, g);
    for (uint32_t i = 0; i < w->supposed.count && g->is_behind; i++)
        gw_push(&own.supposed, w->supposed.at[i]);
    for (gw_object o = 1; o < g->objects.count; o++) {
        if (!gw_ownership_is_adjoint(g, o) || !is_open(g, o)) continue;
        good &= (g->is_behind || limit_threads(w, g, o)) && is_natural(&own, g, o);
        good = good && gw_ownership_object(&own, o);
    }
    good &= gw_ownership_assume_too(w, &own);
    for (uint32_t i = w->supposed.count; i < own.supposed.count; i++)
        gw_push(&w->supposed, own.supposed.at[i]);
    gw_ownership_end(&own);
    if (!good) gw_diag(g->session, GW_DIAG_INTERNAL, g->loc, "a launch would have to be checked for too much");
    return good;
}

static bool decide_gathers(gw_ownership *w) {
    gw_session *s = w->f->session;
    bool good = true;
    for (uint32_t i = 0; i < s->funcs.count && (w->f->has_gathers || w->f->has_behind); i++) {
        gw_func *g = s->funcs.at[i];
        if (g->form == GW_FORM_GATHER && g->primal == w->f->primal && g->request == w->f->request)
            good &= decide_gather(w, g);
    }
    return good;
}

/* ---- the pass ---- */
/* What the adjoint pass has supposed: a thread of each warp has stored what all of it load. */
static void suppose_outputs(gw_ownership *w) {
    for (uint32_t i = 0; i < w->f->launch.count; i++)
        gw_push(&w->supposed, ((gw_supposed){.fact = w->f->launch.at[i],
                                             .why = "a lane of each warp stores what all of the warp load"}));
}

/* For what proves more of such a derivative: what is first at a cell, and last. */
static void keep_supposed(const gw_ownership *w, gw_func *f) {
    const bool any = f->session->options.keep_seed || gw_next_fresh(f, &(gw_fresh){0});
    for (uint32_t i = f->launch.count; i < w->supposed.count && any; i++)
        gw_push(&f->launch, w->supposed.at[i].fact);
}

static bool decide_kernel(gw_func *f) {
    gw_ownership w;
    bool good = true;
    gw_ownership_start(&w, f);
    suppose_outputs(&w);
    for (gw_object o = 1; o < w.n->f->objects.count; o++)
        if (gw_ownership_is_adjoint(f, o) && gw_object_at(f, o)->kind != GW_OBJECT_LOCAL)
            good &= gw_ownership_object(&w, o) && gw_ownership_try_strides(&w, o);
    if (good) gw_ownership_apart(&w);
    good = good && decide_gathers(&w);
    if (good) gw_launch_check(&w);
    if (good) keep_supposed(&w, f);
    if (good) gw_ownership_part_strides(&w);
    gw_ownership_forget_strides(&w);
    gw_ownership_end(&w);
    return good;
}

static bool decide_function(gw_func *f) {
    bool good = true;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || !gw_is_access_of_cell(o) || !gw_ownership_is_adjoint(f, o->object)) continue;
        if (!gw_policy_around(f, op)) good &= decide_alone(f, op); /* else: the pass `policies` */
    }
    return (f->kind != GW_FUNC_KERNEL || decide_kernel(f)) && good;
}

bool gw_pass_ownership(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    uint32_t count = s->funcs.count; /* checks are added behind */
    for (uint32_t i = 0; i < count; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK) good &= decide_function(f);
    }
    return good;
}
