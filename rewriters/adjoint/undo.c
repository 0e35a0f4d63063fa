/*
 * adjoint/undo.c - carried values whose updates the reverse loop undoes instead of storing them (nest/invert.c
 * says which, and what they are off by).
 */
#include "analysis/ir/optional.h"
#include "rewriters/adjoint/adjoint_private.h"

/* One for each loop: its test is what takes the loop's flag. */
bool gw_adjoint_find_inverse(gw_adjoint *a, gw_op loop) {
    gw_invert s;
    for (uint32_t i = 0; i < gw_loop_carried(a->primal, loop); i++) {
        if (!gw_invert_examine(a->primal, loop, i, &s) || s.by_stop) continue; /* rounded alike in nests only */
        if (!gw_takes(a->f->session, GW_OPTIONAL_INVERT)) continue;
        a->kept[loop].inverse = i + 1;
        a->kept[loop].flag = s.flag_arg;
        return true;
    }
    return false;
}

/* ---- in the body of the reverse loop ---- */

/* What a side of the choice takes from outside. */
static void make_for_region(gw_cloner *c, gw_op branch, uint32_t side) {
    const gw_func *p = c->from;
    gw_region r = gw_op_at(p, branch)->region[side], outside = gw_op_at(p, branch)->parent;
    for (gw_op op = gw_first(p, r); op; op = gw_walk(p, op, r))
        for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++)
            if (gw_value_visible(p, gw_operand(p, op, i), outside)) gw_undo_make(c, gw_operand(p, op, i));
}

gw_value gw_undo_make(gw_cloner *c, gw_value v) {
    const gw_func *p = c->from;
    gw_value have = gw_map_get(&c->values, v);
    if (have) return have;
    gw_op op = gw_value_at(p, v)->op;
    for (uint32_t i = 0; i < gw_op_at(p, op)->operands; i++) gw_undo_make(c, gw_operand(p, op, i));
    for (uint32_t side = 0; side < gw_op_at(p, op)->regions; side++) make_for_region(c, op, side);
    gw_clone_op(c, op);
    return gw_map_get(&c->values, v);
}

/* The carried value before the iteration, given the one after it; v is what it became. */
static gw_value undo(const gw_invert *s, gw_cloner *c, gw_value v, gw_value after) {
    gw_builder *b = c->to;
    gw_func *f = b->f;
    gw_value factor;
    if (v == s->arg) return after;
    if (gw_invert_is_update(s, v, &factor)) {
        gw_value by = gw_undo_make(c, factor);
        bool fast = gw_invert_divides_fast(s, factor, gw_op_at(s->p, gw_value_at(s->p, v)->op)->parent);
        gw_value before = fast ? gw_binary(b, GW_OP_OVER, after, by) : gw_binary(b, GW_OP_DIV, after, by);
        gw_op op = gw_value_at(f, before)->op;
        if (op)
            gw_op_at(f, op)->note = gw_intern(
                f->session, fast ? "undoes this update in the reverse loop: nothing is stored; k such "
                                   "divisions are off by at most about 3k units in the last place"
                                 : "undoes this update in the reverse loop: nothing is stored; k such "
                                   "divisions are off by about k units in the last place");
        if (op) gw_op_at(f, op)->loc = gw_op_at(s->p, gw_value_at(s->p, v)->op)->loc;
        return before;
    }
    gw_op branch = gw_value_at(s->p, v)->op;
    uint32_t k = gw_value_at(s->p, v)->index;
    gw_value condition = gw_undo_make(c, gw_operand(s->p, branch, 0));
    gw_op made = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_value result = gw_op_add_result(f, made, gw_typeof(s->p, v), gw_value_at(s->p, s->arg)->name);
    gw_builder saved = *b;
    for (uint32_t side = 0; side < 2; side++) {
        gw_cloner inner = {.from = c->from,
                           .to = c->to,
                           .values = gw_map_copy(&c->values),
                           .objects = c->objects,
                           .pinned = c->pinned};
        b->region = gw_region_new(f, made);
        b->before = 0;
        gw_value before = undo(s, &inner, gw_arm_value(s->p, branch, side, k), after);
        gw_yield(b, &before, 1);
        gw_map_free(&inner.values);
    }
    *b = saved;
    return result;
}

/* What is defined outside of the loop, and the arguments of region r. */
gw_value_map gw_undo_values(const gw_adjoint *a, gw_op loop) {
    const gw_func *p = a->primal;
    const gw_value_map *all = &a->c.values;
    gw_value_map there = {0};
    for (gw_value v = 1; v < all->count && v < p->values.count; v++) {
        gw_region r = gw_value_region(p, v);
        bool argument = r == gw_loop_body(p, loop) && !gw_value_at(p, v)->op;
        if (all->at[v] && (argument || !r || gw_region_inside(p, gw_op_at(p, loop)->parent, r)))
            gw_map_set(&there, v, all->at[v]);
    }
    return there;
}

