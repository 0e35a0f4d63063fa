/*
 * canonicalize.c - what is decided already: carried values that never change, branches on constants,
 * results that are the same in both branches, pure ops whose operands became constants, and where a load that
 * may be stale reads, if a branch around it decides that (a pointer that leads to one of several objects).
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/restructure.h"

#include <math.h>
#include <stdlib.h>

typedef struct fact {
    gw_value condition;
    bool holds;
} fact;

typedef struct state {
    gw_func *f;
    gw_value_map map;
    GW_VEC(fact) facts; /* conditions of the branches around the place of the walk */
    bool changed;
} state;

static gw_value now(const state *s, gw_value v) {
    gw_value to;
    while ((to = gw_map_get(&s->map, v)) != 0) v = to;
    return v;
}

static void replace(state *s, gw_value old, gw_value by) {
    gw_map_set(&s->map, old, by);
    s->changed = true;
}

enum { MOST_HANDS = 8 };

/* Values that are all what a loop's argument was at first, if those are that the text has them from. */
typedef struct web {
    gw_value same[MOST_HANDS];
    uint32_t count;
} web;

/* The value is of the web: it is one of its, or loops and branches within only hand on some of these. */
static bool is_handed_on(const state *s, gw_value v, web w) {
    const gw_func *f = s->f;
    v = now(s, v);
    for (uint32_t i = 0; i < w.count; i++)
        if (v == w.same[i]) return true;
    const gw_op op = gw_value_at(f, v)->op;
    const uint32_t i = gw_value_at(f, v)->index;
    if (!op || w.count == MOST_HANDS) return false;
    if (gw_op_at(f, op)->code == GW_OP_IF) {
        w.same[w.count++] = v; /* so that the way is bounded */
        return is_handed_on(s, gw_arm_value(f, op, 0, i), w) && is_handed_on(s, gw_arm_value(f, op, 1, i), w);
    }
    if (!gw_is_loop(f, op) || i >= gw_loop_carried(f, op)) return false;
    if (!is_handed_on(s, gw_loop_init(f, op, i), w)) return false;
    w.same[w.count++] = gw_loop_arg(f, op, i);
    return is_handed_on(s, gw_loop_next(f, op, i), w);
}

/* A loop that yields its own argument (or the initial value) carries an invariant, also by way of branches and
 * loops within. */
static void visit_loop(state *s, gw_op op) {
    gw_func *f = s->f;
    gw_region body = gw_loop_body(f, op);
    gw_op end = gw_region_end(f, body);
    for (uint32_t i = 0; i < gw_loop_carried(f, op); i++) {
        gw_value arg = gw_loop_arg(f, op, i);
        gw_value init = now(s, gw_loop_init(f, op, i));
        gw_value next = now(s, gw_operand(f, end, gw_loop_first_yield(f, op) + i));
        if (now(s, arg) != arg || !is_handed_on(s, next, (web){{arg, init}, 2})) continue;
        if (now(s, gw_result(f, op, i)) != gw_result(f, op, i)) continue;
        replace(s, arg, init);
        if (gw_op_at(f, op)->code == GW_OP_WHILE) replace(s, gw_arg(f, gw_op_at(f, op)->region[0], i), init);
        replace(s, gw_result(f, op, i), init);
    }
}

static void splice(state *s, gw_op op, uint32_t side) {
    gw_func *f = s->f;
    gw_region from = gw_op_at(f, op)->region[side], to = gw_op_at(f, op)->parent;
    gw_op end = gw_region_end(f, from);
    for (uint32_t i = 0; i < gw_op_at(f, op)->results; i++)
        replace(s, gw_result(f, op, i), now(s, gw_operand(f, end, i)));
    for (gw_op in = gw_first(f, from), next; in && in != end; in = next) {
        next = gw_next(f, in);
        gw_op_move(f, in, to, op);
    }
    gw_op_remove(f, op);
    s->changed = true;
}

static bool equal_constants(const gw_func *f, gw_value x, gw_value y) {
    double p, q;
    int64_t i, k;
    if (gw_typeof(f, x) != gw_typeof(f, y)) return false;
    if (gw_const_real(f, x, &p) && gw_const_real(f, y, &q)) return p == q && !signbit(p) == !signbit(q);
    return gw_const_int(f, x, &i) && gw_const_int(f, y, &k) && i == k;
}

