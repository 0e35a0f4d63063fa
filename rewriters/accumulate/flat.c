/*
 * accumulate/flat.c - nested branches that decide who takes part in a COLLECT become one (contract:
 * accumulate.h).
 *
 *     if (a) { p = ...; if (b(p)) { heavy } }       becomes       p = ...; adds = a && b(p); if (adds) { heavy
 * }
 *
 * so that a warp of which no lane takes part can pass over all that is heavy (accumulate/skip.c), and so that
 * values need no defaults on the way. What leads to the inner condition is then computed by lanes that did not
 * compute it before. Sound because it has no effect and cannot trap: pure ops without integer division by what
 * may be 0, and loads of a cell that exists. That is so
 *  - where the outer branch is the one by which a loop was made to run as often as in the lane that runs it
 *    most (convergence.c): a lane of the warp is in its own iteration, and the cell's number is the same for
 *    all lanes; what else stands around the branch in the loop are conditions that all lanes agree on
 *    (alike.c);
 *  - where another field of the same cell is loaded anyway.
 * What lanes read so that do not need it is not used. It has to be cheap: a warp in which nobody comes that far
 * pays for it.
 */
#include "analysis/ir/passes.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "rewriters/formula/formula.h"
#include "analysis/ir/restructure.h"

#include <string.h>

enum { MOST_COST = 120, COST_OF_LOAD = 4, MOST_LEVELS = 16 };

typedef struct flat {
    gw_func *f;
    const gw_uniform *uniform; /* of the function as it was; values made since are not asked for */
} flat;

static bool is_false(const gw_func *f, gw_value v) {
    int64_t c;
    return gw_typeof(f, v) == GW_T_BOOL && gw_const_int(f, v, &c) && c == 0;
}

static bool is_same(const gw_func *f, gw_value x, gw_value y) {
    int64_t i, k;
    double a, b;
    if (x == y) return true;
    if (gw_typeof(f, x) != gw_typeof(f, y)) return false;
    if (gw_const_int(f, x, &i) && gw_const_int(f, y, &k)) return i == k;
    return gw_const_real(f, x, &a) && gw_const_real(f, y, &b) && memcmp(&a, &b, sizeof a) == 0;
}

/* ---- what may be computed by lanes that do not need it ---- */

static bool is_other_field(const gw_func *f, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    const char *p = gw_cstr(f->session, a->path), *q = gw_cstr(f->session, b->path), *field = strrchr(p, '.'),
               *other = strrchr(q, '.');
    if (b->code != GW_OP_LOAD || a->object != b->object || a->operands != b->operands) return false;
    size_t n = field ? (size_t)(field - p) : strlen(p), m = other ? (size_t)(other - q) : strlen(q);
    if (n != m || memcmp(p, q, n) != 0) return false;
    for (uint32_t i = 0; i < a->operands; i++)
        if (gw_operand(f, x, i) != gw_operand(f, y, i)) return false;
    return true;
}

static bool is_loaded_anyway(const gw_func *f, gw_op load, gw_op branch) {
    for (gw_op op = gw_prev(f, branch); op; op = gw_prev(f, op))
        if (is_other_field(f, load, op)) return true;
    return false;
}

static bool may_load(const flat *w, gw_op load, gw_op branch) {
    const gw_func *f = w->f;
    gw_object_kind kind = gw_object_at(f, gw_op_at(f, load)->object)->kind;
    if (gw_object_is_private(kind) || gw_touches(f, branch, gw_op_at(f, load)->object, GW_TOUCH_WRITE))
        return false;
    if (is_loaded_anyway(f, load, branch)) return true;
    bool alike = gw_rung_own_loop(w->uniform, f, branch) &&
                 gw_op_at(f, branch)->region[0] == gw_op_at(f, load)->parent;
    for (uint32_t i = 0; i < gw_op_at(f, load)->operands; i++) {
        gw_value v = gw_operand(f, load, i);
        alike &= v < w->uniform->f->values.count && w->uniform->value[v] <= GW_UNIFORM_WARP;
    }
    return alike;
}

