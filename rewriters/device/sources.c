/*
 * sources.c - the sources pass: what is added to the shadow of a staged copy goes straight to the adjoint of
 * what was copied.
 *
 *     if (k < n) s[t] = x[id];    barrier;    ... s[j] ...       // the primal stages, and reads
 *     ... d_s[j] += v; ...        barrier;    if (k < n) { d_x[id] += d_s[t]; d_s[t] = 0; }
 * becomes
 *     ... d_x[id of the thread that staged cell j] += v; ...
 *
 * Requires a kernel's gradient before ownership, behind gather: what one thread can sum up for all is gone by
 * then. Taken are shadows whose additions several threads make to one cell and to which ownership would not
 * give one thread: an atomic addition of floats to shared memory is a loop of compare-and-swap, one to global
 * memory is not, and the clearing and the second way go. A shadow that has one thread a cell stays, as does one
 * in which the lanes of a warp reach different cells, which shared memory takes at once, and one whose cells
 * are the same in all blocks: there the block's sum is one addition instead of many.
 *
 * Why that is sound. It asks of the shared array s in the primal that
 *  1. each field is stored to in one place only, and what is stored is loaded there from memory that nobody
 *     changes in the kernel;
 *  2. each load of it stands behind that store in the iteration of all loops around both, and reads what was
 *     stored in that iteration (staging.c), so s[j] is x[id(t)] for the thread t with j = index(t), and its
 *     adjoint is that of x[id(t)]. It asks of the derivative that
 *  3. the shadow is cleared, added to, and, for each field in one place, read and zeroed; what is read is added
 *     to one cell and used for nothing else; so each addition reaches that cell, and none is made twice;
 *  4. the adjoint of x is only added to, so additions may come earlier, and from other threads;
 *  5. id(t) is made of what is the same in all threads of the block in one iteration, of index(t), for which j
 *     stands, of cells that nobody changes, and of what t itself has left in another staged array at the same
 *     index under no more conditions, to which nothing else is stored in the loops around, a barrier before the
 *     addition, and one behind it. A cell that the primal reads is taken to have been stored to: what else it
 *     would read is not initialised.
 */
#include "analysis/clean/clean.h"
#include "analysis/ir/passes.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/workspace/workspace.h"
#include "analysis/ir/restructure.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>

enum { MOST_DEPTH = 12, MOST_INDICES = 16 };

/* ---- 1, 2: copies in the primal ---- */
static gw_op load_of_copy(const gw_func *p, const bool *changing, gw_op store) {
    gw_value v = gw_operand(p, store, gw_op_at(p, store)->operands - 1);
    gw_op load = gw_value_at(p, v)->op;
    const gw_op_data *o = gw_op_at(p, load);
    bool plain = load && o->code == GW_OP_LOAD && !gw_object_is_inner(gw_object_at(p, o->object)->kind) &&
                 !changing[o->object];
    return plain ? load : 0;
}

static bool only_branches_between(const gw_func *f, gw_op op, gw_region outer) {
    for (gw_region r = gw_op_at(f, op)->parent; r != outer; r = gw_region_outside(f, r))
        if (gw_op_at(f, gw_region_at(f, r)->parent)->code != GW_OP_IF) return false;
    return true;
}

/* The one store to this field; 0: there are more, or none. */
static gw_op store_of(const gw_func *p, gw_object object, gw_str path) {
    gw_op found = 0;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || o->code != GW_OP_STORE || o->object != object || o->path != path) continue;
        if (found) return 0;
        found = op;
    }
    return found;
}

static bool holds_copies(const gw_func *p, gw_object object) {
    if (gw_object_at(p, object)->kind != GW_OBJECT_SHARED || gw_object_at(p, object)->sized) return false;
    bool *changing = gw_changing_objects(p), good = true;
    for (gw_op op = 1; op < p->ops.count && good; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || o->object != object) continue;
        gw_op store = o->code == GW_OP_LOAD || o->code == GW_OP_STORE ? store_of(p, object, o->path) : 0;
        good = store && load_of_copy(p, changing, store);
        if (good && o->code == GW_OP_LOAD)
            good = only_branches_between(p, store, gw_common_region(p, store, op)) &&
                   gw_comes_before(p, store, op) && gw_stages_again(p, store, op);
    }
    free(changing);
    return good;
}

