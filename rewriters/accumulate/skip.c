/*
 * accumulate/skip.c - a warp of which no lane takes part in a COLLECT passes over it and over what only it is
 * for (contract: accumulate.h).
 *
 *     if (adds) { v = ... }                  if (any lane adds) {
 *     at = ...                   becomes         if (adds) { v = ... }
 *     collect(adds, v)                           at = ...
 *                                                collect(adds, v)
 *                                            }
 *
 * Sound because all lanes of the warp come to a COLLECT and because of the vote agree; where nobody adds, the
 * branch that is passed over gives each thread what its other side gives, and the additions would be those of
 * no thread.
 *
 * Where what the lanes add comes out of several branches, or out of nested ones, no branch is passed over: the
 * COLLECT alone is, with what tells lanes its indices.
 *
 * Inside, at least one lane has taken the branch, so what it loads there, unconditionally, from a cell that has
 * the same number in all lanes exists for all of them: such an index is loaded by all lanes instead of being
 * told by one that takes part, and other such cells are loaded in front of the branch.
 */
#include "analysis/ir/passes.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/warp.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>

enum { MANY_VALUES = 6 }; /* as GW_MANY_VALUES of collectives.cuh: from here on nobody asks which lanes add */

typedef struct skip {
    gw_func *f;
    const gw_uniform *uniform; /* of the function as it was */
    gw_op first, branch, collect; /* what goes under the vote begins with the first; no branch: 0 */
    bool *inside; /* by op: passed over, with the branch */
} skip;

static bool is_used_outside(const skip *s, gw_op op) {
    const gw_func *f = s->f;
    const gw_op_data *o = gw_op_at(f, op);
    for (gw_op at = gw_next(f, op); at; at = gw_next(f, at)) {
        if (s->inside[at]) continue;
        for (uint32_t i = 0; i < o->results; i++)
            if (gw_uses_value(f, at, gw_result(f, op, i))) return true;
    }
    return false;
}

static bool uses_inside(const skip *s, gw_op op) {
    const gw_func *f = s->f;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        gw_op made = gw_value_at(f, gw_operand(f, op, i))->op;
        if (made && s->inside[made]) return true;
    }
    return false;
}

static bool is_told(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return o->code == GW_OP_WARP && o->attr == GW_WARP_OF_ACTIVE;
}

/* The additions of the COLLECT; the first of them. */
static gw_op take_additions(skip *s) {
    gw_op add = s->collect;
    s->inside[s->collect] = true;
    for (uint32_t i = 1; i < gw_op_at(s->f, s->collect)->operands; i++) {
        add = gw_prev(s->f, add);
        s->inside[add] = true;
    }
    return add;
}

/* Without a branch: what is only there for the COLLECT. What says who adds is asked by the vote. */
static void find_told(skip *s) {
    gw_func *f = s->f;
    const gw_op says = gw_value_at(f, gw_operand(f, s->collect, 1))->op;
    s->first = take_additions(s);
    for (gw_op op = gw_prev(f, s->first); op && op != says; op = gw_prev(f, op)) {
        if (gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE && !is_told(f, op)) return;
        if (gw_op_at(f, op)->regions || is_used_outside(s, op)) continue;
        s->inside[op] = true;
        s->first = op;
    }
}

/* What of the ops between the branch and the COLLECT goes with them. */
static bool find_inside(skip *s) {
    gw_func *f = s->f;
    gw_op add = take_additions(s);
    s->inside[s->branch] = true;
    for (gw_op op = gw_prev(f, add); op && op != s->branch; op = gw_prev(f, op)) {
        if (gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE && !is_told(f, op)) return false;
        s->inside[op] = !is_used_outside(s, op);
    }
    for (gw_op op = gw_next(f, s->branch); op != s->collect; op = gw_next(f, op))
        if (!s->inside[op] && uses_inside(s, op)) return false;
    return true;
}

/* ---- indices ---- */
static bool is_alike(const skip *s, gw_value v) {
    return v < s->uniform->f->values.count && s->uniform->value[v] <= GW_UNIFORM_WARP &&
           gw_value_visible(s->f, v, gw_op_at(s->f, s->branch)->parent);
}