/* An earlier result of the branch that is what this one is; 0: there is none. */
static gw_value same_result(const state *s, gw_op branch, uint32_t i) {
    const gw_func *f = s->f;
    for (uint32_t k = 0; k < i; k++)
        if (now(s, gw_arm_value(f, branch, 0, k)) == now(s, gw_arm_value(f, branch, 0, i)) &&
            now(s, gw_arm_value(f, branch, 1, k)) == now(s, gw_arm_value(f, branch, 1, i)))
            return now(s, gw_result(f, branch, k));
    return 0;
}

static void visit_if(state *s, gw_op op) {
    gw_func *f = s->f;
    int64_t decided;
    gw_value condition = now(s, gw_operand(f, op, 0));
    for (uint32_t i = 0; i < s->facts.count; i++)
        if (s->facts.at[i].condition == condition) {
            splice(s, op, s->facts.at[i].holds ? 0 : 1);
            return;
        }
    if (gw_const_int(f, condition, &decided)) {
        splice(s, op, decided ? 0 : 1);
        return;
    }
    gw_op ends[2] = {gw_region_end(f, gw_op_at(f, op)->region[0]),
                     gw_region_end(f, gw_op_at(f, op)->region[1])};
    for (uint32_t i = 0; i < gw_op_at(f, op)->results; i++) {
        gw_value x = now(s, gw_operand(f, ends[0], i)), y = now(s, gw_operand(f, ends[1], i));
        gw_value result = gw_result(f, op, i);
        if (now(s, result) != result) continue;
        int64_t yes, no;
        const gw_value same = same_result(s, op, i);
        if (same) {
            replace(s, result, same);
        } else if (x == y && gw_value_visible(f, x, gw_op_at(f, op)->parent)) {
            replace(s, result, x);
        } else if (gw_typeof(f, x) == GW_T_BOOL && gw_const_int(f, x, &yes) && gw_const_int(f, y, &no) &&
                   yes != no) {
            gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
            replace(s, result, yes ? condition : gw_unary(&b, GW_OP_NOT, condition));
        } else if (x != y && equal_constants(f, x, y)) {
            gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
            double real = 0;
            int64_t integer = 0;
            gw_type type = gw_typeof(f, x);
            bool is_real = gw_const_real(f, x, &real);
            if (!is_real) gw_const_int(f, x, &integer);
            replace(s, result, is_real ? gw_real(&b, type, real) : gw_int(&b, type, integer));
        }
    }
}

/* The constants that a branch's sides hand on tell which side it took, where x is such a result in x == y. */
static gw_value ask_branch(state *s, gw_op op, gw_builder *b) {
    const gw_func *f = s->f;
    const gw_value x = gw_operand(f, op, 0);
    const gw_op branch = gw_value_at(f, x)->op;
    int64_t of[2], asked;
    if (!branch || gw_op_at(f, branch)->code != GW_OP_IF) return 0;
    if (!gw_const_int(f, gw_operand(f, op, 1), &asked)) return 0;
    for (uint32_t side = 0; side < 2; side++) {
        const gw_value handed = gw_arm_value(f, branch, side, gw_value_at(f, x)->index);
        if (!gw_const_int(f, now(s, handed), &of[side])) return 0;
    }
    if ((of[0] == asked) == (of[1] == asked)) return 0;
    const gw_value condition = now(s, gw_operand(f, branch, 0));
    const bool first = (of[0] == asked) == (gw_op_at(f, op)->code == GW_OP_EQ);
    return first ? condition : gw_unary(b, GW_OP_NOT, condition);
}

/* Runs the folding builder again on an op whose operands may have become constants. */
static void visit_pure(state *s, gw_op op) {
    gw_func *f = s->f;
    const gw_op_data o = *gw_op_at(f, op);
    gw_value result = o.first_result;
    if (o.operands == 0 || now(s, result) != result) return;
    gw_builder b = {f, o.parent, op, o.loc};
    uint32_t before = f->ops.count;
    gw_value x = gw_operand(f, op, 0), made = 0;
    if (o.code == GW_OP_EQ || o.code == GW_OP_NE) made = ask_branch(s, op, &b);
    if (made) {
        replace(s, result, made);
        return;
    }
    const bool says_of_derivative = o.code == GW_OP_FOLLOW || o.code == GW_OP_DETACH;
    const bool has_derivative = f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK;
    if (says_of_derivative && has_derivative) made = x;
    else if (o.code == GW_OP_CAST) made = gw_cast(&b, gw_typeof(f, result), x);
    else if (o.code == GW_OP_BITS) made = gw_bits(&b, gw_typeof(f, result), x);
    else if (o.code == GW_OP_SELECT) made = gw_select(&b, x, gw_operand(f, op, 1), gw_operand(f, op, 2));
    else if (o.operands == 2 && (o.code <= GW_OP_GE || o.code == GW_OP_IMIN || o.code == GW_OP_IMAX))
        made = gw_binary(&b, (gw_opcode)o.code, x, gw_operand(f, op, 1));
    else if (o.code == GW_OP_NEG || o.code == GW_OP_NOT) made = gw_unary(&b, (gw_opcode)o.code, x);
    if (!made) return;
    gw_op by = gw_value_at(f, made)->op;
    if (by && by >= before && gw_op_at(f, by)->code == o.code) { /* nothing folded */
        gw_op_remove(f, by);
        return;
    }
    replace(s, result, made);
}