/* ---- 3, 4: the shadow in the derivative ---- */
typedef struct copies {
    gw_func *f;
    gw_uniform uniform;
    gw_object shadow, primal; /* of f, of its primal */
    GW_VEC(gw_op) adds, reads, zeros;
} copies;

static bool is_zero(const gw_func *f, gw_op store) {
    double c;
    return gw_const_real(f, gw_operand(f, store, gw_op_at(f, store)->operands - 1), &c) && c == 0;
}

static bool collect(copies *c) {
    const gw_func *f = c->f, *p = f->primal;
    c->primal = 0;
    c->adds.count = c->reads.count = c->zeros.count = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->object != c->shadow || o->code == GW_OP_CLEAR) continue;
        if (!o->origin || (c->primal && gw_op_at(p, o->origin)->object != c->primal)) return false;
        c->primal = gw_op_at(p, o->origin)->object;
        if (o->code == GW_OP_ACCUM) gw_push(&c->adds, op);
        else if (o->code == GW_OP_LOAD) gw_push(&c->reads, op);
        else if (o->code == GW_OP_STORE && is_zero(f, op)) gw_push(&c->zeros, op);
        else return false;
    }
    return c->adds.count && c->primal && c->reads.count == c->zeros.count;
}

static bool same_cell(const gw_func *f, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    if (a->path != b->path || gw_index_count(f, x) != gw_index_count(f, y)) return false;
    for (uint32_t i = 0; i < gw_index_count(f, x); i++)
        if (gw_operand(f, x, i) != gw_operand(f, y, i)) return false;
    return true;
}

/* The place where this field is read; 0: there are more. */
static gw_op read_of(const copies *c, gw_str path) {
    gw_op found = 0;
    for (uint32_t i = 0; i < c->reads.count; i++) {
        if (gw_op_at(c->f, c->reads.at[i])->path != path) continue;
        if (found) return 0;
        found = c->reads.at[i];
    }
    return found;
}

static bool is_zeroed(const copies *c, gw_op read) {
    bool found = false;
    for (uint32_t i = 0; i < c->zeros.count; i++) {
        gw_op zero = c->zeros.at[i];
        found |= gw_op_at(c->f, zero)->parent == gw_op_at(c->f, read)->parent && same_cell(c->f, zero, read);
    }
    return found;
}

/* The addition that is all that the value is used for. */
static gw_op only_addition(const gw_func *f, gw_op read) {
    gw_value v = gw_result(f, read, 0);
    gw_op found = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; !o->dead && i < o->operands; i++) {
            if (gw_operand(f, op, i) != v) continue;
            if (found || o->code != GW_OP_ACCUM || i + 1 != o->operands) return 0;
            found = op;
        }
    }
    return found && gw_op_at(f, found)->parent == gw_op_at(f, read)->parent ? found : 0;
}

static bool is_only_added_to(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == object && gw_op_at(f, op)->code != GW_OP_ACCUM)
            return false;
    return true;
}

static bool passes_on(const copies *c, gw_op read) {
    const gw_func *f = c->f, *p = f->primal;
    gw_op add = only_addition(f, read), store = gw_op_at(f, read)->origin;
    if (!add || !is_zeroed(c, read) || gw_op_at(p, store)->code != GW_OP_STORE) return false;
    gw_op load = gw_value_at(p, gw_operand(p, store, gw_op_at(p, store)->operands - 1))->op;
    return gw_op_at(f, add)->origin == load && is_only_added_to(f, gw_op_at(f, add)->object);
}

/* ---- 5: an index of the thread that staged the cell ---- */
typedef struct route {
    const copies *c;
    gw_op add, read;
    gw_region common; /* around both */
} route;

static bool barrier_between(const gw_func *f, gw_op from, gw_op to) {
    for (gw_op op = gw_next(f, from); op && op != to; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_BARRIER) return true;
    return false;
}

