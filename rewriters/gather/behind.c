/*
 * gather/behind.c - additions that keep others from being stores are made by a kernel behind the gradient's
 * (contract: gather_private.h).
 *
 *     d_x[row * n + k] += v;                      ->     d_x[row * n + k] = v;
 *     if (t == 0) d_x[row * n + at[row]] += u;           in the kernel behind it, by an atomic:
 *                                                        if (t == 0) d_x[row * n + at[row]] += u;
 *
 * A cell that is found through a list may be any thread's, so beside one such addition all others to the object
 * are atomic, and an adjoint that is new has to be cleared before: three times the memory traffic of stores
 * (cross entropy: a target a row). Where the others are their thread's own without it, it moves.
 *
 * Moved are additions to an adjoint that is new, outside of loops, made of launch coordinates, parameters,
 * memory that the gradient does not write and seeds. Sound because additions commute, the kernel behind begins
 * when the gradient's has ended, and
 *   - it has the same launch, and each of its threads comes to the addition under the conditions, and with the
 *     index and the value, that it has in the gradient: all of that is made again of memory that is as it was;
 *   - a seed that it reads is zeroed by it instead, at the same places: each zeroing was the last access to its
 *     cell (ownership/first.c), and what is left of the seed's accesses, which may have had barriers between
 *     them, is each cell one thread's.
 */
#include "rewriters/gather/gather_private.h"

#include "analysis/clean/clean.h"
#include "analysis/ir/optional.h"
#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"

#include <stdlib.h>
#include <string.h>

typedef struct behind {
    gw_func *f;
    gw_object object;      /* what is added to */
    GW_VEC(gw_op) adds;    /* that may move */
    GW_VEC(gw_object) seeds; /* that they read */
    bool *needed;          /* by op */
    gw_launch_facts supposed; /* of the launch, for the others' proofs */
    gw_cloner c;
} behind;

/* ---- which may move ---- */
/* Nothing but loads and zeroing stores reaches it. */
static bool is_seed(const gw_func *f, gw_object object) {
    if (!gw_ownership_is_adjoint(f, object) || gw_object_at(f, object)->kind != GW_OBJECT_POINTER) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->object != object || o->code == GW_OP_LOAD) continue;
        const bool zeroes = o->code == GW_OP_STORE && gw_is_zero(f, gw_operand(f, op, o->operands - 1));
        if (!zeroes || gw_loop_around(f, op)) return false;
    }
    return true;
}

static bool is_written(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == object &&
            gw_touches(f, op, object, GW_TOUCH_WRITE))
            return true;
    return false;
}

static bool may_load(behind *m, gw_op load) {
    const gw_func *f = m->f;
    const gw_object object = gw_op_at(f, load)->object;
    if (gw_object_at(f, object)->kind != GW_OBJECT_POINTER) return false;
    if (gw_op_at(f, load)->flags & GW_OP_STALE) return false;
    if (!is_written(f, object)) return true;
    if (!is_seed(f, object)) return false;
    for (uint32_t i = 0; i < m->seeds.count; i++)
        if (m->seeds.at[i] == object) return true;
    gw_push(&m->seeds, object);
    return true;
}

/* What the op is made of, and the conditions that it stands under. */
static bool need(behind *m, gw_op op) {
    const gw_func *f = m->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (m->needed[op]) return true;
    m->needed[op] = true;
    const gw_op around = gw_region_at(f, o->parent)->parent;
    bool good = !around || (gw_op_at(f, around)->code == GW_OP_IF && need(m, around));
    for (uint32_t i = 0; i < o->operands && good; i++) {
        const gw_op made = gw_value_at(f, gw_operand(f, op, i))->op;
        if (!made) continue;
        const gw_op_data *d = gw_op_at(f, made);
        good = !d->regions && (d->code == GW_OP_LOAD ? may_load(m, made)
                                                     : gw_op_rows[d->code].effect == GW_EFFECT_PURE);
        good = good && need(m, made);
    }
    return good;
}

static void find_additions(behind *m) {
    const gw_func *f = m->f;
    bool *before = gw_alloc(f->ops.count + 1);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ACCUM || o->object != m->object || gw_loop_around(f, op) ||
            gw_asked_rung_at(f, op) != GW_RUNG_AUTO)
            continue;
        memcpy(before, m->needed, f->ops.count + 1);
        if (need(m, op)) gw_push(&m->adds, op);
        else memcpy(m->needed, before, f->ops.count + 1);
    }
    free(before);
}

static bool is_zeroing(const behind *m, gw_op op) {
    const gw_op_data *o = gw_op_at(m->f, op);
    for (uint32_t i = 0; i < m->seeds.count; i++)
        if (!o->dead && o->code == GW_OP_STORE && o->object == m->seeds.at[i]) return true;
    return false;
}

static bool need_zeroing(behind *m) {
    const gw_func *f = m->f;
    bool good = true;
    if (f->session->options.keep_seed) return true; /* nobody zeroes them */
    for (uint32_t known = 0; good && known < m->seeds.count;) { /* their indices may need more of them */
        known = m->seeds.count;
        for (gw_op op = 1; op < f->ops.count && good; op++)
            good = !is_zeroing(m, op) || need(m, op);
    }
    return good;
}