/* ---- where a load reads, by the branches around it ---- */
/* The side that the branch took, if `at` is only reached where it did; -1: nobody knows. */
static int side_taken(const state *s, gw_op branch) {
    bool truth = true;
    const gw_value asked = gw_behind_not(s->f, now(s, gw_operand(s->f, branch, 0)), &truth);
    for (uint32_t i = 0; i < s->facts.count; i++) {
        bool holds = s->facts.at[i].holds;
        if (gw_behind_not(s->f, s->facts.at[i].condition, &holds) == asked) return holds == truth ? 0 : 1;
    }
    return -1;
}

/* What v is in front of `at`, made of what the sides that were taken hand on; 0: it is not to be had there.
 * `left`: values that may still be looked at. */
static gw_value as_taken(state *s, gw_value v, gw_op at, uint32_t *left) {
    gw_func *f = s->f;
    const gw_op op = gw_value_at(f, v)->op;
    const gw_value there = gw_value_visible(f, v, gw_op_at(f, at)->parent) ? v : 0;
    if (!op || *left == 0) return there;
    --*left;
    if (gw_op_at(f, op)->code == GW_OP_IF) {
        const int side = side_taken(s, op);
        if (side < 0) return there;
        return as_taken(s, now(s, gw_arm_value(f, op, (uint32_t)side, gw_value_at(f, v)->index)), at, left);
    }
    if (gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE || gw_op_at(f, op)->regions) return there;
    gw_builder b = {f, gw_op_at(f, at)->parent, at, gw_op_at(f, op)->loc};
    gw_cloner c = {.from = f, .to = &b};
    bool same = true, all = true;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands && all; i++) {
        const gw_value old = gw_operand(f, op, i), by = as_taken(s, old, at, left);
        same &= by == old;
        all = by != 0;
        if (all) gw_map_set(&c.values, old, by);
    }
    gw_value made = there;
    if (all && !(same && there)) made = gw_result(f, gw_clone_op(&c, op), gw_value_at(f, v)->index);
    gw_map_free(&c.values);
    return made;
}

static void visit_stale(state *s, gw_op load) {
    for (uint32_t i = 0; i < gw_index_count(s->f, load); i++) {
        uint32_t left = 32;
        const gw_value v = gw_operand(s->f, load, i), by = as_taken(s, v, load, &left);
        if (!by || by == v) continue;
        gw_set_operand(s->f, load, i, by);
        s->changed = true;
    }
}

static void walk(state *s, gw_region r) {
    gw_func *f = s->f;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
            gw_set_operand(f, op, i, now(s, gw_operand(f, op, i)));
        if (gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_PURE) visit_pure(s, op);
        if (gw_op_at(f, op)->code == GW_OP_LOAD && gw_op_at(f, op)->flags & GW_OP_STALE) visit_stale(s, op);
        if (gw_is_loop(f, op)) visit_loop(s, op);
        bool branch = gw_op_at(f, op)->code == GW_OP_IF;
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) {
            if (branch) gw_push(&s->facts, ((fact){gw_operand(f, op, 0), i == 0}));
            walk(s, gw_op_at(f, op)->region[i]);
            if (branch) s->facts.count--;
        }
        if (branch) visit_if(s, op);
    }
}

bool gw_canonicalize(gw_func *f) {
    state s = {.f = f};
    walk(&s, f->entry);
    if (s.changed) gw_replace_many(f, &s.map);
    gw_map_free(&s.map);
    gw_vec_free(&s.facts);
    return s.changed;
}

void gw_clean(gw_func *f) {
    bool changed = true;
    for (int round = 0; changed && round < 10; round++) {
        changed = gw_cse(f);
        changed |= gw_canonicalize(f);
        changed |= gw_drop_dead_stores(f);
        changed |= gw_dce(f);
    }
}
