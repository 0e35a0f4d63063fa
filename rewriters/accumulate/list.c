/*
 * accumulate/list.c - rows at positions of a list, for the slots rung (accumulate/slots.c):
 *
 *     for (base = range[tile].x; base < range[tile].y; base += 256) {          // GW_DISJOINT_RANGES(range)
 *         if (base + t < range[tile].y) s_id[t] = ids[base + t];
 *         barrier;
 *         for (j = 0; j < ...; j++) ... d_x[s_id[j]] += v ...   // the row of this warp at position base + j
 *
 * How often a warp comes to the addition nobody knows at the launch, but where in the list it is then tells it
 * from all others: warps of one block have rows of their own at each position, and a warp comes there once
 * (position.c has the proof). So each row is written by one warp, once; a warp that adds nothing leaves its
 * row, which is marked as such. Behind the kernel the rows of a position are summed in the order of the warps,
 * and the positions by key as rows of threads are.
 *
 * The position is a guess that the proof then takes or leaves: the index with which an
 * addition's index is read from a list; of one read from a staged copy s_id[j], stored to as s_id[t] = ids[k +
 * t], it is k + j.
 *
 * A row is as good as any other: that `position` is the index in the list is asked by nobody, only that the
 * launch has rows enough. The kernel stops at a position for which there is none.
 */
#include "rewriters/accumulate/slots_private.h"

#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/promises.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "analysis/prove/prove.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/query.h"

#include <stdlib.h>

enum { DEPTH_MOST = 12 };

typedef struct finder {
    const gw_func *f;
    const gw_uniform *u; /* NULL: of one thread */
    gw_op add;           /* in front of it */
    gw_places *found;
} finder;

bool gw_list_may_place(const gw_func *f) {
    for (uint32_t i = 0; f->primal && !f->template_head && i < f->primal->promises.count; i++) {
        gw_promise_kind kind = f->primal->promises.at[i].kind;
        if (kind == GW_PROMISE_DISJOINT_RANGES || kind == GW_PROMISE_SORTED) return true;
    }
    return false;
}

/* It is there when the thread adds, and the same in all lanes of the warp. */
static bool is_known(const finder *w, gw_value v) {
    const gw_func *f = w->f;
    bool whole = gw_type_is_integer(gw_typeof(f, v)) && gw_type_bits(gw_typeof(f, v)) >= 32;
    return whole && gw_is_there(f, v, w->add) && (!w->u || w->u->value[v] <= GW_UNIFORM_WARP);
}

static void add_place(finder *w, gw_value first, gw_value second) {
    gw_places *p = w->found;
    if (!is_known(w, first) || (second && !is_known(w, second)) || p->count == GW_PLACES_MOST) return;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->at[i].first == first && p->at[i].second == second) return;
    p->at[p->count++] = (gw_place){first, second};
}

static gw_value behind_casts(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    while (op && gw_op_at(f, op)->code == GW_OP_CAST && gw_type_is_integer(gw_typeof(f, gw_operand(f, op, 0))))
        v = gw_operand(f, op, 0), op = gw_value_at(f, v)->op;
    return v;
}

/* s[j] where s[t] = list[k + t] is stored: k + j. */
static void add_staged(finder *w, gw_op load) {
    const gw_func *f = w->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op), *l = gw_op_at(f, load);
        if (o->dead || o->code != GW_OP_STORE || o->object != l->object || o->path != l->path) continue;
        gw_op copy = gw_value_at(f, behind_casts(f, gw_operand(f, op, 1)))->op;
        if (!copy || gw_op_at(f, copy)->code != GW_OP_LOAD || gw_index_count(f, copy) != 1) continue;
        gw_op sum = gw_value_at(f, behind_casts(f, gw_operand(f, copy, 0)))->op;
        if (!sum || gw_op_at(f, sum)->code != GW_OP_ADD) continue;
        for (uint32_t i = 0; i < 2; i++)
            if (behind_casts(f, gw_operand(f, sum, i)) == behind_casts(f, gw_operand(f, op, 0)))
                add_place(w, gw_operand(f, load, 0), gw_operand(f, sum, 1 - i));
    }
}

static void find_places(finder *w, gw_value v, int depth) {
    const gw_func *f = w->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!op || !depth) return;
    const gw_op_data o = *gw_op_at(f, op);
    for (uint32_t i = 0; i < o.regions && o.code == GW_OP_IF; i++)
        find_places(w, gw_yielded(f, o.region[i], gw_value_at(f, v)->index), depth - 1);
    if (o.regions) return;
    bool load = o.code == GW_OP_LOAD && gw_index_count(f, op) == 1;
    if (load && gw_object_at(f, o.object)->kind == GW_OBJECT_SHARED) add_staged(w, op);
    else if (load) add_place(w, gw_operand(f, op, 0), 0);
    for (uint32_t i = 0; i < o.operands; i++) find_places(w, gw_operand(f, op, i), depth - 1);
}

void gw_list_places(const gw_func *f, const gw_uniform *u, gw_op add, gw_value key, gw_places *found) {
    finder w = {f, u, add, found};
    if (key) find_places(&w, key, DEPTH_MOST);
}

gw_value gw_list_place_value(gw_func *f, gw_op add, const gw_place *at) {
    gw_builder b = {f, gw_op_at(f, add)->parent, add, gw_op_at(f, add)->loc};
    gw_value first = gw_cast(&b, GW_T_I64, at->first);
    gw_value position = at->second ? gw_binary(&b, GW_OP_ADD, gw_cast(&b, GW_T_I64, at->second), first) : first;
    gw_value_data *d = gw_value_at(f, position);
    if (!d->name) d->name = gw_intern(f->session, "position");
    return position;
}

/* What all lanes that add have: their one condition, if it is one. */
static gw_value condition_of(const gw_func *f, gw_op collect) {
    const gw_op_data o = *gw_op_at(f, collect);
    gw_value active = gw_operand(f, collect, 1);
    for (uint32_t i = 2; i <= gw_collected(o.operands, o.attr); i++)
        if (gw_operand(f, collect, i) != active) return 0;
    return active;
}

static bool is_new(const gw_value *keys, uint32_t i) {
    for (uint32_t k = 0; k < i; k++)
        if (keys[k] == keys[i]) return false;
    return keys[i] != 0; /* 0: a constant */
}

static bool tells_all(gw_func *f, const gw_uniform *u, gw_op collect, gw_value position, const gw_value *keys,
                      uint32_t count) {
    gw_ownership o;
    bool all = true;
    gw_object object = gw_op_at(f, gw_slot_first(f, collect))->object;
    gw_ownership_start(&o, f);
    for (uint32_t i = 0; i < count && all; i++)
        all = !is_new(keys, i) ||
              gw_position_tells(&o, u, collect, position, keys[i], condition_of(f, collect), object);
    if (all) gw_launch_check_more(&o);
    gw_ownership_end(&o);
    return all;
}

gw_value gw_list_position(gw_func *f, gw_op collect, const gw_value *keys, uint32_t count) {
    gw_uniform u;
    gw_value found = 0;
    if (!gw_list_may_place(f)) return 0;
    gw_uniform_new(&u, f);
    gw_places places = {.count = 0};
    gw_op add = gw_slot_first(f, collect);
    for (uint32_t i = 0; i < count; i++) gw_list_places(f, &u, add, keys[i], &places);
    for (uint32_t i = 0; i < places.count && !found; i++) {
        gw_value position = gw_list_place_value(f, add, &places.at[i]);
        if (tells_all(f, &u, collect, position, keys, count)) found = position;
    }
    gw_uniform_free(&u);
    return found;
}