/* ---- whether it pays, and is sound ---- */
static bool are_owned(behind *m, gw_func *f, gw_object object) {
    gw_ownership w;
    bool owned = true;
    gw_ownership_start_where(&w, f, &m->supposed);
    w.by_rules = true;
    gw_ownership_look_at(&w, object);
    for (uint32_t i = 0; i < w.refs.count && owned; i++) {
        gw_verdict verdict = {.owned = false};
        gw_ownership_judge(&w, i, &verdict);
        owned = verdict.owned || gw_ownership_suppose(&w, object, i, &verdict);
    }
    gw_launch_facts found = {0}; /* those that hold are the caller's while they are looked at */
    for (uint32_t i = 0; i < w.supposed.count && owned; i++)
        gw_push(&found, w.supposed.at[i].fact);
    gw_ownership_end(&w);
    for (uint32_t i = 0; i < found.count; i++)
        gw_push(&m->supposed, found.at[i]);
    gw_vec_free(&found);
    return owned;
}

static bool frees_others(behind *m) {
    gw_func *rest = gw_func_copy(m->f);
    bool any = false;
    for (uint32_t i = 0; i < m->adds.count; i++)
        gw_op_remove(rest, m->adds.at[i]);
    for (gw_op op = 1; op < rest->ops.count; op++)
        any |= !gw_op_at(rest, op)->dead && gw_op_at(rest, op)->code == GW_OP_ACCUM &&
               gw_op_at(rest, op)->object == m->object;
    any = any && !are_owned(m, m->f, m->object) && are_owned(m, rest, m->object);
    gw_func_free(rest);
    return any;
}

/* Asked as if they were decided. */
static bool zeroes_last(const behind *m) {
    gw_func *asked = gw_func_copy(m->f);
    gw_ownership w;
    bool last = true;
    gw_ownership_start_where(&w, asked, &m->supposed);
    w.by_rules = true;
    for (gw_op op = 1; op < asked->ops.count && last; op++) {
        if (!is_zeroing(m, op)) continue;
        gw_op_at(asked, op)->attr = GW_ACCUMULATE_PLAIN;
        last = gw_ownership_is_last(&w, op);
    }
    gw_ownership_end(&w);
    gw_func_free(asked);
    return last;
}

/* ---- the kernel ---- */
static void clone_needed(behind *m, gw_region r) {
    const gw_func *f = m->f;
    gw_builder *b = m->c.to;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!m->needed[op]) continue;
        if (!o->regions) {
            gw_clone_op(&m->c, op);
            continue;
        }
        const gw_builder outside = *b;
        const gw_value condition = gw_clone_value(&m->c, gw_operand(f, op, 0));
        const gw_op made = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
        for (uint32_t side = 0; side < 2; side++) {
            b->region = gw_region_new(b->f, made);
            b->before = 0;
            clone_needed(m, gw_op_at(f, op)->region[side]);
            gw_yield(b, NULL, 0);
        }
        *b = outside;
    }
}

static gw_func *make_kernel(behind *m) {
    gw_func *f = m->f, *g = gw_gather_new_kernel(f, 1);
    g->name = g->qualified = g->symbol = gw_derived_part_name(f, GW_DERIVED_BEHIND);
    g->is_behind = true;
    gw_builder b = {.f = g, .region = g->entry, .loc = f->loc};
    m->c = (gw_cloner){.from = f, .to = &b};
    for (gw_object o = 1; o < f->objects.count; o++)
        gw_map_set(&m->c.objects, o, o);
    for (uint32_t i = 0; i < gw_region_at(f, f->entry)->args; i++)
        gw_map_set(&m->c.values, gw_arg(f, f->entry, i), gw_arg(g, g->entry, i));
    clone_needed(m, f->entry);
    gw_emit(&b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    gw_map_free(&m->c.values);
    gw_map_free(&m->c.objects);
    gw_clean(g);
    return g;
}

static bool seeds_are_owned(behind *m, gw_func *g) {
    for (uint32_t i = 0; i < m->seeds.count; i++)
        if (!are_owned(m, g, m->seeds.at[i])) return false;
    return true;
}

static void take(behind *m, gw_func *g) {
    gw_func *f = m->f;
    for (uint32_t i = 0; i < m->adds.count; i++)
        gw_op_remove(f, m->adds.at[i]);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (is_zeroing(m, op)) gw_op_remove(f, op);
    gw_push(&f->session->funcs, g);
    f->has_behind = true;
    gw_clean(f);
}

static bool move_of(gw_func *f, gw_object object) {
    behind m = {.f = f, .object = object, .needed = gw_alloc(f->ops.count + 1)};
    gw_func *g = NULL;
    find_additions(&m);
    const bool good = m.adds.count != 0 && frees_others(&m);
    if (good && need_zeroing(&m) && zeroes_last(&m)) g = make_kernel(&m);
    const bool takes = g && seeds_are_owned(&m, g) && gw_takes(f->session, GW_OPTIONAL_BEHIND);
    if (takes) take(&m, g);
    else if (g) gw_func_free(g);
    gw_vec_free(&m.adds);
    gw_vec_free(&m.seeds);
    gw_vec_free(&m.supposed);
    free(m.needed);
    return takes;
}

void gw_gather_behind(gw_func *f) {
    const gw_options *options = &f->session->options;
    if (options->deterministic || gw_coarsening(f) || f->has_gathers || gw_is_along_other(f)) return;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (gw_is_fresh(f, &f->params.at[i], NULL) && move_of(f, f->params.at[i].object)) return;
}
