/*
 * adjoint/walk.c - loops whose reverse is the same loop once more: a list that is walked (`while (j >= 0) { s
 * += f(j); j = next[j]; }`).
 *
 * The adjoints of such iterations may run in any order, so they run in that of the primal: what steers the loop
 * is carried by the reverse loop as by the primal's, and nothing is counted, recorded or bounded. A loop that
 * is steered by counters only needs no tape either, and its iterations have numbers: lanes of a warp can meet
 * in them.
 *
 * Sound: of the carried values, those with an adjoint are only added to (each adjoint is the same in all
 * iterations, and no formula needs the value); all others have none and are computed again by the very ops that
 * made them, which read memory as the primal did or are refused (STALE). No iteration reaches an adjoint cell
 * that another one consumes. Real numbers that steer may be contracted in another way than before, as in every
 * condition of a kernel that is run again.
 */
#include "rewriters/adjoint/recursion_private.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

static bool is_active(const gw_adjoint *a, gw_op loop, uint32_t i) {
    const gw_func *p = a->primal;
    gw_value arg = gw_loop_arg(p, loop, i);
    return gw_active_value(&a->activity, arg) || gw_active_value(&a->activity, gw_result(p, loop, i));
}

bool gw_adjoint_can_walk(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    const gw_op_data *o = gw_op_at(p, loop);
    bool must = false, down;
    gw_value step;
    if (o->code != GW_OP_WHILE || o->imm.i || a->frames.count || gw_is_joint(p, loop)) return false;
    if (gw_has_op(p, loop, GW_OP_DEVICE) || gw_holds_ordered(p, loop)) return false;
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++) {
        bool active = is_active(a, loop, i);
        if (active && (a->uses[gw_arg(p, o->region[0], i)] || !gw_adjoint_only_adds(a, loop, i))) return false;
        must |= !active && !gw_loop_is_induction(p, loop, i, &step, &down);
    }
    return must && gw_adjoint_stores_apart(a, loop, gw_loop_body(p, loop)) &&
           !gw_adjoint_has_iteration_objects(a, loop) && !gw_marks_in_loop(a, loop) &&
           gw_takes(a->f->session, GW_OPTIONAL_WALK);
}

/* What the reverse loop carries: values that steer it and others without an adjoint, adjoints of the rest,
 * adjoints from outside. */
typedef struct walk {
    gw_op loop, made;
    GW_VEC(uint32_t) steers, adds;
    gw_value_list outer;
} walk;

static uint32_t total(const walk *w) { return w->steers.count + w->adds.count + w->outer.count; }

/* The primal value of carried value k of the reverse loop; behind the first ones, that of which k is the
 * adjoint. */
static gw_value primal_of(const gw_adjoint *a, const walk *w, uint32_t k) {
    const gw_func *p = a->primal;
    uint32_t first = gw_loop_first_arg(p, w->loop), n = w->steers.count, m = n + w->adds.count;
    if (k >= m) return w->outer.at[k - m];
    return gw_arg(p, gw_loop_body(p, w->loop), first + (k < n ? w->steers.at[k] : w->adds.at[k - n]));
}

static gw_value adjoint_or_zero(gw_adjoint *a, gw_value key, gw_value primal) {
    gw_value have = gw_adjoint_of(a, key);
    return have ? have : gw_adjoint_zero(a, primal);
}

static gw_value start_of(gw_adjoint *a, const walk *w, uint32_t k) {
    const gw_func *p = a->primal;
    uint32_t n = w->steers.count, m = n + w->adds.count;
    if (k < n) return gw_adjoint_value(a, gw_loop_init(p, w->loop, w->steers.at[k]));
    gw_value primal = primal_of(a, w, k);
    return adjoint_or_zero(a, k < m ? gw_result(p, w->loop, w->adds.at[k - n]) : primal, primal);
}

static gw_type type_of(const gw_adjoint *a, const walk *w, uint32_t k) {
    return k < w->steers.count ? gw_typeof(a->primal, primal_of(a, w, k))
                               : gw_adjoint_type(a, primal_of(a, w, k));
}

static gw_str name_of(gw_adjoint *a, const walk *w, uint32_t k) {
    return k < w->steers.count ? gw_value_at(a->primal, primal_of(a, w, k))->name
                               : gw_adjoint_name(a, primal_of(a, w, k));
}