/* Besides, what the bodies around `op` have computed before it in this iteration. */
static void add_values_before(const gw_adjoint *a, gw_op loop, gw_op op, gw_value_map *there) {
    const gw_func *p = a->primal;
    for (; op != loop; op = gw_op_around(p, op))
        for (gw_op at = gw_prev(p, op); at; at = gw_prev(p, at))
            for (uint32_t i = 0; i < gw_op_at(p, at)->results; i++) {
                gw_value v = gw_result(p, at, i);
                if (gw_map_get(&a->c.values, v)) gw_map_set(there, v, gw_map_get(&a->c.values, v));
            }
}

/* What a nest writes for others (nest.c) is not written in its reverse, so it needs no value there. */
static bool needs(const gw_func *p, gw_op op, gw_value v) {
    const gw_op_data *o = gw_op_at(p, op);
    const bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC;
    for (uint32_t i = 0; i < o->operands; i++)
        if (gw_operand(p, op, i) == v && !writes) return true;
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(p, o->region[i]); in; in = gw_next(p, in))
            if (needs(p, in, v)) return true;
    return false;
}

static bool uses(const gw_adjoint *a, gw_op loop, gw_op op, gw_value v) {
    return gw_adjoint_is_inner(a, loop) ? needs(a->primal, op, v) : gw_uses_value(a->primal, op, v);
}

/* Only the branch that decides about the update needs the value in this region: each side undoes its own. */
static bool is_left_to(const gw_adjoint *a, const gw_invert *s, const gw_resume *t, gw_op op) {
    const gw_func *p = s->p;
    if (gw_op_at(p, op)->code != GW_OP_IF || gw_value_at(p, t->next)->op != op) return false;
    gw_value condition = gw_operand(p, op, 0);
    bool negated = false;
    if (!gw_invert_is_free(s, condition) && gw_behind_not(p, condition, &negated) != s->test) return false;
    gw_op end = gw_region_end(p, t->region);
    for (gw_op at = gw_next(p, op); at; at = gw_next(p, at))
        if (uses(a, s->loop, at, s->arg)) return false;
    return gw_op_at(p, end)->parent == t->region;
}

/* The value is there from now on. */
static void resolve(gw_adjoint *a, const gw_invert *s, gw_resume *t, gw_op op) {
    gw_cloner c = {.from = a->primal,
                   .to = &a->b,
                   .values = gw_undo_values(a, s->loop),
                   .objects = a->c.objects,
                   .pinned = &a->pinned};
    add_values_before(a, s->loop, op, &c.values);
    if (s->test) gw_map_set(&c.values, s->test, gw_map_get(&a->pinned, s->test));
    gw_value before = undo(s, &c, t->next, gw_map_get(&a->adjoint, t->key));
    gw_map_free(&c.values);
    gw_map_set(&a->adjoint, t->key, before);
    gw_map_set(&a->c.values, s->arg, before);
    t->resolved = true;
}

static void resume(gw_adjoint *a, gw_resume *t, gw_op op) {
    const gw_func *p = a->primal;
    const gw_region r = t->region;
    gw_invert s;
    if (t->resolved || !gw_invert_examine_by(p, t->loop, t->index, t->flag, &s)) return;
    bool end = op == gw_region_end(p, r);
    if (!end && !uses(a, t->loop, op, s.arg)) return;
    if (!end && is_left_to(a, &s, t, op)) {
        t->branch = op;
        t->resolved = true;
    } else {
        resolve(a, &s, t, op);
    }
}

void gw_adjoint_resume(gw_adjoint *a, gw_region r, gw_op op) {
    for (uint32_t i = a->resumes.count; i-- > 0 && a->resumes.at[i].region == r;)
        resume(a, &a->resumes.at[i], op);
}

/* In a region in which the value becomes `next`; it is not there until it is needed. */
static void begin_region(gw_adjoint *a, const gw_resume *like, gw_region r, gw_value arg, gw_value next) {
    bool same = next == arg;
    gw_push(&a->resumes, ((gw_resume){.loop = like->loop,
                                      .index = like->index,
                                      .key = like->key,
                                      .flag = like->flag,
                                      .region = r,
                                      .next = next,
                                      .resolved = same}));
    gw_map_set(&a->c.values, arg,
               same ? gw_map_get(&a->adjoint, like->key) : gw_adjoint_unneeded(a, gw_typeof(a->primal, arg)));
}

