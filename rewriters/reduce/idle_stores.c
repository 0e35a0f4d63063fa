/*
 * idle_stores.c - stores of the primal that a gradient of the host performs and undoes, and that nobody reads
 * before they are undone, are not performed.
 *
 *     push y[i]; y[i] = v;  ...  y[i] = pop;     becomes     nothing, if no load of y stands between
 *
 * All stores to an object are undone where one of its loads needs that (adjoint/choice.c): what is stored last,
 * as outputs are, is for nobody here. With the stores goes what only they need: other loads, whose stores may
 * then be idle, and loops.
 *
 * Requires that every store to the object is one of such a pair, so that each puts back what the other found,
 * in the order of brackets. Sound because memory is the same before and behind a pair, and the loads that are
 * left between are those of other pairs, which put back what they read.
 */
#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/restructure.h"
#include "rewriters/reduce/reduce_private.h"

#include <stdlib.h>

typedef struct pair {
    gw_op load, push, store, pop, back;
} pair;

typedef struct pairs {
    GW_VEC(pair) of;
    uint32_t *stores; /* by object: stores that are of no pair */
    bool *former;     /* by op: a load whose value only goes back */
} pairs;

static bool is_one_use(const gw_func *f, gw_value v, gw_op *user) {
    uint32_t uses = 0;
    for (gw_op op = 1; op < f->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(f, op)->dead && i < gw_op_at(f, op)->operands; i++)
            if (gw_operand(f, op, i) == v) uses++, *user = op;
    return uses == 1;
}

/* The store that follows: nothing between has to do with its object. */
static gw_op next_store(const gw_func *f, gw_op push, gw_op load) {
    for (gw_op op = gw_next(f, push); op; op = gw_next(f, op)) {
        if (!gw_touches(f, op, gw_op_at(f, load)->object, GW_TOUCH_READ | GW_TOUCH_WRITE)) continue;
        return gw_op_at(f, op)->code == GW_OP_STORE && gw_same_address(f, load, op) ? op : 0;
    }
    return 0;
}

static gw_op pop_of(const gw_func *f, gw_op push) {
    gw_op found = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool is_other = op == push || o->object != gw_op_at(f, push)->object;
        if (o->dead || is_other || o->code == GW_OP_DECLARE) continue;
        if (found || o->code != GW_OP_POP) return 0;
        found = op;
    }
    return found;
}

static bool find_pair(const gw_func *f, gw_op push, pair *p) {
    gw_op user;
    const gw_value value = gw_operand(f, push, 0);
    const gw_op load = gw_made_by(f, value, GW_OP_LOAD), pop = load ? pop_of(f, push) : 0;
    if (!pop || gw_object_is_inner(gw_object_at(f, gw_op_at(f, load)->object)->kind)) return false;
    const gw_op store = next_store(f, push, load);
    if (!store || !is_one_use(f, value, &user) || !is_one_use(f, gw_result(f, pop, 0), &user)) return false;
    const gw_op_data *o = gw_op_at(f, user);
    *p = (pair){load, push, store, pop, user};
    return o->code == GW_OP_STORE && o->object == gw_op_at(f, load)->object &&
           o->path == gw_op_at(f, load)->path && gw_operand(f, user, o->operands - 1) == gw_result(f, pop, 0);
}

static void find_pairs(const gw_func *f, pairs *all) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        pair p;
        if (o->dead) continue;
        if (o->code == GW_OP_STORE) all->stores[o->object]++;
        if (o->code != GW_OP_PUSH || !find_pair(f, op, &p)) continue;
        gw_push(&all->of, p);
        all->former[p.load] = true;
    }
    for (uint32_t i = 0; i < all->of.count; i++) all->stores[gw_op_at(f, all->of.at[i].load)->object] -= 2;
}

/* Between the store and where it is undone somebody reads the object. */
static bool is_read(const gw_func *f, const pairs *all, const pair *p) {
    const gw_object object = gw_op_at(f, p->store)->object;
    const gw_region common = gw_common_region(f, p->store, p->back);
    const gw_op last = gw_holder(f, p->back, common);
    for (gw_op op = gw_holder(f, p->store, common);; op = gw_next(f, op)) {
        for (gw_op in = op; in; in = gw_walk_op(f, in, op))
            if (!gw_op_at(f, in)->regions && !all->former[in] && gw_touches(f, in, object, GW_TOUCH_READ))
                return true;
        if (op == last) return false;
    }
}

static bool drop_idle(gw_func *f) {
    bool changed = false;
    pairs all = {.stores = gw_alloc(f->objects.count * sizeof(uint32_t)),
                 .former = gw_alloc(f->ops.count * sizeof(bool))};
    find_pairs(f, &all);
    for (uint32_t i = 0; i < all.of.count; i++) {
        const pair p = all.of.at[i];
        if (all.stores[gw_op_at(f, p.load)->object] || is_read(f, &all, &p)) continue;
        gw_op_remove(f, p.back), gw_op_remove(f, p.pop), gw_op_remove(f, p.store);
        gw_op_remove(f, p.push), gw_op_remove(f, p.load);
        changed = true;
    }
    gw_vec_free(&all.of);
    free(all.stores);
    free(all.former);
    return changed;
}

void gw_reduce_idle_stores(gw_func *f) {
    while (f->kind == GW_FUNC_HOST && drop_idle(f)) gw_clean(f);
}