/* v of the branch's taken side, computed in front of the branch by all lanes; 0: it cannot be. */
static gw_value in_front(const skip *s, gw_builder *b, gw_value v, gw_value_map *made) {
    gw_func *f = s->f;
    gw_op op = gw_value_at(f, v)->op;
    if (is_alike(s, v) || gw_map_get(made, v)) return is_alike(s, v) ? v : gw_map_get(made, v);
    if (!op || gw_op_at(f, op)->parent != gw_op_at(f, s->branch)->region[0]) return 0;
    gw_object object = gw_op_at(f, op)->object;
    bool load = gw_op_at(f, op)->code == GW_OP_LOAD && !gw_object_is_private(gw_object_at(f, object)->kind) &&
                !gw_touches(f, s->branch, object, GW_TOUCH_WRITE);
    if (!load && !gw_is_cheap(f, op)) return 0;
    gw_cloner c = {.from = f, .to = b};
    bool all = true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && all; i++) {
        gw_value x = gw_operand(f, op, i), to = in_front(s, b, x, made);
        all = to != 0;
        if (all) gw_map_set(&c.values, x, to);
    }
    gw_value now = 0;
    if (all) {
        gw_clone_op(&c, op);
        now = gw_clone_value(&c, v);
        gw_map_set(made, v, now);
    }
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return now;
}

/* So are cells that the taken side always reads: what waits for them need not wait for the branch, too. */
static void load_cells(const skip *s, gw_builder *b, gw_value_map *made) {
    gw_func *f = s->f;
    for (gw_op op = gw_first(f, gw_op_at(f, s->branch)->region[0]); op; op = gw_next(f, op))
        if (gw_op_at(f, op)->code == GW_OP_LOAD) in_front(s, b, gw_result(f, op, 0), made);
}

/* What lanes tell each other of the branch is loaded by all of them, where that can be. */
static void load_indices(skip *s) {
    gw_func *f = s->f;
    gw_op before = gw_prev(f, s->branch);
    gw_value_map made = {0};
    gw_builder b = {f, gw_op_at(f, s->branch)->parent, s->branch, gw_op_at(f, s->branch)->loc};
    for (gw_op op = gw_next(f, s->branch), next; op && op != s->collect; op = next) {
        next = gw_next(f, op);
        if (gw_op_at(f, op)->code != GW_OP_WARP || !s->inside[op]) continue;
        gw_value told = gw_operand(f, op, 1), v = gw_behind_casts(f, told);
        if (gw_value_at(f, v)->op != s->branch) continue;
        gw_value now = in_front(s, &b, gw_arm_value(f, s->branch, 0, gw_value_at(f, v)->index), &made);
        if (!now) continue;
        gw_value_map map = {0};
        gw_builder here = {f, b.region, op, b.loc};
        gw_map_set(&map, gw_result(f, op, 0), gw_cast(&here, gw_typeof(f, told), now));
        gw_rename_from(f, next, &map);
        gw_map_free(&map);
        gw_op_remove(f, op);
    }
    load_cells(s, &b, &made);
    gw_rename_from(f, gw_first(f, gw_op_at(f, s->branch)->region[0]), &made); /* loaded once */
    gw_map_free(&made);
    s->first = before ? gw_next(f, before) : gw_first(f, b.region);
}

/* ---- the vote ---- */
static gw_value outside_of_branch(gw_builder *b, const skip *s, uint32_t i) {
    gw_func *f = s->f;
    gw_value v = gw_arm_value(f, s->branch, 1, i);
    gw_op op = gw_value_at(f, v)->op;
    if (gw_value_visible(f, v, b->region)) return v;
    if (!op || gw_op_at(f, op)->code != GW_OP_CONST) return 0;
    gw_cloner c = {.from = f, .to = b};
    gw_clone_op(&c, op);
    gw_value made = gw_clone_value(&c, v);
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
    return made;
}