/* Adds the op's cost to *cost. */
static bool may_run(const flat *w, gw_op op, gw_op branch, int *cost) {
    const gw_func *f = w->f;
    const gw_op_data *o = gw_op_at(f, op);
    bool load = o->code == GW_OP_LOAD, whole = o->results && gw_type_is_integer(gw_typeof(f, o->first_result));
    *cost += load ? COST_OF_LOAD : gw_cost_of_op(f, op);
    if (*cost > MOST_COST || o->regions) return false;
    if (load) return may_load(w, op, branch);
    return gw_op_rows[o->code].effect == GW_EFFECT_PURE &&
           !(whole && (o->code == GW_OP_DIV || o->code == GW_OP_REM));
}

static bool all_may_run(const flat *w, gw_region r, gw_op but, gw_op branch, int *cost) {
    for (gw_op op = gw_first(w->f, r); op && op != gw_region_end(w->f, r); op = gw_next(w->f, op)) {
        if (op == but) continue;
        if (!may_run(w, op, branch, cost)) return false;
        for (uint32_t i = 0; i < gw_op_at(w->f, op)->operands; i++)
            if (but && gw_value_at(w->f, gw_operand(w->f, op, i))->op == but) return false;
    }
    return true;
}

/* ---- two branches in one ---- */
typedef struct pair {
    gw_op outer, inner;
    uint32_t outer_side, inner_side; /* that lead to what is heavy */
} pair;

static gw_value taken(gw_builder *b, gw_op branch, uint32_t side) {
    gw_value condition = gw_operand(b->f, branch, 0);
    return side == 0 ? condition : gw_unary(b, GW_OP_NOT, condition);
}

static void move_but(gw_func *f, gw_region from, gw_op but, gw_op before) {
    gw_op end = gw_region_end(f, from);
    for (gw_op op = gw_first(f, from), next; op && op != end; op = next) {
        next = gw_next(f, op);
        if (op != but) gw_op_move(f, op, gw_op_at(f, before)->parent, before);
    }
}

/* The branch on both conditions, in place of the pair. */
static gw_op merge(gw_func *f, const pair *p) {
    gw_builder b = {f, gw_op_at(f, p->outer)->parent, p->outer, gw_op_at(f, p->outer)->loc};
    move_but(f, gw_op_at(f, p->outer)->region[1 - p->outer_side], 0, p->outer);
    move_but(f, gw_op_at(f, p->outer)->region[p->outer_side], p->inner, p->outer);
    move_but(f, gw_op_at(f, p->inner)->region[1 - p->inner_side], 0, p->outer);
    gw_value first = taken(&b, p->outer, p->outer_side), second = taken(&b, p->inner, p->inner_side),
             both = gw_binary(&b, GW_OP_AND, first, second);
    gw_value_map map = {0};
    GW_VEC(gw_value) then = {0}, rest = {0};
    GW_VEC(uint32_t) number = {0};
    for (uint32_t i = 0; i < gw_op_at(f, p->outer)->results; i++) {
        gw_value inside = gw_arm_value(f, p->outer, p->outer_side, i),
                 outside = gw_arm_value(f, p->outer, 1 - p->outer_side, i);
        if (gw_value_at(f, inside)->op == p->inner) {
            uint32_t k = gw_value_at(f, inside)->index;
            gw_push(&then, gw_arm_value(f, p->inner, p->inner_side, k));
            gw_push(&rest, gw_arm_value(f, p->inner, 1 - p->inner_side, k));
            gw_push(&number, i);
            continue;
        }
        gw_value made;
        if (is_same(f, inside, outside)) made = outside;
        else if (!is_false(f, outside)) made = gw_select(&b, first, inside, outside);
        else made = inside == second ? both : gw_binary(&b, GW_OP_AND, first, inside);
        gw_map_set(&map, gw_result(f, p->outer, i), made);
    }
    gw_op made = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &both, 1);
    gw_builder in = {f, gw_region_new(f, made), 0, b.loc}, out = {f, gw_region_new(f, made), 0, b.loc};
    gw_region heavy = gw_op_at(f, p->inner)->region[p->inner_side];
    for (gw_op op = gw_first(f, heavy), end = gw_region_end(f, heavy), next; op && op != end; op = next) {
        next = gw_next(f, op);
        gw_op_move(f, op, in.region, 0);
    }
    gw_yield(&in, then.at, then.count);
    gw_yield(&out, rest.at, rest.count);
    for (uint32_t i = 0; i < number.count; i++) {
        gw_value old = gw_result(f, p->outer, number.at[i]);
        gw_value now = gw_op_add_result(f, made, gw_typeof(f, old), gw_value_at(f, old)->name);
        gw_map_set(&map, old, now);
    }
    for (uint32_t i = 0; i < number.count; i++) { /* where not even the first condition held, another value */
        gw_value old = gw_result(f, p->outer, number.at[i]),
                 outside = gw_arm_value(f, p->outer, 1 - p->outer_side, number.at[i]);
        if (!is_same(f, rest.at[i], outside))
            gw_map_set(&map, old, gw_select(&b, first, gw_map_get(&map, old), outside));
    }
    gw_rename_from(f, gw_next(f, p->outer), &map);
    gw_op_remove(f, p->outer);
    gw_map_free(&map);
    gw_vec_free(&then);
    gw_vec_free(&rest);
    gw_vec_free(&number);
    return made;
}