static bool find_route(route *r) {
    const gw_func *f = r->c->f;
    r->common = gw_common_region(f, r->read, r->add);
    gw_op from = gw_holder(f, r->add, r->common), to = gw_holder(f, r->read, r->common);
    return r->c->uniform.region[r->common] <= GW_UNIFORM_BLOCK &&
           only_branches_between(f, r->read, r->common) && gw_comes_before(f, r->add, r->read) && from != to &&
           barrier_between(f, from, to) && gw_index_count(f, r->add) == gw_index_count(f, r->read);
}

static bool same_value(const copies *c, gw_value x, gw_value y, int depth) {
    const gw_func *f = c->f;
    gw_op p = gw_value_at(f, x)->op, q = gw_value_at(f, y)->op;
    if (x == y) return true;
    if (!p || !q || !depth) return false;
    const gw_op_data *a = gw_op_at(f, p), *b = gw_op_at(f, q);
    bool load = a->code == GW_OP_LOAD && !gw_object_is_inner(gw_object_at(f, a->object)->kind) &&
                !c->uniform.changing[a->object];
    if (a->regions || (!load && gw_op_rows[a->code].effect != GW_EFFECT_PURE)) return false;
    if (a->code != b->code || a->attr != b->attr || a->flags != b->flags || a->object != b->object ||
        a->path != b->path || a->operands != b->operands || gw_typeof(f, x) != gw_typeof(f, y))
        return false;
    if (a->code == GW_OP_CONST && a->imm.i != b->imm.i) return false;
    for (uint32_t i = 0; i < a->operands; i++)
        if (!same_value(c, gw_operand(f, p, i), gw_operand(f, q, i), depth - 1)) return false;
    return true;
}

/* The branch that leads to region r is on the way to the read as well, with the same side taken. */
static bool is_on_the_way(const route *r, gw_region to) {
    const gw_func *f = r->c->f;
    gw_op branch = gw_region_at(f, to)->parent;
    for (gw_region at = gw_op_at(f, r->read)->parent; at != r->common; at = gw_region_outside(f, at)) {
        gw_op other = gw_region_at(f, at)->parent;
        bool then = gw_op_at(f, branch)->region[0] == to;
        if (gw_operand(f, other, 0) == gw_operand(f, branch, 0) &&
            then == (gw_op_at(f, other)->region[0] == at))
            return true;
    }
    return false;
}

static bool is_only_store(const route *r, gw_op store) {
    const gw_func *f = r->c->f;
    const gw_op_data *s = gw_op_at(f, store);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || op == store || o->object != s->object || o->code == GW_OP_LOAD) continue;
        if (o->code != GW_OP_STORE || (o->path == s->path && gw_region_inside(f, o->parent, r->common)))
            return false;
    }
    return true;
}

/* A store of the reading thread's v to the cell of its index in another array; 0: there is none. */
static gw_op find_staged(const route *r, gw_value v) {
    const gw_func *f = r->c->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_STORE || gw_object_at(f, o->object)->kind != GW_OBJECT_SHARED ||
            gw_object_at(f, o->object)->shadow_of)
            continue;
        if (!gw_region_inside(f, o->parent, r->common) ||
            gw_typeof(f, gw_operand(f, op, o->operands - 1)) != gw_typeof(f, v))
            continue;
        bool here = gw_index_count(f, op) == gw_index_count(f, r->read) &&
                    same_value(r->c, gw_operand(f, op, o->operands - 1), v, MOST_DEPTH);
        for (uint32_t i = 0; here && i < gw_index_count(f, op); i++)
            here = gw_operand(f, op, i) == gw_operand(f, r->read, i);
        for (gw_region at = o->parent; here && at != r->common; at = gw_region_outside(f, at))
            here = gw_op_at(f, gw_region_at(f, at)->parent)->code == GW_OP_IF && is_on_the_way(r, at);
        gw_op from = gw_holder(f, op, r->common), to = gw_holder(f, r->add, r->common);
        if (here && from != to && gw_comes_before(f, op, r->add) && barrier_between(f, from, to) &&
            is_only_store(r, op))
            return op;
    }
    return 0;
}