static gw_value argument(const gw_adjoint *a, const gw_resume *t) {
    return gw_loop_arg(a->primal, t->loop, t->index);
}

bool gw_adjoint_resume_side(gw_adjoint *a, gw_op branch, int side) {
    const uint32_t count = a->resumes.count;
    for (uint32_t i = gw_adjoint_first_resume(a); i < count; i++) {
        if (a->resumes.at[i].branch != branch) continue;
        const gw_resume t = a->resumes.at[i];
        uint32_t k = gw_value_at(a->primal, t.next)->index;
        begin_region(a, &t, gw_op_at(a->primal, branch)->region[side], argument(a, &t),
                     gw_arm_value(a->primal, branch, (uint32_t)side, k));
    }
    return a->resumes.count > count;
}

void gw_adjoint_resume_end(gw_adjoint *a) { a->resumes.count = gw_adjoint_first_resume(a); }

/* What the loop undoes, one after the other; false: there are no more. */
static bool undone_value(const gw_adjoint *a, gw_op loop, uint32_t k, gw_resume *t) {
    const gw_kept *kept = &a->kept[loop];
    *t = (gw_resume){.loop = loop};
    if (gw_adjoint_is_inner(a, loop)) {
        const gw_nest_state *s = &kept->nest->state[k];
        if (k == kept->nest->states) return false;
        t->index = s->value[GW_NEST_INNER], t->key = s->key, t->flag = s->flag;
        return true;
    }
    t->index = kept->inverse - 1;
    return kept->inverse && k == 0;
}

bool gw_adjoint_undoes(const gw_adjoint *a, gw_op loop, uint32_t i) {
    const gw_value arg = gw_loop_arg(a->primal, loop, i), flag = a->kept[loop].flag;
    gw_resume t;
    for (uint32_t k = 0; undone_value(a, loop, k, &t); k++)
        if (t.index == i || t.flag == arg) return true;
    return flag && flag == arg;
}

/* The iterations before it, in all batches. */
static gw_value place_of(gw_adjoint *a, const gw_nest *n, gw_value number) {
    return gw_binary(&a->b, GW_OP_ADD, n->before, gw_cast(&a->b, gw_typeof(a->f, n->last), number));
}

/* Whether state k is past its last effect in iteration `number` of the inner loop's reverse; one whose flag the
 * loop asks for runs no such iteration. */
static gw_value is_past(gw_adjoint *a, gw_op inner, uint32_t k, gw_value number) {
    const gw_nest *n = a->kept[inner].nest;
    if (n->asked) return gw_int(&a->b, GW_T_BOOL, 0);
    return gw_binary(&a->b, GW_OP_GE, place_of(a, n, number), n->state[k].last);
}

/* Whether iteration `number` of the inner loop's reverse is the one that stopped state k. */
static gw_value stops_late(gw_adjoint *a, gw_op inner, uint32_t k, gw_value number) {
    const gw_nest_state *s = &a->kept[inner].nest->state[k];
    const gw_value one = gw_int(&a->b, gw_typeof(a->f, s->last), 1),
                   behind = gw_binary(&a->b, GW_OP_ADD, place_of(a, a->kept[inner].nest, number), one);
    return gw_binary(&a->b, GW_OP_AND, gw_binary(&a->b, GW_OP_EQ, behind, s->last), s->stopped);
}

void gw_adjoint_resume_begin(gw_adjoint *a, gw_op loop, gw_value key, gw_value stops, gw_value number) {
    gw_resume t;
    gw_invert s;
    for (uint32_t k = 0; undone_value(a, loop, k, &t); k++) {
        bool inner = gw_adjoint_is_inner(a, loop);
        if (!inner) t.key = key;
        gw_invert_examine_by(a->primal, loop, t.index, t.flag, &s);
        gw_value past = inner ? is_past(a, loop, k, number) : gw_int(&a->b, GW_T_BOOL, 0);
        if (s.flag_arg) gw_map_set(&a->c.values, s.flag_arg, past);
        const bool late = inner && a->kept[loop].nest->state[k].late;
        const gw_value here = late ? stops_late(a, loop, k, number) : stops;
        if (s.test) gw_map_set(&a->pinned, s.test, s.negated ? gw_unary(&a->b, GW_OP_NOT, here) : here);
        begin_region(a, &t, s.body, s.arg, gw_loop_next(a->primal, loop, t.index));
    }
}

void gw_adjoint_unpin(gw_adjoint *a, gw_op loop) {
    gw_resume t;
    gw_invert s;
    for (uint32_t k = 0; undone_value(a, loop, k, &t); k++)
        if (gw_invert_examine_by(a->primal, loop, t.index, t.flag, &s) && s.test)
            gw_map_set(&a->pinned, s.test, 0);
}