/* The side whose ops need not be left out, if the other can be. */
static bool find_sides(const flat *w, gw_op branch, gw_op at, uint32_t *side) {
    for (*side = 0; *side < 2; ++*side) {
        int cost = 0;
        gw_region other = gw_op_at(w->f, branch)->region[1 - *side];
        if (!gw_rung_only_branch(w->f, other) && all_may_run(w, other, 0, at, &cost) && cost == 0) return true;
    }
    return false;
}

/* From the inside out; the branch that is left. */
static gw_op flatten(flat *w, gw_op branch, int level) {
    gw_func *f = w->f;
    pair p = {.outer = branch};
    int cost = 0;
    if (level > MOST_LEVELS || gw_holds_record(f, branch) || !find_sides(w, branch, branch, &p.outer_side))
        return branch;
    gw_region way = gw_op_at(f, branch)->region[p.outer_side];
    p.inner = gw_rung_only_branch(f, way);
    if (!p.inner) return branch;
    p.inner = flatten(w, p.inner, level + 1);
    if (!find_sides(w, p.inner, branch, &p.inner_side) || !all_may_run(w, way, p.inner, branch, &cost))
        return branch;
    return merge(f, &p);
}

static void name_condition(gw_func *f, gw_op branch) {
    gw_value_data *v = gw_value_at(f, gw_operand(f, branch, 0));
    if (v->op && !v->name) v->name = gw_intern(f->session, "adds");
}

static void flatten_region(flat *w, gw_region r) {
    gw_func *f = w->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) flatten_region(w, gw_op_at(f, op)->region[i]);
        if (gw_op_at(f, op)->code != GW_OP_COLLECT) continue;
        for (uint32_t i = 1; i < gw_op_at(f, op)->operands; i++) {
            gw_op branch = gw_value_at(f, gw_operand(f, op, i))->op;
            if (branch && gw_op_at(f, branch)->code == GW_OP_IF && gw_op_at(f, branch)->parent == r)
                name_condition(f, flatten(w, branch, 0));
        }
    }
}

void gw_rung_flatten(gw_func *f) {
    gw_uniform u;
    gw_rung_alike(f);
    gw_func *before = gw_func_copy(f);
    gw_uniform_new(&u, before);
    flat w = {f, &u};
    flatten_region(&w, f->entry);
    gw_uniform_free(&u);
    gw_func_free(before);
}