/* A load of that cell on the way to the addition, where nothing stores to it. */
static gw_value find_load(const route *r, gw_op store) {
    const gw_func *f = r->c->f;
    gw_op to = gw_holder(f, r->add, r->common);
    for (gw_op op = r->add; op && op != to; op = gw_op_around(f, op))
        for (gw_op at = gw_prev(f, op); at; at = gw_prev(f, at)) {
            const gw_op_data *o = gw_op_at(f, at), *s = gw_op_at(f, store);
            bool same = o->code == GW_OP_LOAD && o->object == s->object && o->path == s->path;
            for (uint32_t i = 0; same && i < o->operands; i++)
                same = gw_operand(f, at, i) == gw_operand(f, r->add, i);
            if (same) return gw_result(f, at, 0);
        }
    return 0;
}

/* v, or what the other makes of it by a conversion that loses nothing: threadIdx.x as an int. */
static bool is_number_of(const gw_func *f, gw_value v, gw_value index) {
    gw_op op = gw_value_at(f, index)->op;
    if (v == index) return true;
    if (!op || gw_op_at(f, op)->code != GW_OP_CAST || gw_operand(f, op, 0) != v) return false;
    gw_type from = gw_typeof(f, v), to = gw_typeof(f, index);
    return gw_type_is_integer(from) && gw_type_is_integer(to) && gw_type_bits(to) >= gw_type_bits(from);
}

/* Both indices are the number of one cell, in whatever type of 32 bits or more. */
static bool holds_index(const gw_func *f, const route *r, uint32_t i) {
    const gw_type x = gw_typeof(f, gw_operand(f, r->add, i)), y = gw_typeof(f, gw_operand(f, r->read, i));
    return x == y || (gw_type_is_integer(x) && gw_type_is_integer(y) && gw_type_bits(x) >= 32 &&
                      gw_type_bits(y) >= gw_type_bits(x));
}

/* v of the thread that staged the cell, where the addition stands; 0: not known there. b NULL: only asks, and
 * gives v. */
static gw_value of_staging_thread(const route *r, gw_builder *b, gw_value v, int depth) {
    gw_func *f = r->c->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!depth) return 0;
    bool there = gw_value_visible(f, v, gw_op_at(f, r->add)->parent) && (!op || gw_comes_before(f, op, r->add));
    if (there && r->c->uniform.value[v] <= GW_UNIFORM_BLOCK) return v;
    for (uint32_t i = 0; i < gw_index_count(f, r->read); i++)
        if (is_number_of(f, v, gw_operand(f, r->read, i)) && holds_index(f, r, i))
            return b ? gw_cast(b, gw_typeof(f, v), gw_operand(f, r->add, i)) : v;
    gw_op store = find_staged(r, v);
    if (store) {
        if (!b) return v;
        gw_value loaded = find_load(r, store), index[MOST_INDICES];
        for (uint32_t i = 0; i < gw_index_count(f, r->add); i++) index[i] = gw_operand(f, r->add, i);
        return loaded ? loaded
                      : gw_load(b, gw_op_at(f, store)->object, gw_op_at(f, store)->path, index,
                                gw_index_count(f, r->add));
    }
    if (!op || !same_value(r->c, v, v, depth) || gw_op_at(f, op)->regions || gw_op_at(f, op)->results != 1)
        return 0;
    const gw_op_data *o = gw_op_at(f, op);
    bool load = o->code == GW_OP_LOAD && !gw_object_is_inner(gw_object_at(f, o->object)->kind) &&
                !r->c->uniform.changing[o->object];
    if (!load && gw_op_rows[o->code].effect != GW_EFFECT_PURE) return 0;
    if (o->code == GW_OP_SPECIAL) return 0; /* the other thread's own place */
    gw_cloner c = {.from = f, .to = b};
    bool all = true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && all; i++) {
        gw_value x = gw_operand(f, op, i), made = of_staging_thread(r, b, x, depth - 1);
        all = made != 0;
        if (all && b) gw_map_set(&c.values, x, made);
    }
    if (all && b) {
        gw_clone_op(&c, op);
        v = gw_clone_value(&c, v);
    }
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return all ? v : 0;
}