static void pass_over(skip *s) {
    gw_func *f = s->f;
    /* asked first: `inside` knows nothing of ops that are made here */
    bool wanted = s->branch && is_used_outside(s, s->branch);
    gw_region around = gw_op_at(f, s->collect)->parent;
    gw_builder b = {f, around, gw_next(f, s->collect), gw_op_at(f, s->branch ? s->branch : s->collect)->loc};
    gw_value lanes = gw_operand(f, s->collect, 0), active = gw_operand(f, s->collect, 1);
    gw_value operands[] = {lanes, gw_cast(&b, GW_T_I32, active)};
    bool tells = gw_op_at(f, s->collect)->attr == GW_ACCUMULATE_WARP &&
                 gw_op_at(f, s->collect)->operands - 1 < MANY_VALUES;
    gw_type says = tells ? GW_T_U32 : GW_T_I32;
    gw_op vote = gw_emit(&b, GW_OP_WARP, says, 1, operands, 2);
    gw_op_at(f, vote)->attr = tells ? GW_WARP_SAYING : GW_WARP_ANY;
    gw_value_at(f, gw_result(f, vote, 0))->name = gw_intern(f->session, s->branch ? "adding" : "some_add");
    gw_value any = gw_binary(&b, GW_OP_NE, gw_result(f, vote, 0), gw_int(&b, says, 0));
    gw_op made = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &any, 1);
    gw_builder in = {f, gw_region_new(f, made), 0, b.loc}, out = {f, gw_region_new(f, made), 0, b.loc};
    gw_value_map map = {0};
    GW_VEC(gw_value) given = {0}, kept = {0};
    for (uint32_t i = 0; wanted && i < gw_op_at(f, s->branch)->results; i++) {
        gw_push(&given, gw_result(f, s->branch, i));
        gw_push(&kept, outside_of_branch(&out, s, i));
    }
    bool index = s->branch != 0;
    for (gw_op op = s->first, next; op; op = next) {
        next = op == s->collect ? 0 : gw_next(f, op);
        index &= op != s->branch;
        if (index || s->inside[op]) gw_op_move(f, op, in.region, 0);
    }
    gw_yield(&in, given.at, given.count);
    gw_yield(&out, kept.at, kept.count);
    for (uint32_t i = 0; i < given.count; i++) {
        gw_value_data d = *gw_value_at(f, given.at[i]);
        gw_value result = gw_op_add_result(f, made, d.type, d.name);
        gw_map_set(&map, given.at[i], result);
    }
    if (gw_next(f, made)) gw_rename_from(f, gw_next(f, made), &map);
    gw_map_free(&map);
    gw_vec_free(&given);
    gw_vec_free(&kept);
}

/* Lanes add all or nothing, and some may add nothing. */
static bool may_be_passed(const gw_func *f, gw_op collect) {
    gw_value active = gw_operand(f, collect, 1);
    int64_t always;
    if (gw_const_int(f, active, &always) || gw_accumulates_by_block(gw_op_at(f, collect)->attr)) return false;
    for (uint32_t i = 2; i < gw_op_at(f, collect)->operands; i++)
        if (gw_operand(f, collect, i) != active) return false;
    return true;
}

/* The branch that all additions of the COLLECT come from. */
static gw_op branch_of(const gw_func *f, gw_op collect) {
    gw_value active = gw_operand(f, collect, 1);
    for (gw_op op = gw_prev(f, collect); op; op = gw_prev(f, op))
        if (gw_op_at(f, op)->code == GW_OP_IF && gw_operand(f, op, 0) == active) return op;
    return 0;
}

static bool sides_are_known(skip *s) {
    gw_region other = gw_op_at(s->f, s->branch)->region[1];
    for (gw_op op = gw_first(s->f, other); op && op != gw_region_end(s->f, other); op = gw_next(s->f, op))
        if (gw_op_at(s->f, op)->code != GW_OP_CONST) return false;
    return !gw_holds_record(s->f, s->branch);
}

/* With the branch, if that can be. */
static bool skip_branch(skip *s) {
    const gw_func *f = s->f;
    s->branch = branch_of(f, s->collect);
    if (!s->branch || !sides_are_known(s)) return false;
    s->inside = gw_alloc(f->ops.count + 1);
    bool can = find_inside(s);
    if (can) {
        load_indices(s);
        free(s->inside);
        s->inside = gw_alloc(f->ops.count + 1);
        can = find_inside(s);
    }
    if (can) pass_over(s);
    free(s->inside);
    return can;
}

static void skip_collect(skip *s) {
    if (skip_branch(s)) return;
    s->branch = 0;
    s->inside = gw_alloc(s->f->ops.count + 1);
    find_told(s);
    pass_over(s);
    free(s->inside);
}

static void skip_region(gw_func *f, const gw_uniform *u, gw_region r) {
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) skip_region(f, u, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code != GW_OP_COLLECT || !may_be_passed(f, op)) continue;
        skip_collect(&(skip){.f = f, .uniform = u, .collect = op});
    }
}

void gw_rung_skip(gw_func *f) {
    gw_uniform u;
    gw_func *before = gw_func_copy(f);
    gw_uniform_new(&u, before);
    skip_region(f, &u, f->entry);
    gw_uniform_free(&u);
    gw_func_free(before);
}