static void open_walk(gw_adjoint *a, walk *w) {
    gw_value_list starts = {0};
    for (uint32_t k = 0; k < total(w); k++) gw_push(&starts, start_of(a, w, k));
    w->made = gw_emit(&a->b, GW_OP_WHILE, GW_T_VOID, 0, starts.at, starts.count);
    gw_vec_free(&starts);
    gw_op_at(a->f, w->made)->origin = w->loop;
    gw_op_at(a->f, w->made)->flags |= gw_op_at(a->primal, w->loop)->flags & GW_OP_EXIT;
    for (uint32_t k = 0; k < total(w); k++) gw_op_add_result(a->f, w->made, type_of(a, w, k), name_of(a, w, k));
    for (uint32_t side = 0; side < 2; side++) {
        gw_region r = gw_region_new(a->f, w->made);
        for (uint32_t k = 0; k < total(w); k++) gw_region_arg(a->f, r, type_of(a, w, k), name_of(a, w, k));
    }
}

/* The primal's values of what steers, as region `from` knows them, are the arguments of the new region. */
static void enter(gw_adjoint *a, const walk *w, gw_region from, gw_region to) {
    a->b.region = to;
    a->b.before = 0;
    for (uint32_t k = 0; k < w->steers.count; k++)
        gw_map_set(&a->c.values, gw_arg(a->primal, from, w->steers.at[k]), gw_arg(a->f, to, k));
}

static void make_test(gw_adjoint *a, const walk *w) {
    const gw_func *p = a->primal;
    gw_region from = gw_op_at(p, w->loop)->region[0];
    enter(a, w, from, gw_op_at(a->f, w->made)->region[0]);
    gw_clone_region_body(&a->c, from);
    gw_value on = gw_clone_value(&a->c, gw_yielded(p, from, 0));
    gw_yield(&a->b, &on, 1);
}

static void make_body(gw_adjoint *a, const walk *w) {
    const gw_func *p = a->primal;
    gw_region from = gw_loop_body(p, w->loop), to = gw_op_at(a->f, w->made)->region[1];
    gw_op end = gw_region_end(p, from);
    uint32_t lead = gw_loop_first_yield(p, w->loop), n = w->steers.count, carried = gw_loop_carried(p, w->loop);
    gw_value *seeds = gw_alloc((carried + 1) * sizeof *seeds);
    gw_value_list yields = {0};
    enter(a, w, from, to);
    for (uint32_t k = 0; k < w->adds.count; k++) {
        gw_value arg = primal_of(a, w, n + k);
        gw_map_set(&a->c.values, arg, gw_adjoint_unneeded(a, gw_typeof(p, arg)));
        seeds[w->adds.at[k]] = gw_arg(a->f, to, n + k);
    }
    for (uint32_t k = 0; k < w->outer.count; k++)
        gw_map_set(&a->adjoint, w->outer.at[k], gw_arg(a->f, to, n + w->adds.count + k));
    gw_value_map staged = gw_adjoint_stage_begin(a, from);
    gw_adjoint_forward(a, from);
    if (lead) gw_push(&yields, gw_clone_value(&a->c, gw_operand(p, end, 0)));
    for (uint32_t k = 0; k < n; k++)
        gw_push(&yields, gw_clone_value(&a->c, gw_operand(p, end, lead + w->steers.at[k])));
    gw_adjoint_mark_shared(a, from);
    gw_adjoint_backward(a, from, seeds, carried, lead);
    gw_adjoint_stage_end(a, &staged);
    for (uint32_t k = n; k < total(w); k++)
        gw_push(&yields, adjoint_or_zero(a, primal_of(a, w, k), primal_of(a, w, k)));
    gw_yield(&a->b, yields.at, yields.count);
    gw_vec_free(&yields);
    free(seeds);
}

void gw_adjoint_walk_reverse(gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    walk w = {.loop = loop};
    for (uint32_t i = 0; i < gw_loop_carried(p, loop); i++)
        if (is_active(a, loop, i)) gw_push(&w.adds, i);
        else gw_push(&w.steers, i);
    gw_adjoint_outer_values(a, loop, &w.outer);
    gw_adjoint_restore_objects(a, loop);
    open_walk(a, &w);
    gw_builder saved = a->b;
    make_test(a, &w);
    make_body(a, &w);
    a->b = saved;
    uint32_t n = w.steers.count, m = n + w.adds.count;
    for (uint32_t k = m; k < total(&w); k++)
        gw_map_set(&a->adjoint, w.outer.at[k - m], gw_result(a->f, w.made, k));
    for (uint32_t k = n; k < m; k++)
        gw_adjoint_add(a, gw_loop_init(p, loop, w.adds.at[k - n]), gw_result(a->f, w.made, k));
    gw_vec_free(&w.steers);
    gw_vec_free(&w.adds);
    gw_vec_free(&w.outer);
}