/* ---- what pays ---- */

/* Lanes that run an iteration side by side have one value: it is made of counters and of what is the same in
 * the warp. */
static bool same_in_lanes(const copies *c, gw_value v, int depth) {
    const gw_func *f = c->f;
    gw_op op = gw_value_at(f, v)->op;
    if (c->uniform.value[v] <= GW_UNIFORM_WARP) return true;
    if (!depth) return false;
    if (!op) {
        gw_op loop = gw_region_at(f, gw_value_region(f, v))->parent;
        return loop && gw_op_at(f, loop)->code == GW_OP_FOR && gw_value_at(f, v)->index == 0;
    }
    if (gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE || gw_op_at(f, op)->code == GW_OP_SPECIAL)
        return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (!same_in_lanes(c, gw_operand(f, op, i), depth - 1)) return false;
    return true;
}

/* Another block may stage another cell. Where all stage the same, a shadow takes what the warps of a block add,
 * and the cell only what the blocks do. */
static bool differs_by_block(const copies *c, gw_value v, int depth) {
    const gw_func *f = c->f;
    gw_op op = gw_value_at(f, v)->op;
    if (c->uniform.value[v] == GW_UNIFORM_GRID) return false;
    if (!op || !depth || gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE) return true;
    bool differs = gw_op_at(f, op)->code == GW_OP_SPECIAL && gw_op_at(f, op)->attr / 4 == GW_BLOCK_IDX;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        differs |= differs_by_block(c, gw_operand(f, op, i), depth - 1);
    return differs;
}

static bool all_differ_by_block(const copies *c) {
    for (uint32_t i = 0; i < c->reads.count; i++) {
        gw_op to = only_addition(c->f, c->reads.at[i]);
        bool differs = false;
        for (uint32_t k = 0; k < gw_index_count(c->f, to); k++)
            differs |= differs_by_block(c, gw_operand(c->f, to, k), MOST_DEPTH);
        if (!differs) return false;
    }
    return true;
}

/* Gather has looked at loops that all threads of the block run alike, unless it was told not to. */
static bool gather_has_looked(const copies *c, gw_op add) {
    gw_rung wish = c->f->session->options.accumulate;
    if (wish == GW_RUNG_AUTO || wish == GW_RUNG_GATHER) return true;
    gw_op at = gw_op_around(c->f, add);
    while (at && !gw_is_loop(c->f, at)) at = gw_op_around(c->f, at);
    return !at || gw_uniform_control(&c->uniform, at) > GW_UNIFORM_BLOCK;
}

static bool pays(const copies *c) {
    bool owned = false;
    if (!all_differ_by_block(c)) return false;
    for (uint32_t i = 0; i < c->adds.count; i++) {
        gw_op add = c->adds.at[i];
        if (!gather_has_looked(c, add)) return false;
        for (uint32_t k = 0; k < gw_index_count(c->f, add); k++)
            if (!same_in_lanes(c, gw_operand(c->f, add, k), MOST_DEPTH)) return false;
    }
    gw_ownership w;
    gw_ownership_start(&w, c->f);
    for (uint32_t i = 0; i < c->adds.count && !owned; i++) owned = gw_ownership_would_own(&w, c->adds.at[i]);
    gw_ownership_end(&w);
    return !owned;
}

/* ---- doing it ---- */
static bool can_redirect(const copies *c) {
    const gw_func *f = c->f;
    if (!holds_copies(f->primal, c->primal)) return false;
    for (uint32_t i = 0; i < c->reads.count; i++)
        if (!read_of(c, gw_op_at(f, c->reads.at[i])->path) || !passes_on(c, c->reads.at[i])) return false;
    for (uint32_t i = 0; i < c->adds.count; i++) {
        route r = {.c = c, .add = c->adds.at[i], .read = read_of(c, gw_op_at(f, c->adds.at[i])->path)};
        if (!r.read || !find_route(&r)) return false;
        gw_op to = only_addition(f, r.read);
        if (gw_index_count(f, to) > MOST_INDICES || gw_index_count(f, r.add) > MOST_INDICES) return false;
        for (uint32_t k = 0; k < gw_index_count(f, to); k++)
            if (!of_staging_thread(&r, NULL, gw_operand(f, to, k), MOST_DEPTH)) return false;
    }
    return true;
}

static void redirect(copies *c, gw_op add) {
    gw_func *f = c->f;
    route r = {.c = c, .add = add, .read = read_of(c, gw_op_at(f, add)->path)};
    find_route(&r);
    gw_op to = only_addition(f, r.read);
    gw_builder b = {f, gw_op_at(f, add)->parent, add, gw_op_at(f, add)->loc};
    gw_value index[MOST_INDICES];
    for (uint32_t i = 0; i < gw_index_count(f, to); i++)
        index[i] = of_staging_thread(&r, &b, gw_operand(f, to, i), MOST_DEPTH);
    gw_op made = gw_accum(&b, gw_op_at(f, to)->object, gw_op_at(f, to)->path, index, gw_index_count(f, to),
                          gw_operand(f, add, gw_op_at(f, add)->operands - 1));
    gw_why why = gw_because(GW_REASON_HOLDS_COPIES);
    gw_why_add(f->session, &why, gw_cstr(f->session, gw_object_at(f->primal, c->primal)->name), 0);
    gw_op_at(f, made)->decision = gw_decision_made(f->session, why);
}

static void remove_all(gw_func *f, const gw_op *ops, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) gw_op_remove(f, ops[i]);
}

static void redirect_all(copies *c) {
    gw_func *f = c->f;
    for (uint32_t i = 0; i < c->adds.count; i++) redirect(c, c->adds.at[i]);
    for (uint32_t i = 0; i < c->reads.count; i++) gw_op_remove(f, only_addition(f, c->reads.at[i]));
    remove_all(f, c->adds.at, c->adds.count);
    remove_all(f, c->zeros.at, c->zeros.count);
    remove_all(f, c->reads.at, c->reads.count);
    for (gw_op op = 1; op < f->ops.count; op++)
        /* its clearing */
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == c->shadow) gw_op_remove(f, op);
}

/* The first shadow that can be done without; what is known of values does not hold behind it. */
static bool redirect_first(gw_func *f) {
    copies c = {.f = f};
    bool found = false;
    gw_uniform_new(&c.uniform, f);
    for (gw_object o = 1; o < f->objects.count && !found; o++) {
        if (gw_object_at(f, o)->kind != GW_OBJECT_SHARED || !gw_object_at(f, o)->shadow_of) continue;
        c.shadow = o;
        found = collect(&c) && can_redirect(&c) && pays(&c);
        if (found) redirect_all(&c);
    }
    gw_uniform_free(&c.uniform);
    gw_vec_free(&c.adds);
    gw_vec_free(&c.reads);
    gw_vec_free(&c.zeros);
    return found;
}

/* The additions to the fields of a record, and to its neighbours, have one index, of which a load was made for
 * each: made once, rungs see that they belong together. */
static void share_loads(gw_func *f, gw_op first_made) {
    copies c = {.f = f};
    gw_uniform_new(&c.uniform, f);
    for (gw_op op = first_made; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_LOAD) continue;
        for (gw_op at = gw_prev(f, op); at; at = gw_prev(f, at)) {
            if (gw_op_at(f, at)->code != GW_OP_LOAD ||
                !same_value(&c, gw_result(f, at, 0), gw_result(f, op, 0), MOST_DEPTH))
                continue;
            gw_replace_uses(f, gw_result(f, op, 0), gw_result(f, at, 0));
            gw_op_remove(f, op);
            break;
        }
    }
    gw_uniform_free(&c.uniform);
}

bool gw_pass_sources(gw_run *run) {
    gw_session *s = run->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_func *f = s->funcs.at[i];
        gw_op first_made = f->ops.count;
        bool any = false;
        if (f->kind != GW_FUNC_KERNEL || f->form != GW_FORM_GRAD || !f->primal) continue;
        while (redirect_first(f)) any = true;
        if (!any) continue;
        share_loads(f, first_made);
        gw_clean(f);
    }
    return true;
}
